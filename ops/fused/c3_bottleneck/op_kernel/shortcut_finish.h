// The finish of the second convolution: silu(sums + bias), and the same block of x.
#ifndef C3_BOTTLENECK_SHORTCUT_FINISH_H_
#define C3_BOTTLENECK_SHORTCUT_FINISH_H_

#include "conv_bias.h"
#include "silu_after.h"
#include "widened.h"

template <typename T>
class ShortcutFinish {
 public:
  static constexpr uint32_t kVectors = 1, kNumbers = 1;
  static constexpr bool kPlaced = true;

  __aicore__ inline ShortcutFinish(AscendC::TPipe& pipe, const ConvDenseTiling& t, GM_ADDR x,
                                   bool shortcut)
      : bent_(pipe, t), stride_(t.image_pixels), shortcut_(shortcut) {
    const uint32_t block = static_cast<uint32_t>(t.cube.baseM) * t.cube.baseN;
    x_.SetGlobalBuffer((__gm__ T*)x);
    pipe.InitBuffer(stored_, kBuffers, block * sizeof(T));
    wide_.Init(pipe, block);
  }

  __aicore__ inline void Prepare(rows::Unit&) const {}
  __aicore__ inline void Apply(rows::Unit& unit, const AscendC::LocalTensor<float>& sums,
                               const product::Block& block, uint64_t at) const {
    if (shortcut_) Load(block, at);
    bent_.Apply(unit, sums, block.elements());
    if (!shortcut_) return;
    AscendC::LocalTensor<T> x = stored_.template DeQue<T>();
    AscendC::Add(sums, sums, wide_(x, block.elements()), block.elements());
    stored_.FreeTensor(x);
  }

 private:
  // Rows as far apart as those of the sums.
  __aicore__ inline void Load(const product::Block& block, uint64_t at) const {
    AscendC::LocalTensor<T> x = stored_.template AllocTensor<T>();
    const auto bytes = static_cast<uint32_t>(block.columns * sizeof(T));
    const auto pitch = static_cast<uint32_t>(block.pitch * sizeof(T));
    const AscendC::DataCopyExtParams copy{
        static_cast<uint16_t>(block.rows), bytes,
        static_cast<uint32_t>((stride_ - block.columns) * sizeof(T)),
        (pitch - (bytes + 31) / 32 * 32) / 32, 0};
    AscendC::DataCopyPad(x, x_[at], copy, AscendC::DataCopyPadExtParams<T>{false, 0, 0, T(0)});
    stored_.EnQue(x);
  }

  static constexpr int32_t kBuffers = 2;

  conv_dense::BiasFinish<conv_dense::SiluAfter> bent_;
  AscendC::GlobalTensor<T> x_;
  uint64_t stride_;  // elements from row to row of x and y
  bool shortcut_;
  mutable AscendC::TQue<AscendC::QuePosition::VECIN, kBuffers> stored_;
  mutable Widened<T> wide_;
};

#endif  // C3_BOTTLENECK_SHORTCUT_FINISH_H_
