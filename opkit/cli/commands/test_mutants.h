// opkit test --mutants: grades the tests of an op by mistakes made in copies of its sources.
#ifndef OPKIT_CLI_COMMANDS_TEST_MUTANTS_H_
#define OPKIT_CLI_COMMANDS_TEST_MUTANTS_H_

#include <filesystem>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// --mutants and what goes with it.
std::vector<Flag> mutant_flags();

// OPK-CLI-003 for an option of mutants without --mutants, -016 for one that does not go with it.
Status check_mutant_flags(const Arguments& arguments);

// REQUIRES: --mutants was given. kFailed when too few mutants were found out; of a shard, which
// says too little of the rate, only where the run fails. `results`: where fates are kept, or empty.
Outcome run_mutants(const Arguments& arguments, const std::filesystem::path& results,
                    Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_COMMANDS_TEST_MUTANTS_H_
