#include "registry/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace opkit::registry {
namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t kMaxOutput = 8u << 20;
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

[[noreturn]] void be_child(const std::function<void(int)>& body, int output, int messages) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(messages, STDERR_FILENO);
  body(output);
  _exit(0);
}

// Appends what is there; false at the end of the stream.
bool drain(int fd, std::string& text) {
  std::array<char, 4096> chunk;
  const ssize_t bytes = ::read(fd, chunk.data(), chunk.size());
  if (bytes < 0) return errno == EINTR || errno == EAGAIN;
  text.append(chunk.data(), static_cast<size_t>(bytes));
  return bytes > 0;
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return static_cast<int>(std::max<int64_t>(0, left.count()));
}

// Reads both streams until both end. False when the time is over or the child writes without end.
bool collect(Pipe& output, Pipe& messages, ChildResult& result, Clock::time_point end) {
  while (output.read >= 0 || messages.read >= 0) {
    pollfd waits[2] = {{output.read, POLLIN, 0}, {messages.read, POLLIN, 0}};
    const int ready = poll(waits, 2, milliseconds_until(end));
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
bool wait_for(pid_t child, int& status, Clock::time_point end) {
  while (true) {
    const pid_t got = waitpid(child, &status, WNOHANG);
    if (got == child || (got < 0 && errno != EINTR)) return true;
    if (Clock::now() >= end) return false;
    poll(nullptr, 0, 1);
  }
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

Result<ChildResult> run_in_child(const std::function<void(int fd)>& body,
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
  int status = 0;
  const auto end = Clock::now() + time_limit;
  result.timed_out = !collect(output, messages, result, end) || !wait_for(child, status, end);
  if (result.timed_out) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace opkit::registry
