// Stream: work of a program in the order it was given. Event: a moment of a stream, the latest that
// was recorded.
#ifndef OPKIT_ACL_STREAMS_STREAM_H_
#define OPKIT_ACL_STREAMS_STREAM_H_

#include <algorithm>
#include <map>
#include <memory>

#include "opkit/acl/base/error.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/streams/task.h"

namespace opkit::acl {

class Capture;
struct Context;
class GraphUpdate;

struct Stream {
  struct Config {
    uint32_t priority = 0, flags = 0;
    bool failure_mode_set = false;
  };
  Config config;
  int32_t id = 0;
  const Context* context = nullptr;  // that it was made in; nullptr: of any
  std::shared_ptr<TaskQueue> queue = std::make_shared<TaskQueue>();
  std::shared_ptr<Capture> capture;     // that takes what the stream is given; nullptr: none
  std::shared_ptr<GraphUpdate> update;  // takes what the stream is given to update; nullptr: none
};

struct Event {
  int32_t id = 0;
  std::shared_ptr<Moment> moment;  // nullptr: never recorded, or reset
  uint32_t flags = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;
  bool resettable = true;
  std::weak_ptr<Capture> capture;  // names the capture in which it was recorded last
  size_t step = 0;                 // numbers the step that recorded it in that capture's graph
  // The latest wait of every stream that waited for it; streams come to theirs in order.
  std::map<const TaskQueue*, std::shared_ptr<Moment>> waits;

  // The vendor's pages: an event that cannot be reset has nothing to wait for before its first
  // record.
  bool done() const { return moment ? moment->passed() : !resettable; }
  // (Page "aclrtQueryEventWaitStatus": whether the waits for the event are over, which resetting
  // it behind them does not change.)
  bool waited() const {
    if (waits.empty()) return done();
    return std::all_of(waits.begin(), waits.end(),
                       [](const auto& wait) { return wait.second->passed(); });
  }
  aclError check_time() const {
    if (!moment)
      return fail(ACL_ERROR_INVALID_PARAM,
                  "the event was not recorded; call aclrtRecordEvent first");
    if (!(flags & ACL_EVENT_TIME_LINE))
      return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                  "the event has no time: it was created without ACL_EVENT_TIME_LINE; create it "
                  "with that flag");
    if (moment->passed()) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_EVENT_NOT_COMPLETE,
                "what the event was recorded behind is not done; call aclrtSynchronizeEvent");
  }
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<Event>& events();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_STREAM_H_
