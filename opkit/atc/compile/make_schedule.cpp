#include "opkit/atc/compile/make_schedule.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "opkit/atc/compile/place_buffers.h"
#include "opkit/atc/compile/weights.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/call/plan/stored_call.h"
#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using model::kNoTensor;
using model::ModelTensor;
using model::OfflineModel;
using model::Place;
using model::Step;
using model::StepKind;

// No other format orders before it.
constexpr Format kFirstFormat{std::numeric_limits<std::underlying_type_t<Format>>::min()};

// Tensors in one of the dense formats are one tensor.
Format kind_of(Format format) { return is_dense(format) ? Format::kND : format; }

class Scheduler {
 public:
  Scheduler(const Graph& graph, const std::vector<Candidate>& candidates, const MayWork& may)
      : graph_(graph), candidates_(candidates), may_(may) {}

  Result<Schedule> run(const std::vector<size_t>& chosen) {
    for (size_t i = 0; i < graph_.inputs.size(); ++i) OPKIT_CHECK(add_input(i));
    for (size_t i = 0; i < graph_.outputs.size(); ++i) output_number_.emplace(graph_.outputs[i], i);
    for (const size_t c : chosen) OPKIT_CHECK(add_candidate(candidates_[c]));
    for (size_t i = 0; i < graph_.outputs.size(); ++i) OPKIT_CHECK(add_output(i));
    OPKIT_CHECK(place_buffers(std::move(root_), kernels_, may_, schedule_));
    return std::move(schedule_);
  }

 private:
  OfflineModel& model() { return schedule_.model; }

  Result<uint32_t> add_tensor(const std::string& value, Format format, Place place,
                              uint64_t offset) {
    const graph::ValueInfo& known = graph_.values.at(value);
    ModelTensor tensor;
    tensor.desc = {value, known.dtype, *known.shape, format};
    OPKIT_TRY(const StorageLayout layout, StorageLayout::of(format, known.dtype, *known.shape));
    tensor.bytes = bytes_of(known.dtype, static_cast<uint64_t>(layout.storage().elements()));
    tensor.place = place;
    tensor.offset = offset;
    return add(std::move(tensor));
  }

  uint32_t add(ModelTensor tensor) {
    const auto t = static_cast<uint32_t>(model().tensors.size());
    model().tensors.push_back(std::move(tensor));
    root_.push_back(t);
    return t;
  }

  Status add_input(size_t i) {
    OPKIT_TRY(const uint32_t t, add_tensor(graph_.inputs[i], Format::kND, Place::kInput, i));
    tensor_[{graph_.inputs[i], Format::kND}] = t;
    model().inputs.push_back(t);
    return {};
  }

  // Returns the tensor of a value in a format; turned, or taken from the weights, when it is not
  // there yet.
  Result<uint32_t> in_format(const std::string& value, Format format) {
    const auto known = tensor_.find({value, kind_of(format)});
    if (known != tensor_.end()) return known->second;
    if (const graph::RefTensor* constant = graph_.constant(value)) {
      OPKIT_TRY(ModelTensor weight, add_weight(model(), value, *constant, format));
      return tensor_[{value, kind_of(format)}] = add(std::move(weight));
    }
    return is_dense(format) ? to_dense(value) : to_format(value, format);
  }

  Result<uint32_t> to_dense(const std::string& value) {
    const uint32_t from = tensor_.lower_bound({value, kFirstFormat})->second;
    OPKIT_TRY(const uint32_t to, result(value, Format::kND));
    add_turn(StepKind::kDense, value, from, to);
    return to;
  }

  Result<uint32_t> to_format(const std::string& value, Format format) {
    OPKIT_TRY(const uint32_t from, in_format(value, Format::kND));
    OPKIT_TRY(const uint32_t to, result(value, format));
    add_turn(StepKind::kStore, value, from, to);
    return to;
  }

  void add_turn(StepKind kind, const std::string& name, uint32_t from, uint32_t to) {
    Step step;
    step.kind = kind;
    step.name = name;
    step.in = {{from}};
    step.out = {{to}};
    model().steps.push_back(std::move(step));
  }

  // Returns a new tensor for a value that a step computes; an output of the model lies where the
  // caller wants it.
  Result<uint32_t> result(const std::string& value, Format format) {
    const auto output = output_number_.find(value);
    const bool direct = output != output_number_.end() && is_dense(format);
    OPKIT_TRY(const uint32_t t, add_tensor(value, format, direct ? Place::kOutput : Place::kBlock,
                                           direct ? output->second : 0));
    return tensor_[{value, kind_of(format)}] = t;
  }

  // Gives a place to a result that the model names nowhere: the kernel writes it all the same.
  uint32_t unread(const std::string& name, const StorageLayout& layout) {
    ModelTensor tensor;
    tensor.desc = {name, layout.dtype(), layout.origin(), layout.format()};
    tensor.bytes = stored_bytes(layout);
    return add(std::move(tensor));
  }

  Status add_candidate(const Candidate& candidate) {
    if (candidate.taker == Taker::kView) return add_view(graph_.nodes[candidate.nodes[0]]);
    if (candidate.taker == Taker::kHost) return add_host(graph_.nodes[candidate.nodes[0]]);
    if (candidate.taker == Taker::kControl) return add_control(candidate.nodes[0]);
    return add_kernel(candidate);
  }

  Status add_view(const Node& node) {
    OPKIT_TRY(const uint32_t from, in_format(node.inputs[0], Format::kND));
    const ModelTensor& source = model().tensors[from];
    OPKIT_TRY(const uint32_t to,
              add_tensor(node.outputs[0], Format::kND, source.place, source.offset));
    root_[to] = root_[from];
    tensor_[{node.outputs[0], Format::kND}] = to;
    return {};
  }

  Status add_host(const Node& node) { return add_operator(StepKind::kHost, node); }

  // Captured constants are weights of the bodies.
  Status add_control(size_t n) {
    const Node& node = graph_.nodes[n];
    Node outside{node.op_type, {}, node.outputs, node.attributes};
    outside.name = graph::name_of(node);
    for (const std::string& body : graph::bodies_of(node.op_type)) outside.attributes.erase(body);
    const size_t own = graph::own_inputs(node);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (i < own || graph_.constant(node.inputs[i]) == nullptr)
        outside.inputs.push_back(node.inputs[i]);
    }
    outside.attributes[graph::kCaptured] = static_cast<int64_t>(outside.inputs.size() - own);
    OPKIT_CHECK(add_operator(StepKind::kControl, outside));
    schedule_.control[n] = static_cast<uint32_t>(model().steps.size() - 1);
    return {};
  }

  Status add_operator(StepKind kind, const Node& node) {
    Step step;
    step.kind = kind;
    step.name = graph::name_of(node);
    step.node.op_type = node.op_type;
    step.node.attributes = node.attributes;
    step.in.resize(1), step.out.resize(1);
    for (const std::string& name : node.inputs) {
      OPKIT_TRY(const uint32_t t,
                name.empty() ? Result<uint32_t>(kNoTensor) : in_format(name, Format::kND));
      step.in[0].push_back(t);
    }
    for (const std::string& name : node.outputs) {
      OPKIT_TRY(const uint32_t t,
                name.empty() ? Result<uint32_t>(kNoTensor) : result(name, Format::kND));
      step.out[0].push_back(t);
    }
    model().steps.push_back(std::move(step));
    return {};
  }

  // Returns what the plan says of the call.
  Step kernel_step(const Candidate& candidate) {
    const CallPlan& plan = *candidate.plan;
    Step step;
    if (candidate.on_aicpu()) step.kind = StepKind::kAicpu;
    step.name = candidate.node_names(graph_);
    step.plugin = plugin(*candidate.op);
    step.column = plan.binding.column;
    step.tiling_key = plan.tiling.key;
    step.block_dim = plan.tiling.block_dim;
    step.attrs = plan.binding.attrs;
    step.workspace_bytes = plan.tiling.workspace_bytes();
    step.nanoseconds = candidate.on_aicpu() ? 0 : candidate.nanoseconds;
    step.measured = candidate.kind == CostKind::kExact;
    return step;
  }

  Status add_kernel(const Candidate& candidate) {
    const OpContract& contract = candidate.op->contract();
    const size_t column = candidate.plan->binding.column;
    Step step = kernel_step(candidate);
    for (size_t p = 0; p < contract.inputs.size(); ++p) {
      step.in.emplace_back();
      for (const std::string& value : candidate.match.inputs[p]) {
        OPKIT_TRY(const uint32_t t, in_format(value, contract.inputs[p].formats[column]));
        step.in.back().push_back(t);
      }
    }
    for (size_t p = 0; p < contract.outputs.size(); ++p) {
      step.out.emplace_back();
      const std::vector<std::string>& values = candidate.match.outputs[p];
      const PortLayouts& layouts = candidate.plan->output_layouts[p];
      for (size_t i = 0; i < std::min(values.size(), layouts.size()); ++i) {
        OPKIT_TRY(const uint32_t t,
                  values[i].empty() ? Result<uint32_t>(unread(
                                          step.name + "/" + contract.outputs[p].name, layouts[i]))
                                    : result(values[i], contract.outputs[p].formats[column]));
        step.out.back().push_back(t);
      }
    }
    kernels_.emplace_back(model().steps.size(), &candidate);
    model().steps.push_back(std::move(step));
    return {};
  }

  uint32_t plugin(const InstalledOp& op) {
    const auto [place, fresh] =
        plugins_.emplace(&op, static_cast<uint32_t>(model().plugins.size()));
    if (fresh) {
      const registry::Manifest& manifest = op.package().manifest;
      model().plugins.push_back({manifest.vendor, manifest.op, manifest.version,
                                 manifest.library_sha256, manifest.contract_sha256});
    }
    return place->second;
  }

  // Adds what no step put there already: a view, an input, a constant, or the same value once more.
  Status add_output(size_t i) {
    const std::string& value = graph_.outputs[i];
    OPKIT_TRY(const uint32_t t, in_format(value, Format::kND));
    const ModelTensor& tensor = model().tensors[t];
    if (tensor.place == Place::kOutput && tensor.offset == i && root_[t] == t) {
      model().outputs.push_back(t);
      return {};
    }
    OPKIT_TRY(const uint32_t to, add_tensor(value, Format::kND, Place::kOutput, i));
    add_turn(StepKind::kCopy, value, t, to);
    model().outputs.push_back(to);
    return {};
  }

  const Graph& graph_;
  const std::vector<Candidate>& candidates_;
  Schedule schedule_;
  std::map<std::pair<std::string, Format>, uint32_t> tensor_;
  std::vector<uint32_t> root_;  // names for each tensor the one whose bytes it shares
  std::map<std::string, size_t> output_number_;
  std::map<const InstalledOp*, uint32_t> plugins_;
  KernelSteps kernels_;
  const MayWork& may_;
};

}  // namespace

Result<Schedule> make_schedule(const Graph& graph, const std::vector<Candidate>& candidates,
                               const std::vector<size_t>& chosen, const MayWork& may) {
  return Scheduler(graph, candidates, may).run(chosen);
}

}  // namespace opkit::compile
