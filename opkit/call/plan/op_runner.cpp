#include "opkit/call/plan/op_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "opkit/call/plan/poison.h"
#include "opkit/call/plan/workspace.h"

namespace opkit {
namespace {

std::vector<std::vector<void*>> addresses_of(std::vector<PortTensors>& ports) {
  std::vector<std::vector<void*>> all;
  for (PortTensors& tensors : ports) {
    std::vector<void*>& port = all.emplace_back();
    for (Tensor& tensor : tensors) port.push_back(tensor.data());
  }
  return all;
}

// Tells from what an output begins; with values of its own that is not for the caller to say.
std::string_view beginning_of(const CallPlan& plan, size_t output) {
  if (plan.replaced_by(output)) return "takes the memory of an input, and starts from that";
  return plan.initial[output] ? "has an InitValue, with which every launch starts" : "";
}

}  // namespace

Status check_inputs(const CallPlan& plan, const std::vector<PortTensors>& inputs) {
  const OpContract& contract = *plan.contract;
  const auto refuse = [&](size_t port, const std::string& what) {
    return contract.error("OPK-RUN-010",
                          fmt::format("input '{}' {}", contract.inputs[port].name, what),
                          "plan the call anew for these tensors");
  };
  for (size_t p = 0; p < plan.input_layouts.size(); ++p) {
    const PortLayouts& layouts = plan.input_layouts[p];
    const size_t given = p < inputs.size() ? inputs[p].size() : 0;
    if (given != layouts.size())
      return refuse(p, fmt::format("is {} tensors, {} are planned", given, layouts.size()));
    for (size_t t = 0; t < given; ++t) {
      const Tensor& tensor = inputs[p][t];
      if (tensor.dtype() == layouts[t].dtype() && tensor.shape() == layouts[t].origin()) continue;
      return refuse(p, fmt::format("is {} {}, planned is {} {}", name_of(tensor.dtype()),
                                   tensor.shape().to_string(), name_of(layouts[t].dtype()),
                                   layouts[t].origin().to_string()));
    }
  }
  return {};
}

Status check_initial(const CallPlan& plan, const std::vector<PortTensors>& initial) {
  const OpContract& contract = *plan.contract;
  for (size_t o = 0; o < initial.size() && o < plan.output_layouts.size(); ++o) {
    if (initial[o].empty()) continue;
    const PortLayouts& layouts = plan.output_layouts[o];
    std::string wrong(beginning_of(plan, o));
    if (initial[o].size() != layouts.size())
      wrong = fmt::format("is {} tensors, {} are given to start from", layouts.size(),
                          initial[o].size());
    for (size_t t = 0; wrong.empty() && t < layouts.size(); ++t) {
      const Tensor& from = initial[o][t];
      if (from.dtype() == layouts[t].dtype() && from.shape() == layouts[t].origin()) continue;
      wrong = fmt::format("is {} {}, and is to start from {} {}", name_of(layouts[t].dtype()),
                          layouts[t].origin().to_string(), name_of(from.dtype()),
                          from.shape().to_string());
    }
    if (wrong.empty()) continue;
    return contract.error("OPK-RUN-012",
                          fmt::format("output '{}' {}", contract.outputs[o].name, wrong),
                          "give a tensor of the output's dtype and shape, or none");
  }
  return {};
}

struct PreparedRun::State {
  core::Machine* machine = nullptr;
  std::shared_ptr<const CallPlan> plan;
  bool dry = false;                          // the memory is address space only
  std::vector<PortTensors> inputs, outputs;  // hold tensors as the bytes lie
  std::vector<PortTensors> initial;          // likewise, of outputs that start from something
  Workspace workspace;
  std::optional<PlacedCall> placed;

  Status allocate();
  Status place();
};

Status PreparedRun::State::allocate() {
  const auto make = [this](DType dtype, const Shape& shape, const std::string& name) {
    return dry ? Tensor::reserved(dtype, shape, name) : Result<Tensor>(Tensor(dtype, shape, name));
  };
  for (size_t o = 0; o < plan->output_layouts.size(); ++o) {
    PortTensors& tensors = outputs.emplace_back();
    for (const StorageLayout& layout : plan->output_layouts[o]) {
      OPKIT_TRY(Tensor tensor,
                make(layout.dtype(), layout.storage(), plan->contract->outputs[o].name));
      tensor.desc().format = layout.format();
      tensors.push_back(std::move(tensor));
    }
  }
  OPKIT_TRY(workspace, Workspace::make(plan->tiling.workspace_bytes(), dry));
  return {};
}

Status PreparedRun::State::place() {
  CallAddresses addresses;
  addresses.inputs = addresses_of(inputs);
  addresses.outputs = addresses_of(outputs);
  addresses.workspace = workspace.data();
  addresses.have_tails = addresses.own_inputs = true;
  for (const PortTensors& port : initial) addresses.defined.push_back(!port.empty());
  OPKIT_TRY(placed, PlacedCall::place(plan, addresses));
  return {};
}

PreparedRun::PreparedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedRun::PreparedRun(PreparedRun&&) noexcept = default;
PreparedRun& PreparedRun::operator=(PreparedRun&&) noexcept = default;
PreparedRun::~PreparedRun() = default;

const CallPlan& PreparedRun::call() const { return *state_->plan; }
const std::shared_ptr<const CallPlan>& PreparedRun::shared_plan() const { return state_->plan; }
const std::vector<PortTensors>& PreparedRun::inputs() const { return state_->inputs; }
const std::vector<PortTensors>& PreparedRun::outputs() const { return state_->outputs; }
const std::vector<core::GmRange>& PreparedRun::gm() const { return state_->placed->gm(); }
std::vector<PortTensors> PreparedRun::origin_inputs() const {
  return to_origin(state_->inputs, input_layouts());
}
std::vector<PortTensors> PreparedRun::origin_outputs() const {
  return to_origin(state_->outputs, output_layouts());
}

std::vector<PortTensors> PreparedRun::take_inputs() {
  return to_origin(std::move(state_->inputs), input_layouts());
}
std::vector<PortTensors> PreparedRun::take_outputs() {
  return to_origin(std::move(state_->outputs), output_layouts());
}

void PreparedRun::poison() {
  for (size_t o = 0; o < state_->outputs.size(); ++o) {
    const auto input = state_->plan->replaced_by(o);
    const PortTensors& source = input ? state_->inputs[*input] : state_->initial[o];
    for (size_t t = 0; t < state_->outputs[o].size(); ++t) {
      Tensor& tensor = state_->outputs[o][t];
      if (t < source.size()) {
        std::memcpy(tensor.data(), source[t].data(),
                    std::min(tensor.size_bytes(), source[t].size_bytes()));
      } else {
        std::memset(tensor.data(), kPoison, tensor.size_bytes());
      }
    }
  }
  state_->workspace.poison();
}

core::LaunchReport PreparedRun::launch(core::Observer* observer, uint64_t schedule_seed) {
  return state_->placed->launch(*state_->machine, {observer, schedule_seed, state_->dry});
}

OpRunner::OpRunner(const SocSpec& soc, unsigned threads, uint32_t local_memory_factor)
    : soc_(soc), abi_(to_abi(soc)) {
  for (int memory = OPK_MEM_UB; memory < OPK_MEM_COUNT; ++memory)
    abi_.memory_size[memory] *= local_memory_factor;
  machine_ = std::make_unique<core::Machine>(abi_, threads);
}
OpRunner::~OpRunner() = default;

Result<PreparedRun> OpRunner::bind_memory(std::shared_ptr<const CallPlan> plan,
                                          std::vector<PortTensors> inputs, bool dry,
                                          std::vector<PortTensors> initial) {
  auto state = std::make_unique<PreparedRun::State>();
  inputs.resize(plan->input_layouts.size());
  OPKIT_CHECK(check_inputs(*plan, inputs));
  OPKIT_TRY(state->inputs, to_storage(std::move(inputs), plan->input_layouts));
  initial.resize(plan->output_layouts.size());
  OPKIT_CHECK(check_initial(*plan, initial));
  OPKIT_TRY(state->initial, to_storage(std::move(initial), plan->output_layouts));
  state->machine = machine_.get();
  state->plan = std::move(plan);
  state->dry = dry;
  OPKIT_CHECK(state->allocate());
  OPKIT_CHECK(state->place());
  return PreparedRun(std::move(state));
}

}  // namespace opkit
