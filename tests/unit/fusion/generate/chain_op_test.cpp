#include "opkit/fusion/generate/chain_op.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/contract/op_contract.h"
#include "opkit/fusion/generate/generate.h"

namespace opkit::generate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// s = a + b, y = s * 0.5
author::ElementwiseRegion region(const Shape& a, const Shape& b, double factor = 0.5) {
  author::ElementwiseRegion region;
  region.inputs = {{"x1", "a", a}, {"x2", "b", b}};
  region.steps = {{"Add", {{"x1", 0}, {"x2", 0}}, {}, "add_1"},
                  {"Mul", {{"add_1", 0}, {"", factor}}, {}, "y"}};
  region.shape = a;
  return region;
}

std::string name_of(const author::ElementwiseRegion& region, DType dtype = DType::kFloat32,
                    const std::string& soc = "Ascend910B1", const std::string& kit = "kit") {
  const auto op = op_of(region, dtype, soc, kit);
  EXPECT_TRUE(op.ok()) << op.error().to_string();
  return op->names.op;
}

TEST(ChainOp, IsNamedByWhatItIsMadeOf) {
  const Shape large({64, 64}), row({64});
  const std::string name = name_of(region(large, large));
  EXPECT_THAT(name, StartsWith("AddMulChain"));
  EXPECT_EQ(name, name_of(region(Shape({8, 3, 2}), Shape({8, 3, 2}))));  // dims are the call's
  EXPECT_NE(name, name_of(region(large, row)));                          // a broadcast is another
  EXPECT_NE(name, name_of(region(large, large, 0.25)));
  EXPECT_NE(name, name_of(region(large, large), DType::kFloat16));
  EXPECT_NE(name, name_of(region(large, large), DType::kFloat32, "Ascend310B1"));
  EXPECT_NE(name, name_of(region(large, large), DType::kFloat32, "Ascend910B1", "newer"));
}

TEST(ChainOp, HasAContractForTheTypeOfTheChainAlone) {
  const auto op = op_of(region(Shape({64, 64}), Shape({64})), DType::kFloat16, "Ascend910B1", "");
  ASSERT_TRUE(op.ok());
  EXPECT_EQ(op->operators, "Add, Mul");
  const auto contract = OpContract::parse(op->files.at("op_contract.yaml"), "op_contract.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  EXPECT_EQ(contract->op, op->names.op);
  EXPECT_EQ(contract->column_count(), 1u);
  EXPECT_THAT(op->files.at("op_contract.yaml"), HasSubstr("T: [float16]"));
}

TEST(ChainsText, SaysWhatTheSwitchWouldBring) {
  EXPECT_EQ(chains_text({}), "");
  ChainReport report{"Add, Mul", {"a+m", "b+n"}, {}, "", false, 0, ""};
  report.gain.now_bytes = 1000;
  report.gain.then_bytes = 600;
  report.gain.kernels = 4;
  EXPECT_THAT(chains_text({report}),
              testing::AllOf(HasSubstr("--generate_chains would make"),
                             HasSubstr("Add, Mul: 2 times, 4 kernels, 40 % less traffic (400 of "
                                       "1000 bytes); from a+m")));
  report.refused = "no compiler";
  EXPECT_THAT(chains_text({report}), HasSubstr("; not made: no compiler"));
}

}  // namespace
}  // namespace opkit::generate
