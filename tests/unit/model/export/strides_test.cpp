#include "opkit/model/export/strides.h"

#include <gtest/gtest.h>

namespace opkit::model_export {
namespace {

TEST(Strides, RepeatAlongDimsOfOne) {
  EXPECT_EQ(dense_steps({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(broadcast_steps(Shape{3, 1}, {2, 3, 4}), (Strides{0, 1, 0}));
  EXPECT_EQ(broadcast_steps(Shape{}, {2, 3}), (Strides{0, 0}));
}

TEST(Strides, JoinDimsThatFollowOneAnother) {
  const WalkOver same = shortest({{2, 3, 4}, {{12, 4, 1}, {12, 4, 1}}});
  EXPECT_EQ(same.dims, (Strides{24}));
  EXPECT_EQ(same.steps[0], (Strides{1}));
  const WalkOver channel = shortest({{2, 3, 4, 5}, {{60, 20, 5, 1}, {0, 1, 0, 0}}});
  EXPECT_EQ(channel.dims, (Strides{2, 3, 20}));
  EXPECT_EQ(channel.steps[1], (Strides{0, 1, 0}));
  const WalkOver one = shortest({{1, 1}, {{1, 1}}});
  EXPECT_EQ(one.dims, (Strides{1}));
  EXPECT_EQ(dims_code({2, 20}), "Dims<2>{{2, 20}}");
}

}  // namespace
}  // namespace opkit::model_export
