// Copies that streams make.
#include <tuple>

#include "opkit/acl/base/environment.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/device/memory_pool.h"
#include "opkit/acl/device/pinned_uses.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/runtime/memory_check.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/callback.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {
namespace {

bool is_pinned(const Bytes& side) {
  return pinned_memory().holds(side.at, side.bytes) ||
         the_device().memory().holds(side.at, side.bytes);
}

// Which sides are device memory, and which are pinned memory of the host.
struct Sides {
  bool from_device, to_device, from_pinned, to_pinned;
};

aclError freed_too_soon(const Bytes& side, const char* kind, const char* free) {
  return faults().keep_task(fail(
      ACL_ERROR_RT_SYS_DMA,
      "a copy of %zu bytes found that %s at %p was freed before it ran; synchronize the stream "
      "before %s",
      side.bytes, kind, side.at, free));
}

// Memory is still what it was when the copy was submitted.
aclError check_memory(const AsyncCopy& copy, const Sides& sides) {
  const Lock lock;
  const DeviceMemory& memory = the_device().memory();
  for (const auto& [side, device, pinned] :
       {std::tuple(&copy.from, sides.from_device, sides.from_pinned),
        {&copy.to, sides.to_device, sides.to_pinned}}) {
    if (device && !memory.holds(side->at, side->bytes))
      return freed_too_soon(*side, "device memory", "aclrtFree");
    if (pinned && !pinned_memory().holds(side->at, side->bytes))
      return freed_too_soon(*side, "pinned host memory", "aclrtFreeHost");
  }
  return ACL_SUCCESS;
}

aclError run(const AsyncCopy& copy, const Sides& sides) {
  if (const aclError code = check_memory(copy, sides)) return code;
  const Timing timing(profile(), Profile::kCopies, [&] {
    if (copy.from.at == copy.to.at) return "set " + std::to_string(copy.to.bytes) + " bytes";
    return copy_name(sides.from_device, sides.to_device, copy.to.bytes);
  });
  copy.copy();
  return ACL_SUCCESS;
}

Sides sides_of(const AsyncCopy& copy) {
  const auto pinned = [&](const Bytes& side) { return pinned_memory().holds(side.at, side.bytes); };
  const auto device = [&](const Bytes& side) { return the_device().memory().touches(side.at); };
  return {device(copy.from), device(copy.to), pinned(copy.from), pinned(copy.to)};
}

void note_uses(const AsyncCopy& copy, Task& task) {
  for (const Bytes& side : {copy.from, copy.to}) {
    const void* const piece = pinned_memory().base_of(side.at);
    if (!piece) continue;
    if (!task.marks) task.marks = std::make_shared<Moment>();
    pinned_uses().add(piece, side.bytes, task.marks, the_scheduler().looks());
  }
}

aclError check_unpinned(aclrtStream stream) {
  if (const aclError code =
          captures().check_memory_call("an asynchronous copy with host memory that is not pinned"))
    return code;
  return callbacks().check_wait(stream);
}

}  // namespace

aclError submit_copy(aclrtStream stream, AsyncCopy copy, const std::function<aclError()>& check) {
  bool waits = false;
  const aclError code = submit(stream, [&](Task& task) -> aclError {
    if (const aclError wrong = check()) return wrong;
    waits = !is_pinned(copy.from) || !is_pinned(copy.to);
    if (waits) {
      if (const aclError wrong = check_unpinned(stream)) return wrong;
      waits = !keeps_tasks(*the_device().find(stream));
    }
    const Sides sides = sides_of(copy);
    if (sides.from_device && !sides.to_device) faults().read_results();
    if (strict() && !keeps_tasks(*the_device().find(stream))) note_uses(copy, task);
    task.work = [copy = std::move(copy), sides] { return run(copy, sides); };
    return ACL_SUCCESS;
  });
  if (code != ACL_SUCCESS || !waits) return code;
  return finish(stream);
}

}  // namespace opkit::acl
