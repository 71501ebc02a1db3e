#include "opkit/cli/terminal/exit_guard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

std::atomic<Console*> guarded_console{nullptr};
std::atomic<pid_t> guarded_process = 0;  // a forked child ends as it likes

[[noreturn]] void refuse(Console& console, const std::string& what) {
  console.fail(
      Error("OPK-CLI-041",
            fmt::format("the plugin's code ended this process with {}, without an answer", what),
            "return from the function in place of exit(); without --in-process it runs "
            "in a process of its own"));
  console.flush();
  _exit(kFailed);
}

// Lets the first one speak when several threads call exit() together.
void judge(const std::string& what) {
  if (getpid() != guarded_process) return;
  Console* console = guarded_console.exchange(nullptr);
  if (console) refuse(*console, what);
  while (guarded_process != 0) pause();
}

void at_quick() { judge("quick_exit()"); }

}  // namespace

ExitGuard::ExitGuard(Console& console) {
  static const bool registered = std::at_quick_exit(at_quick) == 0;
  (void)registered;
  guarded_process = getpid();
  guarded_console = &console;
}

ExitGuard::~ExitGuard() {
  guarded_process = 0;
  guarded_console = nullptr;
}

void ExitGuard::meet_exit(int code) { judge(fmt::format("exit({})", code)); }

}  // namespace opkit::cli
