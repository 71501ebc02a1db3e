// Events with flags, and questions about events.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/acl/streams/stream.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kKnown =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE;

aclError create(aclrtEvent* event, uint32_t flags, bool resettable) {
  if (flags == 0 || (flags & ~kKnown) != 0)
    return fail(ACL_ERROR_INVALID_PARAM,
                "flags 0x%x of an event; ACL_EVENT_SYNC, _CAPTURE_STREAM_PROGRESS, _TIME_LINE and "
                "their sums are possible",
                flags);
  const Lock lock;
  if (const aclError code = aclrtCreateEvent(event)) return code;
  Event& made = *events().find(*event);
  made.flags = flags;
  made.resettable = resettable;
  return ACL_SUCCESS;
}

// Returns what `answer` says of the event, or the code for a handle that is none.
template <typename Answer>
aclError ask_event(aclrtEvent event, Answer answer) {
  const Lock lock;
  Event* const found = events().find(event);
  return found ? answer(*found) : events().unknown(event);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flags) {
  return create(event, flags, true);
}

OPKIT_ACL_EXPORT aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flags) {
  return create(event, flags, false);
}

OPKIT_ACL_EXPORT aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return ask_event(event, [&](Event& e) -> aclError {
    const Stream* const on = the_device().find(stream);
    if (!on) return no_stream(stream);
    if (!e.resettable || !(e.flags & ACL_EVENT_SYNC))
      return fail(ACL_ERROR_RT_PARAM_INVALID,
                  "the event cannot be reset; create it by aclrtCreateEventWithFlag with "
                  "ACL_EVENT_SYNC");
    if (e.capture.expired() || e.capture.lock() == on->capture) {
      e.moment.reset();
      e.capture.reset();
    }
    return check_not_captured(e, "aclrtResetEvent on a stream that is not");
  });
}

OPKIT_ACL_EXPORT aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  the_scheduler().asked();
  return ask_event(event, [&](const Event& e) -> aclError {
    if (!status) return fail(ACL_ERROR_INVALID_PARAM, "aclrtQueryEvent wants a place");
    if (!e.resettable)
      return fail(
          ACL_ERROR_RT_PARAM_INVALID,
          "the event was created by aclrtCreateEventExWithFlag; call aclrtQueryEventStatus");
    if (const aclError code = check_not_captured(e, "aclrtQueryEvent")) return code;
    *status = e.done() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclrtQueryEventWaitStatus(aclrtEvent event,
                                                    aclrtEventWaitStatus* status) {
  the_scheduler().asked();
  return ask_event(event, [&](const Event& e) -> aclError {
    if (!status) return fail(ACL_ERROR_INVALID_PARAM, "aclrtQueryEventWaitStatus wants a place");
    if (!e.resettable || !(e.flags & ACL_EVENT_SYNC))
      return fail(ACL_ERROR_RT_PARAM_INVALID, "no stream can wait for this event");
    if (const aclError code = check_not_captured(e, "aclrtQueryEventWaitStatus")) return code;
    *status = e.waited() ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclrtGetEventId(aclrtEvent event, uint32_t* id) {
  return ask_event(event, [&](const Event& e) -> aclError {
    if (!id) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetEventId wants a place");
    *id = static_cast<uint32_t>(e.id);
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return ask_event(event, [&](const Event& e) -> aclError {
    if (!timestamp) return fail(ACL_ERROR_INVALID_PARAM, "aclrtEventGetTimestamp wants a place");
    if (const aclError code = check_not_captured(e, "aclrtEventGetTimestamp")) return code;
    if (const aclError code = e.check_time()) return code;
    *timestamp = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(e.moment->at().time_since_epoch())
            .count());
    return ACL_SUCCESS;
  });
}
