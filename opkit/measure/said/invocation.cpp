#include "opkit/measure/said/invocation.h"

#include <utility>

namespace opkit::measure {

Result<SharedPlan> plan_of(const OpenedOp& op, const std::string& soc, const SaidCall& options) {
  const OpContract& contract = op.contract;
  OPKIT_TRY(const std::vector<PortFacts> facts, facts_of(contract, options));
  CallFacts call;
  call.attrs = options.attrs;
  call.output_shapes = said_outputs(contract, options);
  std::vector<PortTensors> values(facts.size());
  for (size_t p = 0; p < facts.size(); ++p) {
    std::vector<InputFacts>& port = call.inputs.emplace_back();
    if (contract.inputs[p].value_depend) {
      OPKIT_TRY(values[p], values_of(contract.inputs[p], facts[p], options));
    }
    for (size_t t = 0; t < facts[p].size(); ++t) {
      OPKIT_CHECK(check_known(facts[p][t]));
      port.push_back({facts[p][t].desc, {}});
      if (t < values[p].size()) port.back().value = values[p][t].bytes();
    }
  }
  return op.executor->plan(contract, soc, call);
}

Result<Invocation> invocation_of(const OpenedOp& op, const std::string& soc, SaidCall options,
                                 const Filler& filler, unsigned threads) {
  Invocation call;
  call.contract = &op.contract;
  call.soc = soc;
  call.attrs = options.attrs;
  call.output_shapes = said_outputs(*call.contract, options);
  OPKIT_TRY(CallTensors made, tensors_of(*call.contract, std::move(options), filler));
  call.inputs = std::move(made.inputs);
  call.fill = std::move(made.fill);
  call.threads = threads;
  return call;
}

}  // namespace opkit::measure
