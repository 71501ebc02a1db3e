#include "opkit/cli/text/step_name.h"

#include <gtest/gtest.h>

namespace opkit::cli {
namespace {

TEST(StepName, ShortNamesStay) {
  EXPECT_EQ(short_step_name("Conv_1"), "Conv_1");
  EXPECT_EQ(short_step_name("Conv_1+Relu_2"), "Conv_1+Relu_2");
}

TEST(StepName, LongOnesAreTheFirstAndTheLastNode) {
  EXPECT_EQ(short_step_name("MatMul_100+Add_101+Mul_102+Tanh_103+Pow_104+Div_105"),
            "MatMul_100 … Div_105 (6 nodes)");
}

TEST(StepName, ALongNodeKeepsItsEnds) {
  const std::string node = "/model/backbone/stage_3/block_2/attention/softmax/Softmax_output";
  const std::string shown = short_step_name(node);
  EXPECT_EQ(shown, "/model/backbo…ion/softmax/Softmax_output");
}

TEST(StepName, NoCharacterIsCut) {
  std::string node;
  for (int i = 0; i < 30; ++i) node += "\xc3\xa4";
  const std::string shown = short_step_name(node);
  EXPECT_EQ((shown.size() - 3) % 2, 0u);
  EXPECT_LT(shown.size(), node.size());
}

}  // namespace
}  // namespace opkit::cli
