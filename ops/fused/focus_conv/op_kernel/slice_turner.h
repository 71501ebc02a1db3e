// The four slices of every second pixel of x, joined along the channels, in NC1HWC0: what turns the
// image of conv_turned.h. A unit of work is a row of all slices.
#ifndef FOCUS_CONV_SLICE_TURNER_H_
#define FOCUS_CONV_SLICE_TURNER_H_

#include "conv_turn.h"
#include "slice_pitch.h"

template <typename T>
class SliceTurner {
 public:
  __aicore__ inline SliceTurner(const ConvTurnedTiling& t, GM_ADDR x, GM_ADDR turned)
      : t_(t),
        channels_(t.conv.channels / kSlices),
        planes_(conv::Parts(t.conv.channels, kC0)),
        width_(2 * t.conv.width),
        pitch_(SlicePitch(width_, sizeof(T))) {
    from_.SetGlobalBuffer((__gm__ T*)x);
    to_.SetGlobalBuffer((__gm__ T*)turned);
  }

  __aicore__ inline uint64_t Units() const { return uint64_t{t_.conv.images} * t_.conv.height; }

  __aicore__ inline void Turn(conv::TurnMemory<T>& memory, uint64_t unit) {
    const uint64_t image = unit / t_.conv.height, row = unit % t_.conv.height;
    AscendC::LocalTensor<T> in = memory.in.template AllocTensor<T>();
    Load(in, image, row);
    memory.in.EnQue(in);
    in = memory.in.template DeQue<T>();
    const AscendC::LocalTensor<T> slices = memory.Between();
    Deal(slices, in);
    memory.in.FreeTensor(in);
    AscendC::LocalTensor<T> out = memory.out.template AllocTensor<T>();
    const uint32_t length = conv::UpTo(t_.conv.width, conv::TurnMemory<T>::kLines);
    for (uint32_t p = 0; p < planes_; ++p) {
      conv::TurnMemory<T>::RowsToPixels(out[p * length * kC0], length, [&](uint32_t i) {
        const uint32_t channel = p * kC0 + i;
        return channel < t_.conv.channels ? slices[PlaceOf(channel)] : memory.Zeros();
      });
    }
    memory.out.EnQue(out);
    out = memory.out.template DeQue<T>();
    for (uint32_t p = 0; p < planes_; ++p) {
      const uint64_t at = ((image * planes_ + p) * t_.conv.height + row) * t_.conv.width;
      AscendC::DataCopy(to_[at * kC0], out[p * length * kC0], t_.conv.width * kC0);
    }
    memory.out.FreeTensor(out);
  }

 private:
  static constexpr uint32_t kC0 = conv::TurnMemory<T>::kC0;
  static constexpr uint32_t kSlices = 4;

  // Brings two rows of every channel.
  __aicore__ inline void Load(const AscendC::LocalTensor<T>& in, uint64_t image,
                              uint64_t row) const {
    const uint64_t height = 2 * uint64_t{t_.conv.height};
    const AscendC::DataCopyExtParams copy{2, static_cast<uint32_t>(width_ * sizeof(T)), 0,
                                          (pitch_ - conv::UpTo(width_, kC0)) / kC0, 0};
    for (uint32_t c = 0; c < channels_; ++c) {
      const uint64_t at = ((image * channels_ + c) * height + 2 * row) * width_;
      AscendC::DataCopyPad(in[2 * c * pitch_], from_[at], copy,
                           AscendC::DataCopyPadExtParams<T>{false, 0, 0, T(0)});
    }
  }

  // Leaves the pixels of even columns in front, those of odd ones behind them.
  __aicore__ inline void Deal(const AscendC::LocalTensor<T>& slices,
                              const AscendC::LocalTensor<T>& in) const {
    constexpr uint8_t kEven = 1, kOdd = 2;  // patterns: page "GatherMask"
    const uint32_t count = 2 * channels_ * pitch_;
    const AscendC::GatherMaskParams every(1, static_cast<uint16_t>(count * sizeof(T) / 256), 8, 0);
    uint64_t kept = 0;
    AscendC::GatherMask(slices, in, kEven, false, 0, every, kept);
    AscendC::GatherMask(slices[count / 2], in, kOdd, false, 0, every, kept);
  }

  // Returns the first pixel of a channel of the joined slices: rows are counted faster than
  // columns.
  __aicore__ inline uint32_t PlaceOf(uint32_t channel) const {
    const uint32_t slice = channel / channels_, line = 2 * (channel % channels_) + slice % 2;
    return (slice / 2 * 2 * channels_ + line) * (pitch_ / 2);
  }

  const ConvTurnedTiling& t_;
  uint32_t channels_, planes_;  // count the channels of x, and the planes of the joined slices
  uint32_t width_, pitch_;      // measure rows of x, in GM and in UB
  AscendC::GlobalTensor<T> from_, to_;
};

#endif  // FOCUS_CONV_SLICE_TURNER_H_
