// Offline models for people and programs.
#ifndef OPKIT_CLI_MODELS_OM_TEXT_H_
#define OPKIT_CLI_MODELS_OM_TEXT_H_

#include <string>

#include "opkit/cli/terminal/color.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::cli {

// Tells everything of a model but the weights' values.
Json om_json(const model::OfflineModel& model);
// In the blocks of the vendor's --mode=6.
std::string om_info_text(const model::OfflineModel& model);
// Inputs, outputs, plugins and steps.
std::string om_text(const model::OfflineModel& model, const Palette& palette);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_OM_TEXT_H_
