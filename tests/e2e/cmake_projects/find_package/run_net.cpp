// Runs net.om on -1, 0.5, -2, 3 and prints what it makes of them.
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"

namespace {

void check(int code, const char* what) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d %s\n", what, code, aclGetRecentErrMsg());
  std::exit(2);
}

aclmdlDataset* dataset_of(void* data, size_t bytes) {
  aclmdlDataset* const set = aclmdlCreateDataset();
  check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(data, bytes)), "aclmdlAddDatasetBuffer");
  return set;
}

}  // namespace

int main() {
  float numbers[] = {-1, 0.5f, -2, 3};
  void *x = nullptr, *y = nullptr;
  uint32_t model = 0;
  check(aclInit(nullptr), "aclInit");
  check(aclrtSetDevice(0), "aclrtSetDevice");
  check(aclmdlLoadFromFile("net.om", &model), "aclmdlLoadFromFile");
  check(aclrtMalloc(&x, sizeof numbers, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  check(aclrtMalloc(&y, sizeof numbers, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  check(aclrtMemcpy(x, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE), "copy");
  check(aclmdlExecute(model, dataset_of(x, sizeof numbers), dataset_of(y, sizeof numbers)),
        "aclmdlExecute");
  check(aclrtMemcpy(numbers, sizeof numbers, y, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST), "copy");
  std::printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  check(aclmdlUnload(model), "aclmdlUnload");
  check(aclFinalize(), "aclFinalize");
}
