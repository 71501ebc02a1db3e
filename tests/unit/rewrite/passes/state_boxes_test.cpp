// Assignments to slices, as exporters write them, and scatters that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "opkit/rewrite/passes/rewrites.h"
#include "rewritten.h"

namespace opkit::passes {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Places of a box, the last dim fastest, as text.
std::string box_places(std::vector<int> from, std::vector<int> to) {
  std::vector<int> at = from;
  std::string all;
  for (bool more = true; more;) {
    for (const int one : at) all += (all.empty() ? "" : ", ") + std::to_string(one);
    more = false;
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < to[d]) {
        more = true;
        break;
      }
      at[d] = from[d];
    }
  }
  return all;
}

const std::string kScatter = "y = ScatterND(x, i, u)\noutput y\n";

TEST(StateBoxes, OneDimOfThreeWithEveryPlaceNamed) {
  const std::string text =
      "input x: float32[2, 5, 3]\ninput u: float32[2, 2, 3]\n"
      "const i: int64[2, 2, 3, 3] = " +
      box_places({0, 1, 0}, {2, 3, 3}) + "\n" + kScatter;
  const Rewritten middle = rewritten(state_boxes, text);
  EXPECT_EQ(middle.changes, 1u);
  EXPECT_THAT(middle.text(), HasSubstr("= Concat(\"y/before\", \"y/box\", \"y/behind\") {axis=1}"));
  EXPECT_THAT(middle.text(), Not(HasSubstr("ScatterND")));
  expect_same_values(middle);
}

TEST(StateBoxes, RowsAtTheBeginAndAtTheEnd) {
  const std::string x = "input x: int32[4, 3]\n";
  const Rewritten begin =
      rewritten(state_boxes, x + "input u: int32[2, 3]\nconst i: int64[2, 1] = 0, 1\n" + kScatter);
  EXPECT_THAT(begin.text(), HasSubstr("Concat(\"y/box\", \"y/behind\") {axis=0}"));
  expect_same_values(begin);
  const Rewritten end =
      rewritten(state_boxes, x + "input u: int32[3]\nconst i: int64[1] = -1\n" + kScatter);
  EXPECT_THAT(end.text(), HasSubstr("Concat(\"y/before\", \"y/box\") {axis=0}"));
  expect_same_values(end);
}

TEST(StateBoxes, PartsOfSeveralDims) {
  const std::string text =
      "input x: float32[4, 5, 6, 2]\ninput u: float32[2, 3, 4, 2]\n"
      "const i: int64[2, 3, 4, 3] = " +
      box_places({1, 2, 0}, {3, 5, 4}) + "\n" + kScatter;
  const Rewritten inner = rewritten(state_boxes, text);
  EXPECT_EQ(inner.changes, 1u);
  expect_same_values(inner);
}

TEST(StateBoxes, AllOfTheData) {
  const Rewritten all = rewritten(state_boxes,
                                  "input x: float32[2, 3]\ninput u: float32[2, 3]\n"
                                  "const i: int64[2, 1] = 0, 1\n" +
                                      kScatter);
  EXPECT_THAT(all.text(), HasSubstr("y: float32[2, 3] = Reshape(u"));
  expect_same_values(all);
}

TEST(StateBoxes, LeavesOtherPlaces) {
  const std::string x = "input x: float32[4, 3]\ninput u: float32[2, 3]\n";
  for (const char* at : {"1, 0", "0, 2", "1, 1"})
    expect_unchanged(state_boxes, x + "const i: int64[2, 1] = " + at + "\n" + kScatter);
  expect_unchanged(state_boxes, x + "const i: int64[2, 1] = 0, 1\n"
                                    "y = ScatterND(x, i, u) {reduction=\"add\"}\noutput y\n");
  expect_unchanged(state_boxes, x + "input i: int64[2, 1]\n" + kScatter);
  expect_unchanged(state_boxes,
                   "input x: float32[4, 4]\ninput u: float32[4]\n"
                   "const i: int64[4, 2] = 0, 0, 1, 0, 0, 1, 1, 1\n" +
                       kScatter);
  // A box that is a part of four dims.
  expect_unchanged(state_boxes,
                   "input x: float32[2, 2, 2, 2]\ninput u: float32[1]\n"
                   "const i: int64[1, 4] = 0, 0, 0, 0\n" +
                       kScatter);
}

}  // namespace
}  // namespace opkit::passes
