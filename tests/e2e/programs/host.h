// What the hosts of these programs share: device arrays that check every call.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"

inline void Check(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  std::fprintf(stderr, "%s: %d %s\n", what, code, aclGetRecentErrMsg());
  std::exit(3);
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    Check(aclrtMalloc(&memory_, Bytes(), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Check(aclrtMemcpy(memory_, Bytes(), values.data(), Bytes(), ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy");
  }
  ~DeviceArray() { Check(aclrtFree(memory_), "aclrtFree"); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  uint8_t* Get() const { return static_cast<uint8_t*>(memory_); }
  // When the streams have done their work, right or wrong.
  std::vector<T> Read() const {
    aclrtSynchronizeDevice();
    std::vector<T> values(count_);
    Check(aclrtMemcpy(values.data(), Bytes(), memory_, Bytes(), ACL_MEMCPY_DEVICE_TO_HOST),
          "aclrtMemcpy");
    return values;
  }

 private:
  size_t Bytes() const { return count_ * sizeof(T); }
  size_t count_;
  void* memory_ = nullptr;
};

class Session {
 public:
  Session() {
    Check(aclInit(nullptr), "aclInit");
    Check(aclrtSetDevice(0), "aclrtSetDevice");
    Check(aclrtCreateStream(&stream), "aclrtCreateStream");
  }
  ~Session() {
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
  }
  aclrtStream stream = nullptr;
};
