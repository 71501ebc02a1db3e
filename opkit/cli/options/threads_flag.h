// --threads of commands that launch kernels.
#ifndef OPKIT_CLI_OPTIONS_THREADS_FLAG_H_
#define OPKIT_CLI_OPTIONS_THREADS_FLAG_H_

#include "opkit/cli/options/command.h"

namespace opkit::cli {

inline Flag threads_flag() {
  return {.name = "--threads",
          .value = "N",
          .help = "host threads; 0: one per CPU",
          .integer = true,
          .most = 1024,
          .preset = "0"};
}

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_THREADS_FLAG_H_
