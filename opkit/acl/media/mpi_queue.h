// ResultQueue: what a channel of hi_mpi_* has done and nobody has taken yet. One thread may wait
// for what another one brings.
#ifndef OPKIT_ACL_MEDIA_MPI_QUEUE_H_
#define OPKIT_ACL_MEDIA_MPI_QUEUE_H_

#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

namespace opkit::acl {

enum class Fetched : uint8_t { kResult, kNothing, kClosed };

// REQUIRES: no lock is held that those who push take.
template <typename Result>
class ResultQueue {
 public:
  ResultQueue() = default;
  ResultQueue(const ResultQueue&) = delete;
  ResultQueue& operator=(const ResultQueue&) = delete;
  ~ResultQueue() {
    if (ready_ >= 0) ::close(ready_);
  }

  void push(Result result) {
    {
      const std::lock_guard guard(mutex_);
      results_.push_back(std::move(result));
      signal();
    }
    changed_.notify_one();
  }
  // milliseconds: -1 waits any time, 0 not at all.
  Fetched take(int32_t milliseconds, Result& result) {
    std::unique_lock guard(mutex_);
    const auto is_over = [this] { return closed_ || !results_.empty(); };
    if (milliseconds < 0)
      changed_.wait(guard, is_over);
    else
      changed_.wait_for(guard, std::chrono::milliseconds(milliseconds), is_over);
    if (closed_) return Fetched::kClosed;
    if (results_.empty()) return Fetched::kNothing;
    result = std::move(results_.front());
    results_.pop_front();
    uint64_t one = 0;
    if (ready_ >= 0 && ::read(ready_, &one, sizeof one) < 0) return Fetched::kResult;
    return Fetched::kResult;
  }
  void clear() {
    Result dropped;
    while (take(0, dropped) == Fetched::kResult) {
    }
  }
  // Closes the queue: who waits returns at once.
  void close() {
    {
      const std::lock_guard guard(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }
  size_t size() const {
    const std::lock_guard guard(mutex_);
    return results_.size();
  }
  // Returns a descriptor that can be read while there are results; negative: the system has none.
  int descriptor() {
    const std::lock_guard guard(mutex_);
    if (ready_ < 0)
      ready_ = ::eventfd(static_cast<unsigned>(results_.size()),
                         EFD_NONBLOCK | EFD_SEMAPHORE | EFD_CLOEXEC);
    return ready_;
  }

 private:
  void signal() const {
    constexpr uint64_t kOne = 1;
    if (ready_ >= 0 && ::write(ready_, &kOne, sizeof kOne) < 0) return;  // full: ready anyway
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Result> results_;
  int ready_ = -1;
  bool closed_ = false;
};

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_MPI_QUEUE_H_
