// What a model's profile says: as text and as JSON.
#ifndef OPKIT_CLI_MODELS_MODEL_PROFILE_TEXT_H_
#define OPKIT_CLI_MODELS_MODEL_PROFILE_TEXT_H_

#include <string>
#include <vector>

#include "opkit/cli/terminal/console.h"
#include "opkit/model/profile/diagnosis.h"

namespace opkit::cli {

// Returns the profile for people: the `top` longest steps; `runs` says where plugins ran.
std::string profile_text(const model_profile::ModelProfile& profile,
                         const std::vector<model_profile::Symptom>& patterns, size_t top,
                         const std::string& runs, const Palette& palette);
Json profile_json(const model_profile::ModelProfile& profile,
                  const std::vector<model_profile::Symptom>& patterns, size_t top,
                  const std::string& runs);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_MODEL_PROFILE_TEXT_H_
