// Tilings of the Matmul tests, written out: one core computes all of M x N x K.
#ifndef TESTS_CONFORMANCE_MATMUL_TILINGS_H_
#define TESTS_CONFORMANCE_MATMUL_TILINGS_H_

#include "opkit/include/lib/matmul_intf.h"

namespace opkit::core::test {

struct BaseBlock {
  int m = 16, n = 16, k = 16;
};

inline TCubeTiling tiling_of(int m, int n, int k, const BaseBlock& base = {}) {
  TCubeTiling t;
  t.usedCoreNum = 1;
  t.M = t.singleCoreM = m;
  t.N = t.singleCoreN = n;
  t.Ka = t.Kb = t.singleCoreK = k;
  t.baseM = base.m;
  t.baseN = base.n;
  t.baseK = base.k;
  return t;
}

}  // namespace opkit::core::test

#endif  // TESTS_CONFORMANCE_MATMUL_TILINGS_H_
