// Vector instructions on a tile of 8 KiB against plain loops over the same tile, both compiled for
// this host. The engine's figure includes the call, its checks and the dispatch.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "tests/unit/core/kernel_run.h"

namespace {

using namespace AscendC;
using opkit::Half;

constexpr uint32_t kTile = 8192;  // bytes of the wider operand
constexpr int kCalls = 2000;  // repeats within a launch, so that the launch itself does not show

template <typename T>
LocalTensor<T> tile(uint32_t index) {
  return LocalTensor<T>(TPosition::VECCALC, index * kTile, kTile / sizeof(T));
}

template <typename T>
void prepare() {
  Duplicate(tile<T>(1), static_cast<T>(1.5f), kTile / sizeof(T));
  Duplicate(tile<T>(2), static_cast<T>(-0.25f), kTile / sizeof(T));
}

template <typename T>
struct AddTile {
  static void engine() {
    for (int i = 0; i < kCalls; ++i) Add(tile<T>(0), tile<T>(1), tile<T>(2), kTile / sizeof(T));
  }
  static void plain(T* d, const T* a, const T* b) {
    for (uint32_t i = 0; i < kTile / sizeof(T); ++i)
      d[i] = static_cast<T>(float(a[i]) + float(b[i]));
  }
};
template <typename T>
struct AddReluTile {
  static void engine() {
    for (int i = 0; i < kCalls; ++i) AddRelu(tile<T>(0), tile<T>(1), tile<T>(2), kTile / sizeof(T));
  }
  static void plain(T* d, const T* a, const T* b) {
    for (uint32_t i = 0; i < kTile / sizeof(T); ++i) {
      const float sum = float(a[i]) + float(b[i]);
      d[i] = static_cast<T>(sum > 0 ? sum : 0.0f);
    }
  }
};
template <typename T>
struct ExpTile {
  static void engine() {
    for (int i = 0; i < kCalls; ++i) Exp(tile<T>(0), tile<T>(1), kTile / sizeof(T));
  }
  static void plain(T* d, const T* a, const T*) {
    for (uint32_t i = 0; i < kTile / sizeof(T); ++i) d[i] = static_cast<T>(std::exp(float(a[i])));
  }
};
struct CastTile {
  static void engine() {
    for (int i = 0; i < kCalls; ++i)
      Cast(tile<half>(0), tile<float>(1), RoundMode::CAST_RINT, kTile / 4);
  }
  static void plain(float* d, const float* a, const float*) {
    auto* out = reinterpret_cast<_Float16*>(d);
    for (uint32_t i = 0; i < kTile / 4; ++i) out[i] = static_cast<_Float16>(a[i]);
  }
};
struct ReduceTile {
  static void engine() {
    for (int i = 0; i < kCalls; ++i)
      ReduceSum(tile<float>(0), tile<float>(1), tile<float>(2), kTile / 4);
  }
  static void plain(float* d, const float* a, const float*) {
    float sum = 0;
    for (uint32_t i = 0; i < kTile / 4; ++i) sum += a[i];
    d[0] = sum;
  }
};

// What a call costs beside its data: Add over few elements, and strips of 64 columns of eight rows
// with a number of each row, as kernels on rows issue them.
template <int count>
struct ShortAdd {
  static void engine() {
    for (int i = 0; i < kCalls; ++i) Add(tile<float>(0), tile<float>(1), tile<float>(2), count);
  }
};
struct RowStrips {
  static void engine() {
    constexpr int kRowBytes = 1024, kStrips = kRowBytes / 256;
    const BinaryRepeatParams rows(1, 1, 0, kRowBytes / 32, kRowBytes / 32, 1);
    for (int i = 0; i < kCalls; ++i) {
      const uint32_t column = i % kStrips * 64;
      Sub(tile<float>(0)[column], tile<float>(1)[column], tile<float>(2), uint64_t{64}, 8, rows);
    }
  }
};
// Sums of 64 columns, strip upon strip.
struct FoldedStrips {
  static void engine() {
    const BinaryRepeatParams rows(1, 1, 1, 8, 8, 32);
    for (int i = 0; i < kCalls; ++i)
      Add(tile<float>(0), tile<float>(0), tile<float>(1)[i % 4 * 64], uint64_t{64}, 8, rows);
  }
};

void (*current)() = nullptr;
void (*current_prepare)() = nullptr;
void entry(opk_core* core, void* const*) {
  detail::current = core;
  current_prepare();
  current();
}

template <typename T, typename Op>
void engine(benchmark::State& state) {
  const opk_soc_v1 soc = opkit::core::test::soc_910b();
  opkit::core::Machine machine(soc, 1);
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.aiv = entry;
  opkit::core::LaunchRequest request;
  request.kernel = &kernel;
  void* args[1] = {nullptr};
  request.args = args;
  current = &Op::engine;
  current_prepare = &prepare<T>;
  for (auto _ : state) {
    if (!machine.launch(request).ok()) state.SkipWithError("the kernel was refused");
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * kCalls * kTile);
}

template <typename T, typename Op>
void plain(benchmark::State& state) {
  std::vector<T> d(kTile / sizeof(T)), a(d.size(), static_cast<T>(1.5f)),
      b(d.size(), static_cast<T>(-0.25f));
  for (auto _ : state) {
    for (int i = 0; i < kCalls; ++i) {
      Op::plain(d.data(), a.data(), b.data());
      benchmark::DoNotOptimize(d.data());
      benchmark::ClobberMemory();
    }
  }
  state.SetBytesProcessed(int64_t(state.iterations()) * kCalls * kTile);
}

#define OPKIT_PAIR(T, Op)            \
  BENCHMARK_TEMPLATE(engine, T, Op); \
  BENCHMARK_TEMPLATE(plain, T, Op)
OPKIT_PAIR(float, AddTile<float>);
OPKIT_PAIR(half, AddTile<half>);
OPKIT_PAIR(float, AddReluTile<float>);
OPKIT_PAIR(half, AddReluTile<half>);
OPKIT_PAIR(float, ExpTile<float>);
OPKIT_PAIR(half, ExpTile<half>);
OPKIT_PAIR(float, CastTile);
OPKIT_PAIR(float, ReduceTile);

BENCHMARK_TEMPLATE(engine, float, ShortAdd<8>);
BENCHMARK_TEMPLATE(engine, float, ShortAdd<64>);
BENCHMARK_TEMPLATE(engine, float, ShortAdd<768>);
BENCHMARK_TEMPLATE(engine, float, RowStrips);
BENCHMARK_TEMPLATE(engine, float, FoldedStrips);

}  // namespace

BENCHMARK_MAIN();
