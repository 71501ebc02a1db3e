#include "opkit/fusion/author/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::author {
namespace {

using testing::ElementsAre;

StepOperand read(const std::string& tensor) { return {tensor, 0}; }
StepOperand number(double value) { return {"", value}; }

ElementwiseRegion of(const std::vector<RegionStep>& steps) {
  return {{{"x", "a", Shape({8})}}, steps, Shape({8})};
}

TEST(Formula, TheLastStepWritesY) {
  const Formula formula = formula_of(of({{"Relu", {read("x")}, {}, "y"}}));
  EXPECT_THAT(formula.calls, ElementsAre("Relu(y, x, count);"));
  EXPECT_EQ(formula.slots, 0u);
}

TEST(Formula, YHoldsWhatTheLastStepDoesNotRead) {
  const Formula formula = formula_of(of({{"Abs", {read("x")}, {}, "one"},
                                         {"Exp", {read("one")}, {}, "two"},
                                         {"Mul", {read("two"), read("x")}, {}, "y"}}));
  EXPECT_THAT(formula.calls,
              ElementsAre("Abs(y, x, count);", "Exp(t0, y, count);", "Mul(y, t0, x, count);"));
  EXPECT_EQ(formula.slots, 1u);
}

TEST(Formula, SlotsAreUsedAgain) {
  std::vector<RegionStep> steps;
  std::string last = "x";
  for (int i = 0; i < 9; ++i) {
    steps.push_back({"Exp", {read(last)}, {}, "e" + std::to_string(i)});
    last = steps.back().result;
  }
  steps.push_back({"Sub", {read(last), read("x")}, {}, "y"});
  EXPECT_LE(formula_of(of(steps)).slots, 2u);
}

TEST(Formula, NumbersReadBackExactly) {
  const auto calls = [](const RegionStep& step) { return formula_of(of({step})).calls; };
  EXPECT_THAT(calls({"Mul", {read("x"), number(0.1f)}, {}, "y"}),
              ElementsAre("Muls(y, x, 0.1f, count);"));
  EXPECT_THAT(calls({"Sub", {read("x"), number(3)}, {}, "y"}),
              ElementsAre("Adds(y, x, -3.0f, count);"));
  EXPECT_THAT(calls({"Sub", {number(1), read("x")}, {}, "y"}),
              ElementsAre("Duplicate(y, 1.0f, count);", "Sub(y, y, x, count);"));
  EXPECT_THAT(calls({"Div", {read("x"), number(1e-20)}, {}, "y"}),
              ElementsAre("Duplicate(t0, 1e-20f, count);", "Div(y, x, t0, count);"));
  EXPECT_THAT(calls({"LeakyRelu", {read("x")}, {{"alpha", 0.25}}, "y"}),
              ElementsAre("LeakyRelu(y, x, 0.25f, count);"));
}

}  // namespace
}  // namespace opkit::author
