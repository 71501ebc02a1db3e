// Which SIMD targets of Highway this processor has, as Highway's library says it. The library
// itself is not linked: where a program starts, the one of Debian 12 measures a timer for six
// milliseconds, which every command and every worker would wait for.
#include <atomic>

#include "opkit/core/rows/targets.h"
// After what it is told there.
#include "hwy/targets.h"

namespace hwy {
namespace {

// Holds the SIMD targets that a test allows; 0: no test has limited them.
std::atomic<int64_t> set_for_test{0};

// GCC asks the operating system, too, whether it keeps the registers. The features are those with
// which Highway compiles for the target.
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("aes") &&
         __builtin_cpu_supports("pclmul");
}

bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
}

int64_t targets_of_processor() {
  __builtin_cpu_init();
  if (!has_avx2()) return HWY_STATIC_TARGET;
  return HWY_STATIC_TARGET | HWY_AVX2 | (has_avx512() ? HWY_AVX3 : 0);
}

}  // namespace

int64_t SupportedTargets() {
  static const int64_t processors = targets_of_processor();
  const int64_t set = set_for_test.load();
  return set ? set : processors;
}

void SetSupportedTargetsForTest(int64_t targets) {
  set_for_test = targets;
  GetChosenTarget().DeInit();
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
