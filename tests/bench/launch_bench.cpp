// What a launch costs by itself: an empty kernel on every vector core of an Ascend 910B1, and a
// mixed one on every cube core with its two vector cores. Workers are warm.
#include <benchmark/benchmark.h>

#include "tests/unit/core/kernel_run.h"

namespace {

using namespace opkit::core;

void nothing(void* const*) {}

void launch(benchmark::State& state, int32_t task_type, uint32_t blocks) {
  const opk_soc_v1 soc = test::soc_910b();
  Machine machine(soc, static_cast<unsigned>(state.range(0)));
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = task_type;
  kernel.aiv = kernel.aic = test::entry<nothing>;
  void* const args[] = {nullptr};
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = blocks;
  request.args = args;
  for (auto _ : state) {
    const LaunchReport report = machine.launch(request);
    if (!report.ok()) state.SkipWithError(report.faults.front().message.c_str());
  }
}

void empty_vector_kernel(benchmark::State& state) { launch(state, OPK_TASK_AIV_ONLY, 48); }
void empty_mixed_kernel(benchmark::State& state) { launch(state, OPK_TASK_MIX_1_2, 24); }

BENCHMARK(empty_vector_kernel)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(empty_mixed_kernel)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
