// The kernel of an op that says where the most extreme element along a dim lies:
//
//   SEARCH_OP(arg_max, true)
//
// The entry's name, and whether the largest element is meant.
#ifndef ARG_EXTREME_SEARCH_H_
#define ARG_EXTREME_SEARCH_H_

#include "line_search.h"
#include "wait_for.h"
#include "winners.h"

namespace search {

template <bool kLargest, typename T>
class Searcher {
 public:
  __aicore__ inline Searcher(const SearchTiling& t, GM_ADDR x, GM_ADDR y) : t_(t) {
    x_.SetGlobalBuffer((__gm__ Bits*)x);
    y_.SetGlobalBuffer((__gm__ int64_t*)y);
    pipe_.InitBuffer(in_, layout::kBuffers, t.tile * sizeof(T));
    pipe_.InitBuffer(out_, layout::kBuffers, t.lanes * sizeof(int64_t));
    pipe_.InitBuffer(values_, t.tile * sizeof(float));
    pipe_.InitBuffer(turned_, kCasts && t.inner == 1 ? t.tile * sizeof(T) : layout::kBlockBytes);
    lines_.Init(pipe_, t);
    winners_.Init(pipe_, t);
  }

  __aicore__ inline void Run() {
    const bool rows = t_.inner == 1;
    const uint64_t across = ((rows ? t_.outer : t_.inner) + t_.width - 1) / t_.width;
    const uint64_t first = GetBlockIdx() * t_.core_units;
    const uint64_t end = layout::Least(rows ? across : t_.outer * across, first + t_.core_units);
    for (uint64_t unit = first; unit < end; ++unit) {
      if (rows) {
        Rows(unit * t_.width);
      } else {
        Columns(unit / across, unit % across * t_.width);
      }
    }
  }

 private:
  using Bits = typename layout::BitsOf<sizeof(T)>::Type;
  static constexpr bool kCasts = !IsSameType<T, float>::value;

  __aicore__ inline void Columns(uint64_t matrix, uint64_t column) {
    const auto width = static_cast<uint32_t>(layout::Least(t_.width, t_.inner - column));
    EveryChunk([&](uint32_t line, uint32_t lines) {
      const uint64_t at = (matrix * t_.terms + line) * t_.inner + column;
      LocalTensor<Bits> in = in_.template AllocTensor<Bits>();
      layout::Rows<Bits>(lines, width, t_.inner, t_.lanes).Load(in, x_[at]);
      in_.EnQue(in);
      in = in_.template DeQue<Bits>();
      lines_.Find(Widen(in.template ReinterpretCast<T>(), lines), lines);
      in_.FreeTensor(in);
    });
    Store(matrix * t_.inner + column, width);
  }

  __aicore__ inline void Rows(uint64_t row) {
    const auto rows = static_cast<uint32_t>(layout::Least(t_.width, t_.outer - row));
    EveryChunk([&](uint32_t line, uint32_t lines) {
      const uint32_t pitch = layout::UpTo(lines, LayoutBlock(sizeof(T)));
      LocalTensor<Bits> in = in_.template AllocTensor<Bits>();
      for (uint32_t part = 0; part < t_.parts; ++part)
        layout::Rows<Bits>(rows, lines, t_.terms, pitch)
            .Load(in[part * rows * pitch], x_[row * t_.terms + Start(part) + line]);
      in_.EnQue(in);
      in = in_.template DeQue<Bits>();
      lines_.Find(Turned(in, rows * t_.parts, lines), lines);
      in_.FreeTensor(in);
    });
    Store(row, rows);
  }

  // Calls find(first line, lines) for the chunks of a unit, and takes what each has.
  template <typename Find>
  __aicore__ inline void EveryChunk(const Find& find) {
    for (uint32_t line = 0; line < t_.length; line += t_.chunk) {
      find(line, static_cast<uint32_t>(layout::Least(t_.chunk, t_.length - line)));
      winners_.Take(lines_.Elements(), lines_.Lines(), static_cast<int32_t>(line));
    }
  }

  // Returns the place in its row where a part begins.
  __aicore__ inline uint64_t Start(uint32_t part) const {
    return layout::Least(uint64_t{part} * t_.length, t_.terms - t_.length);
  }

  __aicore__ inline LocalTensor<float> Widen(const LocalTensor<T>& in, uint32_t lines) {
    if constexpr (kCasts) {
      const LocalTensor<float> values = values_.template Get<float>();
      Cast(values, in, RoundMode::CAST_NONE, lines * t_.lanes);
      return values;
    } else {
      return in;
    }
  }

  // Returns rows as lanes.
  __aicore__ inline LocalTensor<float> Turned(const LocalTensor<Bits>& in, uint32_t rows,
                                              uint32_t lines) {
    if constexpr (kCasts) {
      const LocalTensor<Bits> turned = turned_.template Get<Bits>();
      layout::Turn(turned, in, rows, lines, t_.lanes);
      return Widen(turned.template ReinterpretCast<T>(), lines);
    } else {
      const LocalTensor<float> values = values_.template Get<float>();
      layout::Turn(values.template ReinterpretCast<Bits>(), in, rows, lines, t_.lanes);
      return values;
    }
  }

  __aicore__ inline void Store(uint64_t at, uint32_t count) {
    LocalTensor<int64_t> out = out_.template AllocTensor<int64_t>();
    if (t_.parts == 1) {
      Cast(out, winners_.Places(), RoundMode::CAST_NONE, count);
    } else {
      JoinParts(out, count);
    }
    out_.EnQue(out);
    out = out_.template DeQue<int64_t>();
    DataCopyPad(y_[at], out,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(int64_t)), 0, 0, 0});
    out_.FreeTensor(out);
  }

  // The winners of the parts of each row are few.
  __aicore__ inline void JoinParts(const LocalTensor<int64_t>& out, uint32_t rows) {
    WaitFor<HardEvent::MTE3_S>();  // the results before are stored
    WaitFor<HardEvent::V_S>();
    for (uint32_t row = 0; row < rows; ++row)
      out.SetValue(row, winners_.Best(row, rows, t_.parts, [&](uint32_t part) {
        return static_cast<int64_t>(Start(part));
      }));
    WaitFor<HardEvent::S_V>();
    WaitFor<HardEvent::S_MTE3>();
  }

  const SearchTiling& t_;
  TPipe pipe_;
  GlobalTensor<Bits> x_;
  GlobalTensor<int64_t> y_;
  TQue<QuePosition::VECIN, layout::kBuffers> in_;
  TQue<QuePosition::VECOUT, layout::kBuffers> out_;
  TBuf<TPosition::VECCALC> values_, turned_;
  LineSearch<kLargest> lines_;
  Winners<kLargest> winners_;
};

}  // namespace search

#define SEARCH_OP(entry, largest)                                                      \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(SearchTiling);                                             \
    GET_TILING_DATA(data, tiling);                                                     \
    search::Searcher<largest, DTYPE_X> op(data, x, y);                                 \
    op.Run();                                                                          \
  }

#endif  // ARG_EXTREME_SEARCH_H_
