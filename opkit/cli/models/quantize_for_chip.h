// opkit quantize --soc and --budget: what int8 is worth on a chip, and which layers compute in it.
#ifndef OPKIT_CLI_MODELS_QUANTIZE_FOR_CHIP_H_
#define OPKIT_CLI_MODELS_QUANTIZE_FOR_CHIP_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/quantize/quantize_model.h"
#include "opkit/quantize/samples.h"

namespace opkit::cli {

std::vector<Flag> chip_flags();
// Error: OPK-CLI-003 a budget without a chip or without data; OPK-CLI-004 another form of it.
Status check_chip_flags(const Arguments& arguments);

struct ForChip {
  Json json = Json::object();
  std::string text;
  std::optional<quantize::Int8Model> mixed;  // is made with --budget: says which layers are int8
  std::string keep_dtype;                    // names of the layers that stay float32, for atc
};

// Weighs the models whose bytes are `plain` and `int8`. Errors: those of the chip and the registry;
// OPK-QUANT-014 no mix keeps the budget.
Result<ForChip> quantize_for_chip(const std::string& plain, const std::string& int8,
                                  const quantize::Walk& walk,
                                  const quantize::Int8Model& quantization,
                                  const quantize::Samples* samples, const Arguments& arguments,
                                  Console& console);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_QUANTIZE_FOR_CHIP_H_
