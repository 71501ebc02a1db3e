// Inputs of offline models as command lines name them: what model run, bench and profile share.
#ifndef OPKIT_CLI_MODELS_MODEL_INPUTS_H_
#define OPKIT_CLI_MODELS_MODEL_INPUTS_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::cli {

// --input NAME=FILE.
Flag model_input_flag(const std::string& help);

std::vector<std::string> names_of(const model::OfflineModel& model,
                                  const std::vector<uint32_t>& ends);

// "x=file.npy" by name; every name must be one of the model's (OPK-OM-007).
Result<std::map<std::string, std::string>> model_files(const Arguments& arguments,
                                                       const std::string& flag,
                                                       const std::vector<std::string>& names);

// --gear VALUES: of inputs without a file.
Flag gear_flag();

// Says what fills an input that no file was given for.
enum class WithoutFile {
  kRefused,   // OPK-OM-007
  kGenerated  // values from --seed, dims of the gear of --gear, else of the first that files fit
};
// Errors: OPK-CLI-004 a gear that the model does not have, or that a file does not fit.
Result<std::vector<Tensor>> model_inputs(const model::OfflineModel& model,
                                         const Arguments& arguments, WithoutFile without);

// Returns the gear that takes them. Error: OPK-OM-007.
Result<size_t> gear_of(const model::OfflineModel& model, const std::vector<Tensor>& inputs);

// ", gear 1,64"; of a model without gears nothing.
std::string gear_words(const std::vector<int64_t>& gear);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_MODEL_INPUTS_H_
