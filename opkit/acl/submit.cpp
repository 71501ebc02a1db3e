#include "opkit/acl/submit.h"

namespace opkit::acl {

aclError no_stream(aclrtStream stream) {
  return fail(ACL_ERROR_RT_STREAM_CONTEXT, "%p is no stream, or it was destroyed", stream);
}

aclError check_submit(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
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
  const std::shared_ptr<TaskQueue> queue = queue_of(stream);
  if (!queue) return no_stream(stream);
  if (const aclError code = runtime.callbacks.check_wait(stream)) return code;
  if (!runtime.scheduler().wait(queue, deadline))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the stream was not done in time");
  const Failure failure = runtime.scheduler().failure(*queue);
  return failure.code ? fail(failure.code, "%s", failure.text.c_str()) : aclError{ACL_SUCCESS};
}

Scheduler::Deadline deadline_of(int32_t milliseconds) {
  if (milliseconds < 0) return {};
  return std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
}

}  // namespace opkit::acl
