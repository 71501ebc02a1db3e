#include "opkit/cli/terminal/limits_met.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <new>
#include <string>
#include <system_error>

#include "opkit/base/process/host_limits.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace {

Error too_little(const std::string& what, Scarce scarce) {
  const std::string limits = limits_of(scarce);
  return Error("OPK-ENV-007", what + (limits.empty() ? "" : ": " + limits),
               "raise the limit, or free what other processes take");
}

// What the signal handler says, made before there is need.
struct LastWords {
  int descriptor = STDERR_FILENO;
  std::string text;
};
LastWords* last_words = nullptr;

void out_of_time(int) {
  const ssize_t written =
      ::write(last_words->descriptor, last_words->text.data(), last_words->text.size());
  (void)written;
  ::_exit(kEnvironment);
}

// The kernel kills at the hard limit; before that it can be told.
void warn_before_time_is_up(bool json) {
  rlimit now = {};
  if (::getrlimit(RLIMIT_CPU, &now) != 0 || now.rlim_cur == RLIM_INFINITY) return;
  static LastWords words;
  const Error error = too_little("this process has used up its processor time", Scarce::kTime);
  words.text = error.to_string() + "\n";
  if (json) words = {STDOUT_FILENO, Json{{"error", to_json(error)}}.dump(2) + "\n"};
  last_words = &words;
  ::signal(SIGXCPU, out_of_time);
  if (now.rlim_cur == now.rlim_max && now.rlim_cur > 1) {
    --now.rlim_cur;
    ::setrlimit(RLIMIT_CPU, &now);
  }
}

std::optional<Scarce> scarce_of(const std::error_code& code) {
  if (code.category() != std::generic_category() && code.category() != std::system_category())
    return std::nullopt;
  switch (code.value()) {
    case EAGAIN: return Scarce::kProcesses;
    case ENOMEM: return Scarce::kMemory;
    case EMFILE:
    case ENFILE: return Scarce::kDescriptors;
    case EFBIG: return Scarce::kFileSize;
    default: return std::nullopt;
  }
}

bool is_full(const std::error_code& code) {
  return code.value() == ENOSPC || code.value() == EDQUOT || code.value() == EROFS;
}

}  // namespace

void meet_limits(bool json) {
  ::signal(SIGXFSZ, SIG_IGN);
  warn_before_time_is_up(json);
}

std::optional<Error> lack_of(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure))
    return too_little("no memory is left for this process", Scarce::kMemory);
  const auto* system = dynamic_cast<const std::system_error*>(&failure);
  if (!system) return std::nullopt;
  if (const auto scarce = scarce_of(system->code()))
    return too_little(fmt::format("the machine refused: {}", system->what()), *scarce);
  if (!is_full(system->code())) return std::nullopt;
  return Error("OPK-ENV-007", fmt::format("the machine refused: {}", system->what()),
               "free space on the disk");
}

}  // namespace opkit::cli
