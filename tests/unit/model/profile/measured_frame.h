// A frame with known times: copies, two kernels, operators of the host between and behind them.
#ifndef OPKIT_TESTS_UNIT_MODEL_PROFILE_MEASURED_FRAME_H_
#define OPKIT_TESTS_UNIT_MODEL_PROFILE_MEASURED_FRAME_H_

#include "opkit/model/profile/model_profile.h"
#include "tests/unit/model/file/small_model.h"

namespace opkit::model_profile {

// small_model with kernels in place of its first and third step.
inline model::OfflineModel frame_model() {
  model::OfflineModel model = model::small_model();
  for (const size_t s : {0, 2}) {
    model.steps[s].kind = model::StepKind::kKernel;
    model.steps[s].plugin = 0;
    model.steps[s].block_dim = 3;
  }
  return model;
}

// The steps of the model's only plan, one after the other.
inline std::vector<model_run::RanStep> ran(const std::vector<uint64_t>& nanoseconds) {
  std::vector<model_run::RanStep> steps;
  for (const uint64_t own : nanoseconds)
    steps.push_back({model::kNoBody, 0, static_cast<uint32_t>(steps.size()), own});
  return steps;
}

struct Times {
  uint64_t launch = 0, busy = 1000;  // are times of each kernel
  uint64_t between = 0, behind = 0;  // are times of the host
  double link = 1e6;                 // copies take 1 ns
  bool memory_bound = false;
};

inline ModelProfile frame(const Times& times, const model::OfflineModel& model = frame_model()) {
  KernelTimes kernel{times.launch + times.busy, times.busy, 64, times.memory_bound};
  kernel.operations = 4096;
  kernel.of_roof = 0.75;
  return lay_out(model, 0, {kernel, kernel}, ran({7, times.between, 7, times.behind}), times.link);
}

}  // namespace opkit::model_profile

#endif  // OPKIT_TESTS_UNIT_MODEL_PROFILE_MEASURED_FRAME_H_
