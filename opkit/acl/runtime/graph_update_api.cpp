// Groups of captured tasks that other tasks replace.
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/graph_update.h"

using namespace opkit::acl;

namespace {

aclError find_group(aclrtTaskGrp handle, TaskGroup*& group) {
  graphs().each([&](const CapturedGraph& graph) {
    if (!graph.capturing && !group) group = graph.groups.find(handle);
  });
  if (group) return ACL_SUCCESS;
  return fail(handle ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM,
              "%p is no group of tasks of an aclmdlRI that is alive and no longer captured",
              handle);
}

}  // namespace

OPKIT_ACL_EXPORT aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  const Lock lock;
  Stream* const on = the_device().find(stream);
  if (!on) return no_stream(stream);
  if (const aclError code = check_not_captured(*on, "aclmdlRICaptureTaskUpdateBegin")) return code;
  TaskGroup* group = nullptr;
  if (const aclError code = find_group(handle, group)) return code;
  if (on->update || group->updating)
    return fail(
        ACL_ERROR_STREAM_TASK_GROUP_STATUS,
        "the stream or the group is being updated; call aclmdlRICaptureTaskUpdateEnd first");
  on->update = std::make_shared<GraphUpdate>(*group);
  return ACL_SUCCESS;
}

// The update is over even when it is refused.
OPKIT_ACL_EXPORT aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  return submit(stream, [&](Task& task) -> aclError {
    const std::shared_ptr<GraphUpdate> update =
        std::exchange(the_device().find(stream)->update, nullptr);
    if (update) return update->finish(task);
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "the stream updates nothing; call aclmdlRICaptureTaskUpdateBegin first");
  });
}
