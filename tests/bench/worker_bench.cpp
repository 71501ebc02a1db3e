// What a worker costs: the same short call of an installed op in this process and in a worker, and
// the start of a worker. Needs the shipped ops (make ops).
#include <benchmark/benchmark.h>

#include <cstring>

#include "opkit/isolation/open_op.h"
#include "registry/registry.h"

namespace {

using namespace opkit;

Result<OpenedOp> open_add_relu(bool in_process) {
  const registry::Registry registry = registry::Registry::open();
  OPKIT_TRY(const registry::Resolution found, registry.resolve({.op = "AddRelu"}));
  OpenOptions options;
  options.in_process = in_process;
  options.load.probe = false;
  return open_op(found.package, options);
}

// Inputs are made as commands make them: where the executor wants them.
Invocation call_of(const OpenedOp& op, int64_t n) {
  Invocation call;
  call.contract = &op.contract;
  call.soc = "Ascend910B1";
  for (int i = 0; i < 2; ++i)
    call.inputs.push_back({Tensor::reserved(DType::kFloat32, Shape({n})).value()});
  call.fill = [](size_t, size_t, Tensor& blank) {
    std::memset(blank.data(), 0, blank.size_bytes());
  };
  return call;
}

void warm_call(benchmark::State& state) {
  const auto op = open_add_relu(state.range(0) == 0);
  if (!op.ok()) return state.SkipWithError(op.error().to_string().c_str());
  Invocation call = call_of(*op, state.range(1));
  auto plan = op->executor->plan(op->contract, call.soc, facts_of(op->contract, call.inputs));
  if (!plan.ok()) return state.SkipWithError(plan.error().to_string().c_str());
  call.plan = *plan;
  for (auto _ : state) {
    const auto ran = op->executor->run(call);
    if (!ran.ok()) return state.SkipWithError(ran.error().to_string().c_str());
  }
}

void planning(benchmark::State& state) {
  const auto op = open_add_relu(state.range(0) == 0);
  if (!op.ok()) return state.SkipWithError(op.error().to_string().c_str());
  const Invocation call = call_of(*op, 1000);
  const CallFacts facts = facts_of(op->contract, call.inputs);
  for (auto _ : state) benchmark::DoNotOptimize(op->executor->plan(op->contract, call.soc, facts));
}

void start(benchmark::State& state) {
  for (auto _ : state) {
    const auto op = open_add_relu(false);
    if (!op.ok()) return state.SkipWithError(op.error().to_string().c_str());
  }
}

BENCHMARK(warm_call)
    ->ArgNames({"worker", "elements"})
    ->ArgsProduct({{0, 1}, {1000, 100000, 4000000}})
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(planning)->ArgName("worker")->Arg(0)->Arg(1)->UseRealTime()->Unit(
    benchmark::kMicrosecond);
BENCHMARK(start)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
