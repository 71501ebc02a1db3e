#include "opkit/acl/streams/callback.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {
namespace {

// Waits on `changed` until ready(); false: the time is over.
template <typename Ready>
bool wait_until(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                int32_t milliseconds, Ready ready) {
  if (milliseconds >= 0)
    return changed.wait_for(lock, std::chrono::milliseconds(milliseconds), ready);
  changed.wait(lock, ready);
  return true;
}

}  // namespace

uint64_t this_thread_id() { return static_cast<uint64_t>(pthread_self()); }

bool Callbacks::serves(uint64_t thread) const {
  return std::any_of(servers_.begin(), servers_.end(),
                     [&](const auto& entry) { return entry.second == thread; });
}

aclError Callbacks::subscribe(uint64_t thread, const void* stream) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!servers_.emplace(stream, thread).second)
    return fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, "a thread serves the stream %p already", stream);
  return ACL_SUCCESS;
}

bool Callbacks::is_due(const void* stream) const {
  const auto waiting = waiting_.find(stream);
  return waiting != waiting_.end() && waiting->second != 0;
}

// Waits until callbacks that the stream has come to are called: the thread that serves it may be
// about to call one.
aclError Callbacks::unsubscribe(uint64_t thread, const void* stream) {
  constexpr int32_t kPatience = 1000;  // milliseconds
  std::unique_lock<std::mutex> lock(mutex_);
  const auto found = servers_.find(stream);
  if (found == servers_.end() || found->second != thread)
    return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, "thread %llu does not serve the stream %p",
                static_cast<unsigned long long>(thread), stream);
  if (blocking_[stream] != 0)
    return fail(ACL_ERROR_RT_STREAM_SUBSCRIBE,
                "callbacks of the stream %p were not called yet; synchronize it first", stream);
  const int32_t patience = thread == this_thread_id() ? 0 : kPatience;
  if (!wait_until(changed_, lock, patience, [&] { return !is_due(stream); }))
    return fail(
        ACL_ERROR_RT_STREAM_SUBSCRIBE,
        "callbacks of the stream %p are due and were not called, %d of them; let the thread "
        "that serves it call aclrtProcessReport first",
        stream, waiting_[stream]);
  servers_.erase(stream);
  changed_.notify_all();
  return ACL_SUCCESS;
}

aclError Callbacks::prepare(aclrtCallback function, void* data, const void* stream, Task& task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (servers_.count(stream) == 0)
    return fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                "no thread serves callbacks of the stream %p; call aclrtSubscribeReport", stream);
  blocking_[stream] += task.holds != nullptr;
  task.calls_back = true;
  task.work = [this, due = Due{function, data, task.holds, stream}] { return post(due); };
  return ACL_SUCCESS;
}

aclError Callbacks::post(Due due) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto server = servers_.find(due.stream);
  if (server == servers_.end()) {
    lock.unlock();
    settle(due);
    return fail(ACL_ERROR_RT_STREAM_NO_CB_REG,
                "no thread served callbacks of the stream %p when one was due", due.stream);
  }
  ++waiting_[due.stream];
  due_[server->second].push_back(std::move(due));
  changed_.notify_all();
  return ACL_SUCCESS;
}

// The stream goes on.
void Callbacks::settle(const Due& due) {
  if (!due.returned) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto blocking = blocking_.find(due.stream);
    if (blocking != blocking_.end() && blocking->second > 0) --blocking->second;
  }
  the_scheduler().pass(*due.returned);
}

void Callbacks::call(const Due& due) {
  due.function(due.data);
  settle(due);
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto waiting = waiting_.find(due.stream);
  if (waiting != waiting_.end() && waiting->second > 0) --waiting->second;
  changed_.notify_all();
}

aclError Callbacks::process(uint64_t thread, int32_t milliseconds) {
  std::deque<Due> now;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (!serves(thread))
      return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                  "this thread serves no stream; call aclrtSubscribeReport with its number");
    const auto ready = [&] { return !due_[thread].empty() || !serves(thread); };
    if (!wait_until(changed_, lock, milliseconds, ready))
      return fail(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback was due within %d ms", milliseconds);
    now.swap(due_[thread]);
  }
  for (const Due& due : now) call(due);
  return ACL_SUCCESS;
}

aclError Callbacks::check_wait(const void* stream) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto blocking = blocking_.find(stream);
  const auto server = servers_.find(stream);
  if (blocking == blocking_.end() || blocking->second == 0 || server == servers_.end() ||
      server->second != this_thread_id())
    return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID,
              "this thread serves the callbacks of the stream %p and would wait for itself; call "
              "aclrtProcessReport here, or use the stream in another thread",
              stream);
}

void Callbacks::drop(const void* stream) {
  std::vector<Due> gone;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    blocking_.erase(stream);
    waiting_.erase(stream);
    for (auto& [thread, due] : due_) {
      const auto first = std::stable_partition(
          due.begin(), due.end(), [&](const Due& one) { return one.stream != stream; });
      gone.insert(gone.end(), first, due.end());
      due.erase(first, due.end());
    }
  }
  for (const Due& due : gone) settle(due);
}

void Callbacks::forget(const void* stream) {
  drop(stream);
  const std::lock_guard<std::mutex> lock(mutex_);
  servers_.erase(stream);
  changed_.notify_all();
}

Callbacks& callbacks() {
  static Callbacks& own = *new Callbacks;
  return own;
}

}  // namespace opkit::acl
