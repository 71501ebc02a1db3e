#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/callback.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {

aclError no_stream(aclrtStream stream) {
  return fail(
      ACL_ERROR_RT_STREAM_CONTEXT,
      "%p is no stream, or it was destroyed; create one, and destroy it behind its last use",
      stream);
}

aclError no_waiting() {
  return fail(ACL_ERROR_RT_PARAM_INVALID,
              "no stream waits for the event: it was created without ACL_EVENT_SYNC; create it "
              "with that flag");
}

aclError check_not_captured(aclrtStream stream, const char* call) {
  const Lock lock;
  const Stream* const found = the_device().find(stream);
  return found ? check_not_captured(*found, call) : aclError{ACL_SUCCESS};
}

aclError keep(Stream& stream, Task task) {
  if (stream.capture) return stream.capture->add(stream, std::move(task));
  return stream.update->add(std::move(task));
}

aclError updating() {
  return fail(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
              "the stream updates a group of tasks, which takes kernels and single operators only; "
              "call aclmdlRICaptureTaskUpdateEnd first");
}

namespace {

// Nothing comes behind a failure where the program asked for that.
aclError check_stopped(aclrtStream stream) {
  if (!the_scheduler().stops_on_failure()) return ACL_SUCCESS;
  const std::shared_ptr<TaskQueue> queue = queue_of(stream);
  const TaskFailure failure = queue ? the_scheduler().failure(*queue) : TaskFailure{};
  if (failure.code == ACL_SUCCESS) return ACL_SUCCESS;
  return faults().tell(
      fail(failure.code, "the stream has stopped (ACL_STOP_ON_FAILURE): %s", failure.text.c_str()));
}

}  // namespace

aclError check_submit(aclrtStream stream) {
  if (const aclError code = check_stopped(stream)) return code;
  if (!the_scheduler().waits_in_submit()) return ACL_SUCCESS;
  return callbacks().check_wait(stream);
}

std::shared_ptr<TaskQueue> queue_of(aclrtStream stream) {
  const Lock lock;
  const Stream* const found = the_device().find(stream);
  return found ? found->queue : nullptr;
}

aclError finish(aclrtStream stream) {
  const std::shared_ptr<TaskQueue> queue = queue_of(stream);
  if (!queue) return no_stream(stream);
  the_scheduler().wait(queue);
  return ACL_SUCCESS;
}

aclError wait_for(aclrtStream stream, Scheduler::Deadline deadline) {
  std::shared_ptr<TaskQueue> queue;
  {
    const Lock lock;
    if (const aclError code = contexts().check_thread("aclrtSynchronizeStream")) return code;
    const Stream* const found = the_device().find(stream);
    if (!found) return no_stream(stream);
    if (const aclError code = contexts().check_stream(stream, found->context)) return code;
    if (const aclError code = check_not_captured(*found, "aclrtSynchronizeStream")) return code;
    queue = found->queue;
  }
  if (const aclError code = callbacks().check_wait(stream)) return code;
  const uint64_t discards = the_scheduler().discards(*queue);
  if (!the_scheduler().wait(queue, deadline))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the stream was not done in time");
  // (Page "aclrtStreamAbort".)
  if (the_scheduler().discards(*queue) != discards)
    return fail(ACL_ERROR_RT_STREAM_ABORT,
                "the stream's work was thrown away while this thread waited for it");
  const TaskFailure failure = the_scheduler().failure(*queue);
  if (failure.code == ACL_SUCCESS) return ACL_SUCCESS;
  return faults().tell(fail(failure.code, "%s", failure.text.c_str()));
}

Scheduler::Deadline deadline_of(int32_t milliseconds) {
  if (milliseconds < 0) return {};
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

}  // namespace opkit::acl
