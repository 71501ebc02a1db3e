// Profiles of launches that were kept: profile.json of a folder that `opkit profile --out` or a
// program wrote, and the document of `opkit profile --json`.
#ifndef OPKIT_CLI_TEXT_PROFILE_FILE_H_
#define OPKIT_CLI_TEXT_PROFILE_FILE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/call/trace/report.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

struct NamedProfile {
  std::string name;  // names the op or kernel
  std::string soc;
  trace::Figures figures;
};

// The word names a kept profile: a .json file, or a folder with profiles.
bool is_kept_profile(const std::string& word);

// Returns one profile, or those of all launches of a program in their order. OPK-CLI-030: not a
// profile.
Result<std::vector<NamedProfile>> read_profiles(const std::filesystem::path& path);

// Returns the folders of a program's launches, "1_add", "2_mul", ... in order.
std::vector<std::filesystem::path> launch_folders(const std::filesystem::path& folder);

Json to_json(const NamedProfile& profile);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TEXT_PROFILE_FILE_H_
