// CubeCore: one emulated cube core that runs a kernel body again and again.
#ifndef TESTS_BENCH_CUBE_CORE_H_
#define TESTS_BENCH_CUBE_CORE_H_

#include <benchmark/benchmark.h>

#include "tests/unit/core/kernel_run.h"

namespace opkit::bench {

using KernelBody = void (*)(void* const*);

class CubeCore {
 public:
  // args: what the body gets; must outlive the core.
  CubeCore(KernelBody body, void* const* args) : machine_(core::test::soc_910b(), 1) {
    body_ = body;
    kernel_.struct_size = sizeof kernel_;
    kernel_.task_type = OPK_TASK_AIC_ONLY;
    kernel_.aic = kernel_.aiv = run_body;
    request_.kernel = &kernel_;
    request_.args = args;
  }
  void run(benchmark::State& state) {
    if (!machine_.launch(request_).ok()) state.SkipWithError("the kernel was refused");
  }

 private:
  static void run_body(opk_core* core, void* const* args) {
    AscendC::detail::current = core;
    body_(args);
  }

  static inline KernelBody body_ = nullptr;
  core::Machine machine_;
  opk_kernel_v1 kernel_{};
  core::LaunchRequest request_;
};

}  // namespace opkit::bench

#endif  // TESTS_BENCH_CUBE_CORE_H_
