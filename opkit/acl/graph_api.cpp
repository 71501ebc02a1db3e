// Execution of captured work.
#include "opkit/acl/submit.h"

namespace opkit::acl {

aclError find_graph(Runtime& runtime, aclmdlRI model, Graph*& graph) {
  graph = runtime.graphs.find(model);
  if (!graph) return runtime.graphs.unknown(model);
  if (!graph->capturing) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_MODEL_CAPTURED,
              "the aclmdlRI is still being captured; call aclmdlRICaptureEnd first");
}

namespace {

aclError start(aclmdlRI model, const std::shared_ptr<TaskQueue>& queue) {
  Runtime& runtime = Runtime::instance();
  Scheduler::Batch batch;
  {
    const Lock lock(runtime.mutex);
    Graph* graph = nullptr;
    if (const aclError code = find_graph(runtime, model, graph)) return code;
    batch = graph->execution(queue);
  }
  runtime.scheduler().submit(std::move(batch));
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  if (const aclError code = check_submit(stream)) return code;
  Runtime& runtime = Runtime::instance();
  std::shared_ptr<TaskQueue> queue;
  {
    const Lock lock(runtime.mutex);
    const Stream* const on = runtime.device().find(stream);
    if (!on) return no_stream(stream);
    if (const aclError code = check_not_captured(*on, "aclmdlRIExecuteAsync")) return code;
    if (const aclError code = check_captures(runtime, stream, *on)) return code;
    if (on->update) return updating();
    queue = on->queue;
  }
  return start(modelRI, queue);
}

OPKIT_ACL_EXPORT aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  if (timeout < -1 || timeout == 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none, 0 is not possible",
                timeout);
  Scheduler& scheduler = Runtime::instance().scheduler();
  const auto queue = std::make_shared<TaskQueue>();
  if (const aclError code = start(modelRI, queue)) return code;
  if (!scheduler.wait(queue, deadline_of(timeout)))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the execution took more than %d ms", timeout);
  const Failure failure = scheduler.failure(*queue);
  if (failure.code == ACL_SUCCESS) return ACL_SUCCESS;
  return Runtime::instance().faults.tell(fail(failure.code, "%s", failure.text.c_str()));
}

OPKIT_ACL_EXPORT aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  Runtime& runtime = Runtime::instance();
  runtime.scheduler().asked();
  const Lock lock(runtime.mutex);
  Graph* graph = nullptr;
  if (const aclError code = find_graph(runtime, modelRI, graph)) return code;
  if (graph->running())
    return fail(ACL_ERROR_RT_MODEL_RUNNING,
                "an execution of the aclmdlRI is not done; call aclrtSynchronizeStream first");
  bool updating = false;
  graph->groups.each([&](const TaskGroup& group) { updating |= group.updating; });
  if (updating)
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "a group of its tasks is being updated; call aclmdlRICaptureTaskUpdateEnd first");
  return runtime.graphs.destroy(modelRI);
}
