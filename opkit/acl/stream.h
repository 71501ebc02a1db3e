// Stream: work of a program in the order it was given, and whether any of it failed. Event: a
// moment of a stream.
#ifndef OPKIT_ACL_STREAM_H_
#define OPKIT_ACL_STREAM_H_

#include <chrono>
#include <functional>
#include <optional>

#include "opkit/acl/error.h"

namespace opkit::acl {

// Every asynchronous call of the API comes down to submit(): where work runs is decided there and
// nowhere else. Today it is done before submit() returns, on the thread that calls, so that streams
// are in order by nature; a stream with a thread of its own would take it into a queue.
class Stream {
 public:
  // False: it failed, which stays the stream's state.
  using Work = std::function<bool()>;

  // The work's own answer, as it has been done.
  bool submit(const Work& work) {
    if (work()) return true;
    failed_ = true;
    return false;
  }
  // Returns when all work is done.
  void synchronize() const {}

  bool failed() const { return failed_; }
  // The device was reset.
  void clear() { failed_ = false; }

  struct Config {
    uint32_t priority = 0, flags = 0;
  };
  Config config;

 private:
  bool failed_ = false;
};

struct Event {
  std::optional<std::chrono::steady_clock::time_point> recorded;
  uint32_t flags = ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE;
  bool resettable = true;

  aclError check_time() const {
    if (!recorded) return fail(ACL_ERROR_INVALID_PARAM, "the event was not recorded");
    if (flags & ACL_EVENT_TIME_LINE) return ACL_SUCCESS;
    return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                "the event has no time: it was created without ACL_EVENT_TIME_LINE");
  }
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAM_H_
