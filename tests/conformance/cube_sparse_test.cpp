// LoadDataWithSparse and MmadWithSparse, against the index as its page says it, value by value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/conformance/cube_matrices.h"
#include "tests/conformance/raw_memory.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

struct Sizes {
  uint32_t m, n, k;
  bool add;
};
Sizes sizes;
uint32_t start = 0;  // fractals in front of B in L1

uint32_t b_fractals() { return up((sizes.k + 1) / 2, 32) / 32 * (up(sizes.n, 16) / 16); }

// args: A in Zz, B in Zn, index in Zn, old C, result.
void multiply(void* const* args) {
  const uint32_t a_bytes = up(sizes.m, 16) * up(sizes.k, 32), b_bytes = b_fractals() * 512;
  const uint32_t c_bytes = up(sizes.m, 16) * up(sizes.n, 16) * 4;
  const LocalTensor<int8_t> a(TPosition::A2, 0, a_bytes), b(TPosition::B2, 1024, b_bytes);
  const LocalTensor<int8_t> b1(TPosition::B1, 0, b_bytes + start * 512);
  const LocalTensor<uint8_t> index(TPosition::B1, 262144, b_bytes / 4 + start * 128);
  const LocalTensor<int32_t> c(TPosition::CO1, 0, c_bytes / 4);
  put_raw(a, args[0], a_bytes);
  put_raw(b1, args[1], b_bytes + start * 512);
  put_raw(index, args[2], b_bytes / 4 + start * 128);
  put_raw(c, args[3], c_bytes);
  LoadData2DParams p;
  p.startIndex = static_cast<uint16_t>(start);
  p.repeatTimes = static_cast<uint8_t>(b_fractals());
  LoadDataWithSparse(b, b1, index, p);
  SetFlag<HardEvent::MTE1_M>(EVENT_ID0);
  WaitFlag<HardEvent::MTE1_M>(EVENT_ID0);
  MmadParams mmad;
  mmad.m = static_cast<uint16_t>(sizes.m);
  mmad.n = static_cast<uint16_t>(sizes.n);
  mmad.k = static_cast<uint16_t>(sizes.k);
  mmad.cmatrixInitVal = !sizes.add;
  MmadWithSparse(c, a, b, mmad);
  take_raw(args[4], c, c_bytes);
}

// Four values of a column of which at most two are not zero: what is kept of them, and its index.
struct Kept {
  int8_t value[2];
  uint8_t index[2];
};
Kept keep(const int8_t* four) {
  Kept kept{{0, 0}, {0, 0}};
  int found[2] = {-1, -1}, count = 0;
  for (int i = 0; i < 4; ++i)
    if (four[i] != 0) found[count++] = i;
  if (count == 2) {
    kept = {{four[found[0]], four[found[1]]},
            {static_cast<uint8_t>(found[0]), static_cast<uint8_t>(found[1] - 1)}};
  } else if (count == 1) {  // the last one is the second of the pair
    kept = found[0] == 3 ? Kept{{0, four[3]}, {0, 2}}
                         : Kept{{four[found[0]], 0}, {static_cast<uint8_t>(found[0]), 0}};
  }
  return kept;
}

struct Problem {
  std::vector<int8_t> a, b;  // dense, row by row
  std::vector<int8_t> l0a, l1;
  std::vector<uint8_t> index;
  std::vector<int32_t> old, result;

  explicit Problem(const Sizes& s) {
    sizes = s;
    a = noise<int8_t>(size_t{s.m} * s.k, 1);
    b.assign(size_t{s.k} * s.n, 0);
    l0a.assign(size_t{up(s.m, 16)} * up(s.k, 32), 33);
    for (uint32_t i = 0; i < s.m; ++i)
      for (uint32_t k = 0; k < s.k; ++k) l0a[zz(i, k, s.k, 32)] = a[i * s.k + k];
    l1.assign((b_fractals() + start) * 512, 55);
    index.assign((b_fractals() + start) * 128, 0);
    std::mt19937 engine(7);
    for (uint32_t n = 0; n < s.n; ++n)
      for (uint32_t k = 0; k < s.k; k += 4) group(engine, k, n);
    old = noise<int32_t>(size_t{up(s.m, 16)} * up(s.n, 16), 3);
    for (int32_t& x : old) x /= 4;
    result.resize(old.size());
  }

  void group(std::mt19937& engine, uint32_t k, uint32_t n) {
    int8_t four[4] = {};
    for (uint32_t i = engine() % 3; i > 0; --i) {
      const uint32_t at = engine() % 4;
      if (k + at < sizes.k) four[at] = static_cast<int8_t>(engine());
    }
    for (uint32_t i = 0; i < 4 && k + i < sizes.k; ++i) b[(k + i) * sizes.n + n] = four[i];
    const Kept kept = keep(four);
    for (uint32_t i = 0; i < 2; ++i) {
      const size_t at = zn(k / 2 + i, n, sizes.n, 32) + start * 512;
      l1[at] = kept.value[i];
      index[at / 4] = static_cast<uint8_t>(index[at / 4] | kept.index[i] << (at % 4 * 2));
    }
  }

  LaunchReport run_on_engine() {
    return run<multiply>({l0a.data(), l1.data(), index.data(), old.data(), result.data()},
                         on_cube_core());
  }
};

TEST(Sparse, MultipliesWhatTheIndexChooses) {
  const Sizes kSizes[] = {{16, 16, 64, false}, {33, 40, 128, false}, {1, 7, 64, true},
                          {20, 16, 200, true}, {64, 48, 36, false},  {17, 33, 66, false}};
  for (const Sizes& s : kSizes) {
    for (uint32_t first : {0u, 2u}) {
      start = first;
      Problem p(s);
      const LaunchReport report = p.run_on_engine();
      ASSERT_TRUE(report.ok()) << report.faults[0].message;
      const auto expected = product<int32_t>(p.a, p.b, s.m, s.n, s.k);
      for (uint32_t i = 0; i < s.m; ++i)
        for (uint32_t j = 0; j < s.n; ++j) {
          const size_t at = nz(i, j, s.m, 16);
          ASSERT_EQ(p.result[at], expected[i * s.n + j] + (s.add ? p.old[at] : 0))
              << i << "," << j << " of " << s.m << "x" << s.n << "x" << s.k;
        }
    }
  }
  start = 0;
}

TEST(Sparse, DoesNothingWithoutSizes) {
  Problem p({16, 16, 64, false});
  sizes.n = 0;
  p.result.assign(p.result.size(), 0);
  EXPECT_TRUE(p.run_on_engine().ok());
}

TEST(Sparse, RefusesIndicesThatDoNotExist) {
  Problem p({16, 16, 64, false});
  p.index[0] = 0xff;
  const LaunchReport report = p.run_on_engine();
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1720");
  EXPECT_THAT(report.faults[0].message, HasSubstr("an index of column 0 is 3"));
}

void from_the_wrong_memory(void* const*) {
  const LocalTensor<int8_t> b(TPosition::B2, 0, 512), b1(TPosition::B1, 0, 512);
  const LocalTensor<uint8_t> index(TPosition::B1, 4096, 64);
  LoadData2DParams p;
  p.repeatTimes = 1;
  LoadDataWithSparse(b, b1, index, p);
}
TEST(Sparse, RefusesAShortIndex) {
  Strict strict;
  LaunchSetup setup = on_cube_core();
  setup.observer = &strict;
  const LaunchReport report = run<from_the_wrong_memory>({}, setup);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1002");
  EXPECT_THAT(report.faults[0].message, HasSubstr("LoadDataWithSparse: index needs 128 bytes"));
}

}  // namespace
}  // namespace opkit::core::test
