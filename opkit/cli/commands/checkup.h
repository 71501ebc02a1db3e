// The checks of `opkit doctor`.
#ifndef OPKIT_CLI_COMMANDS_CHECKUP_H_
#define OPKIT_CLI_COMMANDS_CHECKUP_H_

#include <string>
#include <vector>

#include "registry/registry.h"

namespace opkit::cli {

enum class Health { kGood, kWarning, kBad };

struct CheckupItem {
  std::string name;
  Health health = Health::kGood;
  std::string finding;
  std::string advice;  // empty when good
};

// Returns what interrupted commands left in TMPDIR. Before the others: they make temporary folders.
std::vector<CheckupItem> check_temporary();
// Compiler, cmake, ninja; the compiler really makes a shared library.
std::vector<CheckupItem> check_tools();
// Checks the SDK's templates, CMake package and tools.
std::vector<CheckupItem> check_sdk();
// OPP folder, environment variables, load_priority, installed packages.
std::vector<CheckupItem> check_opp(const registry::Registry& registry);
// Returns a check for each entry of ASCEND_CUSTOM_OPP_PATH that leads nowhere, else one that tells
// `value`.
std::vector<CheckupItem> custom_path_checks(const registry::SearchPath& path,
                                            const std::string& value);
// CPU, SIMD level, memory, caches.
std::vector<CheckupItem> check_machine();
// Returns what the kernel confines plugins by; what ulimit and control groups restrict.
std::vector<CheckupItem> check_limits();

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_CHECKUP_H_
