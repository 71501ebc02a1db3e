#include "aclrtlaunch_scale_float.h"
#include "aclrtlaunch_scale_int32_t.h"
#include "host.h"

extern "C" void launch_scale_float(void* stream, void* x, void* y, uint32_t count, int32_t factor);

int main() {
  constexpr uint32_t kCount = 64;
  Session session;
  std::vector<float> real;
  std::vector<int32_t> whole;
  for (uint32_t i = 0; i < kCount; ++i) {
    real.push_back(0.5f * i);
    whole.push_back(i - 20);
  }
  const std::vector<float> zeros(kCount);
  const std::vector<int32_t> none(kCount);
  DeviceArray<float> x(real), y(zeros), z(zeros);
  DeviceArray<int32_t> i(whole), j(none);
  void* const from = x.Get();
  const uint32_t codes =
      ACLRT_LAUNCH_KERNEL(scale_float)(1, session.stream, from, y.Get(), kCount, 3) +
      ACLRT_LAUNCH_KERNEL(scale_int32_t)(1, session.stream, i.Get(), j.Get(), kCount, -2);
  launch_scale_float(session.stream, y.Get(), z.Get(), kCount, 2);
  Check(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream");
  int wrong = codes != 0;
  const std::vector<float> six = z.Read();
  const std::vector<int32_t> minus = j.Read();
  for (uint32_t k = 0; k < kCount; ++k) {
    wrong += six[k] != 6 * real[k];
    wrong += minus[k] != -2 * whole[k];
  }
  std::printf("%d wrong of %u, launched 2 kernels\n", wrong, 2 * kCount);
  return wrong != 0;
}
