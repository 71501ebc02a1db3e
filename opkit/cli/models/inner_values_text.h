// What opkit model compare tells: text, JSON, and a page with a plot.
#ifndef OPKIT_CLI_MODELS_INNER_VALUES_TEXT_H_
#define OPKIT_CLI_MODELS_INNER_VALUES_TEXT_H_

#include <string>

#include "opkit/base/json.h"
#include "opkit/cli/terminal/color.h"
#include "opkit/quantize/compare_models.h"

namespace opkit::cli {

struct ComparedFiles {
  std::string a, b;
};

Json inner_values_json(const quantize::ModelComparison& comparison, const ComparedFiles& files);
// Returns the comparison for people, with `rows` rows of the ranking; 0: all.
std::string inner_values_text(const quantize::ModelComparison& comparison, size_t rows,
                              const Palette& palette);
// Returns a page without scripts: what the text says, and error along the network as SVG.
std::string inner_values_page(const quantize::ModelComparison& comparison,
                              const ComparedFiles& files);

// "layer conv1 (Conv)"
std::string layer_of(const quantize::ComparedValue& value);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_INNER_VALUES_TEXT_H_
