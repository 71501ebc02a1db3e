#include "opkit/isolation/spawn_worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "opkit/base/process/host_limits.h"

extern char** environ;

namespace opkit::isolation {

// Returns what the call that failed for this reason wants more of. A program that is started may be
// given descriptors that the limit does not allow.
Error cannot_start(const std::string& what, int reason) {
  const bool files = reason == EMFILE || reason == ENFILE || reason == EBADF;
  const Scarce scarce = files              ? Scarce::kDescriptors
                        : reason == EAGAIN ? Scarce::kProcesses
                                           : Scarce::kMemory;
  return Error("OPK-WORKER-001",
               fmt::format("no worker process could be started: {}: {}: {}", what,
                           std::strerror(reason), limits_of(scarce)),
               "raise the limit, or end other processes");
}

int spawn_worker(const std::string& file, int printed, const GivenToWorker& given, pid_t& child) {
  constexpr int kGiven = static_cast<int>(std::tuple_size_v<GivenToWorker>);
  const std::string host = std::to_string(::getpid());
  char* arguments[] = {const_cast<char*>(file.c_str()), const_cast<char*>(host.c_str()), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, printed, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, printed, STDERR_FILENO);
  // Past all that is to be copied first, so that no copy lands on what is still needed.
  constexpr int kFirst = 3;
  const int past =
      std::max(*std::max_element(std::begin(given), std::end(given)), kFirst + kGiven - 1) + 1;
  for (int i = 0; i < kGiven; ++i)
    posix_spawn_file_actions_adddup2(&actions, given[static_cast<size_t>(i)], past + i);
  for (int i = 0; i < kGiven; ++i) posix_spawn_file_actions_adddup2(&actions, past + i, kFirst + i);
  posix_spawn_file_actions_addclosefrom_np(&actions, kFirst + kGiven);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  const int reason = posix_spawn(&child, file.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

}  // namespace opkit::isolation
