// Lays stamps over each other: tiles of one channel of y. Pixels of y that lie a stride apart see
// the same elements of the filter, so each phase of a tile, one in every stride down and across, is
// a sum of rectangles of stamps.
#ifndef CONV_TRANSPOSE_OVERLAY_H_
#define CONV_TRANSPOSE_OVERLAY_H_

#include "conv_transpose_tiling.h"
#include "layout.h"
#include "narrowed.h"

// The stamps of one channel: planes of rows x t.across.size, from row `first` of x on.
struct Stamps {
  AscendC::GlobalTensor<float> planes;
  uint32_t first, rows;
};

// Describes one dim: elements `from` to `end` of a phase see those of x from `at` on.
struct Overlap {
  bool any;
  uint32_t from, end, at;
};

// A phase begins at pixel `begin` of y and has `count` of them, a stride apart; x has elements
// from `first` to `end`.
__aicore__ inline Overlap OverlapOf(const StampTiling& t, uint32_t begin, uint32_t count,
                                    uint32_t element, int32_t first, int32_t end) {
  const auto stride = static_cast<int32_t>(t.stride);
  const int32_t place =
      static_cast<int32_t>(begin + t.pad) - static_cast<int32_t>(element * t.dilation);
  if (place % stride != 0) return {};
  const int32_t start = place / stride;  // is a place in x, below element 0 of the phase
  const int32_t from = start < first ? first - start : 0;
  const int32_t most = end - start, all = static_cast<int32_t>(count);
  const int32_t last = most < all ? most : all;
  if (from >= last) return {};
  return {true, static_cast<uint32_t>(from), static_cast<uint32_t>(last),
          static_cast<uint32_t>(start + from)};
}

template <typename T>
class Overlay {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe, const ConvTransposeTiling& t, bool apart) {
    t_ = &t;
    apart_ = apart;
    const uint32_t plane = t.plane_rows * t.plane_pitch, row = RowPitch();
    pipe.InitBuffer(sums_, t.down.phases * t.across.phases * plane * sizeof(float));
    pipe.InitBuffer(in_, layout::kBuffers, plane * sizeof(float));
    pipe.InitBuffer(out_, layout::kBuffers, t.down.tile * row * sizeof(T));
    if (!apart) return;
    pipe.InitBuffer(offsets_, row * sizeof(int32_t));
    if constexpr (kNarrows) pipe.InitBuffer(wide_, t.down.tile * row * sizeof(float));
    SetOffsets();
  }

  // Rows from `row` on and columns from `column` on of a plane of y.
  __aicore__ inline void OneTile(const Stamps& stamps, float bias,
                                 const AscendC::GlobalTensor<T>& y, uint32_t row, uint32_t rows,
                                 uint32_t column, uint32_t columns) {
    using namespace AscendC;
    Duplicate(sums_.Get<float>(), bias, t_->down.phases * t_->across.phases * Plane());
    for (uint32_t down = 0; down < t_->down.phases && down < rows; ++down)
      for (uint32_t across = 0; across < t_->across.phases && across < columns; ++across)
        OnePhase(stamps, Phase(down, across), row + down, Share(rows - down, t_->down.stride),
                 column + across, Share(columns - across, t_->across.stride));
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if (apart_) {
      Weave(out, rows, columns);
    } else {
      Narrow(out, sums_.Get<float>(), rows * t_->plane_pitch);
    }
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    layout::Rows<T>(rows, columns, t_->across.out_size, apart_ ? RowPitch() : t_->plane_pitch)
        .Store(y[uint64_t{row} * t_->across.out_size + column], out);
    out_.FreeTensor(out);
  }

 private:
  static constexpr bool kNarrows = !AscendC::IsSameType<T, float>::value;
  static constexpr uint32_t kBlock = 8;  // floats

  __aicore__ static inline uint32_t Share(uint32_t count, uint32_t stride) {
    return (count + stride - 1) / stride;
  }
  __aicore__ inline uint32_t Plane() const { return t_->plane_rows * t_->plane_pitch; }
  __aicore__ inline uint32_t RowPitch() const { return layout::UpTo(t_->across.tile, kStampStep); }
  __aicore__ inline AscendC::LocalTensor<float> Phase(uint32_t down, uint32_t across) {
    return sums_.Get<float>()[(down * t_->across.phases + across) * Plane()];
  }

  __aicore__ inline void OnePhase(const Stamps& stamps, const AscendC::LocalTensor<float>& sums,
                                  uint32_t row, uint32_t rows, uint32_t column, uint32_t columns) {
    const auto first = static_cast<int32_t>(stamps.first),
               end = static_cast<int32_t>(stamps.first + stamps.rows),
               width = static_cast<int32_t>(t_->across.size);
    for (uint32_t high = 0; high < t_->down.filter; ++high) {
      const Overlap down = OverlapOf(t_->down, row, rows, high, first, end);
      if (!down.any) continue;
      for (uint32_t wide = 0; wide < t_->across.filter; ++wide) {
        const Overlap across = OverlapOf(t_->across, column, columns, wide, 0, width);
        if (across.any) AddStamps(stamps, sums, high * t_->across.filter + wide, down, across);
      }
    }
  }

  // Adds a rectangle of the stamps of one element of the filter.
  __aicore__ inline void AddStamps(const Stamps& stamps, const AscendC::LocalTensor<float>& sums,
                                   uint32_t element, const Overlap& down, const Overlap& across) {
    using namespace AscendC;
    const uint32_t rows = down.end - down.from, pitch = t_->plane_pitch;
    LocalTensor<float> in = in_.AllocTensor<float>();
    const uint64_t row = uint64_t{element} * stamps.rows + down.at - stamps.first;
    Load(in, stamps.planes[row * t_->across.size + across.at], rows, across);
    in_.EnQue(in);
    in = in_.DeQue<float>();
    const Columns columns = ColumnsOf(across);
    AddColumns(sums[down.from * pitch + columns.begin], in[columns.begin], rows, columns.count);
    in_.FreeTensor(in);
  }

  // Whole blocks of a row that columns from..end touch: `left` columns of the first one come before
  // them.
  struct Columns {
    uint32_t begin, left, count;
  };
  __aicore__ static inline Columns ColumnsOf(const Overlap& across) {
    const uint32_t begin = across.from / kBlock * kBlock;
    return {begin, across.from - begin, layout::UpTo(across.end - begin, kBlock)};
  }

  // Columns from..end of every row, zeros around them in their blocks.
  __aicore__ inline void Load(const AscendC::LocalTensor<float>& to,
                              const AscendC::GlobalTensor<float>& from, uint32_t rows,
                              const Overlap& across) {
    using namespace AscendC;
    const Columns columns = ColumnsOf(across);
    const uint32_t count = across.end - across.from;
    DataCopyPad(
        to[columns.begin], from,
        DataCopyExtParams{static_cast<uint16_t>(rows), static_cast<uint32_t>(count * sizeof(float)),
                          static_cast<uint32_t>((t_->across.size - count) * sizeof(float)),
                          (t_->plane_pitch - columns.count) / kBlock, 0},
        DataCopyPadExtParams<float>{true, static_cast<uint8_t>(columns.left),
                                    static_cast<uint8_t>(columns.count - columns.left - count),
                                    0.0f});
  }

  // Rows lie a plane's pitch apart in both.
  __aicore__ inline void AddColumns(const AscendC::LocalTensor<float>& to,
                                    const AscendC::LocalTensor<float>& in, uint32_t rows,
                                    uint32_t columns) {
    using namespace AscendC;
    constexpr uint32_t kRepeat = 64, kMost = 255;  // floats; repeats, and blocks between them
    const uint32_t pitch = t_->plane_pitch;
    const bool is_far = pitch > kMost * kBlock;  // too far for a repeat
    const auto stride = static_cast<uint8_t>(is_far ? 0 : pitch / kBlock);
    const uint32_t step = is_far ? 1 : kMost;
    for (uint32_t row = 0; row < rows; row += step) {
      for (uint32_t column = 0; column < columns; column += kRepeat) {
        const LocalTensor<float> part = to[row * pitch + column];
        Add(part, part, in[row * pitch + column],
            static_cast<uint64_t>(layout::Least(kRepeat, columns - column)),
            static_cast<uint8_t>(layout::Least(step, rows - row)),
            BinaryRepeatParams(1, 1, 1, stride, stride, stride));
      }
    }
  }

  // Rows of y from the phases: each is gathered from as many planes as there are phases across.
  __aicore__ inline void Weave(const AscendC::LocalTensor<T>& out, uint32_t rows,
                               uint32_t columns) {
    using namespace AscendC;
    LocalTensor<float> wide;
    if constexpr (kNarrows) {
      wide = wide_.template Get<float>();
    } else {
      wide = out;
    }
    for (uint32_t row = 0; row < rows; ++row) {
      const uint32_t place = row % t_->down.stride * t_->across.phases * Plane() +
                             row / t_->down.stride * t_->plane_pitch;
      Gather(wide[row * RowPitch()], sums_.Get<float>(),
             offsets_.Get<int32_t>().template ReinterpretCast<uint32_t>(),
             static_cast<uint32_t>(place * sizeof(float)), columns);
    }
    if constexpr (kNarrows) Cast(out, wide, RoundMode::CAST_RINT, rows * RowPitch());
  }

  // Where the elements of row 0 lie, bytes. Those behind the tile's are of no use.
  __aicore__ inline void SetOffsets() {
    const AscendC::LocalTensor<int32_t> offsets = offsets_.Get<int32_t>();
    for (uint32_t column = 0; column < RowPitch(); ++column) {
      const uint32_t place = column % t_->across.stride * Plane() + column / t_->across.stride;
      offsets.SetValue(column, static_cast<int32_t>(place * sizeof(float)));
    }
    const auto event = static_cast<int32_t>(GetTPipePtr()->FetchEventID(AscendC::HardEvent::S_V));
    AscendC::SetFlag<AscendC::HardEvent::S_V>(event);
    AscendC::WaitFlag<AscendC::HardEvent::S_V>(event);
  }

  const ConvTransposeTiling* t_ = nullptr;
  bool apart_ = false;
  AscendC::TBuf<AscendC::TPosition::VECCALC> sums_, wide_, offsets_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, layout::kBuffers> out_;
};

#endif  // CONV_TRANSPOSE_OVERLAY_H_
