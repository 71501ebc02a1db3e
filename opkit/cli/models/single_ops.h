// atc --singleop: a model for each operator of a JSON file.
#ifndef OPKIT_CLI_MODELS_SINGLE_OPS_H_
#define OPKIT_CLI_MODELS_SINGLE_OPS_H_

#include "opkit/cli/options/command.h"

namespace opkit::cli {

// Writes the models into the folder of --output, all or none. Errors: E10001 flags that are missing
// or are for models of graphs; the resolution's of an op that is not installed; those of
// read_single_ops and compile_single_op.
Outcome compile_single_ops(const Arguments& arguments, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_SINGLE_OPS_H_
