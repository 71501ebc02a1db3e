// OpRunner: calls of ops on one emulated chip, with tensors: plan, bind memory, launch.
#ifndef OPKIT_CALL_PLAN_OP_RUNNER_H_
#define OPKIT_CALL_PLAN_OP_RUNNER_H_

#include <memory>
#include <vector>

#include "opkit/base/tensor.h"
#include "opkit/call/plan/call_plan.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/contract/op_contract.h"
#include "opkit/core/machine.h"

namespace opkit {

// Checks whether tensors are those that the call was planned for. OPK-RUN-010: a dtype, dims or a
// number of tensors is another one.
Status check_inputs(const CallPlan& plan, const std::vector<PortTensors>& inputs);
// Checks the tensors that outputs start from; an empty port starts from nothing. OPK-RUN-012.
Status check_initial(const CallPlan& plan, const std::vector<PortTensors>& initial);

// A planned call with tensors of its own; launching it allocates nothing.
class PreparedRun {
 public:
  const CallPlan& call() const;
  const std::shared_ptr<const CallPlan>& shared_plan() const;
  const Binding& binding() const { return call().binding; }
  const TilingPlan& plan() const { return call().tiling; }
  // As the bytes lie in GM: in their formats' storage.
  const std::vector<PortTensors>& inputs() const;
  const std::vector<PortTensors>& outputs() const;
  // Returns the inputs as the model's author sees them: dense, without padding. Copies.
  std::vector<PortTensors> origin_inputs() const;
  std::vector<PortTensors> origin_outputs() const;
  // Takes the inputs where no launch comes any more: dense tensors move.
  std::vector<PortTensors> take_inputs();
  std::vector<PortTensors> take_outputs();
  // How each of these tensors is laid out.
  const std::vector<PortLayouts>& input_layouts() const { return call().input_layouts; }
  const std::vector<PortLayouts>& output_layouts() const { return call().output_layouts; }

  // Fills outputs and workspace with a byte that is a NaN in every float type; in-place outputs get
  // their input, others their initial tensors.
  void poison();
  // Runs one launch. observer = nullptr: Fast. Outputs keep what earlier launches left.
  // schedule_seed: core::LaunchRequest's.
  core::LaunchReport launch(core::Observer* observer = nullptr, uint64_t schedule_seed = 0);
  // Returns the GM ranges that the kernel may touch, as the launch tells the engine.
  const std::vector<core::GmRange>& gm() const;

  PreparedRun(PreparedRun&&) noexcept;
  PreparedRun& operator=(PreparedRun&&) noexcept;
  ~PreparedRun();

 private:
  friend class OpRunner;
  struct State;
  explicit PreparedRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

class OpRunner {
 public:
  // threads = 0: one per host core. The spec must outlive the runner (find_soc's specs do).
  // local_memory_factor: kernels find on-chip memories that many times larger than the chip's, of
  // which tiling functions are told. Shows how much a kernel that does not fit would take.
  explicit OpRunner(const SocSpec& soc, unsigned threads = 0, uint32_t local_memory_factor = 1);
  ~OpRunner();

  const SocSpec& soc() const { return soc_; }
  core::Machine& machine() { return *machine_; }

  // Makes tensors for a plan that was made for this chip: the inputs, laid out; outputs and
  // workspace. dry: outputs and workspace get addresses without memory, for launches that move no
  // data; such a call is never poisoned. initial: per output port the tensors that it starts from,
  // dense; none: poison. Errors: OPK-RUN-010 an input's dtype or dims are not the plan's;
  // OPK-RUN-012 an initial output that the call cannot have; OPK-RUN-005, OPK-TENSOR-001 the host
  // has not that many addresses.
  Result<PreparedRun> bind_memory(std::shared_ptr<const CallPlan> plan,
                                  std::vector<PortTensors> inputs, bool dry = false,
                                  std::vector<PortTensors> initial = {});

 private:
  const SocSpec& soc_;
  opk_soc_v1 abi_;
  std::unique_ptr<core::Machine> machine_;
};

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_OP_RUNNER_H_
