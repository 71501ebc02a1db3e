// Device and host memory of the runtime API.
#include <cstdlib>
#include <cstring>

#include "opkit/abi/num/half.h"
#include "opkit/acl/environment.h"
#include "opkit/acl/memory_check.h"
#include "opkit/base/large_pages.h"

namespace opkit::acl {
namespace {

constexpr const char* kPinned = "this is host memory (aclrtMallocHost)";
constexpr uint64_t kReadAhead = 32;  // bytes that aclrtMalloc adds, for reads past a tail

// What stands beside the band widths' bits, of which either may be there.
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
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!result || size == 0) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s wants a place for the pointer and a size above 0",
                call);
  }
  *result = nullptr;
  if (const aclError code = check_policy(policy, call)) return code;
  if (!runtime.has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "%s without a device; call aclrtSetDevice first", call);
  }
  runtime.retired.sweep(runtime.scheduler());
  return runtime.device().memory().allocate(result, size, extra);
}

// REQUIRES: the lock is held, as in all of these.
aclError check_copy(Runtime& runtime, void* dst, size_t room, const void* src, size_t count,
                    aclrtMemcpyKind kind) {
  if (const aclError code = runtime.contexts.check_thread("aclrtMemcpy")) return code;
  if (!dst || !src || count == 0 || count > room || kind < ACL_MEMCPY_HOST_TO_HOST ||
      kind > ACL_MEMCPY_DEFAULT) {
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtMemcpy(%p, %zu, %p, %zu, kind %d): pointers must not be null, the count must "
                "be 1 to destMax, the kind 0 to 4",
                dst, room, src, count, static_cast<int>(kind));
  }
  return check_sides(runtime, {dst, count}, {src, count}, kind);
}

// Memory of the device, or of the host as aclrtMallocHost gives it.
aclError check_set(Runtime& runtime, void* memory, size_t room, size_t count) {
  if (const aclError code = runtime.contexts.check_thread("aclrtMemset")) return code;
  if (!memory || count == 0 || count > room) {
    return fail(
        ACL_ERROR_INVALID_PARAM,
        "aclrtMemset(%p, %zu, .., %zu): the pointer must not be null, the count must be 1 to %zu",
        memory, room, count, room);
  }
  if (runtime.host_memory.holds(memory, count)) return ACL_SUCCESS;
  return check_side(runtime, memory, count, true, "destination");
}

std::string about(Runtime& runtime, const void* address) {
  if (runtime.host_memory.owns(address)) return kPinned;
  return runtime.device().memory().about(address);
}

}  // namespace

aclError check_side(Runtime& runtime, const void* address, size_t count, bool device,
                    const char* side) {
  const DeviceMemory& memory = runtime.device().memory();
  if (device && !memory.holds(address, count)) {
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the %s %p with %zu bytes is no device memory: %s; hand in memory of aclrtMalloc "
                "that is alive and has these bytes",
                side, address, count, about(runtime, address).c_str());
  }
  if (!device && memory.touches(address) && !memory.is_hosts(address)) {
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the %s %p is device memory, but the kind of copy says host; hand in host memory, "
                "or choose another kind",
                side, address);
  }
  return ACL_SUCCESS;
}

aclError check_sides(Runtime& runtime, const Bytes& to, const Bytes& from, aclrtMemcpyKind kind) {
  const DeviceMemory& memory = runtime.device().memory();
  const bool any = kind == ACL_MEMCPY_DEFAULT;
  const bool from_device =
      any ? memory.touches(from.at)
          : kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool to_device =
      any ? memory.touches(to.at)
          : kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (const aclError code = check_side(runtime, from.at, from.bytes, from_device, "source"))
    return code;
  return check_side(runtime, to.at, to.bytes, to_device, "destination");
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
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtFree of a null pointer; free what aclrtMalloc gave, once");
  return runtime.device().memory().release(
      memory,
      runtime.host_memory.owns(memory) ? "this is host memory; call aclrtFreeHost" : nullptr,
      [&](void* pages) {
        runtime.retired.keep(runtime.scheduler(), [pages] { opkit::free_pages(pages); });
      });
}

OPKIT_ACL_EXPORT aclError aclrtMallocHost(void** result, size_t size) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!result || size == 0) {
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtMallocHost wants a place for the pointer and a size above 0");
  }
  if (!runtime.has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "aclrtMallocHost without a device; call aclrtSetDevice first");
  }
  return runtime.host_memory.allocate(result, size);
}

OPKIT_ACL_EXPORT aclError aclrtFreeHost(void* memory) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtFreeHost of a null pointer; free what aclrtMallocHost gave, once");
  if (strict()) {
    const uint64_t looks = runtime.scheduler().looks();
    if (const aclError code = runtime.pinned_uses.check_free(memory, looks))
      return runtime.faults.keep_task(code);
  }
  runtime.pinned_uses.forget(memory);
  return runtime.host_memory.release(memory, [&](void* pages) {
    runtime.retired.keep(runtime.scheduler(), [pages] { std::free(pages); });
  });
}

OPKIT_ACL_EXPORT aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count,
                                      aclrtMemcpyKind kind) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (const aclError code = check_copy(runtime, dst, room, src, count, kind)) return code;
  if (const aclError code = runtime.captures.check_memory_call("aclrtMemcpy")) return code;
  const DeviceMemory& memory = runtime.device().memory();
  if (memory.touches(src) && !memory.touches(dst)) runtime.faults.read_results();
  const Timing timing(runtime.profile, Profile::kCopies,
                      [&] { return copy_name(memory.touches(src), memory.touches(dst), count); });
  std::memmove(dst, src, count);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count,
                                           aclrtMemcpyKind kind, aclrtStream stream) {
  AsyncCopy copy{{dst, count}, {src, count}, [=] { std::memmove(dst, src, count); }};
  return submit_copy(stream, std::move(copy), [&](Runtime& runtime) -> aclError {
    if (const aclError code = check_copy(runtime, dst, room, src, count, kind)) return code;
    if (kind != ACL_MEMCPY_HOST_TO_HOST) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "aclrtMemcpyAsync copies nothing from host to host; call aclrtMemcpy or memcpy");
  });
}

OPKIT_ACL_EXPORT aclError aclrtMemset(void* memory, size_t room, int32_t value, size_t count) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (const aclError code = check_set(runtime, memory, room, count)) return code;
  if (const aclError code = runtime.captures.check_memory_call("aclrtMemset")) return code;
  std::memset(memory, value, count);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtMemsetAsync(void* memory, size_t room, int32_t value, size_t count,
                                           aclrtStream stream) {
  AsyncCopy set{{memory, count}, {memory, count}, [=] { std::memset(memory, value, count); }};
  return submit_copy(stream, std::move(set),
                     [&](Runtime& runtime) { return check_set(runtime, memory, room, count); });
}

OPKIT_ACL_EXPORT aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!free || !total) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetMemInfo wants two places");
  if (attr < ACL_DDR_MEM || attr > ACL_HBM_MEM_NORMAL)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtGetMemInfo of memory %d, which is none of aclrtMemAttr; take ACL_HBM_MEM",
                static_cast<int>(attr));
  const DeviceMemory& memory = runtime.device().memory();
  if (memory.limit() == 0)
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "the size of %s's memory is not known; the host's memory is the limit",
                runtime.device().soc().name);
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
