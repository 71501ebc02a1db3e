#include "opkit/verify/mutants/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

namespace opkit::verify {
namespace {

constexpr size_t kMostOutput = 64 * 1024;

int milliseconds_until(std::chrono::steady_clock::time_point end) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<int64_t>(left.count(), 0));
}

// Reads until the writer closes or the time is over; false when it is over.
bool read_all(int from, std::chrono::steady_clock::time_point end, std::string& text) {
  char buffer[4096];
  while (true) {
    pollfd ready{from, POLLIN, 0};
    const int events = poll(&ready, 1, milliseconds_until(end));
    if (events == 0) return false;
    if (events < 0 && errno == EINTR) continue;
    const ssize_t got = read(from, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    if (text.size() < kMostOutput) text.append(buffer, static_cast<size_t>(got));
  }
}

void write_all(int to, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t put = write(to, text.data() + done, text.size() - done);
    if (put <= 0) return;
    done += static_cast<size_t>(put);
  }
}

// `body` runs in the child with the pipe's writing end and does not return.
template <typename Body>
ChildResult run(Body body, int timeout_seconds) {
  ChildResult result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result.exit_code = 126, result;
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return result.exit_code = 126, result;
  }
  if (child == 0) {
    setpgid(0, 0);  // so that its own children end with it
    body(ends[1]);
  }
  close(ends[1]);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(timeout_seconds);
  result.timed_out = !read_all(ends[0], end, result.output);
  close(ends[0]);
  if (result.timed_out && kill(-child, SIGKILL) != 0) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace

ChildResult run_program(const std::vector<std::string>& words, int timeout_seconds) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return run(
      [&](int pipe_end) {
        dup2(pipe_end, STDOUT_FILENO);
        dup2(pipe_end, STDERR_FILENO);
        execvp(arguments[0], arguments.data());
        _exit(127);
      },
      timeout_seconds);
}

ChildResult run_in_child(const std::function<int(std::string& text)>& work, int timeout_seconds) {
  return run(
      [&](int pipe_end) {
        std::string text;
        const int code = work(text);
        write_all(pipe_end, text);
        _exit(code);
      },
      timeout_seconds);
}

}  // namespace opkit::verify
