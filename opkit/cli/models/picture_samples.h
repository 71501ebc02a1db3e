// Pictures as samples: files of JPEG and PNG, made into what a model takes by the AIPP settings
// that stand in front of it on a chip.
#ifndef OPKIT_CLI_MODELS_PICTURE_SAMPLES_H_
#define OPKIT_CLI_MODELS_PICTURE_SAMPLES_H_

#include <filesystem>
#include <vector>

#include "opkit/quantize/samples.h"

namespace opkit::cli {

// Reads `pictures`: a file, or a folder of them, taken in the order of their names; each has the
// size that the settings say, or without one the size that the model takes. `settings`: a
// configuration of static AIPP for RGB888_U8 or YUV400_U8. Errors: OPK-QUANT-001 there is no
// picture; OPK-QUANT-002 a model with several inputs or pictures of another size; E10001 settings
// that do not fit; those of the decoders.
Result<quantize::Samples> picture_samples(const std::filesystem::path& pictures,
                                          const std::filesystem::path& settings,
                                          const std::vector<quantize::Wanted>& inputs);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_PICTURE_SAMPLES_H_
