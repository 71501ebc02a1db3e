#include "opkit/core/modes/dry/phantom.h"

#include <csignal>
#include <cstdint>
#include <mutex>

namespace opkit::core {
namespace {

thread_local PhantomWatch* watching = nullptr;

std::mutex mutex;
int users = 0;  // guarded
struct sigaction before = {};

void on_fault(int signal, siginfo_t* info, void* context) {
  const auto at = reinterpret_cast<uint64_t>(info->si_addr);
  const char here = 0;
  // Kernel code runs on a fiber, and so does its fault: the block can end as a refusal ends it.
  if (watching && at >= kPhantomGm && at - kPhantomGm < kPhantomGmBytes &&
      watching->touched_phantom(&here))
    return;
  if ((before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction != nullptr)
    return before.sa_sigaction(signal, info, context);
  if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    return before.sa_handler(signal);
  // The instruction faults again, and the process ends as it would have without this handler.
  ::sigaction(signal, &before, nullptr);
}

}  // namespace

void catch_phantom_faults(PhantomWatch* launch) {
  watching = launch;
  const std::lock_guard lock(mutex);
  if (users++ > 0) return;
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  // The handler may leave by a change of fibers, so the signal must not stay blocked.
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGSEGV, &action, &before);
}

void release_phantom_faults() {
  watching = nullptr;
  const std::lock_guard lock(mutex);
  if (--users == 0) ::sigaction(SIGSEGV, &before, nullptr);
}

}  // namespace opkit::core
