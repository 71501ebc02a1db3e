// A tensor with a number for every channel, brought to planes of C0 channels: the numbers come
// again with every pixel.
#ifndef OPS_SHARED_PLANE_NUMBERS_H_
#define OPS_SHARED_PLANE_NUMBERS_H_

#include "kernel_operator.h"

namespace conv {

using namespace AscendC;

// T: in GM. C: of the planes. kMost: numbers at once, those of many tiles.
template <typename T, typename C, uint32_t kMost = 1024>
class PlaneNumbers {
 public:
  // channels: counts the numbers.
  __aicore__ inline void Init(TPipe& pipe, GM_ADDR numbers, uint32_t plane_channels,
                              uint32_t channels) {
    numbers_.SetGlobalBuffer((__gm__ T*)numbers);
    channels_ = channels;
    plane_channels_ = plane_channels;
    pipe.InitBuffer(stored_, kBuffers, kMost * sizeof(T));
    pipe.InitBuffer(wide_, kRepeat * sizeof(C));
  }

  __aicore__ inline C First() const { return static_cast<C>(numbers_.GetValue(0)); }

  // Joins the numbers from `channel` on with the `count` elements of a plane: Add, Mul ... `given`:
  // how many of the plane's channels, and of those behind them, there are.
  template <typename Call>
  __aicore__ inline void Join(const LocalTensor<C>& plane, uint32_t channel, uint32_t given,
                              uint32_t count, const Call& call) {
    Bring(channel);
    Widen(channel, given < plane_channels_ ? given : plane_channels_);
    const LocalTensor<C> wide = wide_.template Get<C>();
    const BinaryRepeatParams strides(1, 1, 1, 8, 8, 0);
    const uint32_t whole = count / kRepeat, rest = count % kRepeat;
    if (whole > 0)
      call(plane, plane, wide, static_cast<uint64_t>(kRepeat), static_cast<uint8_t>(whole),
           strides);
    if (rest > 0) {
      const LocalTensor<C> last = plane[whole * kRepeat];
      call(last, last, wide, static_cast<uint64_t>(rest), static_cast<uint8_t>(1), strides);
    }
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kRepeat = 64;  // elements of an instruction's iteration
  static_assert(sizeof(C) == 4, "an iteration has 256 bytes");

  // Brings numbers of this plane and of those behind it, where they are not there yet.
  __aicore__ inline void Bring(uint32_t channel) {
    if (channel >= first_ && channel < end_) return;
    if (end_ > 0) stored_.FreeTensor(held_);
    const uint32_t left = channels_ - channel, count = left < kMost ? left : kMost;
    held_ = stored_.template AllocTensor<T>();
    DataCopyPad(held_, numbers_[channel],
                DataCopyExtParams{1, count * static_cast<uint32_t>(sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    stored_.EnQue(held_);
    held_ = stored_.template DeQue<T>();
    first_ = channel;
    end_ = channel + count;
  }

  // The plane's numbers again and again, an iteration full of them.
  __aicore__ inline void Widen(uint32_t channel, uint32_t given) {
    const LocalTensor<T> stored = held_[channel - first_];
    const LocalTensor<C> wide = wide_.template Get<C>();
    if (given < plane_channels_) Duplicate(wide, static_cast<C>(0), plane_channels_);
    if constexpr (IsSameType<T, C>::value) {
      Adds(wide, stored, static_cast<C>(0), given);
    } else {
      Cast(wide, stored, RoundMode::CAST_NONE, given);
    }
    for (uint32_t done = plane_channels_; done < kRepeat; done *= 2)
      Muls(wide[done], wide, static_cast<C>(1), done);
  }

  GlobalTensor<T> numbers_;
  uint32_t plane_channels_ = 0, channels_ = 0;
  uint32_t first_ = 0, end_ = 0;  // name the channels whose numbers are held
  LocalTensor<T> held_;
  TQue<QuePosition::VECIN, kBuffers> stored_;
  TBuf<TPosition::VECCALC> wide_;
};

}  // namespace conv

#endif  // OPS_SHARED_PLANE_NUMBERS_H_
