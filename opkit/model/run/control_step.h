// Steps that run bodies: If, Loop and Scan. Private to this folder.
#ifndef OPKIT_MODEL_RUN_CONTROL_STEP_H_
#define OPKIT_MODEL_RUN_CONTROL_STEP_H_

#include <functional>
#include <vector>

#include "opkit/model/run/host_step.h"

namespace opkit::model_run {

// A body and where its inputs and outputs lie.
struct BodyEnds {
  const model::Plan* plan = nullptr;
  std::vector<std::byte*> inputs, outputs;
};
// Runs body `number` of the step once; `iteration` counts from 0.
using RunBody = std::function<Status(size_t number, uint64_t iteration)>;

// Brings operands to the bodies, runs them as data decide, and brings results back. REQUIRES:
// model::check_control. Errors: those of `run`; OPK-OM-008 as many iterations as nobody stacks
// results of.
Status run_control(const model::Step& step, const std::vector<Located>& in,
                   const std::vector<Located>& out, const std::vector<BodyEnds>& bodies,
                   const RunBody& run);

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_CONTROL_STEP_H_
