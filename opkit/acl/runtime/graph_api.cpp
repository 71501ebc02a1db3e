// Execution of captured work.
#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/graph.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {

namespace {

aclError start(aclmdlRI model, const std::shared_ptr<TaskQueue>& queue) {
  Scheduler::Batch batch;
  {
    const Lock lock;
    CapturedGraph* graph = nullptr;
    if (const aclError code = find_graph(model, graph)) return code;
    batch = graph->execution(queue);
  }
  the_scheduler().submit(std::move(batch));
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  if (const aclError code = check_submit(stream)) return code;
  std::shared_ptr<TaskQueue> queue;
  {
    const Lock lock;
    const Stream* const on = the_device().find(stream);
    if (!on) return no_stream(stream);
    if (const aclError code = check_not_captured(*on, "aclmdlRIExecuteAsync")) return code;
    if (const aclError code = check_captures(stream, *on)) return code;
    if (on->update) return updating();
    queue = on->queue;
  }
  return start(modelRI, queue);
}

OPKIT_ACL_EXPORT aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  if (timeout < -1 || timeout == 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none, 0 is not possible",
                timeout);
  Scheduler& scheduler = the_scheduler();
  const auto queue = std::make_shared<TaskQueue>();
  if (const aclError code = start(modelRI, queue)) return code;
  if (!scheduler.wait(queue, deadline_of(timeout)))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the execution took more than %d ms", timeout);
  const TaskFailure failure = scheduler.failure(*queue);
  if (failure.code == ACL_SUCCESS) return ACL_SUCCESS;
  return faults().tell(fail(failure.code, "%s", failure.text.c_str()));
}

OPKIT_ACL_EXPORT aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  the_scheduler().asked();
  const Lock lock;
  CapturedGraph* graph = nullptr;
  if (const aclError code = find_graph(modelRI, graph)) return code;
  if (graph->running())
    return fail(ACL_ERROR_RT_MODEL_RUNNING,
                "an execution of the aclmdlRI is not done; call aclrtSynchronizeStream first");
  bool updating = false;
  graph->groups.each([&](const TaskGroup& group) { updating |= group.updating; });
  if (updating)
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "a group of its tasks is being updated; call aclmdlRICaptureTaskUpdateEnd first");
  return graphs().destroy(modelRI);
}
