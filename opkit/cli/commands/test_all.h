// opkit test --all: every installed op, one after the other, or several at once: on processes of
// this machine (--jobs), on ranks of MPI (mpirun).
#ifndef OPKIT_CLI_COMMANDS_TEST_ALL_H_
#define OPKIT_CLI_COMMANDS_TEST_ALL_H_

#include "opkit/cli/commands/make_singles.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/command.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

Flag all_flag();
Flag jobs_flag();

// OPK-CLI-003 without an op and without --all, -016 for what does not go with --all, or without it.
Status check_all_flag(const Arguments& arguments);

// REQUIRES: --all was given. kFailed when an op failed or could not be opened, or when none was
// tested. Goes on behind one that fails. `singles` makes what fused ops are compared with.
Outcome run_all(const Arguments& arguments, Console& console, MakeSingles singles);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_TEST_ALL_H_
