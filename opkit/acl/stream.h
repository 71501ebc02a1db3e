// Stream: work of a program in the order it was given, and whether any of it failed. Event: a
// moment of a stream.
#ifndef OPKIT_ACL_STREAM_H_
#define OPKIT_ACL_STREAM_H_

#include <chrono>
#include <functional>
#include <optional>

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

 private:
  bool failed_ = false;
};

struct Event {
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAM_H_
