// Copies that streams make.
#include "opkit/acl/memory_check.h"
#include "opkit/acl/submit.h"

namespace opkit::acl {
namespace {

bool is_pinned(Runtime& runtime, const Bytes& side) {
  return runtime.host_memory.holds(side.at, side.bytes) ||
         runtime.device().memory().holds(side.at, side.bytes);
}

// Device memory is still what it was when the copy was submitted.
aclError run(const AsyncCopy& copy, bool from_device, bool to_device) {
  const DeviceMemory& memory = Runtime::instance().device().memory();
  for (const auto& [side, device] : {std::pair(&copy.from, from_device), {&copy.to, to_device}}) {
    if (!device || memory.holds(side->at, side->bytes)) continue;
    return Runtime::instance().faults.keep_task(
        fail(ACL_ERROR_RT_SYS_DMA,
             "a copy of %zu bytes found that device memory at %p was freed before it ran; "
             "synchronize the stream before aclrtFree",
             side->bytes, side->at));
  }
  const Timing timing(Runtime::instance().profile, Profile::kCopies, [&] {
    if (copy.from.at == copy.to.at) return "set " + std::to_string(copy.to.bytes) + " bytes";
    return copy_name(from_device, to_device, copy.to.bytes);
  });
  copy.copy();
  return ACL_SUCCESS;
}

aclError check_unpinned(Runtime& runtime, aclrtStream stream) {
  if (const aclError code = runtime.captures.check_memory_call(
          "an asynchronous copy with host memory that is not pinned"))
    return code;
  return runtime.callbacks.check_wait(stream);
}

}  // namespace

aclError submit_copy(aclrtStream stream, AsyncCopy copy,
                     const std::function<aclError(Runtime&)>& check) {
  bool waits = false;
  const aclError code = submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    if (const aclError wrong = check(runtime)) return wrong;
    waits = !is_pinned(runtime, copy.from) || !is_pinned(runtime, copy.to);
    if (waits) {
      if (const aclError wrong = check_unpinned(runtime, stream)) return wrong;
      waits = !keeps_tasks(*runtime.device().find(stream));
    }
    const DeviceMemory& memory = runtime.device().memory();
    const bool from = memory.touches(copy.from.at), to = memory.touches(copy.to.at);
    task.work = [copy = std::move(copy), from, to] { return run(copy, from, to); };
    return ACL_SUCCESS;
  });
  if (code != ACL_SUCCESS || !waits) return code;
  return finish(stream);
}

}  // namespace opkit::acl
