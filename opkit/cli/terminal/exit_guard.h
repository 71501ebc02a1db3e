// ExitGuard: while one lives, an exit() that no command of ours calls (a plugin's code does, with
// --in-process) ends the process with an error, whatever code it was given.
#ifndef OPKIT_CLI_TERMINAL_EXIT_GUARD_H_
#define OPKIT_CLI_TERMINAL_EXIT_GUARD_H_

#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// REQUIRES: at most one lives at a time.
class ExitGuard {
 public:
  explicit ExitGuard(Console& console);
  ExitGuard(const ExitGuard&) = delete;
  ExitGuard& operator=(const ExitGuard&) = delete;
  ~ExitGuard();

  // What exit() does first. Returns when no guard of this process lives.
  static void meet_exit(int code);
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_EXIT_GUARD_H_
