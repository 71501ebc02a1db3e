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

// Holds one buffer of the device in a dataset.
class Row {
 public:
  explicit Row(size_t bytes) {
    check(aclrtMalloc(&data_, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    buffer_ = aclCreateDataBuffer(data_, bytes);
    check(aclmdlAddDatasetBuffer(set_, buffer_), "aclmdlAddDatasetBuffer");
  }
  ~Row() {
    check(aclmdlDestroyDataset(set_), "aclmdlDestroyDataset");
    check(aclDestroyDataBuffer(buffer_), "aclDestroyDataBuffer");
    check(aclrtFree(data_), "aclrtFree");
  }
  void* data() const { return data_; }
  aclmdlDataset* set() const { return set_; }

 private:
  void* data_ = nullptr;
  aclDataBuffer* buffer_ = nullptr;
  aclmdlDataset* set_ = aclmdlCreateDataset();
};

void run(uint32_t model) {
  float numbers[] = {-1, 0.5f, -2, 3};
  const size_t bytes = sizeof numbers;
  const Row x(bytes), y(bytes);
  check(aclrtMemcpy(x.data(), bytes, numbers, bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
  check(aclmdlExecute(model, x.set(), y.set()), "aclmdlExecute");
  check(aclrtMemcpy(numbers, bytes, y.data(), bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
  std::printf("%g %g %g %g\n", numbers[0], numbers[1], numbers[2], numbers[3]);
}

}  // namespace

int main() {
  uint32_t model = 0;
  check(aclInit(nullptr), "aclInit");
  check(aclrtSetDevice(0), "aclrtSetDevice");
  check(aclmdlLoadFromFile("net.om", &model), "aclmdlLoadFromFile");
  run(model);
  check(aclmdlUnload(model), "aclmdlUnload");
  check(aclFinalize(), "aclFinalize");
}
