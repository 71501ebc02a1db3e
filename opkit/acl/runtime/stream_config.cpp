// Streams with priorities and flags, and questions about streams.
#include <algorithm>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/callback.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {
namespace {

// The vendor's priorities: 0 comes first, and what is above the last counts as it.
constexpr uint32_t kLeast = 7;
// Flags that make a stream of another kind. The others change nothing that a program sees, even
// those that do not exist. (Page "aclrtCreateStreamWithConfig".)
constexpr uint32_t kOfOtherKinds =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

// answer(the stream).
template <typename Answer>
aclError ask_stream(aclrtStream stream, const void* place, Answer answer) {
  const Lock lock;
  const Stream* const found = the_device().find(stream);
  if (!found) return no_stream(stream);
  if (!place) return fail(ACL_ERROR_INVALID_PARAM, "no place for an answer about a stream");
  answer(*found);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority,
                                                      uint32_t flags) {
  if ((flags & kOfOtherKinds) != 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "flags 0x%x; those that are not possible here are ACL_STREAM_PERSISTENT, "
                "_CPU_SCHEDULE and _DEVICE_USE_ONLY",
                flags);
  const Lock lock;
  if (const aclError code = aclrtCreateStream(stream)) return code;
  the_device().find(*stream)->config = {std::min(priority, kLeast), flags, false};
  return ACL_SUCCESS;
}

// What the stream has not begun never is; events that were recorded behind it count as done.
OPKIT_ACL_EXPORT aclError aclrtDestroyStreamForce(aclrtStream stream) {
  if (const aclError code = check_not_captured(stream, "aclrtDestroyStreamForce")) return code;
  if (const std::shared_ptr<TaskQueue> queue = stream ? queue_of(stream) : nullptr)
    the_scheduler().discard(queue);
  callbacks().forget(stream);
  return aclrtDestroyStream(stream);
}

OPKIT_ACL_EXPORT aclError aclrtStreamAbort(aclrtStream stream) {
  if (const aclError code = check_not_captured(stream, "aclrtStreamAbort")) return code;
  const std::shared_ptr<TaskQueue> queue = queue_of(stream);
  if (!queue) return no_stream(stream);
  the_scheduler().discard(queue);
  callbacks().drop(stream);
  faults().accept();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  const Lock lock;
  Stream* const found = the_device().find(stream);
  if (!found) return no_stream(stream);
  if (mode > ACL_STOP_ON_FAILURE)
    return fail(ACL_ERROR_INVALID_PARAM,
                "mode %llu; ACL_CONTINUE_ON_FAILURE and ACL_STOP_ON_FAILURE are possible",
                static_cast<unsigned long long>(mode));
  if (std::exchange(found->config.failure_mode_set, true))
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the stream's failure mode was set before; it can be set once");
  if (mode == ACL_STOP_ON_FAILURE) the_scheduler().stop_on_failure(true);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  if (const aclError code = check_not_captured(stream, "aclrtStreamQuery")) return code;
  the_scheduler().asked();
  return ask_stream(stream, status, [&](const Stream& s) {
    const bool idle = the_scheduler().idle(s.queue);
    *status = idle ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  });
}

OPKIT_ACL_EXPORT aclError aclrtStreamGetId(aclrtStream stream, int32_t* id) {
  return ask_stream(stream, id, [&](const Stream& s) { *id = s.id; });
}

OPKIT_ACL_EXPORT aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return ask_stream(stream, priority, [&](const Stream& s) { *priority = s.config.priority; });
}

OPKIT_ACL_EXPORT aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return ask_stream(stream, flags, [&](const Stream& s) { *flags = s.config.flags; });
}

OPKIT_ACL_EXPORT aclError aclrtDeviceGetStreamPriorityRange(int32_t* least, int32_t* greatest) {
  if (!least || !greatest)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtDeviceGetStreamPriorityRange wants two places");
  *least = static_cast<int32_t>(kLeast);
  *greatest = 0;
  return ACL_SUCCESS;
}
