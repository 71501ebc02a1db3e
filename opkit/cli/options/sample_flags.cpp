#include "opkit/cli/options/sample_flags.h"

#include "opkit/cli/options/threads_flag.h"

namespace opkit::cli {

std::vector<Flag> sample_flags() {
  return {{.name = "--warm",
           .value = "N",
           .help = "launches before those that count",
           .integer = true,
           .most = 100000,
           .preset = "3"},
          {.name = "--samples",
           .value = "N",
           .help = "launches that count",
           .integer = true,
           .least = 1,
           .most = 1000000,
           .preset = "50"},
          threads_flag()};
}

}  // namespace opkit::cli
