// Sizes that a tiling names: those of the op, and few of those that only the probe has.
#include "opkit/verify/landmarks.h"

#include <gmock/gmock.h>

#include <cstring>
#include <memory>

namespace opkit::verify {
namespace {

using testing::Gt;
using testing::SizeIs;

// Plans each call with tiling data of two words: the tile, and a number of elements that no other
// call names.
class NamesWords : public Executor {
 public:
  Result<Execution> run(Invocation) override { return Execution{}; }
  Result<SharedPlan> plan(const OpContract&, const std::string&, const CallFacts&) override {
    const uint32_t words[] = {1280, 100 + ++plans};
    auto plan = std::make_shared<CallPlan>();
    plan->tiling.data.resize(sizeof(words));
    std::memcpy(plan->tiling.data.data(), words, sizeof(words));
    return SharedPlan(std::move(plan));
  }
  std::string digest() const override { return "names words"; }
  uint32_t plans = 0;
};

TEST(Landmarks, BeginWithSizesOfTheOpAndHoldFewOfTheProbes) {
  const auto contract = OpContract::parse(R"(
op: Twice
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "N", format: ND}
outputs:
  y: {dtype: float32, shape: "N", format: ND}
reference:
  - {op: Add, in: [x, x], out: y}
soc: [Ascend910B]
)",
                                          "op_contract.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  NamesWords executor;
  const auto found = landmarks(*contract, executor, "Ascend910B1", 1, {}, [](const Problem&) {});
  EXPECT_THAT(executor.plans, Gt(10u));
  ASSERT_THAT(found, SizeIs(5));
  EXPECT_EQ(found.front(), 1280);
  EXPECT_EQ(found[1], 101);
}

}  // namespace
}  // namespace opkit::verify
