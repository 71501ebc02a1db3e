#include "opkit/acl/streams/graph_update.h"

#include "opkit/acl/streams/graph.h"

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
