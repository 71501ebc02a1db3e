// What a call of large tensors costs in a worker: Relu of so many halves, made where the worker
// reads them, every element of the result compared. Reports the most memory that the host had,
// which maps all that the worker touches, as a multiple of the tensors. Needs the shipped ops (make
// ops), and memory for tensors of 8 GiB.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "opkit/isolation/open_op.h"
#include "registry/registry.h"

namespace {

using namespace opkit;

Result<OpenedOp> open_relu() {
  const registry::Registry registry = registry::Registry::open();
  OPKIT_TRY(const registry::Resolution found, registry.resolve({.op = "Relu"}));
  OpenOptions options;
  options.load.probe = false;
  return open_op(found.package, options);
}

// Bits of a half below 2 that is not zero, of either sign; neighbours and far places differ.
uint16_t value_at(uint64_t i) {
  return static_cast<uint16_t>(((i * 0x9e3779b97f4a7c15u) >> 48 & 0xbfff) | 1);
}
uint16_t relu_of(uint16_t half) { return half & 0x8000 ? 0 : half; }

// Anonymous and shared memory, the most at any time.
double peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

void run_relu(benchmark::State& state) {
  const auto op = open_relu();
  if (!op.ok()) return state.SkipWithError(op.error().to_string().c_str());
  const int64_t n = state.range(0);
  const auto pages = static_cast<int64_t>(::sysconf(_SC_AVPHYS_PAGES));
  if (pages * ::sysconf(_SC_PAGESIZE) < 5 * n) return state.SkipWithError("too little memory");
  for (auto _ : state) {
    Invocation call;
    call.contract = &op->contract;
    call.soc = "Ascend910B1";
    call.inputs = {{Tensor::reserved(DType::kFloat16, Shape({n}), "x").value()}};
    call.threads = 0;
    call.fill = [](size_t, size_t, Tensor& x) {
      const std::span<uint16_t> to = x.as<uint16_t>();
      for (uint64_t i = 0; i < to.size(); ++i) to[i] = value_at(i);
    };
    const auto ran = op->executor->run(std::move(call));
    if (!ran.ok()) return state.SkipWithError(ran.error().to_string().c_str());
    const std::span<const uint16_t> got = ran->outputs[0][0].as<uint16_t>();
    uint64_t wrong = got.size() == static_cast<uint64_t>(n) ? 0 : 1;
    for (uint64_t i = 0; i < got.size(); ++i) wrong += got[i] != relu_of(value_at(i));
    if (wrong > 0) return state.SkipWithError((std::to_string(wrong) + " wrong").c_str());
  }
  state.counters["host_peak_over_tensors"] = peak_bytes() / static_cast<double>(4 * n);
}

BENCHMARK(run_relu)
    ->ArgName("elements")
    ->Arg(int64_t{1} << 27)
    ->Arg((int64_t{1} << 31) + 5)
    ->Iterations(1)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
