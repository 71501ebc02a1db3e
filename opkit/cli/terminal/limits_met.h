// How the command line meets limits of the machine: with an error and exit code 3.
#ifndef OPKIT_CLI_TERMINAL_LIMITS_MET_H_
#define OPKIT_CLI_TERMINAL_LIMITS_MET_H_

#include <exception>
#include <optional>

#include "opkit/base/status.h"

namespace opkit::cli {

// Sees to limits of the shell: from now on a file that ulimit -f forbids is a write that fails, and
// processor time that ulimit -t ends is told: as a document on stdout with `json`, else on stderr.
void meet_limits(bool json);

// OPK-ENV-007 when what was thrown tells of the machine: no memory, thread, process, descriptor or
// space.
std::optional<Error> lack_of(const std::exception& failure);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_LIMITS_MET_H_
