// Copies that streams make.
#include <tuple>

#include "opkit/acl/environment.h"
#include "opkit/acl/memory_check.h"
#include "opkit/acl/submit.h"

namespace opkit::acl {
namespace {

bool is_pinned(Runtime& runtime, const Bytes& side) {
  return runtime.host_memory.holds(side.at, side.bytes) ||
         runtime.device().memory().holds(side.at, side.bytes);
}

// Which sides are device memory, and which are pinned memory of the host.
struct Sides {
  bool from_device, to_device, from_pinned, to_pinned;
};

aclError freed_too_soon(const Bytes& side, const char* kind, const char* free) {
  return Runtime::instance().faults.keep_task(fail(
      ACL_ERROR_RT_SYS_DMA,
      "a copy of %zu bytes found that %s at %p was freed before it ran; synchronize the stream "
      "before %s",
      side.bytes, kind, side.at, free));
}

// Memory is still what it was when the copy was submitted.
aclError check_memory(const AsyncCopy& copy, const Sides& sides) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const DeviceMemory& memory = runtime.device().memory();
  for (const auto& [side, device, pinned] :
       {std::tuple(&copy.from, sides.from_device, sides.from_pinned),
        {&copy.to, sides.to_device, sides.to_pinned}}) {
    if (device && !memory.holds(side->at, side->bytes))
      return freed_too_soon(*side, "device memory", "aclrtFree");
    if (pinned && !runtime.host_memory.holds(side->at, side->bytes))
      return freed_too_soon(*side, "pinned host memory", "aclrtFreeHost");
  }
  return ACL_SUCCESS;
}

aclError run(const AsyncCopy& copy, const Sides& sides) {
  if (const aclError code = check_memory(copy, sides)) return code;
  const Timing timing(Runtime::instance().profile, Profile::kCopies, [&] {
    if (copy.from.at == copy.to.at) return "set " + std::to_string(copy.to.bytes) + " bytes";
    return copy_name(sides.from_device, sides.to_device, copy.to.bytes);
  });
  copy.copy();
  return ACL_SUCCESS;
}

Sides sides_of(const Runtime& runtime, const AsyncCopy& copy) {
  const auto pinned = [&](const Bytes& side) {
    return runtime.host_memory.holds(side.at, side.bytes);
  };
  const auto device = [&](const Bytes& side) {
    return Runtime::instance().device().memory().touches(side.at);
  };
  return {device(copy.from), device(copy.to), pinned(copy.from), pinned(copy.to)};
}

void note_uses(Runtime& runtime, const AsyncCopy& copy, Task& task) {
  for (const Bytes& side : {copy.from, copy.to}) {
    const void* const piece = runtime.host_memory.base_of(side.at);
    if (!piece) continue;
    if (!task.marks) task.marks = std::make_shared<Moment>();
    runtime.pinned_uses.add(piece, side.bytes, task.marks, runtime.scheduler().looks());
  }
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
    const Sides sides = sides_of(runtime, copy);
    if (sides.from_device && !sides.to_device) runtime.faults.read_results();
    if (strict() && !keeps_tasks(*runtime.device().find(stream))) note_uses(runtime, copy, task);
    task.work = [copy = std::move(copy), sides] { return run(copy, sides); };
    return ACL_SUCCESS;
  });
  if (code != ACL_SUCCESS || !waits) return code;
  return finish(stream);
}

}  // namespace opkit::acl
