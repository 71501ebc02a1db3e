// Generated values for inputs without a file.
#ifndef OPKIT_CLI_OPTIONS_GENERATED_H_
#define OPKIT_CLI_OPTIONS_GENERATED_H_

#include "opkit/cli/options/tensor_source.h"

namespace opkit::cli {

// Values in the contract's range, or [-2, 2), that depend on the seed, the input's place and the
// element alone.
Filler uniform(uint64_t seed);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_OPTIONS_GENERATED_H_
