// Calls of an op's tables, without a package: for tests and benchmarks of OpRunner and the engine.
#ifndef OPKIT_TESTS_PREPARED_CALL_H_
#define OPKIT_TESTS_PREPARED_CALL_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "opkit/call/plan/op_runner.h"

namespace opkit {

struct OpCallOnTables {
  const OpContract* contract = nullptr;
  const opk_op_v1* op = nullptr;
  std::vector<PortTensors> inputs;  // dense, as the model's author sees them
  AttrValues attrs;                 // others take their defaults
  bool dry = false;                 // means what it means to OpRunner::bind_memory
  SaidOutputs output_shapes;
};

// Plans the call and gives it memory. Errors: plan_call's and bind_memory's.
inline Result<PreparedRun> prepare(OpRunner& runner, OpCallOnTables call) {
  CallFacts facts = facts_of(*call.contract, call.inputs);
  facts.attrs = std::move(call.attrs);
  facts.output_shapes = std::move(call.output_shapes);
  OPKIT_TRY(CallPlan plan, plan_call(*call.contract, *call.op, runner.soc(), facts));
  return runner.bind_memory(std::make_shared<const CallPlan>(std::move(plan)),
                            std::move(call.inputs), call.dry);
}

// Prepares, poisons and launches the call once. Errors: prepare's, and a fault of the kernel.
inline Result<PreparedRun> run(OpRunner& runner, OpCallOnTables call) {
  const std::string op_type = call.contract->op;
  OPKIT_TRY(PreparedRun prepared, prepare(runner, std::move(call)));
  prepared.poison();
  const core::LaunchReport report = prepared.launch();
  if (!report.ok()) return to_error(report.faults.front(), op_type);
  return prepared;
}

}  // namespace opkit

#endif  // OPKIT_TESTS_PREPARED_CALL_H_
