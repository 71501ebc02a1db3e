// The finish of a convolution with bias: after(sums + bias).
//
//   struct ReluAfter {
//     static constexpr uint32_t kScratch = 0;       // blocks of floats that `work` has room for
//     void operator()(y, work, count) const { Relu(y, y, count); }
//   };
#ifndef OPS_SHARED_CONV_BIAS_H_
#define OPS_SHARED_CONV_BIAS_H_

#include "conv_dense.h"

namespace conv_dense {

template <typename After>
class BiasFinish {
 public:
  static constexpr uint32_t kVectors = 1, kNumbers = 1;

  __aicore__ inline BiasFinish(TPipe& pipe, const ConvDenseTiling& t) : has_bias_(t.has_bias != 0) {
    const uint32_t block = static_cast<uint32_t>(t.cube.baseM) * t.cube.baseN;
    if constexpr (After::kScratch > 0)
      pipe.InitBuffer(work_, After::kScratch * block * sizeof(float));
  }

  __aicore__ inline void Prepare(rows::Unit&) const {}
  __aicore__ inline void Apply(rows::Unit& unit, const LocalTensor<float>& sums,
                               uint32_t count) const {
    if (has_bias_) unit.Increase(sums, sums, 0);
    if constexpr (After::kScratch > 0) {
      After()(sums, work_.Get<float>(), count);
    } else {
      After()(sums, sums, count);
    }
  }

 private:
  bool has_bias_;
  mutable TBuf<TPosition::VECCALC> work_;
};

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_BIAS_H_
