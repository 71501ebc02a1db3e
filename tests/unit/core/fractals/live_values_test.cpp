// Products that leave out what is +0 in all of A and B against the same products of everything.
#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "opkit/core/fractals/live_values.h"
#include "opkit/core/fractals/multiply.h"

namespace opkit::core {
namespace {

constexpr uint32_t kSide = 16;
constexpr float kNegativeZero = -0.0f;

// A in fractals of 16 rows of `run` values (halves: the first eight of each row, then the rest), B
// in stretches of `run` rows of every panel; from `live` on every stretch is +0.
struct Matrices {
  uint32_t rows, panels, stretches, run;
  std::vector<float> a, b, c;

  uint32_t blocks() const { return (rows + kSide - 1) / kSide; }
  float& in_a(uint32_t row, uint32_t stretch, uint32_t k) {
    return a[((row / kSide * stretches + stretch) * run + k / 8 * 8) * kSide + row % kSide * 8 +
             k % 8];
  }
  float& in_b(uint32_t stretch, uint32_t k, uint32_t column) {
    return b[((stretch * panels + column / kSide) * run + k) * kSide + column % kSide];
  }
  PanelProduct product() {
    PanelProduct p;
    p.a = a.data();
    p.a_row = 8;
    p.a_eight = 8 * kSide;
    p.a_run = size_t{run} * kSide;
    p.a_block = p.a_run * stretches;
    p.b = b.data();
    p.b_panel = size_t{run} * kSide;
    p.b_run = p.b_panel * panels;
    p.c = c.data();
    p.rows = rows;
    p.panels = panels;
    p.k = run * stretches;
    p.run = run;
    p.c_rows = blocks() * kSide;
    return p;
  }
};

// Small integers and zeros of both signs, so that sums of nothing but zeros occur.
Matrices matrices(uint32_t rows, uint32_t panels, uint32_t stretches, uint32_t run, uint32_t live) {
  Matrices x{rows, panels, stretches, run, {}, {}, {}};
  x.a.assign(size_t{x.blocks()} * stretches * run * kSide, 0.0f);
  x.b.assign(size_t{stretches} * panels * run * kSide, 0.0f);
  std::mt19937 engine(rows * 31 + panels * 7 + stretches);
  const auto number = [&engine] {
    const uint32_t drawn = engine() % 8;
    return drawn < 4 ? (drawn % 2 ? 0.0f : kNegativeZero) : static_cast<float>(drawn) - 5.5f;
  };
  for (uint32_t s = 0; s < stretches; ++s) {
    for (uint32_t k = 0; k < live; ++k) {
      for (uint32_t r = 0; r < rows; ++r) x.in_a(r, s, k) = number();
      for (uint32_t column = 0; column < panels * kSide; ++column) x.in_b(s, k, column) = number();
    }
  }
  for (uint32_t i = 0; i < panels * x.blocks() * kSide * kSide; ++i) x.c.push_back(number());
  x.in_a(0, 0, live - 1) = x.in_b(0, live - 1, 0) = 1.0f;
  return x;
}

std::vector<uint32_t> bits_of(const std::vector<float>& numbers) {
  std::vector<uint32_t> bits;
  for (const float number : numbers) bits.push_back(std::bit_cast<uint32_t>(number));
  return bits;
}

class SilentChannels : public ::testing::TestWithParam<Products> {
 protected:
  uint32_t run() const { return GetParam() == Products::kExact ? 16 : 8; }
};

TEST_P(SilentChannels, GiveTheSameBits) {
  for (const bool fresh : {true, false}) {
    for (const uint32_t live : {1u, 3u, run() - 1}) {
      for (const uint32_t rows : {1u, 8u, 15u, 48u}) {
        for (const uint32_t panels : {1u, 2u, 4u, 7u}) {
          Matrices all = matrices(rows, panels, 21, run(), live), some = all;
          PanelProduct p = all.product(), q = some.product();
          p.fresh = q.fresh = fresh;
          q.live = live_values(GetParam(), q);
          ASSERT_EQ(live, q.live) << rows << " rows, " << panels << " panels";
          multiply_panels(GetParam(), p);
          multiply_panels(GetParam(), q);
          ASSERT_EQ(bits_of(all.c), bits_of(some.c)) << rows << " rows, " << panels << " panels";
        }
      }
    }
  }
}

// A product that becomes too small leaves -0, to which the +0 behind it are added.
TEST_P(SilentChannels, MakeNoNegativeZero) {
  Matrices x = matrices(1, 1, 1, run(), 1);
  x.in_a(0, 0, 0) = 1e-30f;
  x.in_b(0, 0, 0) = -1e-30f;
  PanelProduct p = x.product();
  p.fresh = true;
  p.live = live_values(GetParam(), p);
  ASSERT_EQ(1u, p.live);
  multiply_panels(GetParam(), p);
  EXPECT_EQ(0u, std::bit_cast<uint32_t>(x.c[0]));
}

TEST_P(SilentChannels, AreThoseThatHoldNothingButPositiveZeros) {
  const auto live = [this](auto&& change) {
    Matrices x = matrices(20, 2, 3, run(), 3);
    change(x);
    return live_values(GetParam(), x.product());
  };
  EXPECT_EQ(3u, live([](Matrices&) {}));
  EXPECT_EQ(5u, live([](Matrices& x) { x.in_a(19, 2, 4) = kNegativeZero; }));
  EXPECT_EQ(7u, live([](Matrices& x) { x.in_b(1, 6, 31) = kNegativeZero; }));
  const uint32_t last = run() - 1;
  EXPECT_EQ(0u, live([last](Matrices& x) { x.in_a(17, 1, last) = 1.0f; }));
  EXPECT_EQ(0u, live([last](Matrices& x) { x.in_b(2, last, 16) = 1.0f; }));
}

INSTANTIATE_TEST_SUITE_P(Floats, SilentChannels,
                         ::testing::Values(Products::kExact, Products::kFused),
                         [](const auto& info) {
                           return info.param == Products::kExact ? "Exact" : "Fused";
                         });

TEST(OtherProducts, AreNotSearchedForSilentChannels) {
  Matrices x = matrices(16, 1, 2, 16, 3);
  PanelProduct p = x.product();
  EXPECT_EQ(0u, live_values(Products::kInteger, p));
  EXPECT_EQ(0u, live_values(Products::kPairs, p));
  p.k -= 1;  // a stretch that ends early
  EXPECT_EQ(0u, live_values(Products::kExact, p));
}

}  // namespace
}  // namespace opkit::core
