// `opkit profile ./program`: the modelled time of every kernel that a stand-alone program launches.
#ifndef OPKIT_CLI_PROFILE_PROGRAM_H_
#define OPKIT_CLI_PROFILE_PROGRAM_H_

#include <string>

#include "opkit/cli/arguments.h"
#include "opkit/cli/command.h"
#include "opkit/cli/console.h"

namespace opkit::cli {

// The word is the path of a program: an executable file with a '/' in its name.
bool names_program(const std::string& word);

// OPK-CLI-019: an option that is for ops only; -020: the program failed.
Outcome profile_program(const Arguments& arguments, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_PROFILE_PROGRAM_H_
