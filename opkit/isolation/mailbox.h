// Mailbox: memory through which host and worker hand each other bytes, a lane for each direction.
// Whoever waits looks at the memory for a moment and then sleeps at the socket, where the other one
// rings when it sees that somebody sleeps: so a quick exchange needs no system call, and a slow one
// can be waited for together with the other's death. Neither end believes what the other wrote: a
// part is measured once, copied, and only then looked at.
#ifndef OPKIT_ISOLATION_MAILBOX_H_
#define OPKIT_ISOLATION_MAILBOX_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace opkit::isolation {

// One direction: at most one part at a time.
struct Lane {
  static constexpr uint32_t kRoom = 256 << 10;
  alignas(64) std::atomic<uint32_t> filled{0};  // bytes to be taken; 0: the writer's turn
  alignas(64) std::atomic<uint32_t> reader_sleeps{0};
  std::atomic<uint32_t> writer_sleeps{0};
  alignas(64) std::byte part[kRoom];  // untouched pages take no memory
};
struct Mailbox {
  Lane to_worker, to_host;
  // Where each was when it began to wait last.
  alignas(64) std::atomic<int> host_at{-1};
  alignas(64) std::atomic<int> worker_at{-1};
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);

// Moves the beginning of `left` into the lane, if it is empty, and wakes the reader at `socket`.
bool put(Lane& lane, std::string_view& left, int socket);
enum class Taken : uint8_t { kNothing, kPart, kNonsense };
// Appends a part to `into` and wakes the writer.
Taken take(Lane& lane, std::string& into, int socket);

// Says where the calling process waits. True: the other one is on this processor, where whoever
// looks without sleep keeps it from working.
bool meet(std::atomic<int>& mine, const std::atomic<int>& other);

// Looks without sleep. Gives that up while waits are long, or where there is one processor only.
class Spin {
 public:
  explicit Spin(std::chrono::microseconds most);
  // True: ready() was true in time.
  template <typename Ready>
  bool until(Ready ready) {
    if (ready()) return true;
    if (!worthwhile_) return false;
    const Clock::time_point end = Clock::now() + most_;
    do {
      for (int i = 0; i < kLooks; ++i) {
        if (ready()) return true;
        __builtin_ia32_pause();
      }
    } while (Clock::now() < end);
    return false;
  }
  // How long the whole wait was.
  void learn(std::chrono::steady_clock::duration waited) {
    worthwhile_ = many_ && waited < 2 * most_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kLooks = 16;
  std::chrono::microseconds most_;
  bool many_, worthwhile_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_MAILBOX_H_
