// Dynamic inputs and outputs, and formats, from an author's test.
#include "opkit/testing/op_test.h"

#include <gmock/gmock.h>

using opkit::testing::Answer;
using opkit::testing::Call;
using testing::ElementsAre;
using testing::HasSubstr;

class ListsTest : public opkit::testing::OpTest {
 protected:
  ListsTest() { use(opkit::testing::one_package(NEGATE_ALL_PACKAGE)); }

  static Call call() {
    Call call;
    call.op = "RightNegateAll";
    call.lists["xs"] = {{"float32", {3}, {1, 2, 3}}, {"float32", {1}, {-7}}};
    return call;
  }
};

TEST_F(ListsTest, EveryTensorOfAListIsNegated) {
  const Answer answer = run(call());
  ASSERT_TRUE(answer.ok()) << answer.message;
  ASSERT_EQ(answer.lists.at("ys").size(), 2u);
  EXPECT_THAT(answer.lists.at("ys")[0].elements, ElementsAre(-1, -2, -3));
  EXPECT_THAT(answer.lists.at("ys")[1].elements, ElementsAre(7));
}

TEST_F(ListsTest, AListStandsBesideSingleTensors) {
  Call shifted = call();
  shifted.inputs["shift"] = {"float32", {1}, {100}};
  shifted.lists["xs"].push_back({"float32", {2}, {4, 5}});
  const Answer answer = run(shifted);
  ASSERT_TRUE(answer.ok()) << answer.message;
  EXPECT_THAT(answer.lists.at("ys")[2].elements, ElementsAre(96, 95));
}

TEST_F(ListsTest, OneTensorMayBeGivenAlone) {
  Call single = call();
  single.inputs["xs"] = single.lists["xs"][0];
  single.lists.clear();
  const Answer answer = run(single);
  ASSERT_TRUE(answer.ok()) << answer.message;
  EXPECT_THAT(answer.lists.at("ys")[0].elements, ElementsAre(-1, -2, -3));
}

TEST_F(ListsTest, RefusesAnEmptyListByItsConstraint) {
  Call empty = call();
  empty.lists["xs"].clear();
  const Answer answer = run(empty);
  EXPECT_EQ(answer.code, "OPK-INFER-010");
  EXPECT_THAT(answer.message, HasSubstr("C1"));
}

TEST_F(ListsTest, TellsListsThatDoNotFit) {
  Call wrong = call();
  wrong.inputs["xs"] = wrong.lists["xs"][0];
  EXPECT_EQ(run(wrong).code, "OPK-TESTING-001");
  EXPECT_THAT(run(wrong).message, HasSubstr("input xs is given alone and as a list"));
  wrong = call();
  wrong.lists["shift"] = wrong.lists["xs"];
  EXPECT_EQ(run(wrong).code, "OPK-TESTING-001");
  EXPECT_THAT(run(wrong).message, HasSubstr("input shift is one tensor, not a list"));
  wrong = call();
  wrong.lists["zs"] = {};
  EXPECT_THAT(run(wrong).message, HasSubstr("it has no input zs"));
  wrong = call();
  wrong.lists["xs"][0].format = "FRACTAL_NX";
  EXPECT_EQ(run(wrong).code, "OPK-TESTING-001");
  EXPECT_THAT(run(wrong).message, HasSubstr("'FRACTAL_NX' is no format"));
  wrong = call();
  wrong.lists["xs"][1].format = "NCHW";
  EXPECT_THAT(run(wrong).code, testing::StartsWith("OPK-INFER-"));
}
