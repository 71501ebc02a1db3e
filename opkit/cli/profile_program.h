// `opkit profile ./program`: the modelled time of every kernel that a stand-alone program launches.
#ifndef OPKIT_CLI_PROFILE_PROGRAM_H_
#define OPKIT_CLI_PROFILE_PROGRAM_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/cli/arguments.h"
#include "opkit/cli/command.h"
#include "opkit/cli/console.h"
#include "opkit/cli/profile_file.h"

namespace opkit::cli {

// The word is the path of a program: an executable file with a '/' in its name.
bool names_program(const std::string& word);

struct ProfiledProgram {
  std::string output;  // of the program
  std::vector<Profile> launches;
};
// Runs words[0] with the arguments behind it in Timed mode; every launch leaves its profile in a
// folder of its own under `folder`. OPK-CLI-020: the program failed.
Result<ProfiledProgram> run_timed(const std::vector<std::string>& words,
                                  const std::filesystem::path& folder, uint64_t schedule_seed);

// OPK-CLI-019: an option that is for ops only; -020: the program failed.
Outcome profile_program(const Arguments& arguments, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_PROFILE_PROGRAM_H_
