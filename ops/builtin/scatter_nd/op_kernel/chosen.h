// Which updates go to some slices: vector instructions compare their indices, as floats, and pack
// the numbers of those that do.
#ifndef SCATTER_ND_CHOSEN_H_
#define SCATTER_ND_CHOSEN_H_

#include "layout.h"
#include "scatter_nd_tiling.h"
#include "wait_for.h"

class Chosen {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe, const ScatterNdTilingData& t, GM_ADDR indices) {
    using namespace AscendC;
    t_ = &t;
    indices_.SetGlobalBuffer((__gm__ int64_t*)indices);
    pipe.InitBuffer(stored_, 1, kScatterChunk * sizeof(int64_t));
    pipe.InitBuffer(slices_, kScatterChunk * sizeof(float));
    pipe.InitBuffer(ends_, kScatterChunk * sizeof(float));
    pipe.InitBuffer(numbers_, kScatterChunk * sizeof(uint32_t));
    pipe.InitBuffer(order_, kScatterChunk * sizeof(uint32_t));
    for (auto& bits : bits_) pipe.InitBuffer(bits, kScatterChunk / kByte);
    CreateVecIndex(order_.Get<int32_t>(), 0, kScatterChunk);
  }

  // Calls call(update, slice) for the updates of slices first .. end - 1, in their order.
  template <typename Call>
  __aicore__ inline void Every(uint64_t first, uint64_t end, const Call& call) {
    for (uint64_t at = 0; at < t_->updates; at += kScatterChunk) {
      Load(at, static_cast<uint32_t>(layout::Least(kScatterChunk, t_->updates - at)));
      const uint64_t count = Pack(static_cast<float>(first), static_cast<float>(end));
      const auto numbers = numbers_.Get<int32_t>();
      const auto slices = slices_.Get<float>();
      for (uint32_t i = 0; i < count; ++i) {
        const auto number = static_cast<uint32_t>(numbers.GetValue(i));
        call(at + number, static_cast<uint64_t>(slices.GetValue(number)));
      }
      WaitFor<AscendC::HardEvent::S_V>();  // the scalar unit has read the numbers
    }
  }

 private:
  static constexpr uint32_t kByte = 8;  // bits

  // Brings the slices that indices mean; those behind the last one mean none.
  __aicore__ inline void Load(uint64_t at, uint32_t count) {
    using namespace AscendC;
    const layout::Rows<int64_t> row(1, count, count, kScatterChunk);
    LocalTensor<int64_t> stored = stored_.AllocTensor<int64_t>();
    row.Load(stored, indices_[at]);
    stored_.EnQue(stored);
    stored = stored_.DeQue<int64_t>();
    const LocalTensor<float> slices = slices_.Get<float>(), ends = ends_.Get<float>();
    const auto places = static_cast<float>(t_->slices);
    Duplicate(slices, places, kScatterChunk);
    Cast(slices, stored, RoundMode::CAST_RINT, count);
    stored_.FreeTensor(stored);
    // Negative ones count from the end: they are whole, so that -1 is the largest of them.
    Mins(ends, slices, 0.0f, count);
    Maxs(ends, ends, -1.0f, count);
    Muls(ends, ends, -places, count);
    Add(slices, slices, ends, count);
  }

  // Packs the numbers of the slices from `first` to below `end`; tells how many they are.
  __aicore__ inline uint64_t Pack(float first, float end) {
    using namespace AscendC;
    const LocalTensor<float> slices = slices_.Get<float>();
    const LocalTensor<uint8_t> from = bits_[0].Get<uint8_t>(), below = bits_[1].Get<uint8_t>();
    CompareScalar(from, slices, first, CMPMODE::GE, kScatterChunk);
    CompareScalar(below, slices, end, CMPMODE::LT, kScatterChunk);
    const LocalTensor<uint16_t> both = from.ReinterpretCast<uint16_t>();
    And(both, both, below.ReinterpretCast<uint16_t>(), kScatterChunk / kByte / 2);
    GatherMask(numbers_.Get<uint32_t>(), order_.Get<uint32_t>(), from.ReinterpretCast<uint32_t>(),
               true, kScatterChunk, GatherMaskParams(1, 1, 8, 8), packed_);
    WaitFor<HardEvent::V_S>();
    return packed_;
  }

  const ScatterNdTilingData* t_ = nullptr;
  uint64_t packed_ = 0;  // written when the vector unit is there
  AscendC::GlobalTensor<int64_t> indices_;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> stored_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> slices_, ends_, numbers_, order_, bits_[2];
};

#endif  // SCATTER_ND_CHOSEN_H_
