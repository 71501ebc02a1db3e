// OnQueue: which stream's task a thread runs.
#ifndef OPKIT_ACL_STREAMS_ON_QUEUE_H_
#define OPKIT_ACL_STREAMS_ON_QUEUE_H_

#include "opkit/acl/streams/task.h"

namespace opkit::acl {

// As long as this lives, the thread runs a task of the queue.
class OnQueue {
 public:
  explicit OnQueue(const TaskQueue& queue);
  ~OnQueue();
  OnQueue(const OnQueue&) = delete;
  OnQueue& operator=(const OnQueue&) = delete;

  // Returns the queue whose task the calling thread runs; nullptr: none's.
  static const TaskQueue* here();

 private:
  const TaskQueue* outer_;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_ON_QUEUE_H_
