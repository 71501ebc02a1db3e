// What tunings leave: measurements in a store, banks beside packages.
#ifndef OPKIT_CLI_TUNING_TUNE_FILES_H_
#define OPKIT_CLI_TUNING_TUNE_FILES_H_

#include <filesystem>

#include "opkit/cli/options/arguments.h"
#include "opkit/tuning/tune.h"

namespace opkit::cli {

// Adds the entries of `found` to the bank in this file, whoever else writes it at the same time.
// Errors: OPK-FILE's; OPK-TUNE-003 a file that is no bank.
Status write_entry(const std::filesystem::path& file, const Bank& found);

// Where measurements are kept: --store, else a file of the user's cache.
std::filesystem::path store_file(const Arguments& arguments);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_TUNE_FILES_H_
