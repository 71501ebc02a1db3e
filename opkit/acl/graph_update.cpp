#include "opkit/acl/graph_update.h"

#include "opkit/acl/submit.h"

namespace opkit::acl {

aclError GraphUpdate::add(Task task) {
  const size_t next = works_.size();
  if (next >= group_.tasks.size())
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the group has %zu task(s), and this would be one more; replace them one by one",
                group_.tasks.size());
  if (task.kind != group_.tasks[next].second)
    return fail(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                "task %zu of the group is of another kind; replace kernels by kernels and single "
                "operators by single operators, in their order",
                next + 1);
  works_.push_back(std::move(task.work));
  return ACL_SUCCESS;
}

aclError GraphUpdate::finish(Task& task) {
  if (works_.size() != group_.tasks.size())
    return fail(ACL_ERROR_RT_PARAM_INVALID,
                "the group has %zu task(s), %zu replace them; give all of them again",
                group_.tasks.size(), works_.size());
  task.work = [tasks = group_.tasks, works = std::move(works_)] {
    for (size_t i = 0; i < works.size(); ++i) tasks[i].first->replace(works[i]);
    return aclError{ACL_SUCCESS};
  };
  return ACL_SUCCESS;
}

}  // namespace opkit::acl

using namespace opkit::acl;

namespace {

aclError find_group(Runtime& runtime, aclrtTaskGrp handle, TaskGroup*& group) {
  runtime.graphs.each([&](const Graph& graph) {
    if (!graph.capturing && !group) group = graph.groups.find(handle);
  });
  if (group) return ACL_SUCCESS;
  return fail(handle ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM,
              "%p is no group of tasks of an aclmdlRI that is alive and no longer captured",
              handle);
}

}  // namespace

OPKIT_ACL_EXPORT aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  Stream* const on = runtime.device().find(stream);
  if (!on) return no_stream(stream);
  if (const aclError code = check_not_captured(*on, "aclmdlRICaptureTaskUpdateBegin")) return code;
  TaskGroup* group = nullptr;
  if (const aclError code = find_group(runtime, handle, group)) return code;
  if (on->update || group->updating)
    return fail(
        ACL_ERROR_STREAM_TASK_GROUP_STATUS,
        "the stream or the group is being updated; call aclmdlRICaptureTaskUpdateEnd first");
  on->update = std::make_shared<GraphUpdate>(*group);
  return ACL_SUCCESS;
}

// The update is over even when it is refused.
OPKIT_ACL_EXPORT aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  return submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    const std::shared_ptr<GraphUpdate> update =
        std::exchange(runtime.device().find(stream)->update, nullptr);
    if (update) return update->finish(task);
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "the stream updates nothing; call aclmdlRICaptureTaskUpdateBegin first");
  });
}
