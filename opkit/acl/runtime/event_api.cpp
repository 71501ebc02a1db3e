// Events of the runtime API, and waits for them.
#include <optional>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/capture_event.h"
#include "opkit/acl/runtime/new_handle.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/acl/streams/stream.h"

namespace opkit::acl {
namespace {

// Returns the number of the next event. REQUIRES: the lock is held.
int32_t next_event() {
  static int32_t next = 0;
  return next++;
}

// Returns the patience of waits of streams; 0: any time. REQUIRES: the lock is held.
std::chrono::seconds& event_patience() {
  static std::chrono::seconds own{0};
  return own;
}

aclError find_event(aclrtEvent event, Event*& found) {
  found = events().find(event);
  return found ? aclError{ACL_SUCCESS} : events().unknown(event);
}

// What the event was recorded behind last counts, whatever becomes of the event. One that was never
// recorded holds nothing up. patience: nothing for that of aclrtSetOpWaitTimeout.
aclError wait_for_event(aclrtStream stream, aclrtEvent event,
                        std::optional<std::chrono::seconds> patience) {
  if (const auto code = capture_wait(stream, event)) return *code;
  return submit(stream, [&](Task& task) -> aclError {
    Event* found = nullptr;
    if (const aclError code = find_event(event, found)) return code;
    if (!(found->flags & ACL_EVENT_SYNC)) return no_waiting();
    task.after = found->moment;
    task.patience = patience.value_or(event_patience());
    if (!found->resettable) return ACL_SUCCESS;  // nobody asks for its waits
    task.marks = std::make_shared<Moment>();
    std::erase_if(found->waits, [](const auto& wait) { return wait.second->passed(); });
    found->waits[the_device().find(stream)->queue.get()] = task.marks;
    return ACL_SUCCESS;
  });
}

// The moment that the event stands for now; nullptr: none.
aclError moment_of(aclrtEvent event, std::shared_ptr<Moment>& moment, const char* call) {
  const Lock lock;
  Event* found = nullptr;
  if (const aclError code = find_event(event, found)) return code;
  if (const aclError code = check_not_captured(*found, call)) return code;
  moment = found->moment;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtCreateEvent(aclrtEvent* event) {
  const Lock lock;
  return make_numbered(events(), next_event(), event);
}

OPKIT_ACL_EXPORT aclError aclrtDestroyEvent(aclrtEvent event) {
  const Lock lock;
  return events().destroy(event);
}

OPKIT_ACL_EXPORT aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  if (const auto code = capture_record(event, stream)) return *code;
  return submit(stream, [&](Task& task) -> aclError {
    Event* found = nullptr;
    if (const aclError code = find_event(event, found)) return code;
    found->moment = task.marks = std::make_shared<Moment>();
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return wait_for_event(stream, event, {});
}

OPKIT_ACL_EXPORT aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event,
                                                          int32_t timeout) {
  if (timeout < 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d s; 0 is none, more are possible", timeout);
  return wait_for_event(stream, event, std::chrono::seconds(timeout));
}

OPKIT_ACL_EXPORT aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  const Lock lock;
  event_patience() = std::chrono::seconds(timeout);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return aclrtSynchronizeEventWithTimeout(event, -1);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  if (timeout < -1) return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none", timeout);
  std::shared_ptr<Moment> moment;
  if (const aclError code = moment_of(event, moment, "aclrtSynchronizeEvent")) return code;
  if (!moment || the_scheduler().wait(*moment, deadline_of(timeout))) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "the event took more than %d ms", timeout);
}

OPKIT_ACL_EXPORT aclError aclrtQueryEventStatus(aclrtEvent event,
                                                aclrtEventRecordedStatus* status) {
  the_scheduler().asked();
  const Lock lock;
  Event* found = nullptr;
  if (const aclError code = find_event(event, found)) return code;
  if (!status) return fail(ACL_ERROR_INVALID_PARAM, "aclrtQueryEventStatus wants a place");
  if (const aclError code = check_not_captured(*found, "aclrtQueryEventStatus")) return code;
  *status =
      found->done() ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
  const Lock lock;
  Event *first = nullptr, *last = nullptr;
  if (const aclError code = find_event(start, first)) return code;
  if (const aclError code = find_event(end, last)) return code;
  if (!ms) return fail(ACL_ERROR_INVALID_PARAM, "aclrtEventElapsedTime wants a place");
  for (const Event* event : {first, last}) {
    if (const aclError code = check_not_captured(*event, "aclrtEventElapsedTime")) return code;
    if (const aclError code = event->check_time()) return code;
  }
  using Milliseconds = std::chrono::duration<float, std::milli>;
  *ms = Milliseconds(last->moment->at() - first->moment->at()).count();
  return ACL_SUCCESS;
}
