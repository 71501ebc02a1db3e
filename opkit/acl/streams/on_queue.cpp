#include "opkit/acl/streams/on_queue.h"

#include <utility>

namespace opkit::acl {
namespace {

thread_local const TaskQueue* queue_here = nullptr;

}  // namespace

OnQueue::OnQueue(const TaskQueue& queue) : outer_(std::exchange(queue_here, &queue)) {}

OnQueue::~OnQueue() { queue_here = outer_; }

const TaskQueue* OnQueue::here() { return queue_here; }

}  // namespace opkit::acl
