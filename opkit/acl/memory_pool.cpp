#include "opkit/acl/memory_pool.h"

#include <cstdlib>
#include <cstring>

#include "opkit/base/large_pages.h"

namespace opkit::acl {
namespace {

constexpr uint64_t kAlignment = 512;  // bytes
constexpr uint64_t kUnit = 32;        // sizes are rounded up to it
constexpr int kPoison = 0xff;         // a NaN in every float type, -1 in every integer type

}  // namespace

aclError DeviceMemory::allocate(void** result, uint64_t size, uint64_t extra) {
  const uint64_t bytes = (size + kUnit - 1) / kUnit * kUnit + extra;
  if (bytes < size || (limit_ != 0 && bytes > limit_ - in_use_)) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
                "%llu bytes of device memory do not fit: %s has %llu, %llu are in use",
                static_cast<unsigned long long>(size), device_,
                static_cast<unsigned long long>(limit_), static_cast<unsigned long long>(in_use_));
  }
  void* memory = allocate_pages(bytes, kAlignment);
  if (!memory) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "this host has no %llu bytes",
                static_cast<unsigned long long>(size));
  }
  std::memset(memory, kPoison, bytes);
  pieces_[reinterpret_cast<uintptr_t>(memory)] = {size, bytes};
  in_use_ += bytes;
  *result = memory;
  return ACL_SUCCESS;
}

aclError DeviceMemory::release(void* memory, const char* host_hint) {
  const auto found = pieces_.find(reinterpret_cast<uintptr_t>(memory));
  if (found == pieces_.end()) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "free of %p: %s", memory,
                host_hint ? host_hint : about(memory).c_str());
  }
  in_use_ -= found->second.bytes;
  pieces_.erase(found);
  free_pages(memory);
  return ACL_SUCCESS;
}

bool DeviceMemory::holds(const void* address, uint64_t bytes) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  auto after = pieces_.upper_bound(at);
  if (after == pieces_.begin()) return false;
  const auto& [base, allocation] = *--after;
  return at - base <= allocation.bytes && bytes <= allocation.bytes - (at - base);
}

std::string DeviceMemory::about(const void* address) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  auto after = pieces_.upper_bound(at);
  if (after != pieces_.begin()) {
    const auto& [base, allocation] = *--after;
    if (at - base < allocation.bytes) {
      return "it lies " + std::to_string(at - base) + " bytes into device memory of " +
             std::to_string(allocation.asked) + " bytes";
    }
  }
  return "no device memory that is alive lies there";
}

aclError PinnedMemory::allocate(void** result, uint64_t size) {
  *result = std::malloc(size);
  if (!*result) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "this host has no %llu bytes",
                static_cast<unsigned long long>(size));
  }
  pieces_[reinterpret_cast<uintptr_t>(*result)] = {size, size};
  return ACL_SUCCESS;
}

aclError PinnedMemory::release(void* memory) {
  if (pieces_.erase(reinterpret_cast<uintptr_t>(memory)) == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtFreeHost(%p): not from aclrtMallocHost, or freed",
                memory);
  }
  std::free(memory);
  return ACL_SUCCESS;
}

}  // namespace opkit::acl
