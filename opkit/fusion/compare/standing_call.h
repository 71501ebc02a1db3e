// StandingCall: a call whose tensors stay where they are from launch to launch, as in a model. Its
// seconds can be compared with those of a model's steps; a call that gets fresh tensors pays for
// their pages as well. Private to this folder.
#ifndef OPKIT_FUSION_COMPARE_STANDING_CALL_H_
#define OPKIT_FUSION_COMPARE_STANDING_CALL_H_

#include <vector>

#include "opkit/call/execute/executor.h"

namespace opkit::compare {

class StandingCall {
 public:
  // Takes copies of the call's inputs, as their formats store them. REQUIRES: `plan` is the call's.
  // Errors: OPK-TENSOR-001 the host has not that many addresses; PlacedCall::place's.
  static Result<StandingCall> of(const Invocation& call, const SharedPlan& plan);

  // Returns one launch, in seconds of this machine. Errors: Executor::watch_placed's; a kernel's
  // fault.
  Result<double> launch(Executor& executor, unsigned threads);

 private:
  StandingCall(std::vector<PortTensors> inputs, std::vector<PortTensors> outputs, Tensor workspace,
               PlacedCall call);

  std::vector<PortTensors> inputs_, outputs_;
  Tensor workspace_;
  PlacedCall call_;
};

}  // namespace opkit::compare

#endif  // OPKIT_FUSION_COMPARE_STANDING_CALL_H_
