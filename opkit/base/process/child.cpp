#include "opkit/base/process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <limits>

extern char** environ;

namespace opkit {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMaxOutput = 8u << 20;  // limits what a function answers
constexpr size_t kMaxMessages = 4096;

// Two ends of a pipe, closed at the end of its life.
struct Pipe {
  int read = -1, write = -1;

  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  ~Pipe() {
    close_end(read);
    close_end(write);
  }
};

// When a child's time is over.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds limit)
      : limited_(limit.count() > 0), end_(Clock::now() + limit) {}

  bool over() const { return limited_ && Clock::now() >= end_; }
  // Returns the milliseconds that are left, for poll().
  int left() const {
    if (!limited_) return -1;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
    constexpr int64_t kMost = std::numeric_limits<int>::max();
    return static_cast<int>(std::min(std::max<int64_t>(0, left.count()), kMost));
  }

 private:
  bool limited_;
  Clock::time_point end_;
};

// Appends what is there; false at the end of the stream.
bool drain(int fd, std::string& text) {
  std::array<char, 4096> chunk;
  const ssize_t bytes = ::read(fd, chunk.data(), chunk.size());
  if (bytes < 0) return errno == EINTR || errno == EAGAIN;
  text.append(chunk.data(), static_cast<size_t>(bytes));
  return bytes > 0;
}

// Gives the whole lines from `given` on, and at the end of the stream the rest.
void give_lines(const std::string& text, size_t& given, bool ended, const ProgramOptions& options) {
  for (size_t end; (end = text.find('\n', given)) != std::string::npos; given = end + 1) {
    if (options.on_line) options.on_line(text.substr(given, end - given));
  }
  if (!ended || given == text.size() || !options.on_line) return;
  options.on_line(text.substr(given));
}

// Reads a program's output until it ends; false when the time is over.
bool collect(Pipe& output, ChildResult& result, const Deadline& deadline,
             const ProgramOptions& options) {
  size_t given = 0;
  while (true) {
    pollfd wait{output.read, POLLIN, 0};
    const int ready = poll(&wait, 1, deadline.left());
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    const bool more = ready > 0 && drain(output.read, result.output);
    give_lines(result.output, given, !more, options);
    if (!more) return true;
  }
}

// Reads both streams of a function until both end. False when the time is over or it writes without
// end.
bool collect(Pipe& output, Pipe& messages, ChildResult& result, const Deadline& deadline) {
  while (output.read >= 0 || messages.read >= 0) {
    pollfd waits[2] = {{output.read, POLLIN, 0}, {messages.read, POLLIN, 0}};
    const int ready = poll(waits, 2, deadline.left());
    if (ready == 0) return false;
    if (ready < 0 && errno != EINTR) return false;
    if (ready < 0) continue;
    if (waits[0].revents != 0 && !drain(output.read, result.output)) Pipe::close_end(output.read);
    if (waits[1].revents != 0 && !drain(messages.read, result.messages)) {
      Pipe::close_end(messages.read);
    }
    if (result.output.size() > kMaxOutput) return false;
    if (result.messages.size() > 2 * kMaxMessages) {
      result.messages.erase(0, result.messages.size() - kMaxMessages);
    }
  }
  return true;
}

// Waits for the child's end; false when the time is over.
bool wait_for(pid_t child, int& status, const Deadline& deadline) {
  const bool limited = deadline.left() >= 0;
  while (true) {
    const pid_t got = waitpid(child, &status, limited ? WNOHANG : 0);
    if (got == child || (got < 0 && errno != EINTR)) return true;
    if (!limited) continue;
    if (deadline.over()) return false;
    poll(nullptr, 0, 1);
  }
}

// What is left of a child whose output has ended, or whose time is over.
void finish(pid_t child, bool in_time, const Deadline& deadline, ChildResult& result) {
  int status = 0;
  result.timed_out = !in_time || !wait_for(child, status, deadline);
  if (result.timed_out) {
    if (kill(-child, SIGKILL) != 0) kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
}

// Starts the program with both outputs into `write_end`. Returns 0 or the reason.
int start(const std::vector<std::string>& words, bool own_group, int write_end, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (own_group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int reason =
      posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

[[noreturn]] void be_child(const std::function<int(int)>& body, int output, int messages) {
  setpgid(0, 0);  // so that its own children end with it
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(messages, STDERR_FILENO);
  _exit(body(output));
}

}  // namespace

void write_all(int fd, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t bytes = ::write(fd, text.data() + done, text.size() - done);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return;
    done += static_cast<size_t>(bytes);
  }
}

Result<ChildResult> run_program(const std::vector<std::string>& words,
                                const ProgramOptions& options) {
  Pipe output;
  pid_t child = 0;
  const int reason =
      output.open() ? start(words, options.time_limit.count() > 0, output.write, child) : errno;
  if (reason != 0) {
    return Error(
        "OPK-ENV-003", fmt::format("cannot run {}: {}", words[0], std::strerror(reason)),
        fmt::format("install {} or put it on PATH; opkit doctor tells what is missing", words[0]));
  }
  Pipe::close_end(output.write);
  ChildResult result;
  const Deadline deadline(options.time_limit);
  const bool in_time = collect(output, result, deadline, options);
  finish(child, in_time, deadline, result);
  return result;
}

Result<ChildResult> run_in_child(const std::function<int(int fd)>& body,
                                 std::chrono::milliseconds time_limit) {
  Pipe output, messages;
  const pid_t child = output.open() && messages.open() ? fork() : -1;
  if (child < 0) {
    return Error("OPK-PLUGIN-013",
                 fmt::format("no child process could be started: {}", std::strerror(errno)),
                 "free memory or raise the process limit");
  }
  if (child == 0) be_child(body, output.write, messages.write);
  Pipe::close_end(output.write);
  Pipe::close_end(messages.write);
  ChildResult result;
  const Deadline deadline(time_limit);
  const bool in_time = collect(output, messages, result, deadline);
  finish(child, in_time, deadline, result);
  return result;
}

}  // namespace opkit
