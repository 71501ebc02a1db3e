// Polynomials of floats in UB by Horner's rule: FusedMulAdd takes one instruction for a degree. Its
// addend is a tensor, so every coefficient has a block of UB that all repeats of a call read.
//
//   Polynomial<3> p;
//   p.Init(memory, {c3, c2, c1, c0});   // once; Polynomial<3>::kBytes of UB
//   p.At(y, z, count);                  // y = ((c3 * z + c2) * z + c1) * z + c0
#ifndef OPS_SHARED_POLYNOMIAL_H_
#define OPS_SHARED_POLYNOMIAL_H_

#include "repeats.h"

template <uint32_t kDegree>
class Polynomial {
 public:
  static constexpr uint32_t kBytes = (kDegree - 1) * 32;  // keep the coefficients in UB

  // coefficients: the highest power's first.
  __aicore__ inline void Init(const AscendC::LocalTensor<float>& memory,
                              const float (&coefficients)[kDegree + 1]) {
    memory_ = memory;
    first_ = coefficients[0];
    second_ = coefficients[1];
    for (uint32_t i = 0; i + 1 < kDegree; ++i)
      AscendC::Duplicate(memory[i * kBlock], coefficients[i + 2], kBlock);
  }

  // y = p(z); y and z are different tensors.
  __aicore__ inline void At(const AscendC::LocalTensor<float>& y,
                            const AscendC::LocalTensor<float>& z, uint32_t count) const {
    if (first_ == 1.0f) {
      AscendC::Adds(y, z, second_, count);
    } else {
      AscendC::Muls(y, z, first_, count);
      AscendC::Adds(y, y, second_, count);
    }
    for (uint32_t i = 0; i + 1 < kDegree; ++i) {
      const AscendC::LocalTensor<float> addend = memory_[i * kBlock];
      EveryRun(count, [&](uint32_t at, uint64_t mask, uint8_t repeats) {
        AscendC::FusedMulAdd(y[at], z[at], addend, mask, repeats,
                             AscendC::BinaryRepeatParams(1, 1, 0, 8, 8, 0));
      });
    }
  }

 private:
  static constexpr uint32_t kBlock = 8;  // floats

  AscendC::LocalTensor<float> memory_;
  float first_, second_;
};

#endif  // OPS_SHARED_POLYNOMIAL_H_
