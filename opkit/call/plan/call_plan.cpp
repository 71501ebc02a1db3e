#include "opkit/call/plan/call_plan.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "opkit/call/declared/declaration.h"
#include "opkit/call/plan/initial_value.h"
#include "opkit/call/tiling/author_infer.h"
#include "opkit/contract/tuning.h"
#include "opkit/core/replay/replay.h"

namespace opkit {
namespace {

// Returns the elements of a value-dependent input, which it must bring along.
Result<Tensor> value_of(const OpContract& contract, const Port& port, const InputFacts& input) {
  OPKIT_TRY(const int64_t elements, input.desc.shape.checked_elements());
  const uint64_t bytes = bytes_of(input.desc.dtype, static_cast<uint64_t>(elements));
  if (input.value.size() != bytes) {
    return contract.error(
        "OPK-RUN-007",
        fmt::format("the values of input '{}' decide what the call does: {} bytes are needed, {} "
                    "are given",
                    port.name, bytes, input.value.size()),
        fmt::format("give the elements of '{}'", port.name));
  }
  Tensor value(input.desc.dtype, input.desc.shape, input.desc.name);
  value.desc().format = input.desc.format;
  if (bytes > 0) std::memcpy(value.data(), input.value.data(), bytes);
  return value;
}

std::vector<int64_t> integers_of(const Tensor& value) {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < value.elements(); ++i) all.push_back(static_cast<int64_t>(value.at(i)));
  return all;
}

// Consults the author: what the contract leaves open comes from the author's InferShape; what both
// say must agree.
Status consult_author(const opk_op_v1& op, const OpCall& call, std::vector<PortFacts>& inferred) {
  if (!op.infer_shape && !op.infer_dtype) return {};
  OPKIT_TRY(const std::vector<AuthorOutput> author, call_infer(op, call));
  std::vector<TensorDesc> expected;
  size_t next = 0;
  for (PortFacts& port : inferred) {
    for (TensorFacts& tensor : port) {
      const AuthorOutput& said = author[next++];
      if (said.shape && !is_known(tensor.desc.shape)) tensor.desc.shape = *said.shape;
      expected.push_back(tensor.desc);
    }
  }
  return cross_check(op, author, expected);
}

// An opaque output in the memory of an input has the shapes of that input.
void take_over_shapes(const OpContract& contract,
                      const std::vector<std::vector<InputFacts>>& inputs,
                      std::vector<PortFacts>& inferred) {
  for (size_t o = 0; o < inferred.size(); ++o) {
    const Port& port = contract.outputs[o];
    if (!port.shape.opaque || port.inplace.empty()) continue;
    const auto from = static_cast<size_t>(contract.input(port.inplace) - contract.inputs.data());
    for (size_t t = 0; from < inputs.size() && t < inferred[o].size(); ++t) {
      if (t < inputs[from].size()) inferred[o][t].desc.shape = inputs[from][t].desc.shape;
    }
  }
}

class Planner {
 public:
  Planner(const OpContract& contract, const opk_op_v1& op, const SocSpec& soc,
          const CallFacts& facts)
      : contract_(contract), op_(op), facts_(facts) {
    plan_.contract = &contract;
    plan_.op = &op;
    plan_.soc = &soc;
  }

  Result<CallPlan> run() {
    knobs_ = split_knobs(facts_.attrs).knobs;
    OPKIT_CHECK(check_knobs(contract_, knobs_));
    OPKIT_CHECK(check_declared());
    OPKIT_CHECK(bind_inputs());
    OPKIT_TRY(inferred_, infer(contract_, plan_.binding));
    take_over_shapes(contract_, facts_.inputs, inferred_);
    OPKIT_TRY(const bool all_said, apply_said(contract_, facts_.output_shapes, inferred_));
    OPKIT_CHECK(store_inputs());
    if (!all_said) OPKIT_CHECK(consult_author(op_, call_, inferred_));
    OPKIT_CHECK(store_outputs());
    OPKIT_CHECK(tile_call());
    for (size_t o = 0; o < contract_.outputs.size(); ++o) {
      OPKIT_TRY(const std::optional<double> value,
                initial_value(op_, contract_, o, plan_.binding.column, *plan_.soc));
      // "otherwise, the initialization does not take effect" (page "InitValue").
      plan_.initial.push_back(plan_.tiling.need_atomic ? value : std::nullopt);
    }
    plan_.replay = make_replay();
    return std::move(plan_);
  }

 private:
  const std::vector<InputFacts>& inputs(size_t port) const {
    static const std::vector<InputFacts> kNone;
    return port < facts_.inputs.size() ? facts_.inputs[port] : kNone;
  }

  Status check_declared() const {
    if (!op_.declared) return {};
    const Errors differences = check_declaration(*op_.declared, contract_);
    return differences.empty() ? Status() : Status(differences.front());
  }

  Status bind_inputs() {
    std::vector<PortFacts> known;
    plan_.values.resize(contract_.inputs.size());
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      const Port& port = contract_.inputs[p];
      PortFacts& tensors = known.emplace_back();
      for (const InputFacts& input : inputs(p)) {
        TensorFacts facts;
        facts.desc = input.desc;
        facts.desc.name = port.name;
        if (port.value_depend) {
          if (!is_known(input.desc.shape)) return unknown_input(p, input.desc);
          OPKIT_TRY(Tensor value, value_of(contract_, port, input));
          if (!is_float(input.desc.dtype)) facts.values = integers_of(value);
          plan_.values[p].push_back(std::move(value));
        }
        tensors.push_back(std::move(facts));
      }
    }
    OPKIT_TRY(plan_.binding, bind_facts(contract_, known, facts_.attrs));
    return {};
  }

  Status store_inputs() {
    std::vector<std::vector<TensorDesc>> descs;
    for (size_t p = 0; p < contract_.inputs.size(); ++p) {
      std::vector<TensorDesc>& port = descs.emplace_back();
      for (const InputFacts& input : inputs(p)) {
        if (!is_known(input.desc.shape)) return unknown_input(p, input.desc);
        port.push_back(input.desc);
        port.back().format = contract_.inputs[p].formats[plan_.binding.column];
      }
    }
    OPKIT_TRY(plan_.input_layouts, layouts_of(contract_, contract_.inputs, descs));
    OPKIT_TRY(plan_.values, to_storage(std::move(plan_.values), plan_.input_layouts));
    call_ =
        make_call(contract_, plan_.binding, descs, plan_.input_layouts, plan_.values, inferred_);
    for (const auto& [name, value] : knobs_)
      call_.attrs.push_back({name, std::get<int64_t>(value)});
    return {};
  }

  Error unknown_input(size_t input, const TensorDesc& desc) const {
    return contract_.error("OPK-RUN-008",
                           fmt::format("the shape of input '{}' is not known: {}",
                                       contract_.inputs[input].name, desc.to_string()),
                           "give every dim of every input a number");
  }

  Status store_outputs() {
    std::vector<std::vector<TensorDesc>> descs;
    for (size_t o = 0; o < inferred_.size(); ++o) {
      std::vector<TensorDesc>& port = descs.emplace_back();
      for (const TensorFacts& tensor : inferred_[o]) {
        if (!is_known(tensor.desc.shape)) return unknown_output(o, tensor);
        port.push_back(tensor.desc);
      }
    }
    OPKIT_TRY(plan_.output_layouts, layouts_of(contract_, contract_.outputs, descs));
    tell_outputs(call_, plan_.output_layouts);
    return {};
  }

  Error unknown_output(size_t output, const TensorFacts& tensor) const {
    return contract_.error(
        "OPK-RUN-003",
        fmt::format("the shape of output '{}' is not known before the kernel runs: {}",
                    contract_.outputs[output].name, tensor.desc.to_string()),
        fmt::format("give the output a shape expression, or an InferShape function that knows it; "
                    "opkit run and opkit profile take --out-shape {}=...",
                    contract_.outputs[output].name));
  }

  Status tile_call() {
    const size_t column = plan_.binding.column;
    OPKIT_TRY(plan_.tiling, tile(op_, call_, *plan_.soc, static_cast<uint32_t>(column)));
    if (plan_.tiling.kernel) return {};
    return contract_.error("OPK-RUN-002",
                           fmt::format("the plugin holds no kernel for column {} and tiling key {}",
                                       contract_.column_name(column), plan_.tiling.key),
                           "build the op again from its contract");
  }

  const OpContract& contract_;
  const opk_op_v1& op_;
  const CallFacts& facts_;
  AttrValues knobs_;
  CallPlan plan_;
  std::vector<PortFacts> inferred_;
  OpCall call_;  // borrows plan_.values
};

}  // namespace

CallFacts facts_of(const OpContract& contract, const std::vector<PortTensors>& inputs) {
  CallFacts facts;
  for (size_t p = 0; p < inputs.size(); ++p) {
    const bool steers = p < contract.inputs.size() && contract.inputs[p].value_depend;
    std::vector<InputFacts>& port = facts.inputs.emplace_back();
    for (const Tensor& tensor : inputs[p]) {
      port.push_back({tensor.desc(), {}});
      if (steers) port.back().value = tensor.bytes();
    }
  }
  return facts;
}

std::optional<size_t> CallPlan::replaced_by(size_t output) const {
  const std::string& inplace = contract->outputs[output].inplace;
  for (size_t p = 0; p < contract->inputs.size() && !inplace.empty(); ++p) {
    if (contract->inputs[p].name == inplace) return p;
  }
  return std::nullopt;
}

std::vector<CallBuffer> CallPlan::buffers() const {
  std::vector<CallBuffer> all;
  const auto add = [&](CallBuffer::Role role, size_t port, const PortLayouts& layouts,
                       std::optional<size_t> replaces) {
    for (size_t t = 0; t < layouts.size(); ++t)
      all.push_back({role, port, t, stored_bytes(layouts[t]), replaces});
  };
  std::vector<bool> replaced(input_layouts.size());
  for (size_t o = 0; o < output_layouts.size(); ++o) {
    if (const auto input = replaced_by(o)) replaced[*input] = true;
  }
  for (size_t p = 0; p < input_layouts.size(); ++p) {
    if (!replaced[p]) add(CallBuffer::Role::kInput, p, input_layouts[p], std::nullopt);
  }
  for (size_t o = 0; o < output_layouts.size(); ++o)
    add(CallBuffer::Role::kOutput, o, output_layouts[o], replaced_by(o));
  if (tiling.workspace_bytes() > 0)
    all.push_back({CallBuffer::Role::kWorkspace, 0, 0, tiling.workspace_bytes(), std::nullopt});
  return all;
}

std::shared_ptr<core::LaunchReplay> make_replay() {
  const char* set = std::getenv("OPKIT_REPLAY");
  const std::string_view said = set ? set : "";
  if (said == "0") return nullptr;
  const core::LoopHost host = said == "passes" ? core::LoopHost::kNone : core::loop_host();
  return std::make_shared<core::LaunchReplay>(said == "compare", host);
}

Result<CallPlan> plan_call(const OpContract& contract, const opk_op_v1& op, const SocSpec& soc,
                           const CallFacts& facts) {
  return Planner(contract, op, soc, facts).run();
}

}  // namespace opkit
