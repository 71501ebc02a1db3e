// GraphUpdate: the tasks of one stream that replace a group's, from aclmdlRICaptureTaskUpdateBegin
// to -End.
#ifndef OPKIT_ACL_STREAMS_GRAPH_UPDATE_H_
#define OPKIT_ACL_STREAMS_GRAPH_UPDATE_H_

#include "opkit/acl/streams/graph.h"

namespace opkit::acl {

// REQUIRES: the group outlives it.
class GraphUpdate {
 public:
  explicit GraphUpdate(TaskGroup& group) : group_(group) { group_.updating = true; }
  ~GraphUpdate() { group_.updating = false; }
  GraphUpdate(const GraphUpdate&) = delete;
  GraphUpdate& operator=(const GraphUpdate&) = delete;

  const TaskGroup& group() const { return group_; }
  aclError add(Task task);
  // Gives the task that replaces the group's when it runs; or returns an error.
  aclError finish(Task& task);

 private:
  TaskGroup& group_;
  std::vector<StepWork::Function> works_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_GRAPH_UPDATE_H_
