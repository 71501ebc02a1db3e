// Numbers of channels as lanes: those of 16 channels side by side, in float, for each element of a
// filter.
#ifndef OPS_SHARED_LANE_FILTERS_H_
#define OPS_SHARED_LANE_FILTERS_H_

#include "wait_for.h"
#include "window_lanes.h"

namespace window {

// T: in GM.
template <typename T>
class LaneNumbers {
 public:
  // elements: numbers of a channel, which lie one behind the other.
  __aicore__ inline void Init(TPipe& pipe, uint32_t elements) {
    pitch_ = (elements + kLanes - 1) / kLanes * kLanes;
    pipe.InitBuffer(rows_, 1, kLanes * pitch_ * sizeof(T));
    pipe.InitBuffer(turned_, kLanes * pitch_ * sizeof(T));
    if constexpr (kWidens) pipe.InitBuffer(wide_, kLanes * pitch_ * sizeof(float));
  }

  // Brings the numbers of `given` channels from `channel` on.
  __aicore__ inline void Bring(const GlobalTensor<T>& numbers, uint32_t channel, uint32_t given,
                               uint32_t elements) {
    constexpr uint32_t kBlock = 32 / sizeof(T);
    LocalTensor<T> rows = rows_.template AllocTensor<T>();
    const uint32_t stored = (elements + kBlock - 1) / kBlock * kBlock;
    DataCopyPad(
        rows, numbers[uint64_t{channel} * elements],
        DataCopyExtParams{static_cast<uint16_t>(given), static_cast<uint32_t>(elements * sizeof(T)),
                          0, (pitch_ - stored) / kBlock, 0},
        DataCopyPadExtParams<T>{false, 0, 0, 0});
    rows_.EnQue(rows);
    rows = rows_.template DeQue<T>();
    const LocalTensor<T> turned = turned_.template Get<T>();
    PlaneLanes<T>::ToPixels(turned, rows, given, pitch_, stored);
    rows_.FreeTensor(rows);
    if constexpr (kWidens)
      Cast(wide_.template Get<float>(), turned, RoundMode::CAST_NONE, elements * kLanes);
  }

  // Returns a block: an element of 8 channels, from 8 * `part` on.
  __aicore__ inline LocalTensor<float> At(uint32_t element, uint32_t part) {
    constexpr uint32_t kFloats = 8;
    if constexpr (kWidens) {
      return wide_.template Get<float>()[element * kLanes + part * kFloats];
    } else {
      return turned_.template Get<float>()[element * kLanes + part * kFloats];
    }
  }

 private:
  static constexpr bool kWidens = !IsSameType<T, float>::value;

  uint32_t pitch_ = 0;
  TQue<QuePosition::VECIN, 1> rows_;
  TBuf<TPosition::VECCALC> turned_, wide_;
};

// Filters of one plane.
template <typename T>
class LaneFilters {
 public:
  // elements: of a filter.
  __aicore__ inline LaneFilters(TPipe& pipe, GM_ADDR w, uint32_t elements) : elements_(elements) {
    w_.SetGlobalBuffer((__gm__ T*)w);
    numbers_.Init(pipe, elements);
  }
  __aicore__ inline void Bring(uint32_t channel, uint32_t given) {
    numbers_.Bring(w_, channel, given, elements_);
  }
  __aicore__ inline LocalTensor<float> At(uint32_t element, uint32_t part) {
    return numbers_.At(element, part);
  }

 private:
  const uint32_t elements_;
  GlobalTensor<T> w_;
  LaneNumbers<T> numbers_;
};

}  // namespace window

#endif  // OPS_SHARED_LANE_FILTERS_H_
