// Two copies of the library of kernels, of which one is closed before the other one is used.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>

#include "acl/acl.h"

using Scale = void (*)(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y);
using Tell = uint32_t (*)(uint32_t blocks, void* stream, void* cube, void* vector, int32_t add);

int main(int, char** argv) {
  void* const first = dlopen(argv[1], RTLD_NOW);
  void* const second = dlopen(argv[2], RTLD_NOW);
  if (!first || !second || dlclose(first) != 0) return 3;
  const auto scale = reinterpret_cast<Scale>(dlsym(second, "scale_do"));
  const auto tell = reinterpret_cast<Tell>(dlsym(second, "aclrtlaunch_tell_cores"));
  aclrtSetDevice(0);
  void *x = nullptr, *y = nullptr;
  aclrtMalloc(&x, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  const float one = 1;
  aclrtMemset(x, 1024, 0, 1024);
  aclrtMemcpy(x, 4, &one, 4, ACL_MEMCPY_HOST_TO_DEVICE);
  scale(1, nullptr, static_cast<uint8_t*>(x), static_cast<uint8_t*>(y));
  float two = 0;
  int cube = 0;
  if (aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) return 2;
  aclrtMemcpy(&two, 4, y, 4, ACL_MEMCPY_DEVICE_TO_HOST);
  tell(1, nullptr, x, y, 1);
  if (aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) return 2;
  aclrtMemcpy(&cube, 4, x, 4, ACL_MEMCPY_DEVICE_TO_HOST);
  aclrtFree(x);
  aclrtFree(y);
  std::printf("%g, cube %d\n", two, cube);
  return 0;
}
