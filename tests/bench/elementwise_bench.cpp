// AddRelu in Fast mode against a hand-written fused loop of the same machine code level (-O3
// -march=native), one thread and two. Both read and write the same memory; the ratio of medians is
// what counts.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "registry/plugin.h"
#include "registry/registry.h"
#include "tests/prepared_call.h"

namespace {

using namespace opkit;

// The loop that an author would write by hand, and its parallel form with a warm second thread.
void add_relu(const float* x, const float* y, float* z, int64_t n) {
  for (int64_t i = 0; i < n; ++i) z[i] = std::max(x[i] + y[i], 0.0f);
}

class SecondThread {
 public:
  SecondThread() : thread_([this] { serve(); }) {}
  ~SecondThread() {
    stop_ = true;
    go_.fetch_add(1);
    thread_.join();
  }
  void run(const float* x, const float* y, float* z, int64_t n) {
    const int64_t half = n / 2 / 16 * 16;
    x_ = x + half, y_ = y + half, z_ = z + half, n_ = n - half;
    done_.store(false, std::memory_order_relaxed);
    go_.fetch_add(1, std::memory_order_release);
    add_relu(x, y, z, half);
    while (!done_.load(std::memory_order_acquire)) __builtin_ia32_pause();
  }

 private:
  void serve() {
    for (int seen = 0;; ++seen) {
      while (go_.load(std::memory_order_acquire) == seen) __builtin_ia32_pause();
      if (stop_) return;
      add_relu(x_, y_, z_, n_);
      done_.store(true, std::memory_order_release);
    }
  }

  const float *x_ = nullptr, *y_ = nullptr;
  float* z_ = nullptr;
  int64_t n_ = 0;
  std::atomic<int> go_{0};
  std::atomic<bool> done_{true}, stop_{false};
  std::thread thread_;
};

Tensor filled(int64_t n, int step) {
  Tensor tensor(DType::kFloat32, Shape{n});
  for (int64_t i = 0; i < n; ++i)
    tensor.as<float>()[static_cast<size_t>(i)] = static_cast<float>(i % step) - 7.0f;
  return tensor;
}

// The installed op, found as every user of the registry finds it.
struct Op {
  Op() {
    const registry::Registry registry = registry::Registry::open();
    auto found = registry.resolve({"AddRelu", "", "", ""});
    if (!found.ok()) fail(found.error());
    auto loaded = registry::Plugin::load(found->package, registry.host());
    if (!loaded.ok()) fail(loaded.error());
    plugin = std::make_unique<registry::Plugin>(*loaded);
    auto parsed = OpContract::load(found->package.contract_path());
    if (!parsed.ok()) fail(parsed.error());
    contract = std::make_unique<OpContract>(*parsed);
  }
  [[noreturn]] static void fail(const Error& error) {
    std::fprintf(stderr, "%s\n  run `make ops` first\n", error.to_string().c_str());
    std::exit(1);
  }
  std::unique_ptr<registry::Plugin> plugin;
  std::unique_ptr<OpContract> contract;
};

const Op& op() {
  static const Op instance;
  return instance;
}

void emulated(benchmark::State& state) {
  const int64_t n = state.range(0);
  OpRunner runner(*find_soc("Ascend910B1")->spec, static_cast<unsigned>(state.range(1)));
  OpCallOnTables request;
  request.contract = op().contract.get();
  request.op = &op().plugin->op();
  request.inputs = {PortTensors{filled(n, 17)}, PortTensors{filled(n, 5)}};
  auto prepared = prepare(runner, std::move(request));
  if (!prepared.ok()) Op::fail(prepared.error());
  prepared->poison();
  for (auto _ : state) {
    const auto report = prepared->launch();
    if (!report.ok()) state.SkipWithError(report.faults.front().message.c_str());
  }
  state.SetBytesProcessed(state.iterations() * n * 12);
}

void by_hand(benchmark::State& state) {
  const int64_t n = state.range(0);
  Tensor x = filled(n, 17), y = filled(n, 5), z(DType::kFloat32, Shape{n});
  std::unique_ptr<SecondThread> second;
  if (state.range(1) == 2) second = std::make_unique<SecondThread>();
  for (auto _ : state) {
    float* out = z.as<float>().data();
    if (second) {
      second->run(x.as<float>().data(), y.as<float>().data(), out, n);
    } else {
      add_relu(x.as<float>().data(), y.as<float>().data(), out, n);
    }
    benchmark::DoNotOptimize(out);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * n * 12);
}

// Elements: 16 KiB, 1 MiB, 4 MiB and 64 MiB per tensor; threads.
void sizes(benchmark::internal::Benchmark* b) {
  for (int64_t n : {4096, 262144, 1048576, 16777216}) {
    for (int64_t threads : {1, 2}) b->Args({n, threads});
  }
  b->ArgNames({"n", "threads"})->UseRealTime()->Unit(benchmark::kMicrosecond);
}
BENCHMARK(by_hand)->Apply(sizes);
BENCHMARK(emulated)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
