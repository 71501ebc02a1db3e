// y[o, i, b] = data[o, indices[o, i, b], b]: a chunk of the places lies in UB, between zeros, and
// one Gather takes what the indices mean there and a zero for every other index. What all chunks
// give is put together bit by bit.
#include "axis_index.h"
#include "lines.h"
#include "outermost.h"
#include "wait_for.h"

using namespace AscendC;

template <typename T, typename Index>
class ElementGatherer {
 public:
  __aicore__ inline explicit ElementGatherer(const AxisElementsTiling& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR data, GM_ADDR indices, GM_ADDR y) {
    data_.SetGlobalBuffer((__gm__ T*)data);
    indices_.SetGlobalBuffer((__gm__ Index*)indices);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(out_, layout::kBuffers, Tile() * sizeof(T));
    if (t_.by_scalar == 0) Prepare();
    EveryPart(t_, Parts(), [&](uint64_t group, uint64_t part) {
      OneTile(Lines(t_, group), part * t_.part, Count(part));
    });
    if (t_.by_scalar == 0 && outermost_.Leaves(t_.places)) EndAtOutside();
  }

 private:
  static constexpr uint32_t kBlock = LayoutBlock(sizeof(T));

  // Tiles of every group of lines, and the indices that one of them has of each.
  __aicore__ inline uint64_t Parts() const { return (t_.indices + t_.part - 1) / t_.part; }
  __aicore__ inline uint32_t Count(uint64_t part) const {
    return static_cast<uint32_t>(layout::Least(t_.part, t_.indices - part * t_.part));
  }
  __aicore__ inline uint32_t Pitch() const {
    return layout::UpTo(t_.across != 0 ? t_.part : t_.lines, kAxisElementsStep);
  }
  __aicore__ inline uint32_t Tile() const {
    return Pitch() * (t_.across != 0 ? t_.lines : t_.part);
  }
  // Returns the slab: rows of places with a block of zeros at both ends, or a row of zeros at both
  // ends.
  __aicore__ inline uint32_t SlabPitch() const {
    return t_.across != 0 ? layout::UpTo(t_.chunk, kBlock) + 2 * kBlock : Pitch();
  }
  __aicore__ inline uint32_t SlabRows() const { return t_.across != 0 ? t_.lines : t_.chunk + 2; }

  __aicore__ inline void Prepare() {
    pipe_.InitBuffer(slab_, layout::kBuffers, SlabRows() * SlabPitch() * sizeof(T));
    pipe_.InitBuffer(in_, layout::kBuffers, Tile() * sizeof(Index));
    pipe_.InitBuffer(places_, Tile() * sizeof(int32_t));
    pipe_.InitBuffer(first_, Tile() * sizeof(int32_t));
    pipe_.InitBuffer(offsets_, Tile() * sizeof(int32_t));
    pipe_.InitBuffer(taken_, Tile() * sizeof(T));
    outermost_.Init(pipe_);
    Clear<T>(slab_, SlabRows() * SlabPitch());
    Clear<Index>(in_, Tile());  // loads leave gaps between rows
    const LocalTensor<int32_t> first = first_.Get<int32_t>();
    for (uint32_t row = 0; row < Tile() / Pitch(); ++row) {
      if (t_.across != 0) {
        const uint32_t before = row * SlabPitch() + kBlock - 1;
        Duplicate(first[row * Pitch()], static_cast<int32_t>(before * sizeof(T)), Pitch());
      } else {
        CreateVecIndex(first[row * Pitch()], 0, Pitch());
      }
    }
    if (t_.across == 0) Muls(first, first, static_cast<int32_t>(sizeof(T)), Tile());
  }

  // Zeros in all buffers of a queue.
  template <typename Element, typename Queue>
  __aicore__ inline void Clear(Queue& queue, uint32_t elements) {
    LocalTensor<Element> buffers[layout::kBuffers];
    for (auto& buffer : buffers) {
      buffer = queue.template AllocTensor<Element>();
      Duplicate(buffer.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(0),
                elements * sizeof(Element) / sizeof(uint16_t));
    }
    for (auto& buffer : buffers) queue.FreeTensor(buffer);
  }

  __aicore__ inline void OneTile(const Lines& lines, uint64_t first, uint32_t count) {
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if (t_.by_scalar != 0) {
      ReadOne(out, lines, first, count);
    } else {
      SetPlaces(lines, first, count);
      const uint32_t elements = lines.Height(count) * Pitch();
      for (uint64_t place = 0; place < t_.places; place += t_.chunk)
        TakeChunk(out, lines, layout::Least(place, t_.places - t_.chunk), place == 0, elements);
    }
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    lines.Rows<T>(t_.indices, count, Pitch()).Store(y_[lines.At(t_.indices, first)], out);
    out_.FreeTensor(out);
  }

  // Returns what an index of a line means.
  __aicore__ inline uint64_t Place(const Lines& lines, uint64_t element, uint32_t line) {
    const uint64_t at = lines.At(t_.indices, element, line);
    return PlaceOnAxis(static_cast<int64_t>(indices_.GetValue(at)), t_.places, at);
  }

  // Negative indices count from the end. Those beyond 32 bits become the outermost of these.
  __aicore__ inline void SetPlaces(const Lines& lines, uint64_t first, uint32_t count) {
    const LocalTensor<int32_t> places = places_.Get<int32_t>(), below = offsets_.Get<int32_t>();
    LocalTensor<Index> in = in_.template AllocTensor<Index>();
    lines.Rows<Index>(t_.indices, count, Pitch())
        .LoadFilled(in, indices_[lines.At(t_.indices, first)], 0);
    in_.EnQue(in);
    in = in_.template DeQue<Index>();
    const uint32_t elements = lines.Height(count) * Pitch();
    if constexpr (sizeof(Index) == sizeof(int64_t)) {
      Cast(places, in, RoundMode::CAST_NONE, elements);
    } else {
      Adds(places, in, 0, elements);
    }
    in_.FreeTensor(in);
    Mins(below, places, 0, elements);
    Maxs(below, below, -1, elements);
    Muls(below, below, -static_cast<int32_t>(t_.places), elements);
    Add(places, places, below, elements);
    outermost_.Note(places, elements);
  }

  // Ends the kernel with the first index of this core's that leaves the axis.
  __aicore__ inline void EndAtOutside() {
    EveryPart(t_, Parts(), [&](uint64_t group, uint64_t part) {
      const Lines lines(t_, group);
      for (uint32_t line = 0; line < lines.count(); ++line) {
        for (uint32_t i = 0; i < Count(part); ++i) Place(lines, part * t_.part + i, line);
      }
    });
  }

  // place: the first of the chunk. The last chunk begins within the one before it.
  __aicore__ inline void TakeChunk(const LocalTensor<T>& out, const Lines& lines, uint64_t place,
                                   bool is_first, uint32_t elements) {
    const LocalTensor<int32_t> offsets = offsets_.Get<int32_t>();
    Adds(offsets, places_.Get<int32_t>(), 1 - static_cast<int32_t>(place), elements);
    Maxs(offsets, offsets, 0, elements);
    Mins(offsets, offsets, static_cast<int32_t>(t_.chunk) + 1, elements);
    const uint32_t step = t_.across != 0 ? 1 : SlabPitch();
    Muls(offsets, offsets, static_cast<int32_t>(step * sizeof(T)), elements);
    Add(offsets, offsets, first_.Get<int32_t>(), elements);
    LocalTensor<T> slab = slab_.template AllocTensor<T>();
    lines.Rows<T>(t_.places, t_.chunk, SlabPitch())
        .LoadFilled(slab[t_.across != 0 ? kBlock : SlabPitch()], data_[lines.At(t_.places, place)],
                    static_cast<T>(0));
    slab_.EnQue(slab);
    slab = slab_.template DeQue<T>();
    const LocalTensor<T> taken = is_first ? out : taken_.template Get<T>();
    Gather(taken, slab, offsets.ReinterpretCast<uint32_t>(), 0, elements);
    slab_.FreeTensor(slab);
    if (is_first) return;
    const LocalTensor<uint16_t> all = out.template ReinterpretCast<uint16_t>();
    Or(all, all, taken.template ReinterpretCast<uint16_t>(),
       static_cast<int32_t>(elements * sizeof(T) / sizeof(uint16_t)));
  }

  __aicore__ inline void ReadOne(const LocalTensor<T>& out, const Lines& lines, uint64_t first,
                                 uint32_t count) {
    WaitFor<HardEvent::V_S>();  // V has waited for the buffer
    for (uint32_t line = 0; line < lines.count(); ++line) {
      for (uint32_t i = 0; i < count; ++i) {
        out.SetValue(t_.across != 0 ? line * Pitch() + i : i * Pitch() + line,
                     data_.GetValue(lines.At(t_.places, Place(lines, first + i, line), line)));
      }
    }
    WaitFor<HardEvent::S_MTE3>();
  }

  const AxisElementsTiling& t_;
  TPipe pipe_;
  GlobalTensor<T> data_, y_;
  GlobalTensor<Index> indices_;
  TQue<QuePosition::VECIN, layout::kBuffers> slab_, in_;
  TQue<QuePosition::VECOUT, layout::kBuffers> out_;
  TBuf<TPosition::VECCALC> places_, first_, offsets_, taken_;
  Outermost outermost_;
};

extern "C" __global__ __aicore__ void gather_elements(GM_ADDR data, GM_ADDR indices, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(AxisElementsTiling);
  GET_TILING_DATA(t, tiling);
  if (t.core_tiles == 0) return;
  ElementGatherer<layout::BitsOf<sizeof(DTYPE_DATA)>::Type, DTYPE_INDICES> op(t);
  op.Run(data, indices, y);
}
