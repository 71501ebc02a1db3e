// Device and host memory, copies.
#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

std::tuple<size_t, size_t, aclError> memory_info(int attr) {
  size_t free = 0, total = 0;
  const aclError code = aclrtGetMemInfo(static_cast<aclrtMemAttr>(attr), &free, &total);
  return {free, total, code};
}

}  // namespace

void add_memory(py::module_& rt) {
  gives_first(rt, "malloc", aclrtMalloc);
  gives_first(rt, "malloc_cached", aclrtMallocCached);
  plain(rt, "free", aclrtFree);
  gives_first(rt, "malloc_host", aclrtMallocHost);
  plain(rt, "free_host", aclrtFreeHost);
  plain(rt, "mem_flush", aclrtMemFlush);
  plain(rt, "mem_invalidate", aclrtMemInvalidate);
  plain(rt, "memcpy", aclrtMemcpy);
  plain(rt, "memcpy_async", aclrtMemcpyAsync);
  plain(rt, "memset", aclrtMemset);
  plain(rt, "memset_async", aclrtMemsetAsync);
  rt.def("get_mem_info", memory_info, Unlocked());
}

}  // namespace opkit::python
