#include "opkit/base/shape.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(Shape, ParsesTheUsualSpellings) {
  EXPECT_EQ(*Shape::parse("2,3"), (Shape{2, 3}));
  EXPECT_EQ(*Shape::parse("[2, 3]"), (Shape{2, 3}));
  EXPECT_EQ(*Shape::parse("2x3"), (Shape{2, 3}));
  EXPECT_EQ(*Shape::parse("?,3"), (Shape{-1, 3}));
  EXPECT_EQ(*Shape::parse(""), Shape{});
}

TEST(Shape, RefusesWhatIsNoShape) {
  for (const char* text : {"a", "2,", "2,,3", "[2", "-3", "99999999999999999999"}) {
    const auto shape = Shape::parse(text);
    ASSERT_FALSE(shape.ok()) << text;
    EXPECT_EQ(shape.error().code, "OPK-SHAPE-003");
  }
}

TEST(Shape, CountsElementsWithoutOverflow) {
  EXPECT_EQ(*(Shape{2, 3, 4}).checked_elements(), 24);
  EXPECT_EQ(*Shape{}.checked_elements(), 1);
  EXPECT_EQ((Shape{int64_t{1} << 40, int64_t{1} << 40}).checked_elements().error().code,
            "OPK-SHAPE-002");
  EXPECT_EQ((Shape{2, -1}).checked_elements().error().code, "OPK-SHAPE-001");
}

}  // namespace
}  // namespace opkit
