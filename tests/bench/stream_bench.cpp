// What a stream adds to its work: small work that is submitted and waited for, where it runs inside
// submit() (0) and where streams have threads (1).
#include <benchmark/benchmark.h>

#include "opkit/acl/program/execute.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/program_scheduler.h"

namespace {

using namespace opkit::acl;

void nothing(opk_core*, void* const*) {}

void use(benchmark::State& state) {
  the_scheduler();
  use_scheduler(state.range(0) == 0 ? make_immediate_scheduler() : make_concurrent_scheduler());
  aclrtSetDevice(0);
}

void launch(aclrtStream stream) {
  static const opk_kernel_v1 kernel = entry_of("nothing", OPK_TASK_AIV_ONLY, nothing, nullptr);
  submit(stream, [](Task& task) {
    task.work = [] { return launch_now(kernel, 8, {}); };
    return ACL_SUCCESS;
  });
}

void memset_and_synchronize(benchmark::State& state) {
  use(state);
  void* memory = nullptr;
  aclrtMalloc(&memory, 1024, ACL_MEM_MALLOC_HUGE_FIRST);
  for (auto _ : state) {
    aclrtMemsetAsync(memory, 1024, 0, 1024, nullptr);
    aclrtSynchronizeStream(nullptr);
  }
  aclrtFree(memory);
}

void kernel_and_synchronize(benchmark::State& state) {
  use(state);
  for (auto _ : state) {
    launch(nullptr);
    if (aclrtSynchronizeStream(nullptr)) state.SkipWithError("the kernel was wrong");
  }
}

void hundred_kernels(benchmark::State& state) {
  use(state);
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) launch(nullptr);
    aclrtSynchronizeStream(nullptr);
  }
}

void hundred_kernels_captured(benchmark::State& state) {
  use(state);
  aclrtStream stream = nullptr;
  aclmdlRI model = nullptr;
  aclrtCreateStream(&stream);
  aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
  for (int i = 0; i < 100; ++i) launch(stream);
  aclmdlRICaptureEnd(stream, &model);
  for (auto _ : state) {
    aclmdlRIExecuteAsync(model, stream);
    if (aclrtSynchronizeStream(stream)) state.SkipWithError("the graph was wrong");
  }
  aclmdlRIDestroy(model);
  aclrtDestroyStream(stream);
}

BENCHMARK(memset_and_synchronize)->ArgName("concurrent")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(kernel_and_synchronize)->ArgName("concurrent")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(hundred_kernels)->ArgName("concurrent")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(hundred_kernels_captured)->ArgName("concurrent")->Arg(0)->Arg(1)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
