#include "opkit/isolation/worker_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "opkit/isolation/frames.h"
#include "opkit/isolation/memory_use.h"
#include "opkit/isolation/spawn_worker.h"
#include "opkit/isolation/worker_file.h"

namespace opkit::isolation {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr milliseconds kLook{50};  // between looks at the worker's memory
// For a worker that closed its socket, or is asked where it is.
constexpr milliseconds kGoodbye{200};
constexpr size_t kKeptPrinted = 4096;

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

int left_of(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<milliseconds>(
      until - std::chrono::steady_clock::now() + microseconds(999));
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, kLook.count()));
}

}  // namespace

Result<WorkerProcess> WorkerProcess::start(const SharedWithWorker& shared, const Limits& limits) {
  OPKIT_TRY(const std::filesystem::path file, worker_file());
  WorkerProcess worker;
  OPKIT_TRY(worker.mailbox_,
            SharedMemory::make("opkit-mailbox", sizeof(Mailbox), SharedMemory::Others::kWrite));
  int sockets[2], pipe[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return cannot_start("socketpair", errno);
  worker.socket_ = sockets[0];
  if (::pipe2(pipe, O_CLOEXEC) != 0) {
    ::close(sockets[1]);
    return cannot_start("pipe", errno);
  }
  worker.printed_fd_ = pipe[0];
  ::fcntl(pipe[0], F_SETFL, O_NONBLOCK);
  worker.shared_ = &shared;
  worker.limits_ = limits;
  new (worker.mailbox_.data()) Mailbox;
  const GivenToWorker given = {sockets[1], shared.inputs.fd(), shared.outputs.fd(),
                               shared.incident.fd(), worker.mailbox_.fd()};
  worker.program_ = file.string();
  const int reason = spawn_worker(worker.program_, pipe[1], given, worker.pid_);
  ::close(sockets[1]);
  ::close(pipe[1]);
  if (reason == 0) return worker;
  worker.pid_ = 0;
  return cannot_start(worker.program_, reason);
}

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(program_, other.program_);
  std::swap(socket_, other.socket_);
  std::swap(printed_fd_, other.printed_fd_);
  std::swap(shared_, other.shared_);
  std::swap(mailbox_, other.mailbox_);
  std::swap(spin_, other.spin_);
  std::swap(processor_, other.processor_);
  std::swap(limits_, other.limits_);
  std::swap(lent_, other.lent_);
  std::swap(kept_, other.kept_);
  std::swap(look_at_, other.look_at_);
  std::swap(answered_, other.answered_);
  std::swap(to_send_, other.to_send_);
  std::swap(printed_, other.printed_);
  std::swap(printed_bytes_, other.printed_bytes_);
  return *this;
}

WorkerProcess::~WorkerProcess() {
  if (alive()) finish(WorkerEnd::Cause::kExit, {});
  close_all();
}

void WorkerProcess::close_all() {
  close_fd(socket_);
  close_fd(printed_fd_);
}

void WorkerProcess::say(Ask ask, std::string_view body) {
  append_frame(to_send_, static_cast<uint32_t>(ask), body);
}

void WorkerProcess::choose_processor(bool together) {
  if (together) {
    processor_.enter(pid_);
  } else {
    processor_.part(pid_);
  }
}

WorkerProcess::Outcome WorkerProcess::ask(Ask ask, std::string_view body, milliseconds limit,
                                          bool together) {
  choose_processor(together);
  Outcome outcome = this->ask(ask, body, limit);
  processor_.leave();
  return outcome;
}

WorkerProcess::Outcome WorkerProcess::ask(Ask ask, std::string_view body, milliseconds limit) {
  say(ask, body);
  printed_bytes_ = 0;
  limit_ = limit;
  asked_ = Clock::now();
  until_ = asked_ + limit;
  run_delay_.forget();
  std::optional<WorkerEnd::Cause> failed = send();
  Message message;
  if (!failed) failed = receive(message);
  if (!failed && !connected()) failed = WorkerEnd::Cause::kExit;
  if (failed) return {std::nullopt, finish(*failed, limit)};
  drain();
  answered_ = Clock::now();
  return {std::move(message), {}};
}

std::optional<WorkerEnd::Cause> WorkerProcess::send() {
  Lane& lane = mailbox().to_worker;
  std::string_view left = to_send_;
  while (!left.empty()) {
    if (put(lane, left, socket_)) continue;
    const auto empty = [&lane] { return lane.filled.load() == 0; };
    if (const auto failed = wait(lane.writer_sleeps, empty)) return failed;
  }
  to_send_.clear();
  return std::nullopt;
}

std::optional<WorkerEnd::Cause> WorkerProcess::receive(Message& message) {
  Lane& lane = mailbox().to_host;
  FrameReader frames(static_cast<uint32_t>(Reply::kCount), limits_.answer);
  Frame frame;
  FrameReader::Found found = FrameReader::Found::kNothing;
  while (found == FrameReader::Found::kNothing) {
    const auto filled = [&lane] { return lane.filled.load() != 0; };
    if (const auto failed = wait(lane.reader_sleeps, filled)) return failed;
    if (take(lane, frames.parts(), socket_) == Taken::kNonsense) return WorkerEnd::Cause::kNonsense;
    found = frames.next(frame);
    // However quickly parts come.
    if (found == FrameReader::Found::kNothing && Clock::now() >= until_ && too_late())
      return WorkerEnd::Cause::kTime;
    if (found == FrameReader::Found::kNothing && too_large()) return WorkerEnd::Cause::kMemory;
  }
  // A worker answers each question once: a second frame is nonsense.
  if (found == FrameReader::Found::kNonsense || !frames.empty()) return WorkerEnd::Cause::kNonsense;
  message = {static_cast<Reply>(frame.kind), std::move(frame.body)};
  return std::nullopt;
}

template <typename Ready>
std::optional<WorkerEnd::Cause> WorkerProcess::wait(std::atomic<uint32_t>& sleeps, Ready ready) {
  const Clock::time_point began = Clock::now();
  const bool together = meet(mailbox().host_at, mailbox().worker_at);
  bool there = together ? ready() : spin_.until(ready);
  while (!there) {
    sleeps.store(1);
    if (ready()) break;
    const auto failed = sleep();
    there = ready();
    if (failed && !there) return failed;
  }
  spin_.learn(Clock::now() - began);
  return std::nullopt;
}

// Until the worker rings or is gone, or it is time to look again.
std::optional<WorkerEnd::Cause> WorkerProcess::sleep() {
  pollfd waits[2] = {{socket_, POLLIN, 0}, {printed_fd_, POLLIN, 0}};
  const int ready = ::poll(waits, 2, left_of(until_));
  if (ready < 0 && errno != EINTR) return WorkerEnd::Cause::kExit;
  if (ready > 0 && waits[1].revents != 0 && !drain()) return WorkerEnd::Cause::kOutput;
  if (ready > 0 && waits[0].revents != 0 && !connected()) return WorkerEnd::Cause::kExit;
  if (Clock::now() >= until_ && too_late()) return WorkerEnd::Cause::kTime;
  if (too_large()) return WorkerEnd::Cause::kMemory;
  if (ready == 0 && !run_delay_.begun()) run_delay_.begin(pid_);
  return std::nullopt;
}

bool WorkerProcess::too_late() {
  constexpr int kGivenBack = 9;  // limits: a plugin that starts many threads waits for them, too
  const milliseconds lost = std::min(run_delay_.lost(pid_), kGivenBack * limit_);
  until_ = std::max(until_, asked_ + limit_ + lost);
  return Clock::now() >= until_;
}

bool WorkerProcess::connected() const {
  char bells[4096];
  const ssize_t got = ::recv(socket_, bells, sizeof bells, MSG_DONTWAIT);
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

// False: it prints more than it may.
bool WorkerProcess::drain() {
  char chunk[1 << 16];
  while (printed_fd_ >= 0) {
    const ssize_t got = ::read(printed_fd_, chunk, sizeof chunk);
    if (got < 0) break;
    if (got == 0) {
      close_fd(printed_fd_);
      break;
    }
    printed_.append(chunk, static_cast<size_t>(got));
    printed_bytes_ += static_cast<uint64_t>(got);
    if (printed_.size() > 2 * kKeptPrinted) printed_.erase(0, printed_.size() - kKeptPrinted);
    if (printed_bytes_ > limits_.output) return false;
  }
  return true;
}

void WorkerProcess::lend(Ends used, uint64_t kept) {
  lent_ = {std::max(lent_.inputs, used.inputs), std::max(lent_.outputs, used.outputs)};
  kept_ = kept;
}

// Returns the bytes of the arenas that no call was given: the plugin wrote there by ways of its
// own.
uint64_t WorkerProcess::lent_beside() const {
  const auto beside = [](const SharedMemory& arena, uint64_t lent) {
    const uint64_t taken = file_in_memory(arena.fd()).bytes;
    return taken - std::min(taken, lent);
  };
  return beside(shared_->inputs, lent_.inputs) + beside(shared_->outputs, lent_.outputs);
}

// Looks now and then, also while answers and output flow.
bool WorkerProcess::too_large() {
  const Clock::time_point now = Clock::now();
  if (now < look_at_) return false;
  look_at_ = now + kLook;
  const uint64_t others = lent_beside() + kept_;
  if (others > limits_.memory) return true;
  const std::set<uint64_t> arenas = {file_in_memory(shared_->inputs.fd()).inode,
                                     file_in_memory(shared_->outputs.fd()).inode};
  const auto most = memory_use_at_most(pid_, arenas);
  if (!most || *most + others <= limits_.memory) return false;
  return memory_use(pid_, arenas).value_or(*most) + others > limits_.memory;
}

std::string WorkerProcess::take_printed() {
  drain();
  return std::exchange(printed_, {});
}

// The main thread's handler writes where it is.
void WorkerProcess::ask_where_it_is() {
  if (::syscall(SYS_tgkill, pid_, pid_, SIGUSR2) != 0) return;
  const auto& incident = *reinterpret_cast<const Incident*>(shared_->incident.data());
  const Clock::time_point until = Clock::now() + kGoodbye;
  while (incident.written.load() == 0 && Clock::now() < until) ::poll(nullptr, 0, 1);
}

bool WorkerProcess::ends_by_itself(int& status) {
  const Clock::time_point until = Clock::now() + kGoodbye;
  do {
    if (::waitpid(pid_, &status, WNOHANG) == pid_) return true;
    ::poll(nullptr, 0, 1);
  } while (Clock::now() < until);
  return false;
}

WorkerEnd WorkerProcess::finish(WorkerEnd::Cause cause, milliseconds limit) {
  WorkerEnd end;
  end.cause = cause;
  end.limit = limit;
  end.program = program_;
  end.allowed = limits_.memory;
  end.allowed_said = limits_.memory_said;
  int status = 0;
  if (cause == WorkerEnd::Cause::kTime) ask_where_it_is();
  const bool asked = limit.count() > 0;
  const bool alone = cause == WorkerEnd::Cause::kExit && asked && ends_by_itself(status);
  // Its group first: nothing that it started survives it.
  ::kill(-pid_, SIGKILL);
  if (!alone) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (cause == WorkerEnd::Cause::kExit) end.cause = WorkerEnd::Cause::kClosed;
  } else if (WIFSIGNALED(status)) {
    end.cause = WorkerEnd::Cause::kSignal;
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  drain();
  end.printed = std::exchange(printed_, {});
  describe(end);
  close_all();
  pid_ = 0;
  to_send_.clear();
  return end;
}

void WorkerProcess::describe(WorkerEnd& end) const {
  Incident page;
  std::memcpy(static_cast<void*>(&page), shared_->incident.data(), sizeof page);
  const uint32_t phase = page.phase.load();
  end.phase = static_cast<Phase>(std::min(phase, static_cast<uint32_t>(Phase::kCount)));
  end.exception.assign(page.exception, ::strnlen(page.exception, sizeof page.exception));
  for (char& c : end.exception)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  end.want = page.want <= 3 ? static_cast<Want>(page.want) : Want::kNothing;
  if (page.written.load() == 0) return;
  end.described = true;
  end.code = page.code;
  end.address = page.address;
  end.access = page.access <= 3 ? static_cast<FaultAccess>(page.access) : FaultAccess::kUnknown;
  end.full_stack = page.full_stack;
  end.in_block = page.in_block != 0;
  end.block = page.block;
  end.sub_block = std::clamp(page.sub_block, -1, 1);
  end.offset = page.offset;
}

}  // namespace opkit::isolation
