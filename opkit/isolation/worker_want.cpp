#include "opkit/isolation/worker_want.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>

#include "opkit/base/process/host_limits.h"

namespace opkit::isolation {
namespace {

Error want(std::string message, const char* action) {
  return Error("OPK-WORKER-012", std::move(message), action);
}

Error killed(const std::string& who) {
  return want(fmt::format("{} was running when its process was killed from outside (SIGKILL), as "
                          "the kernel does when memory runs out: {}",
                          who, limits_of(Scarce::kMemory)),
              "give it more memory, or choose a smaller shape; the kernel's log (dmesg) names what "
              "it kills");
}

Error out_of_time(const std::string& who) {
  return want(fmt::format("{} was running when its process had used up its processor time: {}", who,
                          limits_of(Scarce::kTime)),
              "raise the limit of processor time (ulimit -t)");
}

}  // namespace

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

std::optional<Error> wanting(const WorkerEnd& end, const std::string& who) {
  if (end.cause != WorkerEnd::Cause::kSignal) return std::nullopt;
  if (end.signal == SIGKILL) return killed(who);
  if (end.signal == SIGXCPU) return out_of_time(who);
  switch (end.want) {
    case Want::kNothing: break;
    case Want::kMemory:
      return want(
          fmt::format("{} got no memory ({}): {}", who, end.exception, limits_of(Scarce::kMemory)),
          "raise the limit, or choose a smaller shape");
    case Want::kThreads:
      return want(fmt::format("{} could start no thread ({}): {}, {}", who, end.exception,
                              limits_of(Scarce::kProcesses), limits_of(Scarce::kMemory)),
                  "raise the limit of processes and threads, or end some");
    case Want::kOutside:
      return want(fmt::format("{} was running when its process was ended from outside with {}", who,
                              signal_name(end.signal)),
                  "run it again; look for who sends the signal");
  }
  return std::nullopt;
}

}  // namespace opkit::isolation
