// The Matmul object with a 4:2 sparse B, against plain loops over the sparse matrix, zeros and all.
#define ASCENDC_CUBE_ONLY
#include "opkit/include/lib/matmul_intf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/matmul_tilings.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

TCubeTiling tiling;
bool with_bias = false, with_index = true, turned = true;

using A = MatmulType<TPosition::GM, CubeFormat::ND, int8_t, true>;
template <CubeFormat format>
using SparseB = SparseMatmulType<TPosition::GM, TPosition::GM, format, int8_t, true>;
using C = MatmulType<TPosition::GM, CubeFormat::ND, int32_t>;
template <CubeFormat format>
using Product = Matmul<A, SparseB<format>, C, C, CFG_MDL>;

template <typename T>
GlobalTensor<T> global(void* data) {
  GlobalTensor<T> t;
  t.SetGlobalBuffer(static_cast<T*>(data));
  return t;
}

// args: A, what B keeps, index, C, bias.
template <CubeFormat format, bool turned_a>
void all_at_once(void* const* args) {
  Product<format> mm;
  mm.Init(&tiling);
  mm.SetTensorA(global<int8_t>(args[0]), turned_a);
  mm.SetTensorB(global<int8_t>(args[1]), turned);
  if (with_index) mm.SetSparseIndex(global<uint8_t>(args[2]));
  if (with_bias) mm.SetBias(global<int32_t>(args[4]));
  mm.IterateAll(global<int32_t>(args[3]));
  mm.End();
}

// The right half of the columns, block by block.
void right_half(void* const* args) {
  const int half = tiling.N / 2;
  Product<CubeFormat::ND> mm;
  mm.Init(&tiling);
  mm.SetTail(-1, half);
  mm.SetTensorA(global<int8_t>(args[0]));
  mm.SetTensorB(global<int8_t>(args[1])[static_cast<uint64_t>(half) * tiling.Kb / 2], true);
  mm.SetSparseIndex(global<uint8_t>(args[2])[static_cast<uint64_t>(half) * 8]);
  const GlobalTensor<int32_t> c = global<int32_t>(args[3])[static_cast<uint64_t>(half)];
  while (mm.Iterate()) mm.GetTensorC(c);
}

// What is kept of a sparse matrix K x N and where it stood, as the page of MmadWithSparse says.
struct Kept {
  std::vector<int8_t> values;  // N rows of K / 2
  std::vector<uint8_t> index;  // fractals of 16 columns by 8 bytes, a column of them per 64 of K
};

struct Problem {
  uint32_t m, n, k;
  std::vector<int8_t> a, b;  // row by row
  std::vector<int32_t> bias, c;
  Kept kept;

  Problem(uint32_t rows, uint32_t columns, uint32_t depth) : m(rows), n(columns), k(depth) {
    a = noise<int8_t>(size_t{m} * k, 1);
    bias = noise<int32_t>(n, 5);
    for (int32_t& x : bias) x /= 4;
    b.assign(size_t{k} * n, 0);
    c.assign(size_t{m} * n, -1);
    kept.values.assign(size_t{n} * k / 2, 0);
    kept.index.assign(size_t{up(n, 16)} * up(k, 64) / 8, 0);
    std::mt19937 engine(7);
    for (uint32_t column = 0; column < n; ++column)
      for (uint32_t at = 0; at < k; at += 4) four(engine, column, at);
  }

  // None, one or two values that are not zero.
  void four(std::mt19937& engine, uint32_t column, uint32_t at) {
    uint32_t first = engine() % 3, second = first + 1 + engine() % (3 - first);
    const auto value = [&] { return static_cast<int8_t>(engine()); };
    const int8_t values[2] = {value(), engine() % 3 ? value() : int8_t{0}};
    b[size_t{at + first} * n + column] = values[0];
    b[size_t{at + second} * n + column] = values[1];
    keep(column, at / 2, values[0], first);
    keep(column, at / 2 + 1, values[1], second - 1);
  }
  void keep(uint32_t column, uint32_t place, int8_t value, uint32_t where) {
    kept.values[size_t{column} * k / 2 + place] = value;
    const size_t fractal = place / 32 * (up(n, 16) / 16) + column / 16;
    uint8_t& byte = kept.index[fractal * 128 + column % 16 * 8 + place % 32 / 4];
    byte = static_cast<uint8_t>(byte | where << (place % 4 * 2));
  }

  std::vector<int8_t> kept_in_nz() const {
    std::vector<int8_t> out(size_t{up(n, 16)} * up(k / 2, 32), 77);
    for (uint32_t column = 0; column < n; ++column)
      for (uint32_t place = 0; place < k / 2; ++place)
        out[nz(column, place, n, 32)] = kept.values[size_t{column} * k / 2 + place];
    return out;
  }
  std::vector<int8_t> a_by_columns() const {
    std::vector<int8_t> out(a.size());
    for (uint32_t i = 0; i < m; ++i)
      for (uint32_t x = 0; x < k; ++x) out[size_t{x} * m + i] = a[size_t{i} * k + x];
    return out;
  }

  template <KernelBody body>
  LaunchReport run_on_engine(const LaunchSetup& setup = on_cube_core()) {
    return run<body>({a.data(), kept.values.data(), kept.index.data(), c.data(), bias.data()},
                     setup);
  }
  std::vector<int32_t> expected() const {
    return product<int32_t>(a, b, m, n, k, with_bias ? bias : std::vector<int32_t>{});
  }
};

struct Case {
  int m, n, k;
  BaseBlock base;
};
const Case kCases[] = {{32, 48, 128, {16, 16, 64}},
                       {33, 47, 72, {16, 32, 64}},
                       {1, 5, 8, {16, 16, 64}},
                       {70, 100, 520, {64, 64, 128}}};

template <CubeFormat format, bool turned_a>
void compare() {
  for (const Case& one : kCases) {
    for (const bool bias : {false, true}) {
      with_bias = bias;
      tiling = tiling_of(one.m, one.n, one.k, one.base);
      tiling.isBias = bias;
      Problem p(static_cast<uint32_t>(one.m), static_cast<uint32_t>(one.n),
                static_cast<uint32_t>(one.k));
      const std::vector<int32_t> expected = p.expected();
      if (turned_a) p.a = p.a_by_columns();
      if (format == CubeFormat::NZ) p.kept.values = p.kept_in_nz();
      const LaunchReport report = p.run_on_engine<all_at_once<format, turned_a>>();
      ASSERT_TRUE(report.ok()) << report.faults[0].message;
      EXPECT_EQ(p.c, expected) << one.m << "x" << one.n << "x" << one.k;
    }
  }
  with_bias = false;
}

TEST(MatmulSparse, MultipliesWhatTheIndexChooses) { compare<CubeFormat::ND, false>(); }
TEST(MatmulSparse, TakesPanelsOfB) { compare<CubeFormat::NZ, false>(); }
TEST(MatmulSparse, TakesColumnsOfA) { compare<CubeFormat::ND, true>(); }

TEST(MatmulSparse, StartsAnywhereAlongTheColumns) {
  tiling = tiling_of(40, 64, 128, {16, 16, 64});
  Problem p(40, 64, 128);
  ASSERT_TRUE(p.run_on_engine<right_half>().ok());
  const std::vector<int32_t> expected = p.expected();
  for (size_t i = 0; i < p.c.size(); ++i) ASSERT_EQ(p.c[i], i % 64 < 32 ? -1 : expected[i]) << i;
}

// Indices 2 and 0 choose the third of four twice, as MmadWithSparse does it.
TEST(MatmulSparse, APairMayChooseOneValueTwice) {
  tiling = tiling_of(16, 16, 8, {16, 16, 64});
  Problem p(16, 16, 8);
  p.a.assign(p.a.size(), 3);
  p.kept.values.assign(p.kept.values.size(), 100);
  for (size_t i = 0; i < p.kept.index.size(); ++i) p.kept.index[i] = i % 8 == 0 ? 0x22 : 0;
  ASSERT_TRUE((p.run_on_engine<all_at_once<CubeFormat::ND, false>>().ok()));
  EXPECT_EQ(p.c, std::vector<int32_t>(256, 4 * 100 * 3));
}

template <KernelBody body = all_at_once<CubeFormat::ND, false>>
Fault refused(Problem& p, LaunchSetup setup = on_cube_core()) {
  const auto range = [](auto& data, const char* name, bool writable) {
    return GmRange{reinterpret_cast<uint8_t*>(data.data()), data.size() * sizeof(data[0]), name,
                   writable};
  };
  setup.gm = {range(p.a, "a", false), range(p.kept.values, "b", false),
              range(p.kept.index, "index", false), range(p.c, "c", true)};
  const LaunchReport report = p.run_on_engine<body>(setup);
  return report.faults.empty() ? Fault{} : report.faults[0];
}

TEST(MatmulSparseRefuses, WhatIsNotSet) {
  tiling = tiling_of(16, 16, 64, {16, 16, 64});
  Problem p(16, 16, 64);
  EXPECT_EQ(refused(p).code, "");
  with_index = false;
  const Fault no_index = refused(p);
  EXPECT_EQ(no_index.code, "EK1724");
  EXPECT_THAT(no_index.action, HasSubstr("call SetSparseIndex"));
  with_index = true;
  turned = false;
  const Fault not_turned = refused(p);
  EXPECT_EQ(not_turned.code, "EK1724");
  EXPECT_THAT(not_turned.action, HasSubstr("isTransposeB"));
  turned = true;
  const Fault on_vector_core = refused(p, LaunchSetup{});
  EXPECT_EQ(on_vector_core.code, "EK1724");
  EXPECT_THAT(on_vector_core.action, HasSubstr("ASCENDC_CUBE_ONLY"));
}

TEST(MatmulSparseRefuses, SizesThatTheIndexCannotCover) {
  tiling = tiling_of(16, 16, 12, {16, 16, 64});
  Problem p(16, 16, 12);
  EXPECT_THAT(refused(p).message, HasSubstr("K is 12"));
  tiling = tiling_of(16, 16, 64, {16, 16, 64});
  Problem cut(16, 16, 64);
  cut.kept.index.resize(127);
  const Fault fault = refused(cut);
  EXPECT_EQ(fault.code, "EK1004");
  EXPECT_THAT(fault.message, HasSubstr("index of the sparse B"));
}

TEST(MatmulSparseRefuses, IndicesThatDoNotExist) {
  tiling = tiling_of(16, 16, 64, {16, 16, 64});
  Problem p(16, 16, 64);
  p.kept.index[5 * 8 + 3] = 0x30;
  const Fault fault = refused(p);
  EXPECT_EQ(fault.code, "EK1720");
  EXPECT_THAT(fault.message, HasSubstr("column 5 of the sparse B is 3"));
}

}  // namespace
}  // namespace opkit::core::test
