#include "opkit/fusion/compare/standing_call.h"

#include <cstring>
#include <utility>

#include "opkit/call/execute/execution.h"
#include "opkit/call/plan/stored_call.h"
#include "opkit/model/run/device_memory.h"

namespace opkit::compare {
namespace {

Result<std::vector<PortTensors>> rooms_for(const std::vector<PortLayouts>& ports) {
  std::vector<PortTensors> rooms;
  for (const PortLayouts& port : ports) {
    rooms.emplace_back();
    for (const StorageLayout& layout : port) {
      OPKIT_TRY(Tensor room, model_run::device_memory(stored_bytes(layout)));
      rooms.back().push_back(std::move(room));
    }
  }
  return rooms;
}

std::vector<std::vector<void*>> addresses_of(std::vector<PortTensors>& ports) {
  std::vector<std::vector<void*>> addresses;
  for (PortTensors& port : ports) {
    addresses.emplace_back();
    for (Tensor& tensor : port) addresses.back().push_back(tensor.data());
  }
  return addresses;
}

}  // namespace

StandingCall::StandingCall(std::vector<PortTensors> inputs, std::vector<PortTensors> outputs,
                           Tensor workspace, PlacedCall call)
    : inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      workspace_(std::move(workspace)),
      call_(std::move(call)) {}

Result<StandingCall> StandingCall::of(const Invocation& call, const SharedPlan& plan) {
  OPKIT_TRY(const std::vector<PortTensors> stored, to_storage(call.inputs, plan->input_layouts));
  OPKIT_TRY(std::vector<PortTensors> inputs, rooms_for(plan->input_layouts));
  for (size_t p = 0; p < inputs.size(); ++p) {
    for (size_t i = 0; i < inputs[p].size(); ++i)
      std::memcpy(inputs[p][i].data(), stored[p][i].data(), stored[p][i].size_bytes());
  }
  OPKIT_TRY(std::vector<PortTensors> outputs, rooms_for(plan->output_layouts));
  OPKIT_TRY(Tensor workspace, model_run::device_memory(plan->tiling.workspace_bytes()));
  const CallAddresses addresses{.inputs = addresses_of(inputs),
                                .outputs = addresses_of(outputs),
                                .workspace = workspace.data(),
                                .have_tails = true};
  OPKIT_TRY(PlacedCall placed, PlacedCall::place(plan, addresses));
  return StandingCall(std::move(inputs), std::move(outputs), std::move(workspace),
                      std::move(placed));
}

Result<double> StandingCall::launch(Executor& executor, unsigned threads) {
  const CallPlan& plan = call_.plan();
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const auto input = plan.replaced_by(o);
    for (size_t i = 0; input && i < outputs_[o].size(); ++i)
      std::memcpy(outputs_[o][i].data(), inputs_[*input][i].data(), outputs_[o][i].size_bytes());
  }
  OPKIT_TRY(const Observation seen, executor.watch_placed(call_, {}, threads));
  OPKIT_CHECK(first_mistake(seen.watched, plan.contract->op, seen.places));
  return seen.seconds;
}

}  // namespace opkit::compare
