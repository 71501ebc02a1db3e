#include "opkit/cli/tuning/feasible_subject.h"

#include "opkit/call/infer/binding.h"
#include "opkit/cli/options/call_options.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/measure/said/tensor_source.h"
#include "opkit/reference/tensor.h"

namespace opkit::cli {
namespace {

struct Said {
  measure::SaidCall options;
  std::string name;
};

Result<Said> said_call(const OpContract& contract, const Arguments& arguments) {
  OPKIT_TRY(measure::SaidCall options, read_call_options(contract, arguments));
  if (says_inputs(arguments)) return Said{std::move(options), "as asked for"};
  const bool last_test = contract.bench.empty() && !arguments.has("--case");
  const Case* one = last_test && !contract.tests.empty() ? &contract.tests.back() : nullptr;
  if (one == nullptr) {
    OPKIT_TRY(one, measure::bench_case(contract,
                                       arguments.has("--case") ? arguments.integer("--case") : 1));
  }
  size_t column = 0;
  if (!options.dtypes.empty() || options.any_dtype) {
    OPKIT_TRY(column, pick_column(contract, options));
  }
  OPKIT_TRY(measure::SaidCall of_case, measure::options_of_case(contract, *one, column));
  for (const auto& [attr, value] : options.attrs) of_case.attrs[attr] = value;
  return Said{std::move(of_case), measure::text_of_case(contract, *one)};
}

// Inputs whose values decide dims are constants of the reference: their files', else zeros.
Result<std::vector<graph::ValueInfo>> port_values(const Port& port, const PortFacts& facts,
                                                  const measure::SaidCall& options) {
  std::vector<graph::ValueInfo> values;
  PortTensors known;
  if (port.value_depend) {
    OPKIT_TRY(known, values_of(port, facts, options));
  }
  for (size_t i = 0; i < facts.size(); ++i) {
    OPKIT_CHECK(measure::check_known(facts[i]));
    graph::ValueInfo value{facts[i].desc.dtype, facts[i].desc.shape, Format::kND, nullptr};
    if (i < known.size()) {
      OPKIT_TRY(graph::RefTensor constant, reference::from_tensor(known[i]));
      value.constant = std::make_shared<graph::RefTensor>(std::move(constant));
    }
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

Result<feasible::Subject> asked_op_of(const OpContract& contract,
                                      const measure::SaidCall& options) {
  OPKIT_TRY(const std::vector<PortFacts> facts, facts_of(contract, options));
  OPKIT_TRY(const Binding binding, bind_facts(contract, facts, options.attrs));
  ReferenceCall call{{}, binding.attrs, binding.scope, binding.column};
  for (size_t p = 0; p < facts.size(); ++p) {
    OPKIT_TRY(std::vector<graph::ValueInfo> values,
              port_values(contract.inputs[p], facts[p], options));
    call.inputs.push_back(std::move(values));
  }
  return feasible::subject_of(contract, call);
}

Result<AskedOp> asked_op(const OpContract& contract, const Arguments& arguments) {
  OPKIT_TRY(const Said said, said_call(contract, arguments));
  OPKIT_TRY(feasible::Subject subject, asked_op_of(contract, said.options));
  return AskedOp{std::move(subject), said.name};
}

}  // namespace opkit::cli
