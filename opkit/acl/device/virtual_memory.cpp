#include "opkit/acl/device/virtual_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/call/plan/poison.h"

namespace opkit::acl {
namespace {

aclError no_host_memory(uint64_t bytes) {
  return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "this host has no %llu bytes: %s",
              static_cast<unsigned long long>(bytes), std::strerror(errno));
}

aclError bad_size(const char* call, uint64_t bytes) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, "%s of %llu bytes; it wants a multiple of 2 MiB", call,
              static_cast<unsigned long long>(bytes));
}

bool fill(const Physical& physical) {
  void* const at =
      mmap(nullptr, physical.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, physical.file, 0);
  if (at == MAP_FAILED) return false;
  std::memset(at, kPoison, physical.bytes);
  munmap(at, physical.bytes);
  return true;
}

}  // namespace

Physical::~Physical() {
  if (file != -1) close(file);
}

aclError VirtualMemory::reserve(void** result, uint64_t bytes, void* expected) {
  if (bytes == 0 || bytes % kGranularity != 0) return bad_size("aclrtReserveMemAddress", bytes);
  void* const at =
      mmap(expected, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return no_host_memory(bytes);
  reserved_[reinterpret_cast<uintptr_t>(at)] = bytes;
  *result = at;
  return ACL_SUCCESS;
}

aclError VirtualMemory::release(void* address) {
  const auto found = reserved_.find(reinterpret_cast<uintptr_t>(address));
  if (found == reserved_.end())
    return fail(ACL_ERROR_RT_PARAM_INVALID, "%p is no start of reserved addresses", address);
  bool used = false;
  physical_.each([&](const Physical& one) {
    const auto at = reinterpret_cast<uintptr_t>(one.mapped_at);
    used = used || (one.mapped_at && at >= found->first && at - found->first < found->second);
  });
  if (used)
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "memory is mapped at the reserved addresses %p; call aclrtUnmapMem first", address);
  munmap(address, found->second);
  reserved_.erase(found);
  return ACL_SUCCESS;
}

aclError VirtualMemory::allocate(DeviceMemory& memory, uint64_t bytes, void** handle) {
  if (bytes == 0 || bytes % kGranularity != 0) return bad_size("aclrtMallocPhysical", bytes);
  if (const aclError code = memory.reserve(bytes)) return code;
  auto physical = std::make_unique<Physical>();
  physical->file = memfd_create("opkit_device_memory", MFD_CLOEXEC);
  physical->bytes = bytes;
  if (physical->file == -1 || ftruncate(physical->file, static_cast<off_t>(bytes)) != 0 ||
      !fill(*physical)) {
    memory.give_back(bytes);
    return no_host_memory(bytes);
  }
  *handle = physical_.add(std::move(physical));
  return ACL_SUCCESS;
}

aclError VirtualMemory::free(DeviceMemory& memory, const void* handle) {
  const Physical* const found = physical_.find(handle);
  if (!found) return physical_.unknown(handle);
  if (found->mapped_at)
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the physical memory is mapped at %p; call aclrtUnmapMem first", found->mapped_at);
  memory.give_back(found->bytes);
  return physical_.destroy(handle);
}

bool VirtualMemory::is_reserved(const void* at, uint64_t bytes) const {
  const auto address = reinterpret_cast<uintptr_t>(at);
  auto after = reserved_.upper_bound(address);
  if (after == reserved_.begin()) return false;
  const auto& [base, size] = *--after;
  return address - base <= size && bytes <= size - (address - base);
}

aclError VirtualMemory::map(DeviceMemory& memory, void* at, uint64_t bytes, const void* handle) {
  Physical* const found = physical_.find(handle);
  if (!found) return physical_.unknown(handle);
  if (bytes != found->bytes || found->mapped_at || !is_reserved(at, bytes) ||
      reinterpret_cast<uintptr_t>(at) % 4096 != 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "aclrtMapMem(%p, %llu): the physical memory has %llu bytes, is mapped at %p; the "
                "addresses must be reserved ones at a multiple of 4096",
                at, static_cast<unsigned long long>(bytes),
                static_cast<unsigned long long>(found->bytes), found->mapped_at);
  if (const aclError code = memory.adopt(at, bytes, MemoryOrigin::kMapped)) return code;
  if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, found->file, 0) ==
      MAP_FAILED) {
    memory.disown(at, MemoryOrigin::kMapped);
    return no_host_memory(bytes);
  }
  found->mapped_at = at;
  return ACL_SUCCESS;
}

Physical* VirtualMemory::mapped_at(const void* at) const {
  Physical* found = nullptr;
  physical_.each([&](Physical& one) {
    if (at && one.mapped_at == at) found = &one;
  });
  return found;
}

aclError VirtualMemory::unmap(DeviceMemory& memory, void* at) {
  Physical* const found = mapped_at(at);
  if (!found)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtUnmapMem(%p): no memory is mapped there", at);
  if (const aclError code = memory.disown(at, MemoryOrigin::kMapped)) return code;
  mmap(at, found->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  found->mapped_at = nullptr;
  return ACL_SUCCESS;
}

VirtualMemory& virtual_memory() {
  static VirtualMemory& own = *new VirtualMemory;
  return own;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtReserveMemAddress(void** result, size_t size, size_t alignment,
                                                 void* expected, uint64_t) {
  if (!result || alignment != 0)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtReserveMemAddress wants a place, and alignment 0");
  const Lock lock;
  return virtual_memory().reserve(result, size, expected);
}

OPKIT_ACL_EXPORT aclError aclrtReleaseMemAddress(void* address) {
  const Lock lock;
  return virtual_memory().release(address);
}

OPKIT_ACL_EXPORT aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                                              const aclrtPhysicalMemProp* prop, uint64_t flags) {
  if (!handle || !prop || flags != 0)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtMallocPhysical wants a place, a prop and flags 0");
  const Lock lock;
  if (!has_context())
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "no device is set; call aclrtSetDevice first");
  if (prop->location.type != ACL_MEM_LOCATION_TYPE_DEVICE || prop->location.id != 0)
    return fail(ACL_ERROR_RT_INVALID_DEVICEID,
                "physical memory of place %d %u: there is one device, number 0",
                static_cast<int>(prop->location.type), prop->location.id);
  return virtual_memory().allocate(the_device().memory(), size, handle);
}

OPKIT_ACL_EXPORT aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  const Lock lock;
  return virtual_memory().free(the_device().memory(), handle);
}

OPKIT_ACL_EXPORT aclError aclrtMapMem(void* at, size_t size, size_t offset,
                                      aclrtDrvMemHandle handle, uint64_t flags) {
  if (!at || offset != 0 || flags != 0)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtMapMem wants an address, offset 0 and flags 0");
  const Lock lock;
  return virtual_memory().map(the_device().memory(), at, size, handle);
}

OPKIT_ACL_EXPORT aclError aclrtUnmapMem(void* at) {
  the_scheduler().wait_for_all();
  const Lock lock;
  return virtual_memory().unmap(the_device().memory(), at);
}

OPKIT_ACL_EXPORT aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop,
                                                           aclrtMemGranularityOptions,
                                                           size_t* granularity) {
  if (!prop || !granularity)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtMemGetAllocationGranularity wants two places");
  *granularity = VirtualMemory::kGranularity;
  return ACL_SUCCESS;
}
