// What the process's exit code means. docs/cli.md says the same.
#ifndef OPKIT_CLI_TERMINAL_EXIT_CODE_H_
#define OPKIT_CLI_TERMINAL_EXIT_CODE_H_

#include "opkit/base/status.h"

namespace opkit::cli {

inline constexpr int kOk = 0;
inline constexpr int kFailed = 1;       // what was checked, built or run is not right
inline constexpr int kUsage = 2;        // the command line is not right
inline constexpr int kEnvironment = 3;  // the machine is not: a tool, a directory, a file
inline constexpr int kInternal = 4;     // a defect of opkit

// Chooses the exit code by the area of the error's code: OPK-CLI is usage, OPK-ENV is environment,
// and so on.
int exit_code_of(const Error& error);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_EXIT_CODE_H_
