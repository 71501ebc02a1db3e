// Which steps of a model took longest on this machine.
#ifndef OPKIT_CLI_MODELS_STEP_TIMES_H_
#define OPKIT_CLI_MODELS_STEP_TIMES_H_

#include <cstdint>
#include <vector>

#include "opkit/cli/terminal/color.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/measure/bench/samples.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::cli {

// Holds what all frames say of one step of the model.
struct StepTime {
  size_t step = 0;  // its place in the plan
  measure::SampleSummary seconds;
};

// Summarises the `top` steps that took longest, by their median. `frames`: nanoseconds of each step
// in each frame. REQUIRES: not empty.
std::vector<StepTime> longest_steps(const std::vector<std::vector<uint64_t>>& frames, size_t top);

std::string steps_text(const model::OfflineModel& model, const model::Plan& plan,
                       const std::vector<StepTime>& steps, const Palette& palette);
Json steps_json(const model::OfflineModel& model, const model::Plan& plan,
                const std::vector<StepTime>& steps);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_STEP_TIMES_H_
