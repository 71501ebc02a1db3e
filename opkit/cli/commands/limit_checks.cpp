#include <fmt/format.h>

#include "opkit/base/process/host_limits.h"
#include "opkit/cli/commands/checkup.h"
#include "opkit/isolation/confinement.h"

namespace opkit::cli {
namespace {

CheckupItem confinement_check() {
  const std::string lacks = isolation::confinement_here();
  if (lacks.empty()) return {"confinement", Health::kGood, "Landlock and seccomp", {}};
  return {"confinement", Health::kWarning, lacks,
          "run packages of people you trust, or use a newer kernel"};
}

// Limits of the kinds that most machines do not set.
CheckupItem limits_check() {
  std::string found;
  for (const Scarce each : {Scarce::kAddresses, Scarce::kFileSize, Scarce::kTime}) {
    const std::string text = limits_of(each);
    if (!text.empty()) found += (found.empty() ? "" : ", ") + text;
  }
  if (found.empty()) return {"limits", Health::kGood, "address space, files and time: none", {}};
  return {"limits", Health::kWarning, found,
          "large shapes need more; docs/isolation.md tells what each limit stops"};
}

}  // namespace

std::vector<CheckupItem> check_limits() { return {confinement_check(), limits_check()}; }

}  // namespace opkit::cli
