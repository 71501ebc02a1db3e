#include "opkit/spread/local_crew.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "opkit/base/process/child.h"

namespace opkit::spread {
namespace {

// Ends every answer, so that one that was cut is known.
constexpr char kAnswerEnd = '\x04';

[[noreturn]] void do_and_leave(const DoJob& do_job, size_t job, int to, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before
  write_all(to, do_job(job) + kAnswerEnd);
  _exit(0);
}

std::string told_status(int status) {
  if (WIFSIGNALED(status)) return fmt::format("killed by signal {}", WTERMSIG(status));
  return fmt::format("ended with code {} and without an answer", WEXITSTATUS(status));
}

}  // namespace

LocalCrew::LocalCrew(size_t workers, DoJob do_job)
    : workers_(workers), do_job_(std::move(do_job)) {}

LocalCrew::~LocalCrew() {
  for (const Worker& worker : workers_) {
    if (worker.child < 0) continue;
    kill(worker.child, SIGKILL);
    waitpid(worker.child, nullptr, 0);
    close(worker.from);
  }
}

void LocalCrew::give(size_t number, size_t job) {
  Worker& worker = workers_[number];
  worker = {};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    worker.failed = fmt::format("no pipe: {}", std::strerror(errno));
    return;
  }
  const pid_t parent = getpid();
  worker.child = fork();
  if (worker.child == 0) {
    close(ends[0]);
    do_and_leave(do_job_, job, ends[1], parent);
  }
  if (worker.child < 0) worker.failed = fmt::format("no process: {}", std::strerror(errno));
  close(ends[1]);
  worker.from = ends[0];
}

// Reads what there is. Returns true where the child has closed its end.
bool LocalCrew::take(size_t number, CrewEvent& event) {
  Worker& worker = workers_[number];
  std::array<char, 65536> bytes;
  const ssize_t got = read(worker.from, bytes.data(), bytes.size());
  if (got > 0) worker.answer.append(bytes.data(), static_cast<size_t>(got));
  if (got > 0 || (got < 0 && errno == EINTR)) return false;
  event = end_of(number);
  return true;
}

CrewEvent LocalCrew::end_of(size_t number) {
  Worker worker = std::exchange(workers_[number], {});
  if (worker.from >= 0) close(worker.from);
  if (worker.child < 0) return {number, CrewEvent::Kind::kLost, worker.failed};
  int status = 0;
  while (waitpid(worker.child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool whole = !worker.answer.empty() && worker.answer.back() == kAnswerEnd;
  if (!whole || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return {number, CrewEvent::Kind::kLost, told_status(status)};
  worker.answer.pop_back();
  return {number, CrewEvent::Kind::kAnswer, std::move(worker.answer)};
}

bool LocalCrew::wait_for(int milliseconds, CrewEvent& event) {
  std::vector<pollfd> files;
  std::vector<size_t> numbers;
  for (size_t number = 0; number < workers_.size(); ++number) {
    if (!workers_[number].failed.empty()) {
      event = end_of(number);
      return true;
    }
    if (workers_[number].child < 0) continue;
    files.push_back({workers_[number].from, POLLIN, 0});
    numbers.push_back(number);
  }
  if (poll(files.data(), files.size(), milliseconds) <= 0) return false;
  for (size_t i = 0; i < files.size(); ++i)
    if (files[i].revents != 0 && take(numbers[i], event)) return true;
  return false;
}

CrewEvent LocalCrew::wait() {
  CrewEvent event;
  while (!wait_for(-1, event)) {
  }
  return event;
}

}  // namespace opkit::spread
