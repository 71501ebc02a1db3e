// Callbacks: functions of the program that a stream calls in its order, on threads of the program.
#ifndef OPKIT_ACL_STREAMS_CALLBACK_H_
#define OPKIT_ACL_STREAMS_CALLBACK_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "opkit/acl/base/error.h"
#include "opkit/acl/streams/task.h"

namespace opkit::acl {

// Used without the runtime's lock: callbacks call the runtime. A stream is a name here.
class Callbacks {
 public:
  aclError subscribe(uint64_t thread, const void* stream);
  aclError unsubscribe(uint64_t thread, const void* stream);
  // Makes a task that the stream is given: when it runs, the thread that serves the stream has the
  // function to call. A task that holds a moment blocks; that passes when the function has
  // returned.
  aclError prepare(aclrtCallback function, void* data, const void* stream, Task& task);
  // Calls what is due on `thread`, which calls this. milliseconds: -1: any time.
  aclError process(uint64_t thread, int32_t milliseconds);
  // Error: the stream has blocking callbacks to come, and this thread is the one that serves them,
  // so that it cannot wait for the stream.
  aclError check_wait(const void* stream) const;
  // Callbacks of the stream that were not called never are.
  void drop(const void* stream);
  // The stream is gone; callbacks of it that were not called never are.
  void forget(const void* stream);

 private:
  struct Due {
    aclrtCallback function;
    void* data;
    std::shared_ptr<Moment> returned;  // nullptr: nobody waits
    const void* stream;
  };
  aclError post(Due due);
  void settle(const Due& due);
  bool serves(uint64_t thread) const;
  bool is_due(const void* stream) const;
  void call(const Due& due);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<const void*, uint64_t> servers_;  // names the thread that serves each stream
  std::map<uint64_t, std::deque<Due>> due_;  // holds the callbacks that are due for each thread
  // Counts each stream's callbacks that hold it up, from their submission to their return.
  std::map<const void*, int> blocking_;
  // Counts each stream's callbacks that are due and did not return.
  std::map<const void*, int> waiting_;
};

// Returns this thread's name for callbacks.
uint64_t this_thread_id();

// Returns the program's, made on first use and never destroyed. Threads may call it at any time.
Callbacks& callbacks();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_CALLBACK_H_
