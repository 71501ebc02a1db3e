// The host's dot products of bfloat16 pairs against products of single numbers in the documented
// order of accumulation.
#include "opkit/core/fractals/dots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "opkit/abi/num/bfloat16.h"

namespace opkit::core {
namespace {

constexpr uint32_t kSide = 16, kFractal = kSide * kSide;

struct Matrices {
  uint32_t blocks, panels, steps;  // fractals along m, n, k
  std::vector<BFloat16> a, b;      // row-major: m x k, k x n
  std::vector<float> c;            // m x n

  uint32_t m() const { return blocks * kSide; }
  uint32_t n() const { return panels * kSide; }
  uint32_t k() const { return steps * kSide; }
};

// Numbers of many sizes, none of whose products is subnormal.
Matrices random_matrices(uint32_t blocks, uint32_t panels, uint32_t steps, uint32_t seed) {
  Matrices x{blocks, panels, steps, {}, {}, {}};
  std::mt19937 engine(seed);
  const auto number = [&engine] {
    const float digits = 1.0f + static_cast<float>(engine() % 128) / 128.0f;
    return std::ldexp(engine() % 2 ? digits : -digits, static_cast<int>(engine() % 12) - 6);
  };
  for (uint32_t i = 0; i < x.m() * x.k(); ++i) x.a.emplace_back(number());
  for (uint32_t i = 0; i < x.k() * x.n(); ++i) x.b.emplace_back(number());
  for (uint32_t i = 0; i < x.m() * x.n(); ++i) x.c.push_back(number());
  return x;
}

// Sums the even and the odd ones of every 16 k apart, from zero; then both to the sum.
std::vector<float> in_single_numbers(const Matrices& x, bool fresh) {
  std::vector<float> c(x.c.size());
  for (uint32_t i = 0; i < x.m(); ++i) {
    for (uint32_t j = 0; j < x.n(); ++j) {
      float sum = fresh ? 0.0f : x.c[i * x.n() + j];
      for (uint32_t k0 = 0; k0 < x.k(); k0 += kSide) {
        float part[2] = {0.0f, 0.0f};
        for (uint32_t k = k0; k < k0 + kSide; ++k)
          part[k % 2] = std::fma(static_cast<float>(x.a[i * x.k() + k]),
                                 static_cast<float>(x.b[k * x.n() + j]), part[k % 2]);
        sum = sum + (part[0] + part[1]);
      }
      c[i * x.n() + j] = sum;
    }
  }
  return c;
}

// Fractals of A in rows; of B turned: row r has k = 2r and 2r + 1 of each column side by side; of C
// one below the other in panels.
std::vector<float> in_pairs(const Matrices& x, bool fresh) {
  std::vector<BFloat16> a(x.a.size()), b(x.b.size());
  for (uint32_t i = 0; i < x.m(); ++i)
    for (uint32_t k = 0; k < x.k(); ++k)
      a[(i / kSide * x.steps + k / kSide) * kFractal + i % kSide * kSide + k % kSide] =
          x.a[i * x.k() + k];
  for (uint32_t k = 0; k < x.k(); ++k)
    for (uint32_t j = 0; j < x.n(); ++j)
      b[(j / kSide * x.steps + k / kSide) * kFractal + k % kSide / 2 * 2 * kSide + j % kSide * 2 +
        k % 2] = x.b[k * x.n() + j];
  const auto place = [&](uint32_t i, uint32_t j) {
    return (j / kSide * x.blocks + i / kSide) * kFractal + i % kSide * kSide + j % kSide;
  };
  std::vector<float> c(x.c.size()), out(x.c.size());
  for (uint32_t i = 0; i < x.m(); ++i)
    for (uint32_t j = 0; j < x.n(); ++j) c[place(i, j)] = x.c[i * x.n() + j];
  TileProduct p;
  p.a = reinterpret_cast<const uint8_t*>(a.data());
  p.a_step = p.b_run = kFractal * 2;
  p.a_block = p.b_panel = size_t{x.steps} * kFractal * 2;
  p.b = reinterpret_cast<const uint8_t*>(b.data());
  p.c = reinterpret_cast<uint8_t*>(c.data());
  p.c_panel = size_t{x.blocks} * kFractal * 4;
  p.blocks = x.blocks;
  p.panels = x.panels;
  p.steps = x.steps;
  p.fresh = fresh;
  multiply_dots(p);
  for (uint32_t i = 0; i < x.m(); ++i)
    for (uint32_t j = 0; j < x.n(); ++j) out[i * x.n() + j] = c[place(i, j)];
  return out;
}

TEST(Dots, SumAsSingleNumbersDo) {
  if (!has_dots()) GTEST_SKIP() << "this host has no AVX512_BF16, or may not use it";
  const uint32_t shapes[][3] = {{1, 1, 1}, {1, 2, 3}, {3, 1, 2}, {2, 2, 9}};
  for (const auto& s : shapes) {
    const Matrices x = random_matrices(s[0], s[1], s[2], s[2]);
    for (const bool fresh : {true, false})
      EXPECT_EQ(in_pairs(x, fresh), in_single_numbers(x, fresh)) << s[0] << s[1] << s[2];
  }
}

TEST(Dots, InfinitiesAndCancellationAreTheSame) {
  if (!has_dots()) GTEST_SKIP() << "this host has no AVX512_BF16, or may not use it";
  Matrices x = random_matrices(1, 1, 2, 5);
  x.a[0] = BFloat16(INFINITY);
  for (uint32_t j = 0; j < kSide; ++j) x.b[j] = BFloat16(1.0f);
  for (uint32_t k = 0; k < 32; ++k) x.a[3 * 32 + k] = BFloat16(k % 4 < 2 ? 3e30f : -3e30f);
  EXPECT_EQ(in_pairs(x, false), in_single_numbers(x, false));
  EXPECT_EQ(in_pairs(x, false)[0], INFINITY);
}

}  // namespace
}  // namespace opkit::core
