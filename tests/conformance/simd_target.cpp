// OPKIT_TEST_SIMD=avx2 or portable: the engine's rows are taken from that SIMD target.
#include <cstdlib>
#include <cstring>

#include "hwy/targets.h"

namespace {

const bool kChosen = [] {
  const char* wanted = std::getenv("OPKIT_TEST_SIMD");
  if (!wanted) return false;
  const bool portable = std::strcmp(wanted, "portable") == 0;
  hwy::SetSupportedTargetsForTest(portable ? HWY_STATIC_TARGET : HWY_AVX2 | HWY_STATIC_TARGET);
  return true;
}();

}  // namespace
