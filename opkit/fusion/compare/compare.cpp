#include "opkit/fusion/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/costs.h"
#include "opkit/contract/lower.h"
#include "opkit/fusion/compare/inputs_between.h"
#include "opkit/fusion/compare/standing_call.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/reference/evaluate.h"

namespace opkit::compare {
namespace {

using Tensors = std::map<std::string, Tensor>;

// Steps of the reference interpreter: to judge both sides, and where a launch asks for its data.
constexpr double kMostSteps = 1 << 28, kMostStepsForData = 1ull << 32;

// The reference of the call as a model, and its tensors by the model's names.
struct Subject {
  graph::Graph graph;
  std::vector<std::string> outputs;  // names the results in the order of the op's outputs
  Tensors inputs;
};

Result<ReferenceCall> reference_call(const Invocation& call, const Binding& binding) {
  ReferenceCall reference{{}, binding.attrs, binding.scope, binding.column};
  for (size_t p = 0; p < call.inputs.size(); ++p) {
    reference.inputs.emplace_back();
    for (const Tensor& tensor : call.inputs[p]) {
      graph::ValueInfo value{tensor.dtype(), tensor.shape(), Format::kND, nullptr};
      if (call.contract->inputs[p].value_depend) {
        OPKIT_TRY(graph::RefTensor known, reference::from_tensor(tensor));
        value.constant = std::make_shared<graph::RefTensor>(std::move(known));
      }
      reference.inputs.back().push_back(std::move(value));
    }
  }
  return reference;
}

Result<Subject> subject_of(const Invocation& call, const Binding& binding) {
  const OpContract& contract = *call.contract;
  if (contract.reference.size() < 2)
    return contract.error("OPK-COMPARE-001",
                          "its reference is no graph of several operators that separate ops could "
                          "compute",
                          "opkit bench measures the op by itself");
  OPKIT_TRY(const ReferenceCall reference, reference_call(call, binding));
  OPKIT_TRY(LoweredReference lowered, lower_reference(contract, reference));
  Subject subject{std::move(lowered.graph), {}, {}};
  subject.graph.name = contract.op;
  for (const auto& port : lowered.outputs)
    subject.outputs.insert(subject.outputs.end(), port.begin(), port.end());
  subject.graph.outputs = subject.outputs;
  for (size_t p = 0; p < call.inputs.size(); ++p) {
    for (size_t i = 0; i < call.inputs[p].size(); ++i)
      subject.inputs.emplace(tensor_name(contract.inputs[p], i), call.inputs[p][i]);
  }
  return subject;
}

double steps_of(const graph::Graph& graph) {
  double steps = 0;
  for (const graph::Node& node : graph.nodes) {
    const auto& shape = graph.values.at(node.outputs[0]).shape;
    if (shape) steps += static_cast<double>(shape->elements());
    steps += compile::products_of(graph, node);
  }
  return steps;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double largest_of(const graph::RefTensor& tensor) {
  double largest = 1e-300;
  for (const double v : tensor.values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  return largest;
}

Distances distance(const std::vector<graph::RefTensor>& expected, const std::vector<Tensor>& got) {
  Distances accuracy;
  int64_t count = 0;
  for (size_t t = 0; t < expected.size(); ++t) {
    const double largest = largest_of(expected[t]);
    for (int64_t i = 0; i < expected[t].elements(); ++i) {
      const double wanted = expected[t][i], is = got[t].at(i);
      const bool numbers = std::isfinite(wanted) && std::isfinite(is);
      accuracy.differing += !numbers && !is_same(wanted, is);
      if (!numbers) continue;
      accuracy.worst = std::max(accuracy.worst, std::abs(is - wanted) / largest);
      accuracy.mean += std::abs(is - wanted) / largest;
      ++count;
    }
  }
  accuracy.mean /= static_cast<double>(std::max<int64_t>(count, 1));
  return accuracy;
}

TensorNames names_of(const OpContract& contract,
                     const std::vector<std::vector<std::string>>& inputs,
                     const std::vector<std::vector<std::string>>& outputs) {
  TensorNames names;
  for (size_t p = 0; p < inputs.size(); ++p) names[contract.inputs[p].name] = inputs[p];
  for (size_t p = 0; p < outputs.size(); ++p) names[contract.outputs[p].name] = outputs[p];
  return names;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Comparer {
 public:
  Comparer(const Invocation& call, Executor& fused, const InstalledOps& ops,
           const CompareOptions& options)
      : call_(call), fused_(fused), ops_(ops), options_(options) {}

  Result<BeforeAfter> run() {
    OPKIT_CHECK(prepare());
    OPKIT_CHECK(judge_reference());
    OPKIT_CHECK(run_fused());
    OPKIT_CHECK(run_separate());
    return std::move(result_);
  }

 private:
  Status prepare() {
    CallFacts facts = facts_of(*call_.contract, call_.inputs);
    facts.attrs = call_.attrs;
    facts.output_shapes = call_.output_shapes;
    OPKIT_TRY(plan_, fused_.plan(*call_.contract, call_.soc, facts));
    OPKIT_TRY(subject_, subject_of(call_, plan_->binding));
    return {};
  }

  Status judge_reference() {
    result_.judged = steps_of(subject_.graph) < kMostSteps;
    if (!result_.judged) return {};
    options_.step("evaluating the reference in double precision");
    reference::NamedTensors inputs;
    for (const auto& [name, tensor] : subject_.inputs) {
      OPKIT_TRY(inputs[name], reference::from_tensor(tensor));
    }
    OPKIT_TRY(const reference::NamedTensors all, reference::evaluate(subject_.graph, inputs));
    for (const std::string& name : subject_.outputs) expected_.push_back(all.at(name));
    return {};
  }

  void judge(const std::vector<Tensor>& outputs, ComparedSide& side) const {
    if (result_.judged) side.accuracy = distance(expected_, outputs);
  }

  Result<ModelledLaunch> fused_launch(const Invocation& call) {
    auto launch = modelled(call.contract->op, fused_, plan_, {});
    if (launch.ok() || !launch.error().is(Cause::kReadsData)) return launch;
    return modelled_on_data(call, fused_);
  }

  Status run_fused() {
    Invocation call = call_;
    call.plan = plan_;
    options_.step("modelling the fused op");
    OPKIT_TRY(ModelledLaunch launch, fused_launch(call));
    result_.fused.launches.push_back(std::move(launch));
    OPKIT_CHECK(turn_fused());
    OPKIT_TRY(const Observation seen, fused_.watch(call, {}));
    const core::Faults& faults = seen.watched.report.faults;
    if (!faults.empty()) return to_error(faults.front(), call_.contract->op);
    judge(flat(seen.execution.outputs), result_.fused);
    return {};
  }

  // Tells whether tensors of the format are filters: constants of a model, turned when it is made.
  static bool holds_filters(Format format) { return format == Format::kFractalZ; }
  // Turns what the fused op takes and gives: both sides begin and end with dense tensors: who wants
  // another format pays for it.
  Status turn_fused() {
    OPKIT_TRY(const compile::Costs costs, compile::Costs::of(call_.soc, {}));
    for (const auto* ports : {&plan_->input_layouts, &plan_->output_layouts}) {
      for (const PortLayouts& port : *ports) {
        for (const StorageLayout& layout : port) {
          if (layout.dense() || holds_filters(layout.format())) continue;
          add_turn(costs, stored_bytes(layout), result_.fused);
        }
      }
    }
    return {};
  }
  Status turn_separate(const model::OfflineModel& model) {
    OPKIT_TRY(const compile::Costs costs, compile::Costs::of(call_.soc, {}));
    for (const model::Step& step : model.steps) {
      const bool stores = step.kind == model::StepKind::kStore;
      if (!stores && step.kind != model::StepKind::kDense) continue;
      const model::ModelTensor& turned = model.tensors[stores ? step.out[0][0] : step.in[0][0]];
      if (!holds_filters(turned.desc.format)) add_turn(costs, turned.bytes, result_.separate);
    }
    return {};
  }
  static void add_turn(const compile::Costs& costs, uint64_t stored, ComparedSide& side) {
    side.launches.push_back({"TransData", costs.turn_bytes(stored), 2 * stored, true, {}, {}});
  }

  static std::vector<Tensor> flat(const Ports& ports) {
    std::vector<Tensor> tensors;
    for (const PortTensors& port : ports) tensors.insert(tensors.end(), port.begin(), port.end());
    return tensors;
  }

  Result<ModelledLaunch> separate_launch(const compile::Compiled& compiled,
                                         const compile::Candidate& one) const {
    OPKIT_TRY(Executor * executor, one.op->executor());
    const OpContract& contract = one.op->contract();
    const TensorNames names = names_of(contract, one.match.inputs, one.match.outputs);
    auto launch = modelled(one.name(), *executor, one.plan, names);
    if (launch.ok() || !launch.error().is(Cause::kReadsData)) return launch;
    if (steps_of(subject_.graph) > kMostStepsForData) return launch;
    options_.step(fmt::format("computing the data of {}", one.name()));
    Invocation call;
    call.contract = &contract;
    call.soc = call_.soc;
    call.attrs = one.plan->binding.attrs;
    call.plan = one.plan;
    OPKIT_TRY(call.inputs, inputs_between(compiled, one, subject_.inputs));
    return modelled_on_data(call, *executor);
  }

  Status run_separate() {
    compile::Options options;
    options.candidates.soc = call_.soc;
    options.candidates.fused = false;
    options.cost_cache = options_.cost_cache;
    options_.step("choosing and modelling the separate ops");
    OPKIT_TRY(const compile::Compiled compiled, compile::compile(subject_.graph, ops_, options));
    result_.measured_chip = compiled.measured_chip;
    for (const size_t c : compiled.cover.chosen) {
      const compile::Candidate& one = compiled.candidates.all[c];
      if (one.taker == compile::Taker::kView) continue;
      if (one.off_chip()) {
        result_.separate.on_host.push_back(compiled.graph.nodes[one.nodes[0]].op_type);
        continue;
      }
      OPKIT_TRY(ModelledLaunch launch, separate_launch(compiled, one));
      result_.separate.launches.push_back(std::move(launch));
    }
    OPKIT_CHECK(turn_separate(compiled.model()));
    return measure(compiled.model());
  }

  bool is_over(double seconds) const { return options_.seconds > 0 && seconds > options_.seconds; }

  std::string estimate(double first, size_t rounds) const {
    const double all = first * static_cast<double>(rounds);
    const std::string text = fmt::format("{} launches of each side, about {:.0f} s", rounds, all);
    return is_over(all) ? text + fmt::format("; it ends after {:.0f} s", options_.seconds) : text;
  }

  // Measures both sides on this machine by turns, so that what else it does slows both alike.
  Status measure(const model::OfflineModel& model) {
    OPKIT_TRY(StandingCall fused, StandingCall::of(call_, plan_));
    OPKIT_TRY(model_run::ModelRunner separate,
              model_run::ModelRunner::load(model, ops_, call_.threads));
    std::vector<Tensor> inputs;
    for (const uint32_t t : model.inputs)
      inputs.push_back(subject_.inputs.at(model.tensors[t].desc.name));
    const size_t rounds = options_.warm + options_.samples;
    options_.step("the first launch of both sides");
    const auto started = std::chrono::steady_clock::now();
    for (size_t i = 0; i < rounds; ++i) {
      const double so_far = seconds_since(started);
      if (i == 1) options_.step(estimate(so_far, rounds));
      if (is_over(so_far) && !result_.fused.seconds.empty()) break;
      if (i > 1) options_.sampled(i, rounds);
      OPKIT_TRY(const double seconds, fused.launch(fused_, call_.threads));
      model_run::RunTimes times;
      OPKIT_TRY(const std::vector<Tensor> outputs, separate.run(inputs, &times));
      if (i == 0) judge(outputs, result_.separate);
      if (i < options_.warm && !is_over(seconds_since(started))) continue;
      const uint64_t spent = std::accumulate(times.steps.begin(), times.steps.end(), uint64_t{0});
      result_.fused.seconds.push_back(seconds);
      result_.separate.seconds.push_back(1e-9 * static_cast<double>(spent));
    }
    return {};
  }

  const Invocation& call_;
  Executor& fused_;
  const InstalledOps& ops_;
  const CompareOptions& options_;
  SharedPlan plan_;
  Subject subject_;
  std::vector<graph::RefTensor> expected_;
  BeforeAfter result_;
};

}  // namespace

uint64_t ComparedSide::ns() const {
  uint64_t sum = 0;
  for (const ModelledLaunch& launch : launches) sum += launch.ns;
  return sum;
}

uint64_t ComparedSide::gm_bytes() const {
  uint64_t sum = 0;
  for (const ModelledLaunch& launch : launches) sum += launch.gm_bytes;
  return sum;
}

std::optional<double> BeforeAfter::speedup() const {
  if (!separate.on_host.empty() || fused.ns() == 0) return std::nullopt;
  return static_cast<double>(separate.ns()) / static_cast<double>(fused.ns());
}

Result<BeforeAfter> compare(const Invocation& call, Executor& fused, const InstalledOps& ops,
                            const CompareOptions& options) {
  return Comparer(call, fused, ops, options).run();
}

}  // namespace opkit::compare
