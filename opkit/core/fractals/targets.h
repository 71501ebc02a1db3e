// The SIMD targets of the cube kernels: as for vector rows, and none whose vectors have no size at
// compile time, because the kernels keep vectors in arrays. Include before any Highway header.
#ifndef OPKIT_CORE_FRACTALS_TARGETS_H_
#define OPKIT_CORE_FRACTALS_TARGETS_H_

#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#endif  // OPKIT_CORE_FRACTALS_TARGETS_H_
