// Helpers of both kinds of kernels.
#pragma once
#include "kernel_operator.h"

template <typename T>
__aicore__ inline void multiply_tile(const AscendC::LocalTensor<float>& c,
                                     const AscendC::LocalTensor<T>& a,
                                     const AscendC::LocalTensor<T>& b) {
  AscendC::MmadParams p;
  p.m = p.n = p.k = 16;
  AscendC::Mmad(c, a, b, p);
}
