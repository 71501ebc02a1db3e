// Device and host memory of the runtime API.
#include <cstdlib>
#include <cstring>

#include "opkit/acl/runtime.h"
#include "opkit/num/half.h"

namespace opkit::acl {
namespace {

constexpr uint64_t kReadAhead = 32;  // bytes that aclrtMalloc adds, for reads past a tail

aclError device_memory_of(void** result, size_t size, uint64_t extra, const char* call) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!result || size == 0) {
    return fail(ACL_ERROR_INVALID_PARAM, "%s wants a place for the pointer and a size above 0",
                call);
  }
  *result = nullptr;
  if (!runtime.has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "%s without a device; call aclrtSetDevice first", call);
  }
  return runtime.allocate(result, size, extra);
}

// side: "source" or "destination".
aclError check_side(Runtime& runtime, const void* address, size_t count, bool device,
                    const char* side) {
  if (device && !runtime.on_device(address, count)) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "the %s %p with %zu bytes is no device memory: %s",
                side, address, count, runtime.about(address).c_str());
  }
  if (!device && runtime.touches_device(address)) {
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the %s %p is device memory, but the kind of copy says host", side, address);
  }
  return ACL_SUCCESS;
}

aclError copy(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!dst || !src || count == 0 || count > room || kind < ACL_MEMCPY_HOST_TO_HOST ||
      kind > ACL_MEMCPY_DEFAULT) {
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtMemcpy(%p, %zu, %p, %zu, kind %d): pointers must not be null, the count must "
                "be 1 to destMax, the kind 0 to 4",
                dst, room, src, count, static_cast<int>(kind));
  }
  const bool any = kind == ACL_MEMCPY_DEFAULT;
  const bool from = any ? runtime.touches_device(src)
                        : kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool to = any ? runtime.touches_device(dst)
                      : kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (const aclError code = check_side(runtime, src, count, from, "source")) return code;
  if (const aclError code = check_side(runtime, dst, count, to, "destination")) return code;
  std::memmove(dst, src, count);
  return ACL_SUCCESS;
}

aclError set(void* memory, size_t room, int32_t value, size_t count) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory || count == 0 || count > room) {
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtMemset(%p, %zu, .., %zu): the count must be 1 to %zu", memory, room, count,
                room);
  }
  if (const aclError code = check_side(runtime, memory, count, true, "destination")) return code;
  std::memset(memory, value, count);
  return ACL_SUCCESS;
}

aclError check_stream(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (runtime.find(stream)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_STREAM_CONTEXT, "%p is no stream", stream);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtMalloc(void** result, size_t size, aclrtMemMallocPolicy) {
  return device_memory_of(result, size, kReadAhead, "aclrtMalloc");
}

OPKIT_ACL_EXPORT aclError aclrtMallocAlign32(void** result, size_t size, aclrtMemMallocPolicy) {
  return device_memory_of(result, size, 0, "aclrtMallocAlign32");
}

OPKIT_ACL_EXPORT aclError aclrtFree(void* memory) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory) return fail(ACL_ERROR_INVALID_PARAM, "aclrtFree of a null pointer");
  return runtime.release(memory);
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
  *result = std::malloc(size);
  if (!*result) return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "this host has no %zu bytes", size);
  runtime.host_memory[reinterpret_cast<uintptr_t>(*result)] = {size, size};
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtFreeHost(void* memory) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory) return fail(ACL_ERROR_INVALID_PARAM, "aclrtFreeHost of a null pointer");
  if (runtime.host_memory.erase(reinterpret_cast<uintptr_t>(memory)) == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtFreeHost(%p): not from aclrtMallocHost, or freed",
                memory);
  }
  std::free(memory);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count,
                                      aclrtMemcpyKind kind) {
  return copy(dst, room, src, count, kind);
}

OPKIT_ACL_EXPORT aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count,
                                           aclrtMemcpyKind kind, aclrtStream stream) {
  const aclError code = check_stream(stream);
  return code ? code : copy(dst, room, src, count, kind);
}

OPKIT_ACL_EXPORT aclError aclrtMemset(void* memory, size_t room, int32_t value, size_t count) {
  return set(memory, room, value, count);
}

OPKIT_ACL_EXPORT aclError aclrtMemsetAsync(void* memory, size_t room, int32_t value, size_t count,
                                           aclrtStream stream) {
  const aclError code = check_stream(stream);
  return code ? code : set(memory, room, value, count);
}

OPKIT_ACL_EXPORT aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!free || !total) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetMemInfo wants two places");
  *total = runtime.soc().memory_size[OPK_MEM_GM];
  *free = *total - runtime.device_bytes;
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
