// Device memory of pictures and files.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/retired_memory.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/base/large_pages.h"

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError acldvppMalloc(void** result, size_t size) {
  const Lock lock;
  if (!result || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "acldvppMalloc wants a place for the pointer and a size above 0");
  *result = nullptr;
  if (!has_context())
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "acldvppMalloc without a device; call aclrtSetDevice first");
  retired_memory().sweep(the_scheduler());
  return the_device().memory().allocate(result, size, 0, MemoryOrigin::kPicture);
}

OPKIT_ACL_EXPORT aclError acldvppFree(void* memory) {
  const Lock lock;
  if (!memory) return fail(ACL_ERROR_INVALID_PARAM, "acldvppFree of a null pointer");
  const auto free = [&](void* pages) {
    retired_memory().keep(the_scheduler(), [pages] { opkit::free_pages(pages); });
  };
  return the_device().memory().release(memory, nullptr, free, MemoryOrigin::kPicture);
}
