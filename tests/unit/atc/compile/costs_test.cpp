#include "opkit/atc/compile/costs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace opkit::compile {
namespace {

// Nanoseconds of so many cycles at the chip's 1850 MHz.
uint64_t of_910b(double cycles) { return static_cast<uint64_t>(cycles * 1000 / 1850); }

// The figures of the chip's file: a launch 280 ns and 46 for each core; pipes that start in 500
// cycles, a miss of 190, a write of 96; 32 bytes a cycle read by a core, 835 by all.
TEST(Costs, ASmallTensorIsTurnedByOneCore) {
  const Result<Costs> costs = Costs::of("Ascend910B1", "");
  ASSERT_TRUE(costs.ok()) << costs.error().to_string();
  EXPECT_EQ(costs->turn_bytes(32), 280 + 46 + of_910b(500 + 190 + 96 + 1));
}

TEST(Costs, ALargeTensorIsTurnedAtTheRateOfTheMemory) {
  const Result<Costs> costs = Costs::of("Ascend910B1", "");
  ASSERT_TRUE(costs.ok()) << costs.error().to_string();
  const uint64_t bytes = uint64_t{835} << 20;
  const uint64_t at_least = of_910b(2.0 * (1 << 20));
  EXPECT_GT(costs->turn_bytes(bytes), at_least);
  EXPECT_LT(costs->turn_bytes(bytes), at_least + 280 + 48 * 46 + of_910b(786) + 1);
}

TEST(Costs, CoresAreAddedWhileTheyPay) {
  const Result<Costs> costs = Costs::of("Ascend910B1", "");
  ASSERT_TRUE(costs.ok()) << costs.error().to_string();
  constexpr uint64_t kBytes = 400 * 1024;
  const uint64_t least = costs->turn_bytes(kBytes);
  EXPECT_GT(least, costs->turn_bytes(32));
  for (uint64_t cores = 1; cores <= 48; ++cores) {
    const double alone = static_cast<double>(kBytes) / static_cast<double>(cores) / 32;
    const double together = 2.0 * kBytes / 835;
    EXPECT_LE(least, 280 + 46 * cores + of_910b(786 + std::max(alone, together)) + 1) << cores;
  }
}

TEST(Costs, ADenseTensorIsNotTurned) {
  const Result<Costs> costs = Costs::of("Ascend910B1", "");
  ASSERT_TRUE(costs.ok()) << costs.error().to_string();
  const Result<StorageLayout> dense =
      StorageLayout::of(Format::kND, DType::kFloat16, Shape({2, 3}));
  ASSERT_TRUE(dense.ok());
  EXPECT_EQ(costs->turn(*dense), 0U);
}

}  // namespace
}  // namespace opkit::compile
