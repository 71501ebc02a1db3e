// The filters of a plane of C0 channels: for each element of a window 16 floats in UB, of which the
// first C0 are the channels' numbers.
#ifndef IMAGE_DEPTHWISE_PLANE_FILTERS_H_
#define IMAGE_DEPTHWISE_PLANE_FILTERS_H_

#include "conv_turn.h"
#include "wait_for.h"

namespace image_pool {

template <typename T>
class PlaneFilters {
 public:
  // taps: elements of a filter.
  __aicore__ inline PlaneFilters(TPipe& pipe, GM_ADDR w, uint32_t channels, uint32_t taps)
      : channels_(channels), taps_(taps), pitch_(conv::UpTo(taps, kC0)) {
    w_.SetGlobalBuffer((__gm__ T*)w);
    pipe.InitBuffer(rows_, 1, kC0 * pitch_ * sizeof(T));
    pipe.InitBuffer(turned_, kLines * pitch_ * sizeof(T));
    if constexpr (kWidens) pipe.InitBuffer(wide_, kLines * pitch_ * sizeof(float));
  }

  // Brings the filters of a plane, counted from 0, where they are not there yet.
  __aicore__ inline void Bring(uint32_t plane) {
    if (plane == plane_) return;
    plane_ = plane;
    const auto given = static_cast<uint16_t>(conv::Least(kC0, channels_ - plane * kC0));
    LocalTensor<T> rows = rows_.template AllocTensor<T>();
    if (given < kC0) {
      Duplicate(rows, static_cast<T>(0), kC0 * pitch_);
      WaitFor<HardEvent::V_MTE2>();
    }
    DataCopyPad(rows, w_[uint64_t{plane} * kC0 * taps_],
                DataCopyExtParams{given, taps_ * static_cast<uint32_t>(sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    rows_.EnQue(rows);
    rows = rows_.template DeQue<T>();
    const LocalTensor<T> turned = turned_.template Get<T>();
    // Where a plane has 8 channels, they come twice.
    conv::TurnMemory<T>::RowsToColumns(turned, pitch_,
                                       [&](uint32_t row) { return rows[row % kC0 * pitch_]; });
    if constexpr (kWidens)
      Cast(wide_.template Get<float>(), turned, RoundMode::CAST_NONE, taps_ * kLines);
    rows_.FreeTensor(rows);
  }

  // Returns the numbers of 8 channels from 8 * `part` on.
  __aicore__ inline LocalTensor<float> At(uint32_t tap, uint32_t part) {
    if constexpr (kWidens) {
      return wide_.template Get<float>()[tap * kLines + part * 8];
    } else {
      return turned_.template Get<float>()[tap * kLines + part * 8];
    }
  }

 private:
  static constexpr uint32_t kC0 = 32 / sizeof(T), kLines = 16;
  static constexpr bool kWidens = !IsSameType<T, float>::value;

  const uint32_t channels_, taps_, pitch_;
  uint32_t plane_ = 0xffffffff;
  GlobalTensor<T> w_;
  TQue<QuePosition::VECIN, 1> rows_;
  TBuf<TPosition::VECCALC> turned_, wide_;
};

}  // namespace image_pool

#endif  // IMAGE_DEPTHWISE_PLANE_FILTERS_H_
