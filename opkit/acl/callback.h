// Callbacks: functions of the program that a stream calls in its order, on threads of the program.
#ifndef OPKIT_ACL_CALLBACK_H_
#define OPKIT_ACL_CALLBACK_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "opkit/acl/error.h"

namespace opkit::acl {

// Used without the runtime's lock: callbacks call the runtime. A stream is a name here.
class Callbacks {
 public:
  aclError subscribe(uint64_t thread, const void* stream);
  aclError unsubscribe(uint64_t thread, const void* stream);
  // For the thread that serves the stream.
  aclError launch(aclrtCallback function, void* data, bool blocks, const void* stream);
  // Calls what is due on `thread`, which calls this. milliseconds: -1: any time.
  aclError process(uint64_t thread, int32_t milliseconds);
  // Returns when every blocking callback of the stream has returned. Error: this thread is the one
  // that serves them. milliseconds: -1: any time.
  aclError wait(const void* stream, int32_t milliseconds = -1);
  bool pending(const void* stream) const;
  // The stream is gone; callbacks of it that were not called never are.
  void forget(const void* stream);

 private:
  struct Due {
    aclrtCallback function;
    void* data;
    bool blocks;
    const void* stream;
  };
  bool serves(uint64_t thread) const;
  void call(const Due& due);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<const void*, uint64_t> servers_;  // of each stream: its thread
  std::map<uint64_t, std::deque<Due>> due_;  // of each thread
  std::map<const void*, int> blocking_;      // of each stream: calls that it waits for
};

// This thread's name for callbacks.
uint64_t this_thread_id();

// What every call that gives a stream work does first, before it takes the lock: the stream runs
// nothing before its blocking callbacks have returned.
aclError before_work(aclrtStream stream);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_CALLBACK_H_
