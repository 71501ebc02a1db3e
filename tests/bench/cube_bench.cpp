// The cube unit against the peak of this host's fused multiply-add, measured in the same run on the
// same thread. GFLOP/s counts two operations per product; `share` is the share of that peak. Both
// are per second of the thread's own time.
#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "opkit/include/lib/matmul_intf.h"
#include "tests/bench/cube_core.h"

namespace {

using namespace AscendC;

// The widest vectors that this file is compiled for.
#ifdef __AVX512F__
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
typedef float Vec __attribute__((vector_size(kLanes * sizeof(float))));

// Counts this thread alone, so that other work on the host counts as little as possible.
double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// GFLOP/s of independent sums in registers, more than the latency of the instruction times its
// rate.
constexpr int kSums = 12;
double peak_now() {
  constexpr int kRounds = 20000;
  Vec sum[kSums];
  for (int j = 0; j < kSums; ++j) sum[j] = Vec{} + static_cast<float>(j);
  const Vec x = Vec{} + 0.5f, y = Vec{} + 0.25f;
  const double begin = cpu_seconds();
  for (int i = 0; i < kRounds; ++i) {
#pragma GCC unroll 16
    for (int j = 0; j < kSums; ++j) sum[j] = sum[j] * x + y;
  }
  const double time = cpu_seconds() - begin;
  for (const Vec& s : sum) benchmark::DoNotOptimize(s[0]);
  return 2e-9 * kSums * kLanes * kRounds / time;
}

double median(std::vector<double> v) {
  if (v.empty()) return 0;
  std::nth_element(v.begin(), v.begin() + static_cast<ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

void fma_peak(benchmark::State& state) {
  std::vector<double> rates;
  for (auto _ : state) rates.push_back(peak_now());
  state.counters["GFLOP/s"] = median(rates);
}
BENCHMARK(fma_peak)->Unit(benchmark::kMicrosecond);

// Hosts lower their clock under work like this, and raise it again some time later: the peak is
// taken right before and right after each run, and medians are told.
template <typename Work>
void measure(benchmark::State& state, double flops, const Work& work) {
  std::vector<double> rates, shares;
  for (auto _ : state) {
    state.PauseTiming();
    const double before = peak_now();
    state.ResumeTiming();
    const double begin = cpu_seconds();
    work();
    const double rate = flops * 1e-9 / (cpu_seconds() - begin);
    state.PauseTiming();
    rates.push_back(rate);
    shares.push_back(rate / std::max(before, peak_now()));
    state.ResumeTiming();
  }
  state.counters["GFLOP/s"] = median(rates);
  state.counters["share"] = median(shares);
}

void launch(benchmark::State& state, opkit::bench::KernelBody body, void* const* args,
            double flops) {
  opkit::bench::CubeCore core(body, args);
  measure(state, flops, [&] { core.run(state); });
}

// GM in pages of 2 MiB where the host gives them: a chip's memory has no host TLB either.
template <typename T>
struct HugePages {
  using value_type = T;
  T* allocate(size_t n) {
    constexpr size_t kPage = size_t{2} << 20;
    const size_t bytes = (n * sizeof(T) + kPage - 1) / kPage * kPage;
    void* p = std::aligned_alloc(kPage, bytes);
    if (p) madvise(p, bytes, MADV_HUGEPAGE);
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t) { std::free(p); }
};
template <typename T>
using Gm = std::vector<T, HugePages<T>>;

template <typename T>
Gm<T> values(size_t n, uint32_t seed) {
  Gm<T> v(n);
  for (T& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(static_cast<float>(seed >> 24) / 128.0f - 1.0f);
  }
  return v;
}

// Mmad alone: 128 x 256 += 128 x 64 times 64 x 256, operands loaded once.
constexpr uint16_t kTileM = 128, kTileK = 64, kTileN = 256;
constexpr int kCalls = 50;

template <typename C, typename T>
void mmad_only(void* const* args) {
  constexpr uint32_t kA = kTileM * kTileK, kB = kTileK * kTileN;
  LocalTensor<T> l1(TPosition::A1, 0, kA + kB), a(TPosition::A2, 0, kA), b(TPosition::B2, 0, kB);
  LocalTensor<C> c(TPosition::CO1, 0, kTileM * kTileN);
  GlobalTensor<T> gm;
  gm.SetGlobalBuffer(static_cast<T*>(args[0]));
  DataCopy(l1, gm, kA + kB);
  constexpr uint32_t kPerFractal = 512 / sizeof(T);
  LoadData(a, l1, LoadData2DParams(0, kA / kPerFractal, 1, 0, 0, false, 0));
  LoadData(b, l1, LoadData2DParams(kA / kPerFractal, kB / kPerFractal, 1, 0, 0, false, 0));
  for (int i = 0; i < kCalls; ++i)
    Mmad(c, a, b, MmadParams(kTileM, kTileN, kTileK, 0, false, i == 0));
}

template <typename C, typename T>
void mmad(benchmark::State& state) {
  auto in = values<T>(kTileM * kTileK + kTileK * kTileN, 1);
  void* args[] = {in.data()};
  launch(state, mmad_only<C, T>, args, 2.0 * kTileM * kTileK * kTileN * kCalls);
}
BENCHMARK_TEMPLATE(mmad, float, float)->Unit(benchmark::kMicrosecond);
BENCHMARK_TEMPLATE(mmad, float, half)->Unit(benchmark::kMicrosecond);
BENCHMARK_TEMPLATE(mmad, float, bfloat16_t)->Unit(benchmark::kMicrosecond);
BENCHMARK_TEMPLATE(mmad, int32_t, int8_t)->Unit(benchmark::kMicrosecond);

// The whole way of C[M, N] = A[M, K] * B[K, N], all row-major: a block of rows of A stays in L1,
// tiles of B pass through it, everything else is double buffered.
constexpr uint32_t kM = 512, kK = 768, kN = 3072;

template <typename T>
class WholePath {
 public:
  static constexpr uint16_t kBaseM = 128, kBaseN = 128, kBaseK = 256 / sizeof(T);
  static constexpr uint16_t kC0 = 32 / sizeof(T);

  WholePath(void* const* args) {
    a_.SetGlobalBuffer(static_cast<T*>(args[0]));
    b_.SetGlobalBuffer(static_cast<T*>(args[1]));
    c_.SetGlobalBuffer(static_cast<float*>(args[2]));
    pipe_.InitBuffer(a1_, 1, kBaseM * kK * sizeof(T));
    pipe_.InitBuffer(b1_, 2, kBaseK * kBaseN * sizeof(T));
    pipe_.InitBuffer(a2_, 2, kBaseM * kBaseK * sizeof(T));
    pipe_.InitBuffer(b2_, 2, kBaseK * kBaseN * sizeof(T));
    pipe_.InitBuffer(co1_, 2, kBaseM * kBaseN * sizeof(float));
  }

  void run() {
    for (uint32_t m = 0; m < kM; m += kBaseM) {
      load_rows_of_a(m);
      LocalTensor<T> a1 = a1_.template DeQue<T>();
      for (uint32_t n = 0; n < kN; n += kBaseN) block(a1, m, n);
      a1_.FreeTensor(a1);
    }
  }

 private:
  void load_rows_of_a(uint32_t m) {
    LocalTensor<T> a1 = a1_.template AllocTensor<T>();
    DataCopy(a1, a_[m * kK], Nd2NzParams(1, kBaseM, kK, 0, kK, kBaseM, 1, 0));
    a1_.EnQue(a1);
  }

  // 32-bit elements are turned as squares, whose two fractals must follow each other: each 16 rows
  // are a matrix of their own.
  void load_b(uint32_t k, uint32_t n) {
    LocalTensor<T> b1 = b1_.template AllocTensor<T>();
    if constexpr (sizeof(T) == 4)
      DataCopy(b1, b_[k * kN + n],
               Nd2NzParams(kBaseK / 16, 16, kBaseN, 16 * kN, kN, 16, 1, 16 * kBaseN));
    else
      DataCopy(b1, b_[k * kN + n], Nd2NzParams(1, kBaseK, kBaseN, 0, kN, kBaseK, 1, 0));
    b1_.EnQue(b1);
  }

  void split_a(const LocalTensor<T>& a1, uint32_t k) {
    LocalTensor<T> a2 = a2_.template AllocTensor<T>();
    for (uint16_t i = 0; i < kBaseM / 16; ++i) {
      LoadData2DParams p;
      p.startIndex = static_cast<uint16_t>(i + k / kC0 * (kBaseM / 16));
      p.repeatTimes = kBaseK / kC0;
      p.srcStride = kBaseM / 16;
      LoadData(a2[i * 16 * kBaseK], a1, p);
    }
    a2_.EnQue(a2);
  }

  void split_b() {
    LocalTensor<T> b1 = b1_.template DeQue<T>(), b2 = b2_.template AllocTensor<T>();
    for (uint16_t j = 0; j < kBaseK / 16; ++j) {
      if constexpr (sizeof(T) == 4) {
        LoadDataWithTranspose(b2[j * 16 * kBaseN], b1[j * 16 * kBaseN],
                              LoadData2dTransposeParams(0, kBaseN / 16, 1, 0, kBaseN / 16 - 1));
      } else {
        LoadData2DParams p;
        p.startIndex = j;
        p.repeatTimes = kBaseN / 16;
        p.srcStride = kBaseK / 16;
        p.ifTranspose = true;
        LoadData(b2[j * 16 * kBaseN], b1, p);
      }
    }
    b1_.FreeTensor(b1);
    b2_.EnQue(b2);
  }

  void multiply(const LocalTensor<float>& c, bool first) {
    LocalTensor<T> a2 = a2_.template DeQue<T>(), b2 = b2_.template DeQue<T>();
    MmadParams p;
    p.m = kBaseM;
    p.n = kBaseN;
    p.k = kBaseK;
    p.cmatrixInitVal = first;
    Mmad(c, a2, b2, p);
    a2_.FreeTensor(a2);
    b2_.FreeTensor(b2);
  }

  void block(const LocalTensor<T>& a1, uint32_t m, uint32_t n) {
    LocalTensor<float> c = co1_.template AllocTensor<float>();
    load_b(0, n);
    for (uint32_t k = 0; k < kK; k += kBaseK) {
      if (k + kBaseK < kK) load_b(k + kBaseK, n);
      split_a(a1, k);
      split_b();
      multiply(c, k == 0);
    }
    co1_.EnQue(c);
    c = co1_.template DeQue<float>();
    Fixpipe(c_[m * kN + n], c, FixpipeParamsV220(kBaseN, kBaseM, kBaseM, kN, false));
    co1_.FreeTensor(c);
  }

  TPipe pipe_;
  TQue<TPosition::A1, 1> a1_;
  TQue<TPosition::B1, 2> b1_;
  TQue<TPosition::A2, 2> a2_;
  TQue<TPosition::B2, 2> b2_;
  TQue<TPosition::CO1, 2> co1_;
  GlobalTensor<T> a_, b_;
  GlobalTensor<float> c_;
};

template <typename T>
void whole_path(void* const* args) {
  WholePath<T>(args).run();
}

template <typename T>
void product(benchmark::State& state, void (*kernel_body)(void* const*), bool transposed) {
  auto a = values<T>(size_t{kM} * kK, 1), b = values<T>(size_t{kK} * kN, 2);
  Gm<float> c(size_t{kM} * kN);
  void* args[] = {a.data(), b.data(), c.data()};
  launch(state, kernel_body, args, 2.0 * kM * kK * kN);
  // A figure for a wrong product is worth nothing.
  float sum = 0;
  for (uint32_t k = 0; k < kK; ++k) {
    sum += static_cast<float>(a[transposed ? size_t{k} * kM + 7 : 7 * kK + k]) *
           static_cast<float>(b[transposed ? size_t{1234} * kK + k : size_t{k} * kN + 1234]);
  }
  if (std::abs(c[7 * kN + 1234] - sum) > 1e-3f) state.SkipWithError("the product is wrong");
}

template <typename T>
void matmul(benchmark::State& state) {
  product<T>(state, whole_path<T>, false);
}
BENCHMARK_TEMPLATE(matmul, float)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(matmul, half)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(matmul, bfloat16_t)->Unit(benchmark::kMillisecond);

// Computes the product by the Matmul object; transposed: both operands are stored so.
template <typename T, bool transposed>
void by_object(void* const* args) {
  using Operand = MatmulType<TPosition::GM, CubeFormat::ND, T, true>;
  using Result = MatmulType<TPosition::GM, CubeFormat::ND, float>;
  TCubeTiling tiling{};
  tiling.M = tiling.singleCoreM = kM;
  tiling.N = tiling.singleCoreN = kN;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = kK;
  tiling.baseM = tiling.baseN = 128;
  tiling.baseK = 64;
  tiling.depthA1 = tiling.depthB1 = tiling.stepM = tiling.stepN = tiling.stepKa = tiling.stepKb = 1;
  Matmul<Operand, Operand, Result> object;
  object.Init(&tiling);
  GlobalTensor<T> a, b;
  GlobalTensor<float> c;
  a.SetGlobalBuffer(static_cast<T*>(args[0]));
  b.SetGlobalBuffer(static_cast<T*>(args[1]));
  c.SetGlobalBuffer(static_cast<float*>(args[2]));
  object.SetTensorA(a, transposed);
  object.SetTensorB(b, transposed);
  object.IterateAll(c);
}

template <typename T, bool transposed>
void matmul_object(benchmark::State& state) {
  product<T>(state, by_object<T, transposed>, transposed);
}
BENCHMARK_TEMPLATE(matmul_object, float, false)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(matmul_object, float, true)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(matmul_object, half, false)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(matmul_object, half, true)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
