// MemoryPool: the memory that a program took from a device or, pinned, from the host, and has not
// given back.
#ifndef OPKIT_ACL_DEVICE_MEMORY_POOL_H_
#define OPKIT_ACL_DEVICE_MEMORY_POOL_H_

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "opkit/acl/base/error.h"

namespace opkit::acl {

// Whose memory a piece is, and which call gives it back.
enum class MemoryOrigin : uint8_t {
  kAllocated,  // aclrtFree
  kMapped,     // aclrtUnmapMem
  kPicture,    // acldvppFree
  kHost,       // the program's, shown to kernels, too; aclrtHostUnregister
};

// Alive.
struct Allocation {
  uint64_t asked = 0, bytes = 0;  // count what the program asked for, and what it takes
  MemoryOrigin origin = MemoryOrigin::kAllocated;
};

// Holds the memory of one device. Fresh memory is poisoned. Threads may use it at once.
class OPKIT_ACL_SHARED DeviceMemory {
 public:
  // limit: bytes in all; 0: the host's. device: the chip's name, for messages. Must outlive it.
  DeviceMemory(uint64_t limit, const char* device) : limit_(limit), device_(device) {}
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // ACL_SUCCESS and the pointer, or a code. extra: bytes beyond the rounded size.
  aclError allocate(void** result, uint64_t size, uint64_t extra,
                    MemoryOrigin origin = MemoryOrigin::kAllocated);
  // host_hint: what the pointer is when it is not ours, or nullptr. free: gives the pages back to
  // the host; none: at once.
  aclError release(void* memory, const char* host_hint, const std::function<void(void*)>& free = {},
                   MemoryOrigin origin = MemoryOrigin::kAllocated);
  // Memory of somebody else, from then on the device's, too. It counts against the limit only where
  // reserve() said so.
  aclError adopt(void* memory, uint64_t bytes, MemoryOrigin origin);
  // Takes memory that adopt() was given from the device again; refuses another address or origin.
  aclError disown(void* memory, MemoryOrigin origin);
  // Counts bytes against the limit that have no address.
  aclError reserve(uint64_t bytes);
  void give_back(uint64_t bytes);
  // [address, address + bytes) lies in one live piece.
  bool holds(const void* address, uint64_t bytes) const;
  // Tells whether these bytes were asked for by the program, without those that were added.
  bool gave(const void* address, uint64_t bytes) const;
  bool touches(const void* address) const { return holds(address, 1); }
  // The host may use it as its own.
  bool is_hosts(const void* address) const;
  // Returns what a failed look-up of an address is best explained by.
  std::string about(const void* address) const;

  uint64_t limit() const { return limit_; }
  uint64_t in_use() const;
  // Returns a copy of the table of allocations, by address.
  std::map<uintptr_t, Allocation> pieces() const;

 private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  const std::pair<const uintptr_t, Allocation>* piece_at(const void* address) const;
  aclError no_room(uint64_t size) const;

  uint64_t limit_;
  const char* device_;
  mutable std::recursive_mutex mutex_;
  uint64_t in_use_ = 0;
  std::map<uintptr_t, Allocation> pieces_;
};

// Holds the host's memory that aclrtMallocHost gives.
class PinnedMemory {
 public:
  aclError allocate(void** result, uint64_t size);
  aclError release(void* memory, const std::function<void(void*)>& free = {});
  // [address, address + bytes) lies in one piece.
  bool holds(const void* address, uint64_t bytes) const;
  // Returns the base of the piece that the address lies in, or nullptr.
  const void* base_of(const void* address) const;
  bool owns(const void* address) const {
    return pieces_.count(reinterpret_cast<uintptr_t>(address)) > 0;
  }
  const std::map<uintptr_t, Allocation>& pieces() const { return pieces_; }

 private:
  std::map<uintptr_t, Allocation> pieces_;
};

// Returns the program's, made on first use and never destroyed. REQUIRES: the lock is held.
PinnedMemory& pinned_memory();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_MEMORY_POOL_H_
