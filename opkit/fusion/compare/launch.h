// Launch: one launch under the model of time.
#ifndef OPKIT_FUSION_COMPARE_LAUNCH_H_
#define OPKIT_FUSION_COMPARE_LAUNCH_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/core/modes/timed.h"

namespace opkit::compare {

struct ModelledLaunch {
  std::string op;  // "MatMul"
  uint64_t ns = 0;
  uint64_t gm_bytes = 0;  // read and written
  bool exact = true;      // the model of time watched every instruction
  // Holds for each pipe the share of the launch in which it is busy, over the cores that use it;
  // the larger one of cube and vector cores.
  std::array<double, core::kTimedPipes> busy{};
  // By the names of the reference's values; those that copies touch. Empty: not known.
  std::vector<core::TensorTraffic> tensors;

  size_t busiest() const;  // pipe
};

// What the tensors of a port are called in the reference, by the port's name.
using TensorNames = std::map<std::string, std::vector<std::string>>;

// Error: Executor::cost's.
Result<ModelledLaunch> modelled(const std::string& op, Executor& executor, const SharedPlan& plan,
                                const TensorNames& names);
// Models an op that does what its data say: with them, on measured chips only. Error:
// Executor::watch's, that of a fault.
Result<ModelledLaunch> modelled_on_data(const Invocation& call, Executor& executor);

}  // namespace opkit::compare

#endif  // OPKIT_FUSION_COMPARE_LAUNCH_H_
