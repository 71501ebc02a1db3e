// Activations that the public node tests lack, and what NaN and infinities do in all of them.
#include <cmath>

#include "tests/unit/reference/build.h"

namespace opkit::reference {
namespace {

// x * Phi(x) with Phi(1) = 0.841344746068542948..., Phi(-3) = 0.00134989803163009452...
TEST(Gelu, Exact) {
  expect_near(value("Gelu", {list({0, 1, -1, -3})}),
              {0, 0.841344746068542949, -0.158655253931457051, -0.00404969409489028357});
}

TEST(Gelu, ExactKeepsSmallTails) {
  // -10 * Phi(-10), Phi(-10) = 7.619853024160526e-24
  EXPECT_NEAR(value("Gelu", {list({-10})})[0] / -7.619853024160526e-23, 1, 1e-12);
}

// 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): for x = 1 the argument is
// 0.797884560802865... * 1.044715 = 0.833561928...; tanh of it is 0.682383980...
TEST(Gelu, Tanh) {
  const Attributes attributes = {{"approximate", std::string("tanh")}};
  expect_near(value("Gelu", {list({0, 1, -1, 2})}, attributes),
              {0, 0.84119199060827, -0.15880800939173, 1.95459769408777}, 5e-14);
}

TEST(Gelu, RefusesOtherApproximations) {
  expect_error(apply("Gelu", {list({1})}, {{"approximate", std::string("quick")}}), "OPK-REF-005",
               "not 'quick'");
}

TEST(Silu, IsXTimesSigmoid) {
  expect_near(value("Silu", {list({0, 1, -1})}), {0, 0.731058578630004879, -0.268941421369995121});
}

TEST(Swish, ScalesTheSigmoidsArgument) {
  expect_near(value("Swish", {list({1, -2})}, {{"alpha", 0.5}}),
              {0.622459331201854594, -0.537882842739990190});
}

TEST(Mish, IsXTimesTanhOfSoftplus) {
  // tanh(log(1 + e)) = ((1+e)^2 - 1) / ((1+e)^2 + 1)
  const double square = (1 + M_E) * (1 + M_E);
  expect_near(value("Mish", {list({0, 1})}), {0, (square - 1) / (square + 1)});
  EXPECT_EQ(value("Mish", {list({1000})})[0], 1000);
}

TEST(Softplus, DoesNotOverflow) {
  expect_near(value("Softplus", {list({0, 1000, -1000})}), {M_LN2, 1000, 0});
}

TEST(Sigmoid, Saturates) {
  expect_near(value("Sigmoid", {list({-1e4, 1e4, -INFINITY, INFINITY})}), {0, 1, 0, 1}, 0);
}

TEST(Activations, NanGivesNan) {
  for (const char* op :
       {"Relu",        "LeakyRelu", "Elu",      "Celu",     "Selu",     "Sigmoid",
        "HardSigmoid", "HardSwish", "Tanh",     "Softplus", "Softsign", "ThresholdedRelu",
        "Gelu",        "Silu",      "Mish",     "Shrink",   "Erf",      "Exp",
        "Sqrt",        "Neg",       "Abs",      "Sign",     "Clip",     "Round",
        "Softmax",     "ReduceMax", "ReduceMin"}) {
    EXPECT_TRUE(std::isnan(value(op, {list({NAN})})[0])) << op;
  }
  for (const char* op : {"Min", "Max", "Add", "PRelu"}) {
    EXPECT_TRUE(std::isnan(value(op, {list({NAN}), list({1})})[0])) << op;
  }
  for (const char* op : {"Min", "Max", "Add"}) {
    EXPECT_TRUE(std::isnan(value(op, {list({1}), list({NAN})})[0])) << op;
  }
}

TEST(Activations, InfinitiesFollowTheFormula) {
  const RefTensor both = list({-INFINITY, INFINITY});
  EXPECT_EQ(value("Elu", {both}).values, (std::vector<double>{-1, INFINITY}));
  EXPECT_EQ(value("Relu", {both}).values, (std::vector<double>{0, INFINITY}));
  EXPECT_TRUE(std::isnan(value("Softsign", {both})[1]));
}

TEST(Softmax, OldVersionsNormaliseEverythingFromTheAxis) {
  const RefTensor x = tensor(Shape{1, 2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(value("Softmax", {x})[0], 0.5);
  EXPECT_EQ(value("Softmax", {x}, {}, 12)[0], 0.25);
}

TEST(Softmax, LargeValuesAndInfinities) {
  EXPECT_EQ(value("Softmax", {list({1e4, 1e4})}).values, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(value("Softmax", {list({-INFINITY, 0})}).values, (std::vector<double>{0, 1}));
}

TEST(Dropout, OldMasksHaveTheInputsDtype) {
  const auto now = apply("Dropout", {list({1, 2})}, {}, 2);
  const auto old = apply("Dropout", {list({1, 2})}, {}, 2, 7);
  ASSERT_TRUE(now.ok() && old.ok());
  EXPECT_EQ((*now)[1].dtype, DType::kBool);
  EXPECT_EQ((*old)[1].dtype, DType::kFloat32);
  EXPECT_EQ((*now)[0].values, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace opkit::reference
