// WorkerProcess: one worker, from its start to its end. What it says and how it ends are not
// believed: every wait has a limit, every message a size, and the page on which it describes its
// end is text for people.
#ifndef OPKIT_ISOLATION_WORKER_PROCESS_H_
#define OPKIT_ISOLATION_WORKER_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>

#include "opkit/isolation/incident.h"
#include "opkit/isolation/mailbox.h"
#include "opkit/isolation/requests.h"
#include "opkit/isolation/run_delay.h"
#include "opkit/isolation/shared_processor.h"
#include "opkit/isolation/shared_with_worker.h"

namespace opkit::isolation {

// How a worker's life ended.
struct WorkerEnd {
  enum class Cause : uint8_t {
    kSignal,  // that it raised itself
    kExit,    // it ended, whatever the code
    kClosed,  // it closed its socket and went on
    kTime,    // all below: the host ended it
    kOutput,
    kMemory,
    kNonsense  // its message has no form, or is too long
  };
  Cause cause = Cause::kExit;
  int signal = 0, exit_code = 0;
  std::chrono::milliseconds limit{0};  // kTime
  Phase phase = Phase::kStarting;      // is the phase that the page says; kCount: no phase
  bool described = false;              // it wrote the following
  int code = 0;                        // si_code
  uint64_t address = 0;
  FaultAccess access = FaultAccess::kUnknown;
  bool in_block = false;
  uint32_t block = 0;
  int sub_block = -1;
  uint32_t full_stack = 0;  // bytes of the block's stack, which was not enough; 0: another end
  uint64_t offset = 0;
  Want want = Want::kNothing;
  std::string exception;
  uint64_t allowed = 0;      // kMemory: bytes
  std::string allowed_said;  // and why, or nothing
  std::string printed;       // the end of what the plugin printed
  std::string program;       // that ran as the worker
};

class WorkerProcess {
 public:
  // The process makes itself ready while the host goes on; foreign code runs from Ask::kOpen on.
  // Error: OPK-WORKER-001. `shared` outlives it.
  static Result<WorkerProcess> start(const SharedWithWorker& shared, const Limits& limits);

  WorkerProcess() = default;
  WorkerProcess(WorkerProcess&& other) noexcept { *this = static_cast<WorkerProcess&&>(other); }
  WorkerProcess& operator=(WorkerProcess&& other) noexcept;
  WorkerProcess(const WorkerProcess&) = delete;
  // Ends it at once.
  ~WorkerProcess();

  bool alive() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }

  struct Message {
    Reply kind = Reply::kAnswer;
    std::string body;
  };
  struct Outcome {
    std::optional<Message> message;  // absent: the worker is no more, see end
    WorkerEnd end;
  };
  // Adds a message that has no answer; it goes with the next question.
  void say(Ask ask, std::string_view body);
  // Asks the worker; where `together`, both run on one processor, see SharedProcessor.
  // REQUIRES: alive().
  Outcome ask(Ask ask, std::string_view body, std::chrono::milliseconds limit, bool together);
  // Calls so far have got so much of the arenas, and tensors that are kept take so much.
  void lend(Ends used, uint64_t kept);
  // Since its last answer.
  std::chrono::duration<double> idle() const { return Clock::now() - answered_; }
  // Returns what the plugin printed since the last call of this; at most some kilobytes.
  std::string take_printed();

 private:
  using Clock = std::chrono::steady_clock;
  // Without sleep, for an answer: as long as a short launch.
  static constexpr std::chrono::microseconds kSpin{100};

  Mailbox& mailbox() const { return *reinterpret_cast<Mailbox*>(mailbox_.data()); }
  void choose_processor(bool together);
  Outcome ask(Ask ask, std::string_view body, std::chrono::milliseconds limit);
  // Returns what keeps the question from being answered; nothing when it was sent (received) whole.
  std::optional<WorkerEnd::Cause> send();
  std::optional<WorkerEnd::Cause> receive(Message& message);
  // Nothing: ready() is true.
  template <typename Ready>
  std::optional<WorkerEnd::Cause> wait(std::atomic<uint32_t>& sleeps, Ready ready);
  std::optional<WorkerEnd::Cause> sleep();
  // The limit is over. What the worker lost to a busy host is given back, nine limits at most.
  bool too_late();
  // Takes the bells away. False: the worker has closed its end.
  bool connected() const;
  bool drain();
  bool too_large();
  uint64_t lent_beside() const;
  // Kills it, waits for it, and tells how it ended.
  WorkerEnd finish(WorkerEnd::Cause cause, std::chrono::milliseconds limit);
  bool ends_by_itself(int& status);
  void ask_where_it_is();
  void describe(WorkerEnd& end) const;
  void close_all();

  pid_t pid_ = 0;
  std::string program_;
  int socket_ = -1, printed_fd_ = -1;
  const SharedWithWorker* shared_ = nullptr;
  SharedMemory mailbox_;
  Spin spin_{kSpin};
  SharedProcessor processor_;
  Limits limits_;
  Ends lent_;                           // whole pages of the arenas that the host has given out
  uint64_t kept_ = 0;                   // bytes of tensors that somebody has
  Clock::time_point look_at_;           // its memory
  std::chrono::milliseconds limit_{0};  // limits this question
  Clock::time_point asked_, until_;     // this question: when, and how long an answer counts
  Clock::time_point answered_;          // the last one
  RunDelay run_delay_;                  // during this question, once it is a long one
  std::string to_send_;
  std::string printed_;         // the end of it
  uint64_t printed_bytes_ = 0;  // during this question
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_WORKER_PROCESS_H_
