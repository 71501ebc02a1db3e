// Floats of UB as elements of a tensor.
#ifndef OPS_SHARED_NARROWED_H_
#define OPS_SHARED_NARROWED_H_

#include "kernel_operator.h"

template <typename T>
__aicore__ inline void Narrow(const AscendC::LocalTensor<T>& out,
                              const AscendC::LocalTensor<float>& values, uint32_t count) {
  if constexpr (AscendC::IsSameType<T, float>::value) {
    AscendC::Muls(out, values, 1.0f, count);
  } else {
    AscendC::Cast(out, values, AscendC::RoundMode::CAST_RINT, count);
  }
}

#endif  // OPS_SHARED_NARROWED_H_
