// Elements of UB sorted with their places: pairs of 8 bytes, the largest element first, of equal
// ones that of the lower place; a NaN before every number.
#ifndef OPS_SHARED_SORTER_H_
#define OPS_SHARED_SORTER_H_

#include "kernel_operator.h"
#include "sort_tiling.h"

// What comes behind every number: the bits of minus infinity.
template <typename T>
struct SortedLast {
  static constexpr uint32_t kBits = 0xFF800000;
};
template <>
struct SortedLast<half> {
  static constexpr uint32_t kBits = 0xFC00;
};
template <>
struct SortedLast<bfloat16_t> {
  static constexpr uint32_t kBits = 0xFF80;
};

class Sorter {
 public:
  static constexpr uint32_t kFloats = 2;  // counts the floats of a pair

  // The elements and the places of the first pairs.
  __aicore__ inline static void Part(const AscendC::LocalTensor<float>& elements,
                                     const AscendC::LocalTensor<int32_t>& places,
                                     const AscendC::LocalTensor<float>& pairs, uint32_t count) {
    const AscendC::GatherMaskParams once(1, 1, 8, 0);
    uint64_t kept = 0;
    AscendC::GatherMask(elements, pairs, 1, true, kFloats * count, once, kept);
    AscendC::GatherMask(places.ReinterpretCast<uint32_t>(), pairs.ReinterpretCast<uint32_t>(), 2,
                        true, kFloats * count, once, kept);
  }

  // most: elements of a call.
  __aicore__ inline void Init(AscendC::TPipe& pipe, uint32_t most) {
    for (auto& pairs : pairs_) pipe.InitBuffer(pairs, most * kFloats * sizeof(float));
    pipe.InitBuffer(places_, most * sizeof(int32_t));
  }

  // Groups of 32, each by itself; places count from 0 in every group.
  __aicore__ inline AscendC::LocalTensor<float> Groups(const AscendC::LocalTensor<float>& x,
                                                       uint32_t groups) {
    const AscendC::LocalTensor<int32_t> places = places_.Get<int32_t>();
    if (!counted_) Number(places, groups);
    counted_ = true;
    return Sorted(x, places, groups);
  }

  // Sorts all of them. first: the place of the first one.
  __aicore__ inline AscendC::LocalTensor<float> All(const AscendC::LocalTensor<float>& x,
                                                    uint32_t count, int32_t first) {
    const AscendC::LocalTensor<int32_t> places = places_.Get<int32_t>();
    AscendC::CreateVecIndex(places, first, count);
    AscendC::LocalTensor<float> from = Sorted(x, places, count / kSortGroup);
    AscendC::LocalTensor<float> to = pairs_[1].Get<float>();
    for (uint32_t run = kSortGroup; run < count; run *= kSortLists) {
      const uint32_t step = run * kFloats;
      const auto length = static_cast<uint16_t>(run);
      const AscendC::MrgSortSrcList<float> lists(from, from[step], from[2 * step], from[3 * step]);
      const uint16_t lengths[kSortLists] = {length, length, length, length};
      AscendC::MrgSort(to, lists,
                       AscendC::MrgSort4Info(lengths, false, 0b1111,
                                             static_cast<uint16_t>(count / run / kSortLists)));
      const AscendC::LocalTensor<float> merged = to;
      to = from;
      from = merged;
    }
    return from;
  }

 private:
  // Further groups are copies of those before them, twice as many with every call.
  __aicore__ inline static void Number(const AscendC::LocalTensor<int32_t>& places,
                                       uint32_t groups) {
    AscendC::CreateVecIndex(places, 0, kSortGroup);
    for (uint32_t done = 1; done < groups; done *= 2) {
      const uint32_t more = done < groups - done ? done : groups - done;
      AscendC::Muls(places[done * kSortGroup], places, 1, more * kSortGroup);
    }
  }

  __aicore__ inline AscendC::LocalTensor<float> Sorted(const AscendC::LocalTensor<float>& x,
                                                       const AscendC::LocalTensor<int32_t>& places,
                                                       uint32_t groups) {
    const AscendC::LocalTensor<float> pairs = pairs_[0].Get<float>();
    AscendC::Sort32(pairs, x, places.ReinterpretCast<uint32_t>(), static_cast<int32_t>(groups));
    return pairs;
  }

  AscendC::TBuf<AscendC::TPosition::VECCALC> pairs_[2], places_;
  bool counted_ = false;
};

#endif  // OPS_SHARED_SORTER_H_
