// What every call that gives a stream work comes down to.
#ifndef OPKIT_ACL_RUNTIME_SUBMIT_H_
#define OPKIT_ACL_RUNTIME_SUBMIT_H_

#include <memory>
#include <utility>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/graph_update.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {

OPKIT_ACL_SHARED aclError no_stream(aclrtStream stream);
// No stream can wait for the event: it was created without ACL_EVENT_SYNC.
aclError no_waiting();

// nullptr: no such stream.
std::shared_ptr<TaskQueue> queue_of(aclrtStream stream);

// Checks whether the stream takes work, and this thread may wait in submit() if the scheduler does
// so.
OPKIT_ACL_SHARED aclError check_submit(aclrtStream stream);

// 107027: the stream is captured, and `call` cannot be made of it.
aclError check_not_captured(aclrtStream stream, const char* call);

// Where the stream does not do what it is given: its capture or its update takes the task. Used
// with the lock held.
inline bool keeps_tasks(const Stream& stream) { return stream.capture || stream.update; }
OPKIT_ACL_SHARED aclError keep(Stream& stream, Task task);
// The stream updates a group, which takes kernels and single operators only.
aclError updating();

// prepare(task) judges the call and fills the task in, with the lock held; its code, if it
// is not 0, is the answer.
template <typename Prepare>
aclError submit(aclrtStream stream, Prepare prepare) {
  if (const aclError code = check_submit(stream)) return code;
  std::shared_ptr<TaskQueue> queue;
  Task task;
  {
    const Lock lock;
    if (const aclError code = contexts().check_thread("work for a stream")) return code;
    Stream* const on = the_device().find(stream);
    if (!on) return no_stream(stream);
    if (const aclError code = contexts().check_stream(stream, on->context)) return code;
    if (const aclError code = check_captures(stream, *on)) return code;
    if (const aclError code = prepare(task)) return code;
    if (keeps_tasks(*on)) return keep(*on, std::move(task));
    queue = on->queue;
  }
  // Without the lock: a task may run here.
  the_scheduler().submit(queue, std::move(task));
  return ACL_SUCCESS;
}

// Returns when the stream has done all that it was given.
aclError wait_for(aclrtStream stream, Scheduler::Deadline deadline);

// Returns when the stream has done what it was given; a failure is told when it is synchronized.
aclError finish(aclrtStream stream);

// Returns the time that a call's milliseconds end at; -1: any.
Scheduler::Deadline deadline_of(int32_t milliseconds);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_RUNTIME_SUBMIT_H_
