#include "opkit/model/export/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "opkit/call/infer/binding.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/contract/lower.h"
#include "opkit/model/export/codes.h"
#include "opkit/reference/tensor.h"

namespace opkit::model_export {
namespace {

using graph::RefTensor;
using graph::ValueInfo;
using model::ModelTensor;
using model::OfflineModel;
using model::Step;
using model::StepKind;

Error cannot(std::string what, std::string action) {
  return Error(kCannotExport, std::move(what), std::move(action));
}

std::string value_of(uint32_t tensor) {
  return tensor == model::kNoTensor ? "" : fmt::format("t{}", tensor);
}

bool is_short_float(DType dtype) { return dtype == DType::kFloat16 || dtype == DType::kBFloat16; }

// Returns the bytes of the weights' memory from a place on.
std::string weight_bytes(const OfflineModel& model, uint64_t offset, uint64_t bytes) {
  std::string out(bytes, '\0');
  for (const model::WeightPart& part : model.weight_parts) {
    const uint64_t from = std::max(offset, part.offset),
                   to = std::min(offset + bytes, part.offset + part.bytes);
    for (uint64_t at = from; at < to; ++at)
      out[at - offset] = part.filled ? part.element[(at - part.offset) % part.element.size()]
                                     : model.weights[part.file_offset + at - part.offset];
  }
  return out;
}

class PlanReader {
 public:
  PlanReader(const OfflineModel& model, const ContractOf& contract_of)
      : model_(model), contract_of_(contract_of) {}

  Result<ExportedProgram> run() {
    OPKIT_CHECK(check_kind());
    program_.name = model_.name;
    program_.soc = model_.soc;
    for (const uint32_t t : model_.inputs) {
      program_.inputs.push_back({model_.tensors[t].desc.name, value_of(t)});
    }
    for (uint32_t t = 0; t < model_.tensors.size(); ++t) {
      note(t, nullptr);
      if (model_.tensors[t].place != model::Place::kWeight) continue;
      OPKIT_CHECK(take_weight(t));
      given_.insert(t);
    }
    for (const uint32_t t : model_.inputs) write(t);
    for (size_t s = 0; s < model_.steps.size(); ++s) {
      for (const auto& port : model_.steps[s].in) {
        for (const uint32_t t : port) view(t);
      }
      OPKIT_CHECK(take(s));
      for (const auto& port : model_.steps[s].out) {
        for (const uint32_t t : port) write(t);
      }
    }
    for (const uint32_t t : model_.outputs) {
      view(t);
      program_.outputs.push_back({model_.tensors[t].desc.name, value_of(t)});
    }
    return std::move(program_);
  }

 private:
  Status check_kind() const {
    if (model_.gear_kind != model::GearKind::kNone)
      return cannot("the model has gears", "compile it for fixed dims");
    if (!model_.aipp.empty())
      return cannot("the model takes pictures, which its AIPP prepares",
                    "compile it without --insert_op_conf");
    return {};
  }

  using Location = std::pair<model::Place, uint64_t>;
  Location location_of(uint32_t t) const {
    return {model_.tensors[t].place, model_.tensors[t].offset};
  }

  void write(uint32_t t) {
    if (t == model::kNoTensor) return;
    written_[location_of(t)] = t;
    given_.insert(t);
  }

  // What no step gives has the bytes of what lies where it lies, in other dims.
  void view(uint32_t t) {
    if (t == model::kNoTensor || given_.count(t) > 0) return;
    const auto found = written_.find(location_of(t));
    if (found == written_.end()) return;
    const TensorDesc &desc = model_.tensors[t].desc, &from = model_.tensors[found->second].desc;
    if (desc.dtype != from.dtype || desc.shape.elements() != from.shape.elements() ||
        !is_dense(desc.format) || !is_dense(from.format))
      return;
    program_.calls.push_back({"Reshape", desc.name});
    const std::string dims = value_of(t) + "/dims";
    RefTensor shape{DType::kInt64, Shape{static_cast<int64_t>(desc.shape.rank())}, {}};
    for (const int64_t dim : desc.shape.dims()) shape.values.push_back(static_cast<double>(dim));
    program_.values[dims] = {DType::kInt64, shape.shape, Format::kND,
                             std::make_shared<const RefTensor>(shape)};
    add({"Reshape", {value_of(found->second), dims}, {value_of(t)}, {}});
    given_.insert(t);
    round_result(t);
  }

  void note(uint32_t t, std::shared_ptr<const RefTensor> constant) {
    const TensorDesc& desc = model_.tensors[t].desc;
    program_.values[value_of(t)] = {desc.dtype, desc.shape, Format::kND, std::move(constant)};
  }

  // Weights are dense, in the dims of the model's author.
  Status take_weight(uint32_t t) {
    const ModelTensor& tensor = model_.tensors[t];
    const TensorDesc& desc = tensor.desc;
    OPKIT_TRY(const StorageLayout layout, StorageLayout::of(desc.format, desc.dtype, desc.shape));
    Tensor stored(desc.dtype, layout.storage(), desc.name);
    const std::string bytes = weight_bytes(model_, tensor.offset, tensor.bytes);
    std::memcpy(stored.data(), bytes.data(), std::min(bytes.size(), stored.size_bytes()));
    OPKIT_TRY(RefTensor dense,
              reference::from_tensor(layout.dense() ? stored : layout.to_origin(stored)));
    note(t, std::make_shared<const RefTensor>(std::move(dense)));
    return {};
  }

  Status take(size_t s) {
    const Step& step = model_.steps[s];
    switch (step.kind) {
      case StepKind::kKernel:
      case StepKind::kAicpu: return take_call(s);
      case StepKind::kHost: return take_operator(step);
      case StepKind::kStore:
      case StepKind::kDense:
      case StepKind::kCopy:
        begin(name_of(step.kind), step);
        add({"Identity", {value_of(step.in.at(0).at(0))}, {value_of(step.out.at(0).at(0))}, {}});
        return {};
      case StepKind::kControl: break;
    }
    return cannot(fmt::format("step '{}' is control flow ({})", step.name, step.node.op_type),
                  "export a model without branches and loops");
  }

  void begin(std::string_view op, const Step& step) {
    program_.calls.push_back({std::string(op), step.name});
  }
  void add(graph::Node node, int opset = graph::kDefaultOpset) {
    if (node.name.empty()) node.name = program_.calls.back().nodes;
    program_.operations.push_back({std::move(node), opset, program_.calls.size() - 1});
  }

  void round_result(uint32_t t) {
    const DType dtype = model_.tensors[t].desc.dtype;
    if (is_short_float(dtype)) program_.rounded[value_of(t)] = dtype;
  }

  Status take_operator(const Step& step) {
    begin(step.node.op_type, step);
    graph::Node node = step.node;
    node.inputs.clear();
    node.outputs.clear();
    for (const auto& port : step.in) {
      for (const uint32_t t : port) node.inputs.push_back(value_of(t));
    }
    for (const auto& port : step.out) {
      for (const uint32_t t : port) {
        node.outputs.push_back(value_of(t));
        if (t != model::kNoTensor) round_result(t);
      }
    }
    add(std::move(node), static_cast<int>(model_.opset));
    return {};
  }

  Result<ReferenceCall> reference_call(const Step& step, const OpContract& contract) {
    if (step.in.size() != contract.inputs.size() || step.out.size() != contract.outputs.size() ||
        step.column >= contract.column_count())
      return Error(kNoContract, fmt::format("step '{}' does not fit {}", step.name, contract.op),
                   "make the model again with atc");
    std::vector<PortFacts> facts;
    ReferenceCall call;
    for (size_t p = 0; p < step.in.size(); ++p) {
      facts.emplace_back();
      call.inputs.emplace_back();
      for (const uint32_t t : step.in[p]) {
        const ValueInfo& value = program_.values.at(value_of(t));
        TensorFacts one{model_.tensors[t].desc, {}, {}};
        one.desc.format = contract.inputs[p].formats[step.column];
        if (contract.inputs[p].value_depend && value.constant)
          one.values.emplace(value.constant->values.begin(), value.constant->values.end());
        facts.back().push_back(std::move(one));
        call.inputs.back().push_back(value);
        // Elements that nobody must know on the host stay where they are.
        if (!contract.inputs[p].value_depend && is_float(value.dtype))
          call.inputs.back().back().constant = nullptr;
      }
    }
    OPKIT_TRY(Binding binding, bind_facts(contract, facts, step.attrs));
    call.attrs = std::move(binding.attrs);
    call.scope = std::move(binding.scope);
    call.column = step.column;
    return call;
  }

  Status take_call(size_t s) {
    const Step& step = model_.steps[s];
    OPKIT_TRY(const OpContract* contract, contract_of_(model_.plugins[step.plugin]));
    begin(contract->op, step);
    if (!contract->no_reference.empty())
      return cannot(fmt::format("step '{}' is {}, whose contract has no reference: {}", step.name,
                                contract->op, contract->no_reference),
                    "compile the model without this op");
    for (const Port& port : contract->inputs) {
      if (port.written)
        return cannot(fmt::format("step '{}' is {}, which writes into its input '{}'", step.name,
                                  contract->op, port.name),
                      "compile the model without this op");
    }
    OPKIT_TRY(const ReferenceCall call, reference_call(step, *contract));
    OPKIT_TRY(const LoweredReference lowered, lower_reference(*contract, call));
    return take_reference(s, *contract, lowered);
  }

  // Gives the reference's values the names that they have in the program.
  Status take_reference(size_t s, const OpContract& contract, const LoweredReference& lowered) {
    const Step& step = model_.steps[s];
    std::map<std::string, std::string> names = {{"", ""}};
    for (size_t p = 0; p < step.in.size(); ++p) {
      for (size_t i = 0; i < step.in[p].size(); ++i)
        names[tensor_name(contract.inputs[p], i)] = value_of(step.in[p][i]);
    }
    std::vector<graph::Node> moved;
    OPKIT_CHECK(name_results(step, lowered, names, moved));
    const auto named = [&](const std::string& name) {
      const auto found = names.find(name);
      return found != names.end() ? found->second : fmt::format("s{}/{}", s, name);
    };
    for (const auto& [name, value] : lowered.graph.values) {
      if (value.constant && names.count(name) == 0) program_.values[named(name)] = value;
    }
    for (graph::Node node : lowered.graph.nodes) {
      for (std::string& input : node.inputs) input = named(input);
      for (std::string& output : node.outputs) output = named(output);
      node.where = {};
      add(std::move(node), lowered.graph.opset);
    }
    for (graph::Node& node : moved) {
      node.inputs[0] = named(node.inputs[0]);
      add(std::move(node));
    }
    for (const auto& [name, stored] : lowered.stored) {
      if (is_short_float(stored.dtype) && !stored.scaled)
        program_.rounded[named(name)] = stored.dtype;
    }
    return {};
  }

  // A result that is an input, or that of another port as well, is moved.
  Status name_results(const Step& step, const LoweredReference& lowered,
                      std::map<std::string, std::string>& names, std::vector<graph::Node>& moved) {
    for (size_t p = 0; p < step.out.size(); ++p) {
      for (size_t i = 0; i < step.out[p].size(); ++i) {
        const uint32_t t = step.out[p][i];
        if (t == model::kNoTensor) continue;
        if (p >= lowered.outputs.size() || i >= lowered.outputs[p].size() ||
            lowered.outputs[p][i].empty())
          return cannot(
              fmt::format("the reference of step '{}' does not give all of its results", step.name),
              "compile the model without this op");
        const std::string& name = lowered.outputs[p][i];
        if (lowered.graph.constant(name) != nullptr || !names.emplace(name, value_of(t)).second)
          moved.push_back({"Identity", {name}, {value_of(t)}, {}});
        round_result(t);
      }
    }
    return {};
  }

  const OfflineModel& model_;
  const ContractOf& contract_of_;
  std::map<Location, uint32_t> written_;  // the last tensor that was written to a place
  std::set<uint32_t> given_;
  ExportedProgram program_;
};

}  // namespace

Result<ExportedProgram> read_plan(const model::OfflineModel& model, const ContractOf& contract_of) {
  return PlanReader(model, contract_of).run();
}

}  // namespace opkit::model_export
