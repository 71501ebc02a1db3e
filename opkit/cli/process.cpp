#include "opkit/cli/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

extern char** environ;

namespace opkit::cli {
namespace {

Error cannot_start(const std::string& program, int reason) {
  return Error(
      "OPK-ENV-003", fmt::format("cannot run {}: {}", program, std::strerror(reason)),
      fmt::format("install {} or put it on PATH; opkit doctor tells what is missing", program));
}

// Starts the program with both outputs into `write_end`. Returns 0 or the reason.
int start(const std::vector<std::string>& words, int write_end, pid_t& child) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, write_end, STDERR_FILENO);
  const int reason =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

void give_lines(std::string& pending, const std::function<void(const std::string&)>& on_line) {
  size_t start = 0;
  for (size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1) {
    if (on_line) on_line(pending.substr(start, end - start));
  }
  pending.erase(0, start);
}

std::string read_all(int read_end, const std::function<void(const std::string&)>& on_line) {
  std::string all, pending;
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t count = read(read_end, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    all.append(block.data(), static_cast<size_t>(count));
    pending.append(block.data(), static_cast<size_t>(count));
    give_lines(pending, on_line);
  }
  if (!pending.empty() && on_line) on_line(pending);
  return all;
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& words,
                                  const std::function<void(const std::string&)>& on_line) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot_start(words[0], errno);
  pid_t child = 0;
  const int reason = start(words, ends[1], child);
  close(ends[1]);
  if (reason != 0) {
    close(ends[0]);
    return cannot_start(words[0], reason);
  }
  ProcessResult result;
  result.output = read_all(ends[0], on_line);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace opkit::cli
