// Batch normalisation and ReLU of pixels whose channels lie side by side: every channel has a lane.
#ifndef DEPTHWISE_SEPARABLE_CONV_LANE_BATCH_NORM_H_
#define DEPTHWISE_SEPARABLE_CONV_LANE_BATCH_NORM_H_

#include "kernel_operator.h"

namespace separable {

using namespace AscendC;

constexpr uint32_t kLane = 8;  // floats of a block
constexpr uint32_t kRepeat = 64;
constexpr uint32_t kVectors = 4;

// Where scale, bias, mean and variance of all channels lie.
struct Vectors {
  GM_ADDR at[kVectors];
};

// y = relu(y * factors + addends) for all pixels of `blocks` blocks, which meet the same numbers.
__aicore__ inline void WithLanes(const LocalTensor<float>& y, const LocalTensor<float>& factors,
                                 const LocalTensor<float>& addends, uint32_t blocks,
                                 uint32_t pixels) {
  const auto step = static_cast<uint8_t>(blocks), far = static_cast<uint8_t>(kLane * blocks);
  const BinaryRepeatParams strides(step, 0, 0, far, 0, 0);
  const uint32_t whole = pixels / kLane, rest = pixels % kLane;
  const uint32_t behind = whole * kRepeat * blocks;
  for (uint32_t block = 0; block < blocks; ++block) {
    const uint32_t lane = block * kLane;
    if (whole > 0)
      FusedMulAddRelu(y[lane], factors[lane], addends[lane], static_cast<uint64_t>(kRepeat),
                      static_cast<uint8_t>(whole), strides);
    if (rest > 0)
      FusedMulAddRelu(y[behind + lane], factors[lane], addends[lane],
                      static_cast<uint64_t>(rest * kLane), static_cast<uint8_t>(1), strides);
  }
}

// The vectors of `lanes` channels, one behind the other, in float.
class LaneBatchNorm {
 public:
  __aicore__ inline LaneBatchNorm(const LocalTensor<float>& vectors, uint32_t lanes)
      : scale_(vectors),
        bias_(vectors[lanes]),
        mean_(vectors[2 * lanes]),
        variance_(vectors[3 * lanes]),
        lanes_(lanes) {}

  // The scale becomes the factor, the bias what is added behind it.
  __aicore__ inline void Prepare(float epsilon) const {
    Adds(variance_, variance_, epsilon, lanes_);
    Sqrt(variance_, variance_, lanes_);
    Div(scale_, scale_, variance_, lanes_);
    Mul(mean_, mean_, scale_, lanes_);
    Sub(bias_, bias_, mean_, lanes_);
  }
  // Pixels of `blocks` blocks, whose first channel is in lane `lane`.
  __aicore__ inline void Apply(const LocalTensor<float>& sums, uint32_t lane, uint32_t blocks,
                               uint32_t pixels) const {
    WithLanes(sums, scale_[lane], bias_[lane], blocks, pixels);
  }

 private:
  LocalTensor<float> scale_, bias_, mean_, variance_;
  uint32_t lanes_;
};

// Copies `count` elements, and zeros up to whole blocks.
template <typename T>
__aicore__ inline void LoadPadded(const LocalTensor<T>& to, const GlobalTensor<T>& from,
                                  uint32_t count) {
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const auto behind = static_cast<uint8_t>((kBlock - count % kBlock) % kBlock);
  DataCopyPad(to, from, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
              DataCopyPadExtParams<T>{true, 0, behind, static_cast<T>(0)});
}

}  // namespace separable

#endif  // DEPTHWISE_SEPARABLE_CONV_LANE_BATCH_NORM_H_
