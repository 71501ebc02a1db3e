// Banks out of the files of all shards of one command.
#ifndef OPKIT_CLI_TUNING_MERGE_SHARDS_H_
#define OPKIT_CLI_TUNING_MERGE_SHARDS_H_

#include <string>
#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

struct MergedShards {
  size_t entries = 0;  // that joined banks
  size_t without = 0;  // jobs of which nothing that was tried is right
  Errors failed;       // jobs that could not be done
};

// Checks everything before it writes the first bank. Errors: OPK-TUNE-013 files of other jobs, a
// shard twice, or a job without a result; OPK-TUNE-004 another plugin is installed here.
Result<MergedShards> merge_shards(const std::vector<std::string>& files, const Arguments& arguments,
                                  Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TUNING_MERGE_SHARDS_H_
