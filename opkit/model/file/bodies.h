// Which bodies the control steps of a model run, and how operands and results of such a step belong
// to them.
#ifndef OPKIT_MODEL_FILE_BODIES_H_
#define OPKIT_MODEL_FILE_BODIES_H_

#include <map>
#include <tuple>
#include <vector>

#include "opkit/model/file/offline_model.h"

namespace opkit::model {

// Returns the plan that holds the step which runs the body.
const Plan& holder_of(const OfflineModel& model, const Body& body);

// The bodies of each control step, in order.
class StepBodies {
 public:
  // REQUIRES: every body lies in a plan that exists. `model` outlives this.
  explicit StepBodies(const OfflineModel& model);
  // Returns the bodies of a step in body `inside` (kNoBody: in the gear's plan). Other steps have
  // none.
  const std::vector<uint32_t>& of(uint32_t gear, uint32_t inside, size_t step) const;

 private:
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<uint32_t>> all_;
};

// How many of a control step's operands, and of a body's inputs and outputs, are what. Operands:
// the number of iterations and the condition of a Loop, or the condition of an If; carried values;
// what a Scan goes through; captured values.
struct ControlPorts {
  size_t conditions = 0;  // operands in front
  size_t counters = 0;    // inputs of the body in front
  size_t answers = 0;     // outputs of the body in front: whether a Loop goes on
  size_t carried = 0, slices = 0, captured = 0, stacked = 0;
};
// Error: OPK-OM-004, the body does not fit the step.
Result<ControlPorts> control_ports(const Step& step, const Plan& body);

// Error: OPK-OM-004, dtypes or dims of the step and its bodies do not fit each other. REQUIRES: the
// tensors that both name exist.
Status check_control(const Step& step, const Plan& plan, const std::vector<const Plan*>& bodies);

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_BODIES_H_
