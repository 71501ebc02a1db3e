// What Fast mode puts off between GM, L1 and L0 must never show: the same kernel gives the same
// bits with an observer that sees data, so that nothing is put off, and without.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "tests/conformance/cube_matrices.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

class Watcher : public Observer {};

constexpr uint32_t kN = 64, kK = 64, kM = 32;  // C = A * B
constexpr uint32_t kOut = 3 * kM * kN;         // floats of results

// Orders all that came before, for observers; what is put off stays put off.
void settled() { PipeBarrier<PIPE_ALL>(); }

// args: A, B, results. Every body leaves everything it computes in the results.
template <typename T>
struct Job {
  static constexpr uint16_t kC0 = 32 / sizeof(T);
  GlobalTensor<T> a, b;
  GlobalTensor<float> out;
  LocalTensor<T> a1{TPosition::A1, 0, kM*kK}, b1{TPosition::A1, 65536, kK*kN};
  LocalTensor<T> a2{TPosition::A2, 0, kM*kK}, b2{TPosition::B2, 0, kK*kN};
  LocalTensor<float> c{TPosition::CO1, 0, kM* kN};

  explicit Job(void* const* args) {
    a.SetGlobalBuffer(static_cast<T*>(args[0]));
    b.SetGlobalBuffer(static_cast<T*>(args[1]));
    out.SetGlobalBuffer(static_cast<float*>(args[2]));
  }
  void load_a() {
    settled();
    DataCopy(a1, a, Nd2NzParams(1, kM, kK, 0, kK, kM, 1, 0));
  }
  void load_b() {
    settled();
    if constexpr (sizeof(T) == 4)
      DataCopy(b1, b, Nd2NzParams(kK / 16, 16, kN, 16 * kN, kN, 16, 1, 16 * kN));
    else
      DataCopy(b1, b, Nd2NzParams(1, kK, kN, 0, kN, kK, 1, 0));
  }
  void split_a() {
    settled();
    for (uint16_t i = 0; i < kM / 16; ++i)
      LoadData(a2[i * 16 * kK], a1,
               LoadData2DParams(i, static_cast<uint8_t>(kK / kC0), kM / 16, 0, 0, false, 0));
  }
  void split_b() {
    settled();
    for (uint16_t j = 0; j < kK / 16; ++j) {
      if constexpr (sizeof(T) == 4)
        LoadDataWithTranspose(b2[j * 16 * kN], b1[j * 16 * kN],
                              LoadData2dTransposeParams(0, kN / 16, 1, 0, kN / 16 - 1));
      else
        LoadData(b2[j * 16 * kN], b1,
                 LoadData2DParams(j, static_cast<uint8_t>(kN / 16), kK / 16, 0, 0, true, 0));
    }
  }
  void multiply(bool first = true) {
    settled();
    Mmad(c, a2, b2, MmadParams(kM, kN, kK, 0, false, first));
  }
  void store(uint32_t place) {
    settled();
    Fixpipe(out[place * kM * kN], c, FixpipeParamsV220(kN, kM, kM, kN, false));
  }
};

template <typename T>
void plainly(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  job.multiply();
  job.store(0);
  // Loaded a second and a third time.
  job.split_b();
  job.multiply(false);
  job.split_b();
  job.multiply(false);
  job.store(1);
}

// B and A in GM change after they were read into L1.
template <typename T>
void over_its_sources(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  job.multiply();
  GlobalTensor<float> b_as_floats;
  b_as_floats.SetGlobalBuffer(reinterpret_cast<float*>(args[1]));
  settled();
  Fixpipe(b_as_floats, job.c, FixpipeParamsV220(16, 16, kM, 16, false));
  settled();
  job.a.SetValue(3, T(0.5f));
  job.split_a();
  job.split_b();
  job.multiply();
  job.store(0);
}

// L1 is overwritten, in part and as a whole, between LoadData and Mmad, and read back.
template <typename T>
void over_l1(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  job.split_a();
  settled();
  DataCopy(job.a1[16 * Job<T>::kC0], job.a, 64 * Job<T>::kC0);
  settled();
  DataCopy(job.b1[512], job.a, Nd2NzParams(1, 16, 32, 0, kK, 16, 1, 0));
  job.split_b();
  job.multiply();
  job.store(0);
  job.split_a();
  job.multiply();
  job.store(1);
  settled();
  InitConstValue(job.a1, {1, kM * kK / Job<T>::kC0 / 2, 0, T(2.0f)});
  job.multiply();
  job.split_a();
  job.multiply(false);
  job.store(2);
}

// Gaps of a strided copy keep what was there before.
template <typename T>
void into_gaps(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  const LocalTensor<T> beyond(TPosition::A1, 65536, 2 * kK * kN);
  settled();
  DataCopy(beyond, job.b, DataCopyParams(kK * kN * sizeof(T) / 64 + 1, 1, 0, 1));
  settled();
  DataCopy(job.a1, job.b, Nd2NzParams(1, 8, 32, 0, kN, 16, 2, 0));
  job.split_a();
  job.split_b();
  job.multiply();
  job.store(0);
}

// Raw pointers into L1 and L0A, and one element of L1 that a scalar changes.
template <typename T>
void by_address(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  auto* bytes = static_cast<uint8_t*>(args[2]);
  settled();
  std::memcpy(bytes, reinterpret_cast<const void*>(job.b1.GetPhyAddr()), kK * kN * sizeof(T));
  settled();
  job.b1.SetValue(5, T(1.5f));
  job.split_a();
  job.split_b();
  settled();
  std::memcpy(bytes + kM * kN * 8, reinterpret_cast<const void*>(job.a2.GetPhyAddr()),
              kM * kK * sizeof(T));
  job.multiply();
  job.store(1);
}

// A is loaded row block by row block from places with no common pitch; B in another order.
template <typename T>
void in_another_order(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  settled();
  LoadData(job.a2[16 * 16], job.a1, LoadData2DParams(1, 2, 3, 0, 0, false, 0));
  settled();
  LoadData(job.b2, job.b1, LoadData2DParams(3, 3, 1, 0, 0, false, 1));
  settled();
  LoadData(job.b2[1024], job.b1, LoadData2DParams(0, 4, 5, 0, 1, false, 0));
  job.multiply();
  job.store(0);
  settled();
  DataCopy(job.b1, job.a1, 1024);
  job.split_b();
  job.multiply();
  job.store(1);
}

// B in GM changes between LoadData and Mmad, and again before it is multiplied a second time.
template <typename T>
void before_the_product(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  settled();
  job.b.SetValue(kN + 3, T(7.0f));
  DataCacheCleanAndInvalid<T, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(job.b);
  job.multiply();
  job.store(0);
  GlobalTensor<float> row_of_b;
  row_of_b.SetGlobalBuffer(reinterpret_cast<float*>(args[1]) + 160);
  job.load_b();
  job.split_b();
  settled();
  Fixpipe(row_of_b, job.c, FixpipeParamsV220(16, 16, kM, 16, false));
  job.multiply();
  job.store(1);
  job.multiply(false);
  job.store(2);
}

// Products of parts of what was loaded: one row, ends of n and of k within a fractal.
template <typename T>
void in_parts(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  const uint16_t sizes[][3] = {{kM, 40, kK}, {kM, kN, 37}, {5, kN, kK}, {19, 16, 48}};
  uint32_t place = 0;
  for (const auto& size : sizes) {
    job.split_a();
    job.split_b();
    job.multiply();
    settled();
    Mmad(job.c, job.a2, job.b2, MmadParams(size[0], size[1], size[2], 0, false, false));
    job.store(place++ % 3);
    job.split_b();
    settled();
    Mmad(job.c, job.a2, job.b2, MmadParams(size[0], size[1], size[2], 0, false, true));
    job.store(place++ % 3);
  }
}

// m = 1 takes the left matrix as a plain row (page "Mmad", vector-matrix mode).
template <typename T>
void one_row(void* const* args) {
  Job<T> job(args);
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  job.multiply();  // the rows that one row leaves alone
  settled();
  DataCopy(job.a1, job.a, kK);
  settled();
  LoadData(job.a2, job.a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  for (const bool first : {true, false}) {
    job.split_b();
    settled();
    Mmad(job.c, job.a2, job.b2, MmadParams(1, kN, kK, 0, false, first));
    job.store(first ? 0 : 1);
  }
}

// A at a place in L1 that is no multiple of a fractal, and fractals of B with gaps.
template <typename T>
void at_odd_places(void* const* args) {
  Job<T> job(args);
  job.a1 = LocalTensor<T>(TPosition::A1, 96, kM * kK);
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  job.multiply();
  job.store(0);
  settled();
  DataCopy(job.a1[7 * Job<T>::kC0], job.b, 20 * Job<T>::kC0);
  job.split_a();
  job.multiply();
  job.store(1);
  job.load_b();
  settled();
  if constexpr (sizeof(T) == 4) {
    LoadDataWithTranspose(job.b2, job.b1, LoadData2dTransposeParams(1, 5, 2, 2, 0));
    LoadDataWithTranspose(job.b2[2048], job.b1, LoadData2dTransposeParams(0, 4, 1, 0, 1));
  } else {
    LoadData(job.b2, job.b1, LoadData2DParams(1, 5, 3, 0, 1, true, 0));
  }
  job.multiply();
  job.store(2);
}

template <typename T>
std::vector<T> matrix(size_t n, uint32_t seed) {
  std::vector<T> v = noise<T>(n, seed);
  return v;
}

template <typename T, KernelBody body>
std::vector<float> outcome(Observer* observer) {
  std::vector<T> a = matrix<T>(kM * kK, 21), b = matrix<T>(kK * kN, 22);
  std::vector<float> out(kOut, -1.0f);
  LaunchSetup setup = on_cube_core();
  setup.observer = observer;
  EXPECT_TRUE(run<body>({a.data(), b.data(), out.data()}, setup).ok());
  return out;
}

template <typename T, KernelBody body>
void expect_same_bits(const char* what) {
  Watcher watcher;
  const std::vector<float> fast = outcome<T, body>(nullptr), plain = outcome<T, body>(&watcher);
  for (size_t i = 0; i < kOut; ++i)
    ASSERT_EQ(std::bit_cast<uint32_t>(fast[i]), std::bit_cast<uint32_t>(plain[i]))
        << what << ", word " << i;
}

template <typename T>
void all() {
  expect_same_bits<T, plainly<T>>("plainly");
  expect_same_bits<T, over_its_sources<T>>("over its sources");
  expect_same_bits<T, over_l1<T>>("over L1");
  expect_same_bits<T, into_gaps<T>>("into gaps");
  expect_same_bits<T, by_address<T>>("by address");
  expect_same_bits<T, in_another_order<T>>("in another order");
  expect_same_bits<T, before_the_product<T>>("before the product");
  expect_same_bits<T, in_parts<T>>("in parts");
  expect_same_bits<T, one_row<T>>("one row");
  expect_same_bits<T, at_odd_places<T>>("at odd places");
}

TEST(CubeLazy, Floats) { all<float>(); }
TEST(CubeLazy, Halves) { all<half>(); }
TEST(CubeLazy, Bfloat16) { all<bfloat16_t>(); }

// Halves with NaN keep their bytes.
void with_nan(void* const* args) {
  Job<half> job(args);
  auto* b = static_cast<uint16_t*>(args[1]);
  b[70] = 0x7d01;
  b[200] = 0xfe02;
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  settled();
  std::memcpy(static_cast<float*>(args[2]) + kM * kN,
              reinterpret_cast<const void*>(job.b2.GetPhyAddr()), kK * kN * 2);
  job.multiply();
  job.store(0);
}
TEST(CubeLazy, HalvesWithNan) { expect_same_bits<half, with_nan>("with NaN"); }

// They do so when they were multiplied before anybody looks.
void with_nan_multiplied(void* const* args) {
  Job<half> job(args);
  static_cast<uint16_t*>(args[1])[70] = 0x7d01;
  job.load_a();
  job.load_b();
  job.split_a();
  job.split_b();
  job.multiply();
  job.store(0);
  settled();
  std::memcpy(static_cast<float*>(args[2]) + kM * kN,
              reinterpret_cast<const void*>(job.b2.GetPhyAddr()), kK * kN * 2);
  job.multiply();
  job.store(2);
}
TEST(CubeLazy, MultipliedHalvesWithNan) {
  expect_same_bits<half, with_nan_multiplied>("with NaN, multiplied");
}

}  // namespace
}  // namespace opkit::core::test
