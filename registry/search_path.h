// Where packages are looked for, in which order, and why, as the vendor's loader does:
//   1. each directory of ASCEND_CUSTOM_OPP_PATH, left to right;
//   2. <opp>/vendors/<v> in the order of load_priority in <opp>/vendors/config.ini;
//   3. <opp>/built-in.
// <opp> is the explicit path, else ASCEND_OPP_PATH, else ./opp. An explicit path means that the
// environment is not read at all.
#ifndef OPKIT_REGISTRY_SEARCH_PATH_H_
#define OPKIT_REGISTRY_SEARCH_PATH_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::registry {

struct Environment {
  std::optional<std::string> custom_opp_path{}, opp_path{};

  static Environment of_this_process();
};

enum class Origin { kCustomPath, kVendor, kBuiltIn };
std::string_view name_of(Origin origin);

// A vendor directory: it holds op_pkg/<op>/<version>.
struct SearchRoot {
  std::filesystem::path directory;
  Origin origin = Origin::kVendor;
  std::string vendor;  // the directory's vendor; empty for a custom path (its manifests say)
  std::string reason;  // "entry 1 of ASCEND_CUSTOM_OPP_PATH"
  std::string note;    // "does not exist", or empty
};

struct SearchPath {
  std::filesystem::path opp;
  std::string opp_reason;             // "--opp", "ASCEND_OPP_PATH", "default"
  std::vector<SearchRoot> roots;      // highest priority first
  std::vector<std::string> unlisted;  // vendor directories that load_priority does not name
  Errors warnings;                    // tell of config.ini, and of variables that were ignored
};

SearchPath make_search_path(const std::optional<std::filesystem::path>& explicit_opp,
                            const Environment& environment);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_SEARCH_PATH_H_
