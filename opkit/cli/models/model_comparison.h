// opkit compare --model: a model's fused ops beside the separate ones.
#ifndef OPKIT_CLI_MODELS_MODEL_COMPARISON_H_
#define OPKIT_CLI_MODELS_MODEL_COMPARISON_H_

#include <vector>

#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/command.h"
#include "opkit/cli/terminal/console.h"

namespace opkit::cli {

// --model, --input_shape and --top.
std::vector<Flag> model_comparison_flags();

// Shows the comparison. kFailed where the covers do not agree. Errors: OPK-CLI-003 flags of one op;
// those of the import and of compare_model.
Outcome compare_whole_model(const Arguments& arguments, Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_MODEL_COMPARISON_H_
