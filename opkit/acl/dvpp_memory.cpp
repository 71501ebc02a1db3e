// Device memory of pictures and files.
#include "opkit/acl/runtime.h"
#include "opkit/base/large_pages.h"

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError acldvppMalloc(void** result, size_t size) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!result || size == 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "acldvppMalloc wants a place for the pointer and a size above 0");
  *result = nullptr;
  if (!runtime.has_context())
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "acldvppMalloc without a device; call aclrtSetDevice first");
  runtime.retired.sweep(runtime.scheduler());
  return runtime.device().memory().allocate(result, size, 0, Origin::kPicture);
}

OPKIT_ACL_EXPORT aclError acldvppFree(void* memory) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!memory) return fail(ACL_ERROR_INVALID_PARAM, "acldvppFree of a null pointer");
  const auto free = [&](void* pages) {
    runtime.retired.keep(runtime.scheduler(), [pages] { opkit::free_pages(pages); });
  };
  return runtime.device().memory().release(memory, nullptr, free, Origin::kPicture);
}
