// Sizes in place of the scales of a Resize.
#include <gtest/gtest.h>

#include "opkit/rewrite/passes/rewrites.h"
#include "rewritten.h"

namespace opkit::passes {
namespace {

TEST(StateResizes, StatesSizesWhereScalesChooseTheSameElements) {
  const std::string scales = "const s: float32[4] = 1, 1, 0.6, 0.6\n";
  const std::string how = " {coordinate_transformation_mode=\"asymmetric\", nearest_mode=\"ceil\"}";
  const Rewritten nearest =
      rewritten(state_resizes, kX + scales + "y = Resize(x, _, s)" + how + "\noutput y\n");
  EXPECT_EQ(nearest.after.nodes[0].inputs.size(), 4u);
  expect_same_values(nearest);
  const Rewritten linear =
      rewritten(state_resizes, kX + scales + "y = Resize(x, _, s) {mode=\"linear\"}\noutput y\n");
  EXPECT_EQ(linear.after.nodes[0].inputs, (std::vector<std::string>{"x", "", "s"}));
  expect_same_values(linear);
}

}  // namespace
}  // namespace opkit::passes
