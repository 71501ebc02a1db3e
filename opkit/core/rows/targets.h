// The SIMD targets that vector rows are compiled for: AVX-512, AVX2 and Highway's portable
// baseline. Rarer x86 levels would only cost compile time. Include before any Highway header.
#ifndef OPKIT_CORE_ROWS_TARGETS_H_
#define OPKIT_CORE_ROWS_TARGETS_H_

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)

#endif  // OPKIT_CORE_ROWS_TARGETS_H_
