// Copies of rows, and memory of the host that kernels use.
#include <cstring>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/memory_check.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {
namespace {

struct Rows {
  void* to;
  size_t to_pitch;
  const void* from;
  size_t from_pitch, width, height;

  void copy() const {
    for (size_t row = 0; row < height; ++row)
      std::memmove(static_cast<char*>(to) + row * to_pitch,
                   static_cast<const char*>(from) + row * from_pitch, width);
  }
};

// Bytes from the first row's first to the last row's last; false: they cannot be counted.
bool rows_extent(size_t pitch, size_t width, size_t height, size_t& bytes) {
  return !__builtin_mul_overflow(pitch, height - 1, &bytes) &&
         !__builtin_add_overflow(bytes, width, &bytes);
}

// Sets the memory that both sides of a copy of rows span. False: the program gave null, nothing to
// copy, a pitch shorter than a row, or more bytes than there are addresses.
bool sides_of(const Rows& rows, Bytes& to, Bytes& from) {
  to.at = rows.to;
  from.at = rows.from;
  return rows.to && rows.from && rows.width != 0 && rows.height != 0 &&
         rows.width <= rows.to_pitch && rows.width <= rows.from_pitch &&
         rows_extent(rows.to_pitch, rows.width, rows.height, to.bytes) &&
         rows_extent(rows.from_pitch, rows.width, rows.height, from.bytes);
}

aclError wrong_rows(const Rows& rows, aclrtMemcpyKind kind) {
  return fail(ACL_ERROR_INVALID_PARAM,
              "aclrtMemcpy2d(%p, %zu, %p, %zu, %zu, %zu, kind %d): pointers must not be null, "
              "width and height not 0, the width at most each pitch, the kind 0 to 4",
              rows.to, rows.to_pitch, rows.from, rows.from_pitch, rows.width, rows.height,
              static_cast<int>(kind));
}

// REQUIRES: the lock is held.
aclError check(const Rows& rows, aclrtMemcpyKind kind) {
  Bytes to, from;
  if (!sides_of(rows, to, from) || kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_DEFAULT)
    return wrong_rows(rows, kind);
  return check_sides(to, from, kind);
}

// (Pages "aclrtMemcpy2d" and "aclrtMemcpy2dAsync".)
aclError check_kind(aclrtMemcpyKind kind, bool async) {
  if (kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_HOST) return ACL_SUCCESS;
  if (async && kind == ACL_MEMCPY_DEVICE_TO_DEVICE) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "%s with kind %d; ACL_MEMCPY_HOST_TO_DEVICE and ACL_MEMCPY_DEVICE_TO_HOST are "
              "possible, and ACL_MEMCPY_DEVICE_TO_DEVICE for aclrtMemcpy2dAsync",
              async ? "aclrtMemcpy2dAsync" : "aclrtMemcpy2d", static_cast<int>(kind));
}

// (Page "aclrtMemcpy2dAsync".)
aclError check_most(const Rows& rows) {
  constexpr size_t kMostWidth = 5000000, kMostHeight = 5 << 20;
  if (rows.width <= kMostWidth && rows.height <= kMostHeight) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "aclrtMemcpy2dAsync of %zu rows of %zu bytes; %zu rows of %zu bytes are possible",
              rows.height, rows.width, kMostHeight, kMostWidth);
}

aclError check_range(void* memory, size_t size) {
  const Lock lock;
  if (!memory || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "%zu bytes of cached memory at %p", size, memory);
  return check_side(memory, size, true, "memory");
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch,
                                        size_t width, size_t height, aclrtMemcpyKind kind) {
  const Lock lock;
  const Rows rows{dst, dpitch, src, spitch, width, height};
  if (const aclError code = check(rows, kind)) return code;
  if (const aclError code = check_kind(kind, false)) return code;
  if (const aclError code = captures().check_memory_call("aclrtMemcpy2d")) return code;
  rows.copy();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src,
                                             size_t spitch, size_t width, size_t height,
                                             aclrtMemcpyKind kind, aclrtStream stream) {
  const Rows rows{dst, dpitch, src, spitch, width, height};
  AsyncCopy copy{{}, {}, [rows] { rows.copy(); }};
  if (!sides_of(rows, copy.to, copy.from)) return wrong_rows(rows, kind);
  return submit_copy(stream, std::move(copy), [&]() -> aclError {
    if (const aclError code = check(rows, kind)) return code;
    if (const aclError code = check_kind(kind, true)) return code;
    return check_most(rows);
  });
}

OPKIT_ACL_EXPORT aclError aclrtMallocCached(void** result, size_t size,
                                            aclrtMemMallocPolicy policy) {
  return aclrtMalloc(result, size, policy);
}

OPKIT_ACL_EXPORT aclError aclrtMemFlush(void* memory, size_t size) {
  return check_range(memory, size);
}

OPKIT_ACL_EXPORT aclError aclrtMemInvalidate(void* memory, size_t size) {
  return check_range(memory, size);
}

OPKIT_ACL_EXPORT aclError aclrtHostRegister(void* memory, uint64_t size, aclrtHostRegisterType type,
                                            void** result) {
  const Lock lock;
  if (!memory || size == 0 || !result || type != ACL_HOST_REGISTER_MAPPED)
    return fail(ACL_ERROR_INVALID_PARAM,
                "aclrtHostRegister wants memory, a size, type 0 and a place for the address");
  if (const aclError code = the_device().memory().adopt(memory, size, MemoryOrigin::kHost))
    return code;
  *result = memory;
  return ACL_SUCCESS;
}

// The memory may go when this returns: nothing uses it any more.
OPKIT_ACL_EXPORT aclError aclrtHostUnregister(void* memory) {
  the_scheduler().wait_for_all();
  const Lock lock;
  return the_device().memory().disown(memory, MemoryOrigin::kHost);
}
