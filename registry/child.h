// Running a function in a forked child with a time limit.
#ifndef REGISTRY_CHILD_H_
#define REGISTRY_CHILD_H_

#include <chrono>
#include <functional>
#include <string>

#include "opkit/base/status.h"

namespace opkit::registry {

struct ChildResult {
  bool timed_out = false;
  int exit_code = 0;
  int signal = 0;        // that ended it, 0 = it exited
  std::string output;    // what it wrote to the descriptor it was given
  std::string messages;  // the end of its stderr, for people
};

// Runs body(fd) in a child; the child ends with _exit, so no destructor or exit handler of the host
// runs twice. Its stdout is closed to the terminal, its stderr is kept, it leaves no core dump.
// OPK-PLUGIN-013 when no child could be started.
Result<ChildResult> run_in_child(const std::function<void(int fd)>& body,
                                 std::chrono::milliseconds time_limit);

// Writes everything or gives up.
void write_all(int fd, const std::string& text);

}  // namespace opkit::registry

#endif  // REGISTRY_CHILD_H_
