#include <cstdint>
#include <cstdio>

#ifdef ASCENDC_CPU_DEBUG
#include "tikicpulib.h"
extern "C" __global__ __aicore__ void sub_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z);

int32_t main(int32_t argc, char* argv[]) {
  constexpr uint32_t kBlocks = 4, kCount = 64 * kBlocks;
  auto* x = (int32_t*)AscendC::GmAlloc(kCount * sizeof(int32_t));
  auto* y = (int32_t*)AscendC::GmAlloc(kCount * sizeof(int32_t));
  auto* z = (int32_t*)AscendC::GmAlloc(kCount * sizeof(int32_t));
  for (uint32_t i = 0; i < kCount; ++i) {
    x[i] = 3 * i;
    y[i] = i;
    z[i] = -1;
  }
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_SET_TILING_KEY(1);
  ICPU_RUN_KF(sub_custom, kBlocks, (uint8_t*)x, (uint8_t*)y, (uint8_t*)z);
  int wrong = 0;
  for (uint32_t i = 0; i < kCount; ++i) wrong += z[i] != (i % 64 < 32 ? int32_t(2 * i) : -1);
  ICPU_SET_TILING_KEY(2);
  ICPU_RUN_KF(sub_custom, kBlocks, (uint8_t*)x, (uint8_t*)y, (uint8_t*)z);
  for (uint32_t i = 0; i < kCount; ++i) wrong += z[i] != int32_t(2 * i);
  AscendC::GmFree((void*)x);
  AscendC::GmFree((void*)y);
  AscendC::GmFree((void*)z);
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
#else
#error this main is for unit tests only
#endif
