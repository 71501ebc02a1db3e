#include "opkit/acl/device/memory_pool.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

#include "opkit/base/large_pages.h"
#include "opkit/call/plan/poison.h"

namespace opkit::acl {
namespace {

constexpr uint64_t kAlignment = 512;  // bytes
constexpr uint64_t kUnit = 32;        // sizes are rounded up to it

const char* giver_of(MemoryOrigin origin) {
  if (origin == MemoryOrigin::kMapped) return "aclrtUnmapMem";
  if (origin == MemoryOrigin::kPicture) return "acldvppFree";
  return origin == MemoryOrigin::kHost ? "aclrtHostUnregister" : "aclrtFree";
}

}  // namespace

const std::pair<const uintptr_t, Allocation>* DeviceMemory::piece_at(const void* address) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(address);
  auto after = pieces_.upper_bound(at);
  if (after == pieces_.begin()) return nullptr;
  const auto& piece = *--after;
  return at - piece.first <= piece.second.bytes ? &piece : nullptr;
}

aclError DeviceMemory::no_room(uint64_t size) const {
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
              "%llu bytes of device memory do not fit: %s has %llu, %llu are in use; free what is "
              "not needed, or ask for less",
              static_cast<unsigned long long>(size), device_,
              static_cast<unsigned long long>(limit_), static_cast<unsigned long long>(in_use()));
}

uint64_t DeviceMemory::in_use() const {
  const Guard guard(mutex_);
  return in_use_;
}

void DeviceMemory::give_back(uint64_t bytes) {
  const Guard guard(mutex_);
  in_use_ -= bytes;
}

std::map<uintptr_t, Allocation> DeviceMemory::pieces() const {
  const Guard guard(mutex_);
  return pieces_;
}

aclError DeviceMemory::reserve(uint64_t bytes) {
  const Guard guard(mutex_);
  if (limit_ != 0 && bytes > limit_ - in_use_) return no_room(bytes);
  in_use_ += bytes;
  return ACL_SUCCESS;
}

aclError DeviceMemory::adopt(void* memory, uint64_t bytes, MemoryOrigin origin) {
  const Guard guard(mutex_);
  const uintptr_t at = reinterpret_cast<uintptr_t>(memory);
  const auto after = pieces_.lower_bound(at);
  const bool before_next = after == pieces_.end() || bytes <= after->first - at;
  if (touches(memory) || !before_next || at + bytes < at)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "%llu bytes at %p overlap memory of the device: %s",
                static_cast<unsigned long long>(bytes), memory, about(memory).c_str());
  pieces_[at] = {bytes, bytes, origin};
  return ACL_SUCCESS;
}

aclError DeviceMemory::disown(void* memory, MemoryOrigin origin) {
  const Guard guard(mutex_);
  const auto found = pieces_.find(reinterpret_cast<uintptr_t>(memory));
  if (found == pieces_.end() || found->second.origin != origin)
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "%s(%p): it was not given, or given back; call this once, with the address that "
                "was handed in",
                giver_of(origin), memory);
  pieces_.erase(found);
  return ACL_SUCCESS;
}

bool DeviceMemory::is_hosts(const void* address) const {
  const Guard guard(mutex_);
  const auto* const piece = piece_at(address);
  return piece && piece->second.origin == MemoryOrigin::kHost;
}

aclError DeviceMemory::allocate(void** result, uint64_t size, uint64_t extra, MemoryOrigin origin) {
  const uint64_t bytes = (size + kUnit - 1) / kUnit * kUnit + extra;
  if (bytes < size || (limit_ != 0 && bytes > limit_ - in_use())) return no_room(size);
  void* memory = allocate_pages(bytes, kAlignment);
  if (!memory) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "this host has no %llu bytes",
                static_cast<unsigned long long>(size));
  }
  std::memset(memory, kPoison, bytes);
  const Guard guard(mutex_);
  if (limit_ != 0 && bytes > limit_ - in_use_) {
    free_pages(memory);
    return no_room(size);
  }
  pieces_[reinterpret_cast<uintptr_t>(memory)] = {size, bytes, origin};
  in_use_ += bytes;
  *result = memory;
  return ACL_SUCCESS;
}

aclError DeviceMemory::release(void* memory, const char* host_hint,
                               const std::function<void(void*)>& free, MemoryOrigin origin) {
  const Guard guard(mutex_);
  const auto found = pieces_.find(reinterpret_cast<uintptr_t>(memory));
  if (found == pieces_.end()) {
    if (host_hint) return fail(ACL_ERROR_RT_PARAM_INVALID, "free of %p: %s", memory, host_hint);
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "free of %p: %s; free memory once, by the address that it was given with", memory,
                about(memory).c_str());
  }
  if (found->second.origin != origin)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "free of %p: it is given back by %s", memory,
                giver_of(found->second.origin));
  in_use_ -= found->second.bytes;
  pieces_.erase(found);
  free ? free(memory) : free_pages(memory);
  return ACL_SUCCESS;
}

bool DeviceMemory::holds(const void* address, uint64_t bytes) const {
  const Guard guard(mutex_);
  const auto* const piece = piece_at(address);
  return piece &&
         bytes <= piece->second.bytes - (reinterpret_cast<uintptr_t>(address) - piece->first);
}

bool DeviceMemory::gave(const void* address, uint64_t bytes) const {
  const Guard guard(mutex_);
  const auto* const piece = piece_at(address);
  if (!piece) return false;
  const uint64_t before = reinterpret_cast<uintptr_t>(address) - piece->first;
  return before <= piece->second.asked && bytes <= piece->second.asked - before;
}

std::string DeviceMemory::about(const void* address) const {
  const Guard guard(mutex_);
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

aclError PinnedMemory::release(void* memory, const std::function<void(void*)>& free) {
  if (pieces_.erase(reinterpret_cast<uintptr_t>(memory)) == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "aclrtFreeHost(%p): not from aclrtMallocHost, or freed; free what that gave, once",
                memory);
  }
  free ? free(memory) : std::free(memory);
  return ACL_SUCCESS;
}

const void* PinnedMemory::base_of(const void* address) const {
  if (!holds(address, 1)) return nullptr;
  const auto after = pieces_.upper_bound(reinterpret_cast<uintptr_t>(address));
  return reinterpret_cast<const void*>(std::prev(after)->first);
}

bool PinnedMemory::holds(const void* address, uint64_t bytes) const {
  const auto at = reinterpret_cast<uintptr_t>(address);
  auto after = pieces_.upper_bound(at);
  if (after == pieces_.begin()) return false;
  const auto& [base, piece] = *--after;
  return at - base <= piece.bytes && bytes <= piece.bytes - (at - base);
}

PinnedMemory& pinned_memory() {
  static PinnedMemory& own = *new PinnedMemory;
  return own;
}

}  // namespace opkit::acl
