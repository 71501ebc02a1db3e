// Labels of samples: the class of each row of a model's outputs.
#ifndef OPKIT_CLI_MODELS_LABELS_H_
#define OPKIT_CLI_MODELS_LABELS_H_

#include <filesystem>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::cli {

// Reads a .npy of integers, or a text with a number per line, and splits it evenly among the
// samples. Error: OPK-QUANT-013 what is no number, or another count than a multiple of the samples.
Result<std::vector<std::vector<int64_t>>> read_labels(const std::filesystem::path& file,
                                                      size_t samples);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_LABELS_H_
