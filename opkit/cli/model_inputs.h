// Inputs of offline models as command lines name them: what model run, bench and profile share.
#ifndef OPKIT_CLI_MODEL_INPUTS_H_
#define OPKIT_CLI_MODEL_INPUTS_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/cli/arguments.h"
#include "opkit/model/offline_model.h"

namespace opkit::cli {

// --input NAME=FILE.
Flag model_input_flag(const std::string& help);

std::vector<std::string> names_of(const model::OfflineModel& model,
                                  const std::vector<uint32_t>& ends);

// "x=file.npy" by name; every name must be one of the model's (OPK-OM-007).
Result<std::map<std::string, std::string>> model_files(const Arguments& arguments,
                                                       const std::string& flag,
                                                       const std::vector<std::string>& names);

// Of an input without a file.
enum class WithoutFile {
  kRefused,   // OPK-OM-007
  kGenerated  // values from --seed, dims of the first gear
};
Result<std::vector<Tensor>> model_inputs(const model::OfflineModel& model,
                                         const Arguments& arguments, WithoutFile without);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODEL_INPUTS_H_
