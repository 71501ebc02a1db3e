// SharedProcessor: keeps host and worker on one processor while they wait for each other. What the
// host has written is in that processor's cache when the worker reads it, and nobody has to wake
// another processor. It is for short calls: of a long one the host's other threads would suffer.
#ifndef OPKIT_ISOLATION_SHARED_PROCESSOR_H_
#define OPKIT_ISOLATION_SHARED_PROCESSOR_H_

#include <sched.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace opkit::isolation {

// Whether a launch is quicker that way.
struct Company {
  uint32_t threads = 1;  // that the launch runs on
  uint64_t bytes = 0;    // counts the bytes of tensors
  // Since the worker's last answer: after a while it sleeps and has to be woken.
  std::chrono::duration<double> idle{0};
  // Holds the time of the last launch of the same plan; 0: there was none.
  std::chrono::duration<double> took{0};

  bool wanted() const;
};

class SharedProcessor {
 public:
  // The worker goes where the calling thread is, and both stay there. Nothing happens where the
  // host's kernel or administrator does not allow it.
  void enter(pid_t worker);
  // The calling thread may go where it could before; the worker waits where it is.
  void leave();
  // The worker may go where the calling thread may.
  void part(pid_t worker);

 private:
  int processor_ = -1;
  bool inside_ = false;
  cpu_set_t before_{};  // is what the calling thread had
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SHARED_PROCESSOR_H_
