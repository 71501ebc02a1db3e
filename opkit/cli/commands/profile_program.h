// `opkit profile ./program`: the modelled time of every kernel that a stand-alone program launches.
#ifndef OPKIT_CLI_COMMANDS_PROFILE_PROGRAM_H_
#define OPKIT_CLI_COMMANDS_PROFILE_PROGRAM_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/command.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/text/profile_file.h"

namespace opkit::cli {

// The word is the path of a program: an executable file with a '/' in its name.
bool names_program(const std::string& word);

struct ProfiledProgramOptions {
  uint64_t schedule_seed = 0;
  uint32_t warm_runs = 0;  // counts runs of every launch before the one that counts
};
ProfiledProgramOptions program_options(const Arguments& arguments);

struct ProfiledProgram {
  std::string output;  // holds what the program printed
  std::vector<NamedProfile> launches;
  std::optional<Error> failure;  // OPK-CLI-020: it failed, after these launches
};
// Runs words[0] with the arguments behind it in Timed mode; every launch leaves its profile in a
// folder of its own under `folder`.
Result<ProfiledProgram> run_timed(const std::vector<std::string>& words,
                                  const std::filesystem::path& folder,
                                  const ProfiledProgramOptions& options);

// OPK-CLI-019: an option that is for ops only. What a program that fails has launched is shown,
// too.
Outcome profile_program(const Arguments& arguments, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_PROFILE_PROGRAM_H_
