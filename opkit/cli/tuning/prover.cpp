#include "opkit/cli/tuning/prover.h"

#include <fmt/format.h>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/tuned_plan.h"
#include "opkit/call/infer/binding.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/measure/said/tensor_source.h"
#include "opkit/oracle/compare_call.h"

namespace opkit::cli {
namespace {

// Limits the elements of inputs to what the oracle judges soon.
constexpr int64_t kProvedElements = int64_t{1} << 20;
constexpr size_t kMostProvedCalls = 4;

int64_t elements_of_call(const OpContract& contract, const measure::SaidCall& call) {
  const auto ports = facts_of(contract, call);
  int64_t sum = 0;
  for (const PortFacts& port : ports.ok() ? *ports : std::vector<PortFacts>{}) {
    for (const TensorFacts& tensor : port) {
      const auto elements = tensor.desc.shape.checked_elements();
      if (!elements.ok() || *elements > kProvedElements) return kProvedElements + 1;
      sum += *elements;
    }
  }
  return sum;
}

Status judge_results(const OpContract& contract, const Binding& binding, const Ports& inputs,
                     const Ports& outputs) {
  oracle::OracleCall reference{&contract, &inputs, binding.attrs, {}, binding.column};
  reference.scope = binding.scope;
  OPKIT_TRY(const std::vector<oracle::Comparison> all, oracle::compare_call(reference, outputs));
  for (const oracle::Comparison& one : all) {
    if (one.ok()) continue;
    return contract.error("OPK-TUNE-015",
                          fmt::format("{} of {} elements of '{}' are not what the reference allows",
                                      one.wrong, one.elements, one.output),
                          "opkit test finds the smallest call that is wrong");
  }
  return {};
}

}  // namespace

Prover::Prover(const ChosenOp& chosen, const measure::SaidCall& call) : chosen_(chosen) {
  const OpContract& contract = chosen.contract();
  runs_the_call_ = elements_of_call(contract, call) <= kProvedElements;
  if (runs_the_call_) calls_.push_back(call);
  const auto column = pick_column(contract, call);
  for (const Case& one : contract.tests) {
    const auto smaller = measure::options_of_case(contract, one, column.ok() ? *column : 0);
    if (smaller.ok() && elements_of_call(contract, *smaller) <= kProvedElements)
      calls_.push_back(*smaller);
  }
  if (calls_.size() > kMostProvedCalls) calls_.resize(kMostProvedCalls);
  if (!calls_.empty()) return;
  calls_.push_back(call);
  runs_the_call_ = true;
}

Status Prover::prove(const tuning::TuningRow& row) const {
  for (size_t i = 0; i < calls_.size(); ++i)
    OPKIT_CHECK(prove(row, calls_[i], i > 0 || !runs_the_call_));
  return {};
}

Status Prover::prove(const tuning::TuningRow& row, measure::SaidCall call, bool other_shape) const {
  for (const auto& [name, value] : row.knobs) call.attrs[name] = value;
  if (row.knobs.empty()) call.attrs[kNoBank] = int64_t{0};
  OPKIT_TRY(Invocation invocation, invocation_of(chosen_, std::move(call), measure::uniform(1), 1));
  fill_inputs(invocation);
  invocation.checked = true;
  CallFacts facts = opkit::facts_of(chosen_.contract(), invocation.inputs);
  facts.attrs = invocation.attrs;
  facts.output_shapes = invocation.output_shapes;
  auto plan = chosen_.executor().plan(chosen_.contract(), chosen_.soc, facts);
  if (!plan.ok() && other_shape) return {};
  if (!plan.ok()) return std::move(plan).error();
  invocation.plan = std::move(*plan);
  const Binding binding = invocation.plan->binding;
  const Ports inputs = invocation.inputs;
  OPKIT_TRY(const Execution done, chosen_.executor().run(std::move(invocation)));
  return judge_results(chosen_.contract(), binding, inputs, done.outputs);
}

}  // namespace opkit::cli
