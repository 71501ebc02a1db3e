// DeviceScratch: memory that the runtime takes from a device for its own ends.
#ifndef OPKIT_ACL_DEVICE_DEVICE_SCRATCH_H_
#define OPKIT_ACL_DEVICE_DEVICE_SCRATCH_H_

#include "opkit/acl/device/device.h"

namespace opkit::acl {

// Device memory that lives as long as this.
class DeviceScratch {
 public:
  DeviceScratch(EmulatedDevice& device, uint64_t bytes) : device_(device), bytes_(bytes) {
    if (bytes_ != 0) code_ = device_.memory().allocate(&memory_, bytes_, 0);
  }
  ~DeviceScratch() {
    if (memory_) device_.memory().release(memory_, nullptr);
  }
  DeviceScratch(const DeviceScratch&) = delete;
  DeviceScratch& operator=(const DeviceScratch&) = delete;

  aclError code() const { return code_; }
  void* memory() const { return memory_; }
  uint64_t bytes() const { return bytes_; }

 private:
  EmulatedDevice& device_;
  uint64_t bytes_;
  void* memory_ = nullptr;
  aclError code_ = ACL_SUCCESS;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_DEVICE_SCRATCH_H_
