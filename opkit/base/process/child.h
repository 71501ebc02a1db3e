// Child processes: programs, and functions that may crash or hang.
#ifndef OPKIT_BASE_PROCESS_CHILD_H_
#define OPKIT_BASE_PROCESS_CHILD_H_

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit {

struct ChildResult {
  int exit_code = 0;       // is set where the child ended by itself
  int signal = 0;          // that ended it, 0 = it ended by itself
  bool timed_out = false;  // it was ended because its time was over or it wrote without end
  std::string output;
  std::string messages;  // ends what a function wrote to stderr, for people

  bool ok() const { return exit_code == 0 && signal == 0 && !timed_out; }
  // Returns what a shell reports: 128 + signal.
  int shell_code() const { return signal != 0 ? 128 + signal : exit_code; }
};

struct ProgramOptions {
  std::function<void(const std::string& line)> on_line;  // each as it comes, without its end
  std::chrono::milliseconds time_limit{0};               // 0 = none
};

// Runs words[0] (looked up on PATH) without a shell and waits for it. Its output is stdout and
// stderr in the order they came; standard input is empty. With a time limit it is a process group
// of its own, which ends as a whole. OPK-ENV-003 when it cannot be started.
Result<ChildResult> run_program(const std::vector<std::string>& words,
                                const ProgramOptions& options = {});

// Runs body(fd) in a fork; its number is the exit code, its output what it wrote to fd. The child
// ends with _exit, so no destructor or exit handler of the host runs twice; its stdout is closed to
// the terminal, it leaves no core dump, it ends when this process does.
// REQUIRES: no other thread of this process holds a lock that `body` needs.
// OPK-PLUGIN-013 when no child could be started.
Result<ChildResult> run_in_child(const std::function<int(int fd)>& body,
                                 std::chrono::milliseconds time_limit);

// Writes everything or gives up.
void write_all(int fd, const std::string& text);

}  // namespace opkit

#endif  // OPKIT_BASE_PROCESS_CHILD_H_
