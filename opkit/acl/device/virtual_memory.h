// Addresses of the device without memory, memory without addresses, and one at the other.
#ifndef OPKIT_ACL_DEVICE_VIRTUAL_MEMORY_H_
#define OPKIT_ACL_DEVICE_VIRTUAL_MEMORY_H_

#include <map>

#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/device/memory_pool.h"

namespace opkit::acl {

// Memory of one aclrtMallocPhysical: a file without a name.
struct Physical {
  int file = -1;
  uint64_t bytes = 0;
  void* mapped_at = nullptr;

  Physical() = default;
  ~Physical();
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
};

class VirtualMemory {
 public:
  static constexpr uint64_t kGranularity = uint64_t{2} << 20;  // bytes

  aclError reserve(void** result, uint64_t bytes, void* expected);
  aclError release(void* address);
  aclError allocate(DeviceMemory& memory, uint64_t bytes, void** handle);
  aclError free(DeviceMemory& memory, const void* handle);
  aclError map(DeviceMemory& memory, void* at, uint64_t bytes, const void* handle);
  aclError unmap(DeviceMemory& memory, void* at);

  size_t reserved() const { return reserved_.size(); }
  const HandleTable<Physical>& physical() const { return physical_; }

 private:
  bool is_reserved(const void* at, uint64_t bytes) const;
  Physical* mapped_at(const void* at) const;

  std::map<uintptr_t, uint64_t> reserved_;  // bytes by address
  HandleTable<Physical> physical_{"handle of physical memory"};
};

// Returns the program's, made on first use and never destroyed. REQUIRES: the lock is held.
VirtualMemory& virtual_memory();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_VIRTUAL_MEMORY_H_
