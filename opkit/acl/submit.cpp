#include "opkit/acl/submit.h"

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
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const Stream* const found = runtime.device().find(stream);
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
aclError check_stopped(Runtime& runtime, aclrtStream stream) {
  if (!runtime.scheduler().stops_on_failure()) return ACL_SUCCESS;
  const std::shared_ptr<TaskQueue> queue = queue_of(stream);
  const Failure failure = queue ? runtime.scheduler().failure(*queue) : Failure{};
  if (failure.code == ACL_SUCCESS) return ACL_SUCCESS;
  return runtime.faults.tell(
      fail(failure.code, "the stream has stopped (ACL_STOP_ON_FAILURE): %s", failure.text.c_str()));
}

}  // namespace

aclError check_submit(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  if (const aclError code = check_stopped(runtime, stream)) return code;
  if (!runtime.scheduler().waits_in_submit()) return ACL_SUCCESS;
  return runtime.callbacks.check_wait(stream);
}

std::shared_ptr<TaskQueue> queue_of(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const Stream* const found = runtime.device().find(stream);
  return found ? found->queue : nullptr;
}

aclError finish(aclrtStream stream) {
  const std::shared_ptr<TaskQueue> queue = queue_of(stream);
  if (!queue) return no_stream(stream);
  Runtime::instance().scheduler().wait(queue);
  return ACL_SUCCESS;
}

aclError wait_for(aclrtStream stream, Scheduler::Deadline deadline) {
  Runtime& runtime = Runtime::instance();
  std::shared_ptr<TaskQueue> queue;
  {
    const Lock lock(runtime.mutex);
    if (const aclError code = runtime.contexts.check_thread("aclrtSynchronizeStream")) return code;
    const Stream* const found = runtime.device().find(stream);
    if (!found) return no_stream(stream);
    if (const aclError code = runtime.contexts.check_stream(stream, found->context)) return code;
    if (const aclError code = check_not_captured(*found, "aclrtSynchronizeStream")) return code;
    queue = found->queue;
  }
  if (const aclError code = runtime.callbacks.check_wait(stream)) return code;
  const uint64_t discards = runtime.scheduler().discards(*queue);
  if (!runtime.scheduler().wait(queue, deadline))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the stream was not done in time");
  // (Page "aclrtStreamAbort".)
  if (runtime.scheduler().discards(*queue) != discards)
    return fail(ACL_ERROR_RT_STREAM_ABORT,
                "the stream's work was thrown away while this thread waited for it");
  const Failure failure = runtime.scheduler().failure(*queue);
  if (failure.code == ACL_SUCCESS) return ACL_SUCCESS;
  return runtime.faults.tell(fail(failure.code, "%s", failure.text.c_str()));
}

Scheduler::Deadline deadline_of(int32_t milliseconds) {
  if (milliseconds < 0) return {};
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

}  // namespace opkit::acl
