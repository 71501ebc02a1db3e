#include "opkit/acl/runtime/capture_event.h"

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/stream.h"

namespace opkit::acl {
namespace {

aclError conflict() {
  return fail(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
              "the event belongs to another capture than the stream; end one before the other");
}

aclError no_record() {
  return fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY,
              "a captured stream waits for an event that was not recorded in its capture; call "
              "aclrtRecordEvent on a captured stream first");
}

aclError record(Stream& on, Event& event) {
  const std::shared_ptr<Capture> of = event.capture.lock();
  if (!on.capture) return check_not_captured(event, "aclrtRecordEvent on a stream that is not");
  if (of && of != on.capture) return conflict();
  return on.capture->add_record(on, event);
}

aclError wait(Stream& on, const Event& event) {
  const std::shared_ptr<Capture> of = event.capture.lock();
  if (!(event.flags & ACL_EVENT_SYNC)) return no_waiting();
  if (!of) return no_record();
  if (on.capture && on.capture != of) return conflict();
  if (of->spoiled()) return of->tell_spoiled();
  if (!on.capture) of->draw_in(on);
  return of->add_wait(on, event);
}

// Calls act(stream, event) when one of them is captured.
template <typename Act>
std::optional<aclError> capture(aclrtEvent event, aclrtStream stream, Act act) {
  const Lock lock;
  Stream* const on = the_device().find(stream);
  if (on && on->update) return updating();
  if (!captures().any()) return {};
  Event* const found = events().find(event);
  if (!on || !found || (!on->capture && found->capture.expired())) return {};
  if (const aclError code = check_captures(stream, *on)) return code;
  return act(*on, *found);
}

}  // namespace

std::optional<aclError> capture_record(aclrtEvent event, aclrtStream stream) {
  return capture(event, stream, record);
}

std::optional<aclError> capture_wait(aclrtStream stream, aclrtEvent event) {
  return capture(event, stream, wait);
}

}  // namespace opkit::acl
