// Launches that the runtime refuses; the argument chooses which.
#include <cstring>

#include "host.h"
#include "tikicpulib.h"

__global__ __vector__ void nothing() {}
void plain() {}

int main(int argc, char* argv[]) {
  const auto asked = [&](const char* what) { return argc == 2 && std::strcmp(argv[1], what) == 0; };
  aclrtStream stream = nullptr;
  if (!asked("device")) Check(aclrtSetDevice(0), "aclrtSetDevice");
  if (asked("device")) nothing<<<1, nullptr, nullptr>>>();
  if (asked("fine")) nothing<<<1, nullptr, nullptr>>>();  // and nobody waits for it
  if (asked("unknown")) plain<<<1, nullptr, nullptr>>>();
  if (asked("stream")) {
    Check(aclrtCreateStream(&stream), "aclrtCreateStream");
    Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
    nothing<<<1, nullptr, stream>>>();
  }
  if (asked("captured")) {
    aclmdlRI model = nullptr;
    Check(aclrtCreateStream(&stream), "aclrtCreateStream");
    Check(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), "begin");
    nothing<<<1, nullptr, nullptr>>>();
    Check(aclmdlRICaptureEnd(stream, &model), "end");
    Check(aclmdlRIDestroy(model), "aclmdlRIDestroy");
    Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
  }
  if (asked("cube")) {
    AscendC::SetKernelMode(KernelMode::AIC_MODE);
    ICPU_RUN_KF(nothing, 1);
  }
  if (asked("memory")) AscendC::GmAlloc(size_t{1} << 60);
  int local = 0;
  if (asked("foreign")) AscendC::GmFree(&local);
  return 0;
}
