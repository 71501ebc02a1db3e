// y = data, but y[o, indices[o, i, b], b] = updates[o, i, b], or increased by it: a chunk of the
// places lies in UB, and the scalar unit works off the updates, one after the other, so that the
// last one of an element wins. What is added is added in float.
#include "axis_index.h"
#include "lines.h"
#include "narrowed.h"
#include "wait_for.h"
#include "widened.h"

using namespace AscendC;

// T: of tensors. Sum: of what the scalar unit works on, float or of T's size.
template <typename T, typename Sum, typename Index, bool kAdds>
class ElementScatterer {
 public:
  __aicore__ inline explicit ElementScatterer(const AxisElementsTiling& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR data, GM_ADDR indices, GM_ADDR updates, GM_ADDR y) {
    data_.SetGlobalBuffer((__gm__ T*)data);
    indices_.SetGlobalBuffer((__gm__ Index*)indices);
    updates_.SetGlobalBuffer((__gm__ T*)updates);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(slab_, Elements(t_.chunk) * sizeof(T));
    pipe_.InitBuffer(in_, Elements(t_.part) * sizeof(Index));
    pipe_.InitBuffer(given_, Elements(t_.part) * sizeof(T));
    if constexpr (kCasts) {
      pipe_.InitBuffer(wide_slab_, Elements(t_.chunk) * sizeof(float));
      pipe_.InitBuffer(wide_given_, Elements(t_.part) * sizeof(float));
    }
    EveryPart(t_, (t_.places + t_.chunk - 1) / t_.chunk,
              [&](uint64_t group, uint64_t chunk) { OneTile(Lines(t_, group), chunk * t_.chunk); });
  }

 private:
  static constexpr bool kCasts = sizeof(T) != sizeof(Sum);

  // Returns the pitch of a tile with so many elements of every line.
  __aicore__ inline uint32_t Pitch(uint32_t count) const {
    return layout::UpTo(t_.across != 0 ? count : t_.lines, kAxisElementsStep);
  }
  __aicore__ inline uint32_t Elements(uint32_t count) const {
    return Pitch(count) * (t_.across != 0 ? t_.lines : count);
  }
  __aicore__ inline uint32_t Place(uint32_t line, uint32_t element, uint32_t pitch) const {
    return t_.across != 0 ? line * pitch + element : element * pitch + line;
  }

  __aicore__ inline void OneTile(const Lines& lines, uint64_t first) {
    const auto count = static_cast<uint32_t>(layout::Least(t_.chunk, t_.places - first));
    const auto rows = lines.Rows<T>(t_.places, count, Pitch(t_.chunk));
    const uint32_t elements = lines.Height(count) * Pitch(t_.chunk);
    const LocalTensor<T> slab = slab_.template Get<T>();
    WaitFor<HardEvent::MTE3_MTE2>();  // the tile before has left
    rows.Load(slab, data_[lines.At(t_.places, first)]);
    const LocalTensor<Sum> sums = Arrived(slab, wide_slab_, elements);
    for (uint64_t at = 0; at < t_.indices; at += t_.part) OnePart(sums, lines, first, count, at);
    if constexpr (kCasts) {
      WaitFor<HardEvent::S_V>();
      Narrow(slab, sums, elements);
      WaitFor<HardEvent::V_MTE3>();
    } else {
      WaitFor<HardEvent::S_MTE3>();
    }
    rows.Store(y_[lines.At(t_.places, first)], slab);
  }

  // Updates of places `first` to `first` + `count`.
  __aicore__ inline void OnePart(const LocalTensor<Sum>& sums, const Lines& lines, uint64_t first,
                                 uint32_t count, uint64_t at) {
    const auto part = static_cast<uint32_t>(layout::Least(t_.part, t_.indices - at));
    const uint32_t pitch = Pitch(t_.part);
    const LocalTensor<Index> in = in_.template Get<Index>();
    const LocalTensor<T> given = given_.template Get<T>();
    WaitFor<HardEvent::S_MTE2>();  // the part before is worked off
    lines.Rows<Index>(t_.indices, part, pitch).Load(in, indices_[lines.At(t_.indices, at)]);
    lines.Rows<T>(t_.indices, part, pitch).Load(given, updates_[lines.At(t_.indices, at)]);
    const LocalTensor<Sum> values = Arrived(given, wide_given_, lines.Height(part) * pitch);
    for (uint32_t line = 0; line < lines.count(); ++line) {
      for (uint32_t i = 0; i < part; ++i) {
        const auto index = static_cast<int64_t>(in.GetValue(Place(line, i, pitch)));
        const uint64_t place = PlaceOnAxis(index, t_.places, lines.At(t_.indices, at + i, line));
        const uint64_t element = place - first;  // others are far away
        if (element >= count) continue;
        const uint32_t to = Place(line, static_cast<uint32_t>(element), Pitch(t_.chunk));
        Sum value = values.GetValue(Place(line, i, pitch));
        if constexpr (kAdds) value += sums.GetValue(to);
        sums.SetValue(to, value);
      }
    }
  }

  // What is loaded, for the scalar unit.
  __aicore__ inline LocalTensor<Sum> Arrived(const LocalTensor<T>& loaded,
                                             TBuf<TPosition::VECCALC>& wide, uint32_t elements) {
    if constexpr (kCasts) {
      const LocalTensor<float> values = wide.Get<float>();
      WaitFor<HardEvent::MTE2_V>();
      Cast(values, loaded, RoundMode::CAST_NONE, elements);
      WaitFor<HardEvent::V_S>();
      return values;
    } else {
      WaitFor<HardEvent::MTE2_S>();
      return loaded;
    }
  }

  const AxisElementsTiling& t_;
  TPipe pipe_;
  GlobalTensor<T> data_, updates_, y_;
  GlobalTensor<Index> indices_;
  TBuf<TPosition::VECCALC> slab_, in_, given_, wide_slab_, wide_given_;
};

// Integers are added as they are.
template <typename T>
struct SumOf {
  using Type = float;
};
template <>
struct SumOf<int32_t> {
  using Type = int32_t;
};

extern "C" __global__ __aicore__ void scatter_elements(GM_ADDR data, GM_ADDR indices,
                                                       GM_ADDR updates, GM_ADDR y,
                                                       GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(AxisElementsTiling);
  GET_TILING_DATA(t, tiling);
  if (t.core_tiles == 0) return;
  if (t.adds != 0) {
    ElementScatterer<DTYPE_DATA, SumOf<DTYPE_DATA>::Type, DTYPE_INDICES, true> op(t);
    op.Run(data, indices, updates, y);
  } else {
    using Bits = layout::BitsOf<sizeof(DTYPE_DATA)>::Type;
    ElementScatterer<Bits, Bits, DTYPE_INDICES, false> op(t);
    op.Run(data, indices, updates, y);
  }
}
