// What Fast mode puts off must never show: the same kernel gives the same bits with an observer,
// which puts nothing off, and without.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

class Watcher : public Observer {};

constexpr uint32_t kCount = 3000;

struct Ends {
  GlobalTensor<float> x, y, z;
  explicit Ends(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kCount);
    y.SetGlobalBuffer(static_cast<float*>(args[1]), kCount);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), 2 * kCount);
  }
};

LocalTensor<float> tile(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * 16384, 4096);
}

const DataCopyExtParams kAll{1, kCount * 4, 0, 0, 0};
const DataCopyPadExtParams<float> kNoPad{false, 0, 0, 0};

void load(const Ends& g) {
  DataCopyPad(tile(0), g.x, kAll, kNoPad);
  DataCopyPad(tile(1), g.y, kAll, kNoPad);
}

// Add and Relu in place, copied out, and the tile read again afterwards.
void add_relu_then_read(void* const* args) {
  Ends g(args);
  load(g);
  Add(tile(2), tile(0), tile(1), kCount);
  Relu(tile(2), tile(2), kCount);
  DataCopyPad(g.z, tile(2), kAll);
  Muls(tile(3), tile(2), 2.0f, kCount);
  DataCopyPad(g.z[kCount], tile(3), kAll);
}

// The output overwrites its input; the copied tiles must keep the old values.
void in_place_output(void* const* args) {
  Ends g(args);
  load(g);
  Sub(tile(2), tile(0), tile(1), kCount);
  DataCopyPad(g.x, tile(2), kAll);
  Add(tile(3), tile(0), tile(2), kCount);
  DataCopyPad(g.z, tile(3), kAll);
}

// Overlapping, shifted operands cannot be walked chunk by chunk.
void shifted(void* const* args) {
  Ends g(args);
  load(g);
  Add(tile(2), tile(0), tile(1), kCount);
  Muls(tile(3), tile(2)[8], 3.0f, kCount - 8);
  Adds(tile(2)[64], tile(3), 1.0f, kCount - 64);
  DataCopyPad(g.z, tile(2), kAll);
  DataCopyPad(g.z[kCount], tile(3), DataCopyExtParams{1, (kCount - 8) * 4, 0, 0, 0});
}

// Scalar accesses between and after, and a destination that is read.
void scalars_and_accumulation(void* const* args) {
  Ends g(args);
  load(g);
  tile(1).SetValue(7, tile(0).GetValue(9));
  Axpy(tile(1), tile(0), 0.5f, kCount);
  g.z.SetValue(0, tile(1).GetValue(7));
  Muls(tile(1), tile(1), 2.0f, 1000);
  DataCopyPad(g.z[8], tile(1), DataCopyExtParams{1, (kCount - 8) * 4, 0, 0, 0});
  g.z.SetValue(kCount, tile(1).GetValue(999) + tile(1).GetValue(1000));
}

// Half tiles: conversions change the element size along the chain.
void conversions(void* const* args) {
  Ends g(args);
  load(g);
  LocalTensor<half> narrow = tile(2).ReinterpretCast<half>();
  Add(tile(0), tile(0), tile(1), kCount);
  Cast(narrow, tile(0), RoundMode::CAST_RINT, kCount);
  Relu(narrow, narrow, kCount);
  Cast(tile(3), narrow, RoundMode::CAST_NONE, kCount);
  DataCopyPad(g.z, tile(3), kAll);
  Cast(tile(0), narrow, RoundMode::CAST_NONE, kCount);
  DataCopyPad(g.z[kCount], tile(0), kAll);
}

// A tile that is loaded again before the results of the first load are out.
void loaded_again(void* const* args) {
  Ends g(args);
  load(g);
  Add(tile(2), tile(0), tile(1), kCount);
  DataCopyPad(tile(0), g.y, kAll, kNoPad);
  Sub(tile(3), tile(2), tile(0), kCount);
  DataCopyPad(g.z, tile(3), kAll);
  DataCopy(tile(1), tile(0), 2048);
  DataCopyPad(g.z[kCount], tile(1), kAll);
}

// A strided copy leaves gaps, which keep what was there before.
void into_gaps(void* const* args) {
  Ends g(args);
  load(g);
  DataCopy(tile(0), g.y, DataCopyParams(20, 2, 0, 3));
  Adds(tile(2), tile(0), 1.0f, kCount);
  DataCopyPad(g.z, tile(2), kAll);
}

std::vector<float> inputs(uint32_t step) {
  std::vector<float> v(kCount);
  for (uint32_t i = 0; i < kCount; ++i)
    v[i] = static_cast<float>(static_cast<int>(i * step % 201) - 100) / 3.0f;
  v[0] = std::numeric_limits<float>::quiet_NaN();
  v[1] =
      step == 7 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
  v[2] = -0.0f;
  v[3] = step == 7 ? 3e38f : 2e38f;
  v[4] = -1e-42f;
  return v;
}

template <KernelBody body>
std::vector<float> outcome(Observer* observer) {
  std::vector<float> x = inputs(7), y = inputs(13), z(2 * kCount, -1.0f);
  LaunchSetup setup;
  setup.observer = observer;
  EXPECT_TRUE(run<body>({x.data(), y.data(), z.data()}, setup).ok());
  z.insert(z.end(), x.begin(), x.end());
  return z;
}

template <KernelBody body>
void expect_same_bits() {
  Watcher watcher;
  const std::vector<float> fast = outcome<body>(nullptr), plain = outcome<body>(&watcher);
  EXPECT_EQ(std::memcmp(fast.data(), plain.data(), fast.size() * sizeof(float)), 0);
}

TEST(FastPath, ChainsThatEndInGm) { expect_same_bits<add_relu_then_read>(); }
TEST(FastPath, OutputsOverInputs) { expect_same_bits<in_place_output>(); }
TEST(FastPath, ShiftedOperands) { expect_same_bits<shifted>(); }
TEST(FastPath, ScalarsAndAccumulation) { expect_same_bits<scalars_and_accumulation>(); }
TEST(FastPath, Conversions) { expect_same_bits<conversions>(); }
TEST(FastPath, CopiesWithGaps) { expect_same_bits<into_gaps>(); }
TEST(FastPath, TilesLoadedAgain) { expect_same_bits<loaded_again>(); }

}  // namespace
}  // namespace opkit::core::test
