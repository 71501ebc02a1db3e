// Device and host memory of the runtime API.
#include <cstdlib>
#include <cstring>

#include "opkit/abi/num/half.h"
#include "opkit/acl/base/environment.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/memory_pool.h"
#include "opkit/acl/device/pinned_uses.h"
#include "opkit/acl/device/retired_memory.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/runtime/memory_check.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/base/large_pages.h"

namespace opkit::acl {
namespace {

constexpr const char* kPinned = "this is host memory (aclrtMallocHost)";
constexpr uint64_t kReadAhead = 32;  // bytes that aclrtMalloc adds, for reads past a tail

// Checks what stands beside the band widths' bits, of which either may be there.
aclError check_policy(aclrtMemMallocPolicy policy, const char* call) {
  constexpr unsigned kWidths = ACL_MEM_TYPE_LOW_BAND_WIDTH | ACL_MEM_TYPE_HIGH_BAND_WIDTH;
  const unsigned pages = static_cast<unsigned>(policy) & ~kWidths;
  if (pages <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "%s with policy %u, which is none of aclrtMemMallocPolicy; take "
              "ACL_MEM_MALLOC_HUGE_FIRST",
              call, static_cast<unsigned>(policy));
}

aclError device_memory_of(void** result, size_t size, aclrtMemMallocPolicy policy, uint64_t extra,
                          const char* call) {
  const Lock lock;
  if (!result || size == 0) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s wants a place for the pointer and a size above 0",
                call);
  }
  *result = nullptr;
  if (const aclError code = check_policy(policy, call)) return code;
  if (!has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "%s without a device; call aclrtSetDevice first", call);
  }
  retired_memory().sweep(the_scheduler());
  return the_device().memory().allocate(result, size, extra);
}

// REQUIRES: the lock is held, as in all of these.
aclError check_copy(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind) {
  if (const aclError code = contexts().check_thread("aclrtMemcpy")) return code;
  if (!dst || !src || count == 0 || count > room || kind < ACL_MEMCPY_HOST_TO_HOST ||
      kind > ACL_MEMCPY_DEFAULT) {
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtMemcpy(%p, %zu, %p, %zu, kind %d): pointers must not be null, the count must "
                "be 1 to destMax, the kind 0 to 4",
                dst, room, src, count, static_cast<int>(kind));
  }
  return check_sides({dst, count}, {src, count}, kind);
}

// Checks what aclrtMemset may fill: memory of the device, or of the host as aclrtMallocHost gives
// it.
aclError check_set(void* memory, size_t room, size_t count) {
  if (const aclError code = contexts().check_thread("aclrtMemset")) return code;
  if (!memory || count == 0 || count > room) {
    return fail(
        ACL_ERROR_INVALID_PARAM,
        "aclrtMemset(%p, %zu, .., %zu): the pointer must not be null, the count must be 1 to %zu",
        memory, room, count, room);
  }
  if (pinned_memory().holds(memory, count)) return ACL_SUCCESS;
  return check_side(memory, count, true, "destination");
}

std::string about(const void* address) {
  if (pinned_memory().owns(address)) return kPinned;
  return the_device().memory().about(address);
}

}  // namespace

aclError check_side(const void* address, size_t count, bool device, const char* side) {
  const DeviceMemory& memory = the_device().memory();
  if (device && !memory.holds(address, count)) {
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the %s %p with %zu bytes is no device memory: %s; hand in memory of aclrtMalloc "
                "that is alive and has these bytes",
                side, address, count, about(address).c_str());
  }
  if (!device && memory.touches(address) && !memory.is_hosts(address)) {
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the %s %p is device memory, but the kind of copy says host; hand in host memory, "
                "or choose another kind",
                side, address);
  }
  return ACL_SUCCESS;
}

aclError check_sides(const Bytes& to, const Bytes& from, aclrtMemcpyKind kind) {
  const DeviceMemory& memory = the_device().memory();
  const bool any = kind == ACL_MEMCPY_DEFAULT;
  const bool from_device =
      any ? memory.touches(from.at)
          : kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool to_device =
      any ? memory.touches(to.at)
          : kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (const aclError code = check_side(from.at, from.bytes, from_device, "source")) return code;
  return check_side(to.at, to.bytes, to_device, "destination");
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtMalloc(void** result, size_t size, aclrtMemMallocPolicy policy) {
  return device_memory_of(result, size, policy, kReadAhead, "aclrtMalloc");
}

OPKIT_ACL_EXPORT aclError aclrtMallocAlign32(void** result, size_t size,
                                             aclrtMemMallocPolicy policy) {
  return device_memory_of(result, size, policy, 0, "aclrtMallocAlign32");
}

OPKIT_ACL_EXPORT aclError aclrtFree(void* memory) {
  const Lock lock;
  if (!memory)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtFree of a null pointer; free what aclrtMalloc gave, once");
  return the_device().memory().release(
      memory, pinned_memory().owns(memory) ? "this is host memory; call aclrtFreeHost" : nullptr,
      [&](void* pages) {
        retired_memory().keep(the_scheduler(), [pages] { opkit::free_pages(pages); });
      });
}

OPKIT_ACL_EXPORT aclError aclrtMallocHost(void** result, size_t size) {
  const Lock lock;
  if (!result || size == 0) {
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtMallocHost wants a place for the pointer and a size above 0");
  }
  if (!has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtMallocHost without a device; call aclrtSetDevice first");
  }
  return pinned_memory().allocate(result, size);
}

OPKIT_ACL_EXPORT aclError aclrtFreeHost(void* memory) {
  const Lock lock;
  if (!memory)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtFreeHost of a null pointer; free what aclrtMallocHost gave, once");
  if (strict()) {
    const uint64_t looks = the_scheduler().looks();
    if (const aclError code = pinned_uses().check_free(memory, looks))
      return faults().keep_task(code);
  }
  pinned_uses().forget(memory);
  return pinned_memory().release(memory, [&](void* pages) {
    retired_memory().keep(the_scheduler(), [pages] { std::free(pages); });
  });
}

OPKIT_ACL_EXPORT aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count,
                                      aclrtMemcpyKind kind) {
  const Lock lock;
  if (const aclError code = check_copy(dst, room, src, count, kind)) return code;
  if (const aclError code = captures().check_memory_call("aclrtMemcpy")) return code;
  const DeviceMemory& memory = the_device().memory();
  if (memory.touches(src) && !memory.touches(dst)) faults().read_results();
  const Timing timing(profile(), Profile::kCopies,
                      [&] { return copy_name(memory.touches(src), memory.touches(dst), count); });
  std::memmove(dst, src, count);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count,
                                           aclrtMemcpyKind kind, aclrtStream stream) {
  AsyncCopy copy{{dst, count}, {src, count}, [=] { std::memmove(dst, src, count); }};
  return submit_copy(stream, std::move(copy), [&]() -> aclError {
    if (const aclError code = check_copy(dst, room, src, count, kind)) return code;
    if (kind != ACL_MEMCPY_HOST_TO_HOST) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtMemcpyAsync copies nothing from host to host; call aclrtMemcpy or memcpy");
  });
}

OPKIT_ACL_EXPORT aclError aclrtMemset(void* memory, size_t room, int32_t value, size_t count) {
  const Lock lock;
  if (const aclError code = check_set(memory, room, count)) return code;
  if (const aclError code = captures().check_memory_call("aclrtMemset")) return code;
  std::memset(memory, value, count);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtMemsetAsync(void* memory, size_t room, int32_t value, size_t count,
                                           aclrtStream stream) {
  AsyncCopy set{{memory, count}, {memory, count}, [=] { std::memset(memory, value, count); }};
  return submit_copy(stream, std::move(set), [&]() { return check_set(memory, room, count); });
}

OPKIT_ACL_EXPORT aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  const Lock lock;
  if (!free || !total) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetMemInfo wants two places");
  if (attr < ACL_DDR_MEM || attr > ACL_HBM_MEM_NORMAL)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtGetMemInfo of memory %d, which is none of aclrtMemAttr; take ACL_HBM_MEM",
                static_cast<int>(attr));
  const DeviceMemory& memory = the_device().memory();
  if (memory.limit() == 0)
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "the size of %s's memory is not known; the host's memory is the limit",
                the_device().soc().name);
  *total = memory.limit();
  *free = *total - memory.in_use();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT float aclFloat16ToFloat(aclFloat16 value) {
  opkit::Half half;
  std::memcpy(&half, &value, sizeof half);
  return static_cast<float>(half);
}

OPKIT_ACL_EXPORT aclFloat16 aclFloatToFloat16(float value) {
  const opkit::Half half(value);
  aclFloat16 bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

OPKIT_ACL_EXPORT size_t aclDataTypeSize(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL: return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16: return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32: return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64: return 8;
    case ACL_COMPLEX128: return 16;
    default: return 0;
  }
}
