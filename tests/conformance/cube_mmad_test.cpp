// Mmad on L0A and L0B filled by the documented index formulas, against plain loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;
using ::testing::NanSensitiveFloatNear;
using ::testing::Pointwise;

struct Job {
  MmadParams params;
  bool with_bias = false, bias_from_half = false, hf32 = false, ties_away = false;
  uint32_t a_bytes = 0, b_bytes = 0, c_bytes = 0;
};
Job job;

// args: A in Zz, B in Zn, old C in L0C's layout, bias, result in L0C's layout.
template <typename C, typename T>
void multiply(void* const* args) {
  LocalTensor<T> a(TPosition::A2, 0, job.a_bytes / sizeof(T));
  LocalTensor<T> b(TPosition::B2, 0, job.b_bytes / sizeof(T));
  LocalTensor<C> c(TPosition::CO1, 0, job.c_bytes / 4);
  put_raw(a, args[0], job.a_bytes);
  put_raw(b, args[1], job.b_bytes);
  put_raw(c, args[2], job.c_bytes);
  SetHF32Mode(job.hf32);
  SetHF32TransMode(job.ties_away ? HF32TransMode::NEAREST_AWAY : HF32TransMode::NEAREST_EVEN);
  if (job.with_bias) {
    LocalTensor<C> bias(TPosition::C2, 0, 256);
    put_raw(bias, args[3], job.params.n * 4u);
    Mmad(c, a, b, bias, job.params);
  } else {
    Mmad(c, a, b, job.params);
  }
  take_raw(args[4], c, job.c_bytes);
}

template <typename C, typename T>
struct Problem {
  uint32_t m, n, k;
  std::vector<T> a, b;
  std::vector<C> old, bias;

  Problem(uint32_t m_in, uint32_t n_in, uint32_t k_in)
      : m(m_in),
        n(n_in),
        k(k_in),
        a(noise<T>(size_t{m} * k, 1)),
        b(noise<T>(size_t{k} * n, 2)),
        old(noise<C>(size_t{m} * n, 3)),
        bias(noise<C>(n, 4)) {
    if constexpr (std::is_integral_v<C>) {
      for (C& x : old) x /= 4;
      for (C& x : bias) x /= 4;
    }
  }

  // k_unit: what k is rounded up to in A.
  std::vector<C> run_on_engine(MmadParams params, uint32_t k_unit = c0_of<T>) const {
    const uint32_t c0 = c0_of<T>;
    const uint32_t ka = up(k, k_unit);
    // Garbage behind the edges must not matter.
    std::vector<T> l0a(size_t{up(m, 16)} * ka, T(77)), l0b(size_t{up(k, c0)} * up(n, 16), T(99));
    for (uint32_t i = 0; i < m; ++i)
      for (uint32_t x = 0; x < k; ++x) l0a[m == 1 ? x : zz(i, x, ka, c0)] = a[i * k + x];
    for (uint32_t x = 0; x < k; ++x)
      for (uint32_t j = 0; j < n; ++j) l0b[zn(x, j, n, c0)] = b[x * n + j];
    std::vector<C> l0c(size_t{up(m, 16)} * up(n, 16)), out(l0c.size());
    for (uint32_t i = 0; i < m; ++i)
      for (uint32_t j = 0; j < n; ++j) l0c[nz(i, j, m, 16)] = old[i * n + j];
    job.params = params;
    job.params.m = static_cast<uint16_t>(m);
    job.params.n = static_cast<uint16_t>(n);
    job.params.k = static_cast<uint16_t>(k);
    job.a_bytes = static_cast<uint32_t>(l0a.size() * sizeof(T));
    job.b_bytes = static_cast<uint32_t>(l0b.size() * sizeof(T));
    job.c_bytes = static_cast<uint32_t>(l0c.size() * 4);
    auto biases = bias;
    const LaunchReport report = run<multiply<C, T>>(
        {l0a.data(), l0b.data(), l0c.data(), biases.data(), out.data()}, on_cube_core());
    EXPECT_TRUE(report.ok()) << (report.ok() ? "" : report.faults[0].message);
    std::vector<C> c(size_t{m} * n);
    for (uint32_t i = 0; i < m; ++i)
      for (uint32_t j = 0; j < n; ++j) c[i * n + j] = out[nz(i, j, m, 16)];
    return c;
  }
};

template <typename C, typename T>
void compare_sizes() {
  job = {};
  const uint32_t sizes[][3] = {{16, 16, 16},  {1, 16, 33},  {17, 1, 1},     {31, 33, 47},
                               {128, 64, 64}, {5, 100, 70}, {48, 112, 130}, {1, 1, 1}};
  for (const auto& s : sizes) {
    const Problem<C, T> p(s[0], s[1], s[2]);
    const auto expected = product<C>(p.a, p.b, p.m, p.n, p.k);
    EXPECT_EQ(p.run_on_engine({}), expected) << s[0] << "x" << s[1] << "x" << s[2];
    MmadParams add;
    add.cmatrixInitVal = false;
    EXPECT_EQ(p.run_on_engine(add), product<C>(p.a, p.b, p.m, p.n, p.k, p.old)) << "accumulated";
    job.with_bias = true;
    EXPECT_EQ(p.run_on_engine({}), product<C>(p.a, p.b, p.m, p.n, p.k, p.bias)) << "with bias";
    job.with_bias = false;
  }
}

TEST(Mmad, HalfSumsInFloat) { compare_sizes<float, half>(); }
TEST(Mmad, Bfloat16SumsInFloat) { compare_sizes<float, bfloat16_t>(); }
TEST(Mmad, FloatSumsInFloat) { compare_sizes<float, float>(); }
TEST(Mmad, Int8SumsInInt32) { compare_sizes<int32_t, int8_t>(); }

// The host's matrix instructions would flush these.
TEST(Mmad, Bfloat16KeepsSubnormalNumbers) {
  job = {};
  Problem<float, bfloat16_t> p(32, 32, 48);
  for (bfloat16_t& x : p.a) x = bfloat16_t(static_cast<float>(x) * 0x1p-64f);
  for (bfloat16_t& x : p.b) x = bfloat16_t(static_cast<float>(x) * 0x1p-66f);
  const auto sums = p.run_on_engine({});
  EXPECT_EQ(sums, product<float>(p.a, p.b, 32, 32, 48));
  EXPECT_NE(sums, std::vector<float>(sums.size(), 0.0f));
  Problem<float, bfloat16_t> q(32, 32, 48);
  for (bfloat16_t& x : q.a) x = bfloat16_t(static_cast<float>(x) * 0x1p-128f);
  EXPECT_EQ(q.run_on_engine({}), product<float>(q.a, q.b, 32, 32, 48));
  Problem<float, bfloat16_t> r(32, 32, 48);
  for (float& x : r.old) x *= 0x1p-130f;
  for (bfloat16_t& x : r.a) x = bfloat16_t(0.0f);
  MmadParams add;
  add.cmatrixInitVal = false;
  EXPECT_EQ(r.run_on_engine(add), r.old);
}

// inf times 0 and inf - inf are NaN; everything else that meets an inf is one.
template <typename T>
void infinities_stay() {
  job = {};
  Problem<float, T> p(48, 64, 64);
  p.a[5] = T(std::numeric_limits<float>::infinity());
  p.a[64 + 5] = p.a[2 * 64 + 7] = T(-std::numeric_limits<float>::infinity());
  p.b[63 * 64 + 9] = T(std::numeric_limits<float>::infinity());
  p.b[5 * 64 + 11] = T(0.0f);
  const auto sums = p.run_on_engine({}), expected = product<float>(p.a, p.b, p.m, p.n, p.k);
  EXPECT_THAT(sums, Pointwise(NanSensitiveFloatNear(0.0f), expected));
  EXPECT_TRUE(std::isinf(sums[0]) && std::isnan(sums[11])) << sums[0] << " " << sums[11];
}
TEST(Mmad, InfinitiesOfHalvesStay) { infinities_stay<half>(); }
TEST(Mmad, InfinitiesOfBfloat16Stay) { infinities_stay<bfloat16_t>(); }

TEST(Mmad, Int8StaysExactOverALongK) {
  job = {};
  Problem<int32_t, int8_t> p(16, 16, 2048);
  for (auto& x : p.a) x = -128;
  for (auto& x : p.b) x = -128;
  p.a[5] = 127;
  EXPECT_EQ(p.run_on_engine({}), product<int32_t>(p.a, p.b, 16, 16, 2048));
}

TEST(Mmad, IsBiasOfTheOldConstructorAdds) {
  job = {};
  const Problem<float, half> p(20, 20, 20);
  EXPECT_EQ(p.run_on_engine(MmadParams(0, 0, 0, true, 0, false, false, false)),
            product<float>(p.a, p.b, 20, 20, 20, p.old));
}

TEST(Mmad, FloatMayPadKTo16) {
  job = {};
  const Problem<float, float> p(40, 24, 20);
  MmadParams params;
  params.kDirectionAlign = true;
  EXPECT_EQ(p.run_on_engine(params, 16), product<float>(p.a, p.b, 40, 24, 20));
}

float with_bits(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

// Pages "ENABLE_HF32_EXECUTION" (11 bits) and "SetHF32TransMode" (ties).
TEST(Mmad, Hf32RoundsTo11BitsOfMantissa) {
  job = {};
  Problem<float, float> p(2, 1, 1);
  p.a = {with_bits(0x3f800800), with_bits(0xbf801800)};  // both halfway
  p.b = {1.0f};
  EXPECT_EQ(p.run_on_engine({}), p.a);
  job.hf32 = true;
  EXPECT_EQ(p.run_on_engine({}),
            (std::vector<float>{with_bits(0x3f800000), with_bits(0xbf802000)}));
  job.ties_away = true;
  EXPECT_EQ(p.run_on_engine({}),
            (std::vector<float>{with_bits(0x3f801000), with_bits(0xbf802000)}));
  p.a = {with_bits(0x3f8007ff), with_bits(0x3f7ff801)};  // below, above
  EXPECT_EQ(p.run_on_engine({}),
            (std::vector<float>{with_bits(0x3f800000), with_bits(0x3f800000)}));
}

// "This chip takes no notice of them" (page "Mmad").
TEST(Mmad, FieldsOfOlderChipsHaveNoEffect) {
  job = {};
  Problem<float, half> p(20, 18, 40);
  const auto expected = p.run_on_engine(MmadParams(20, 18, 40, false, 0, false, false, false));
  EXPECT_EQ(p.run_on_engine(MmadParams(20, 18, 40, false, 5, true, true, true)), expected);
}

// Int4: two elements per byte, low nibble first.
void multiply_int4(void* const* args) {
  LocalTensor<int4b_t> a(TPosition::A2, 0, 16 * 64), b(TPosition::B2, 0, 16 * 64);
  LocalTensor<int32_t> c(TPosition::CO1, 0, 256);
  put_raw(a, args[0], 512);
  put_raw(b, args[1], 512);
  Mmad(c, a, b, MmadParams(16, 16, 64, 0, false, true));
  take_raw(args[2], c, 1024);
}

// The chip goes through C by columns or by rows; the sums are the same.
void multiply_in_another_order(void* const* args) {
  SetMMLayoutTransform(true);
  SetMMColumnMajor();
  SetMMRowMajor();
  multiply_int4(args);
  SetMMLayoutTransform(false);
}

TEST(Mmad, LayoutOfTheResultIsAHint) {
  auto a = noise<uint8_t>(512, 5), b = noise<uint8_t>(512, 6);
  std::vector<int32_t> plain(256), other(256);
  ASSERT_TRUE(run<multiply_int4>({a.data(), b.data(), plain.data()}, on_cube_core()).ok());
  ASSERT_TRUE(
      run<multiply_in_another_order>({a.data(), b.data(), other.data()}, on_cube_core()).ok());
  EXPECT_EQ(other, plain);
  EXPECT_NE(plain, std::vector<int32_t>(256));
}

TEST(Mmad, Int4SumsInInt32) {
  auto a = noise<uint8_t>(512, 5), b = noise<uint8_t>(512, 6);
  std::vector<int32_t> out(256);
  ASSERT_TRUE(run<multiply_int4>({a.data(), b.data(), out.data()}, on_cube_core()).ok());
  const auto at = [](const std::vector<uint8_t>& v, uint32_t i) {
    const int x = i % 2 ? v[i / 2] >> 4 : v[i / 2] & 15;
    return x < 8 ? x : x - 16;
  };
  for (uint32_t r = 0; r < 16; ++r) {
    for (uint32_t c = 0; c < 16; ++c) {
      int sum = 0;
      for (uint32_t k = 0; k < 64; ++k) sum += at(a, r * 64 + k) * at(b, c * 64 + k);
      EXPECT_EQ(out[r * 16 + c], sum);
    }
  }
}

template <KernelBody body>
Fault fault_of() {
  Strict strict;
  LaunchSetup setup = on_cube_core();
  setup.observer = &strict;
  const LaunchReport report = run<body>({}, setup);
  return report.faults.size() == 1 ? report.faults[0] : Fault{};
}

void too_large(void* const*) {
  Mmad(LocalTensor<float>(TPosition::CO1, 0, 256), LocalTensor<half>(TPosition::A2, 0, 256),
       LocalTensor<half>(TPosition::B2, 0, 256), MmadParams(16, 16, 4096, 0, false, true));
}
TEST(MmadRefuses, SizesAbove4095) {
  const Fault fault = fault_of<too_large>();
  EXPECT_EQ(fault.code, "EK1705");
  EXPECT_THAT(fault.message, HasSubstr("m, n, k = 16, 16, 4096; each is at most 4095"));
}

void wrong_memory(void* const*) {
  Mmad(LocalTensor<float>(TPosition::CO1, 0, 256), LocalTensor<half>(TPosition::A1, 0, 256),
       LocalTensor<half>(TPosition::B2, 0, 256), MmadParams(16, 16, 16, 0, false, true));
}
TEST(MmadRefuses, OperandsInTheWrongMemory) {
  const Fault fault = fault_of<wrong_memory>();
  EXPECT_EQ(fault.code, "EK1703");
  EXPECT_EQ(fault.message, "Mmad: the left matrix lies in L1, but must lie in L0A");
}

void small_tensor(void* const*) {
  Mmad(LocalTensor<float>(TPosition::CO1, 0, 256), LocalTensor<half>(TPosition::A2, 0, 256),
       LocalTensor<half>(TPosition::B2, 0, 256), MmadParams(16, 16, 17, 0, false, true));
}
TEST(MmadRefuses, TensorsBelowWholeFractals) {
  const Fault fault = fault_of<small_tensor>();
  EXPECT_EQ(fault.code, "EK1002");
  EXPECT_THAT(fault.message, HasSubstr("left matrix needs 1024 bytes in L0A"));
}

void misaligned(void* const*) {
  Mmad(LocalTensor<float>(TPosition::CO1, 0, 256), LocalTensor<half>(TPosition::A2, 256, 512),
       LocalTensor<half>(TPosition::B2, 0, 256), MmadParams(16, 16, 16, 0, false, true));
}
TEST(MmadRefuses, MisalignedFractals) { EXPECT_EQ(fault_of<misaligned>().code, "EK1003"); }

void no_bias(void* const*) {
  Mmad(LocalTensor<float>(TPosition::CO1, 0, 256), LocalTensor<half>(TPosition::A2, 0, 256),
       LocalTensor<half>(TPosition::B2, 0, 256), MmadParams(16, 16, 16, 0, true, false));
}
TEST(MmadRefuses, ABiasTableWithoutABias) {
  const Fault fault = fault_of<no_bias>();
  EXPECT_EQ(fault.code, "EK1707");
  EXPECT_THAT(fault.message, HasSubstr("there is no bias tensor"));
}

void raw_types(void* const*) {
  opk_mmad_v1 x = AscendC::detail::mmad_call(
      LocalTensor<float>(TPosition::CO1, 0, 256), LocalTensor<half>(TPosition::A2, 0, 256),
      LocalTensor<half>(TPosition::B2, 0, 256), MmadParams(16, 16, 16, 0, false, true));
  x.b.dtype = OPK_BFLOAT16;
  AscendC::detail::issue(x);
}
TEST(MmadRefuses, ProductsOfDifferentTypes) {
  const Fault fault = fault_of<raw_types>();
  EXPECT_EQ(fault.code, "EK1706");
  EXPECT_THAT(fault.message, HasSubstr("no product of half and bfloat16_t in float"));
}

}  // namespace
}  // namespace opkit::core::test
