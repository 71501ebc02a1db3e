// Flags of commands that measure: how often, and on how much of the host.
#ifndef OPKIT_CLI_OPTIONS_SAMPLE_FLAGS_H_
#define OPKIT_CLI_OPTIONS_SAMPLE_FLAGS_H_

#include <vector>

#include "opkit/cli/options/command.h"

namespace opkit::cli {

// Returns --warm, --samples and --threads.
std::vector<Flag> sample_flags();

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_SAMPLE_FLAGS_H_
