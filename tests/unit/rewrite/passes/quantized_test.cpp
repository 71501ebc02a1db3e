// Rewrites of quantised models: on data, where a result may be one step off, and graphs that must
// not change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/rewrite/passes/rewrite.h"
#include "quantized_texts.h"

namespace opkit::passes {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StateQuantized, WritesConvAndMatMulWithFloatsBetween) {
  const Rewritten conv = rewritten(
      state_quantized,
      kX + kSteps +
          "const u: uint8[] = 128\nq = QuantizeLinear(x, s, u)\n"
          "const w: int8[2, 3, 1, 1] = 1, 2, -5, 25, 4, -1\nconst ws: float32[2] = 0.5, 0.25\n"
          "const wz: int8[1] = 0\nconst b: int32[2] = 5, -7\n"
          "y = QLinearConv(q, s, u, w, ws, wz, t, u, b) {pads=[1, 0, 0, 1]}\noutput y\n");
  EXPECT_EQ(conv.changes, 1u);
  EXPECT_THAT(conv.text(), HasSubstr("Conv("));
  EXPECT_THAT(conv.text(), Not(HasSubstr("QLinearConv")));
  expect_same_values(conv, 1.0 / 128);
  const Rewritten product =
      rewritten(state_quantized,
                "input x: float32[5, 3]\n" + kSteps +
                    "q = QuantizeLinear(x, s, z)\nconst w: int8[3, 2] = 1, 2, -5, 25, 4, -1\n"
                    "const ws: float32[2] = 0.5, 0.25\nconst wz: int8[2] = 1, -2\n"
                    "y = QLinearMatMul(q, s, z, w, ws, wz, t, o)\noutput y\n");
  EXPECT_EQ(product.changes, 1u);
  expect_same_values(product, 1.0 / 128);
}

TEST(StateQuantized, LeavesComputedScales) {
  expect_unchanged(state_quantized,
                   "input a: int8[2, 3]\ninput s: float32[]\nconst z: int8[] = 0\n"
                   "const w: int8[3, 2] = 1, 2, 3, 4, 5, 6\nconst t: float32[] = 1\n"
                   "y = QLinearMatMul(a, s, z, w, t, z, t, z)\noutput y\n");
}

TEST(StateSigned, LowersWhatIsQuantisedMovedAndMadeFloat) {
  const Rewritten result = rewritten(
      state_signed, kX + kSteps +
                        "const u: uint8[] = 100\nq = QuantizeLinear(x, s, u)\n"
                        "p = MaxPool(q) {kernel_shape=[2, 2]}\nk = Concat(p, p) {axis=1}\n"
                        "y = DequantizeLinear(k, s, u)\noutput y\n");
  EXPECT_EQ(result.changes, 1u);
  EXPECT_THAT(result.text(), Not(HasSubstr("uint8[2")));
  expect_same_values(result);
  const Rewritten weights =
      rewritten(state_signed, kX + kSteps +
                                  "const u: uint8[] = 128\nconst w: uint8[4] = 0, 127, 128, 255\n"
                                  "f = DequantizeLinear(w, s, u)\ny = Mul(x, f)\noutput y\n");
  EXPECT_EQ(weights.changes, 1u);
  expect_same_values(weights);
}

TEST(StateSigned, LeavesWhatOthersRead) {
  const std::string begin = kX + kSteps + "const u: uint8[] = 100\nq = QuantizeLinear(x, s, u)\n";
  expect_unchanged(state_signed, begin + "y = DequantizeLinear(q, s, u)\noutput y\noutput q\n");
  expect_unchanged(state_signed, begin + "y = Cast(q) {to=\"float32\"}\noutput y\n");
  expect_unchanged(state_signed, "input q: uint8[3]\n" + kSteps +
                                     "const u: uint8[] = 1\ny = DequantizeLinear(q, s, u)\n"
                                     "output y\n");
}

// Two that a graph's input ties together, and a long one.
TEST(StateSigned, SeesAllThatHangsTogether) {
  expect_unchanged(state_signed,
                   "input i: uint8[3]\ninput x: float32[3]\ninput v: float32[3]\n" + kSteps +
                       "const u: uint8[] = 100\nq = QuantizeLinear(x, s, u)\n"
                       "p = QuantizeLinear(v, s, u)\na = Identity(i)\nb = Identity(i)\n"
                       "k = Concat(q, a) {axis=0}\nl = Concat(p, b) {axis=0}\n"
                       "y = DequantizeLinear(k, s, u)\nw = DequantizeLinear(l, s, u)\n"
                       "output y\noutput w\n");
  std::string text = kX + kSteps + "const u: uint8[] = 100\nq0 = QuantizeLinear(x, s, u)\n";
  constexpr int kMany = 3000;
  for (int i = 0; i < kMany; ++i)
    text += "q" + std::to_string(i + 1) + " = Identity(q" + std::to_string(i) + ")\n";
  graph::Graph graph =
      parsed(text + "y = DequantizeLinear(q" + std::to_string(kMany) + ", s, u)\noutput y\n");
  const auto changes = state_signed(graph);
  ASSERT_TRUE(changes.ok());
  EXPECT_EQ(*changes, 1u);
}

TEST(MoveQuantized, MovesWholeNumbers) {
  const Rewritten turned = rewritten(
      move_quantized, kWhole + "r = Transpose(d) {perm=[0, 2, 3, 1]}\ny = Relu(r)\noutput y\n");
  EXPECT_EQ(turned.changes, 1u);
  EXPECT_THAT(turned.text(), HasSubstr("int8[2, 4, 4, 3] = Transpose(q)"));
  expect_same_values(turned);
  const Rewritten joined =
      rewritten(move_quantized, kWhole + "k = Concat(d, d) {axis=1}\ny = Relu(k)\noutput y\n");
  EXPECT_EQ(joined.changes, 1u);
  expect_same_values(joined);
  const Rewritten sooner = rewritten(move_quantized, kX + kSteps +
                                                         "a = Tanh(x)\nb = Relu(x)\n"
                                                         "k = Concat(a, b) {axis=1}\n"
                                                         "y = QuantizeLinear(k, s, z)\noutput y\n");
  EXPECT_GT(sooner.changes, 0u);
  EXPECT_THAT(sooner.text(), HasSubstr("Concat(\"a/int8\", \"b/int8\")"));
  expect_same_values(sooner);
}

TEST(MoveQuantized, MovesTheAxisOfScales) {
  const Rewritten weights = rewritten(
      move_quantized, "input x: float32[2, 2]\n" + kSteps +
                          "const w: int8[2, 3] = 1, 2, 3, 4, 5, 6\nconst ws: float32[2] = 2, 4\n"
                          "const wz: int8[2] = 0, 1\nf = DequantizeLinear(w, ws, wz) {axis=0}\n"
                          "r = Transpose(f) {perm=[1, 0]}\ny = MatMul(r, x)\noutput y\n");
  EXPECT_EQ(weights.changes, 1u);
  EXPECT_THAT(weights.text(), HasSubstr("axis=1"));
  expect_same_values(weights);
}

TEST(MoveQuantized, MovesAChainAtOnce) {
  std::string text = kWhole + "m0 = Identity(d)\n";
  constexpr int kMany = 120;
  for (int i = 0; i < kMany; ++i)
    text += "m" + std::to_string(i + 1) + " = Transpose(m" + std::to_string(i) +
            ") {perm=[0, 1, 3, 2]}\n";
  const Rewritten result =
      rewritten(move_quantized, text + "y = Relu(m" + std::to_string(kMany) + ")\noutput y\n");
  EXPECT_EQ(result.changes, static_cast<size_t>(kMany) + 1);
  expect_same_values(result);
}

// A negative scale turns the order of numbers round.
TEST(MoveQuantized, LeavesMaximaOfNegativeScales) {
  const std::string begin = kX + kSteps + "const w: float32[] = -0.5\n";
  expect_unchanged(move_quantized,
                   begin +
                       "q = QuantizeLinear(x, s, z)\nd = DequantizeLinear(q, w, z)\n"
                       "m = MaxPool(d) {kernel_shape=[2, 2]}\ny = Relu(m)\n"
                       "output y\n");
  expect_unchanged(move_quantized, begin +
                                       "m = MaxPool(x) {kernel_shape=[2, 2]}\n"
                                       "y = QuantizeLinear(m, w, z)\noutput y\n");
}

TEST(MoveQuantized, DropsPairsThatCancel) {
  const Rewritten pair =
      rewritten(move_quantized, kWhole +
                                    "p = QuantizeLinear(d, s, z)\ny = DequantizeLinear(p, s, z)\n"
                                    "output y\n");
  EXPECT_EQ(pair.changes, 1u);
  EXPECT_EQ(pair.after.nodes.size(), 2u);
  expect_same_values(pair);
  expect_unchanged(move_quantized, kWhole + "y = QuantizeLinear(d, t, z)\noutput y\n");
  expect_unchanged(move_quantized, kWhole + "y = QuantizeLinear(d, s, n)\noutput y\n");
}

TEST(DropClamps, DropsBoundsAtWhichNumbersSaturate) {
  const Rewritten relu =
      rewritten(drop_clamps, kX + kSteps + "r = Relu(x)\ny = QuantizeLinear(r, s, o)\noutput y\n");
  EXPECT_EQ(relu.changes, 1u);
  EXPECT_THAT(relu.text(), Not(HasSubstr("Relu")));
  expect_same_values(relu);
  // 255 steps of a 32nd are less than 8.
  const std::string bounds = "const l: float32[] = 0\nconst h: float32[] = 8\n";
  const Rewritten both = rewritten(drop_clamps, kX + kSteps + bounds +
                                                    "r = Clip(x, l, h)\n"
                                                    "y = QuantizeLinear(r, s, o)\noutput y\n");
  EXPECT_THAT(both.text(), Not(HasSubstr("Clip")));
  expect_same_values(both);
  const Rewritten upper = rewritten(drop_clamps, kX + kSteps + bounds +
                                                     "r = Clip(x, l, h)\n"
                                                     "y = QuantizeLinear(r, s, n)\noutput y\n");
  EXPECT_THAT(upper.text(), HasSubstr("Relu(x)"));
  expect_same_values(upper);
}

TEST(DropClamps, LeavesBoundsThatCount) {
  expect_unchanged(drop_clamps,
                   kX + kSteps + "r = Relu(x)\ny = QuantizeLinear(r, s, z)\noutput y\n");
  expect_unchanged(drop_clamps, kX + kSteps +
                                    "const l: float32[] = 0\nconst h: float32[] = 2\n"
                                    "r = Clip(x, l, h)\ny = QuantizeLinear(r, s, o)\noutput y\n");
}

TEST(SplitDequantizations, GivesEachProductItsOwn) {
  const Rewritten result =
      rewritten(split_dequantizations, kWhole +
                                           "a = Add(d, x)\ng = Sigmoid(d)\nm = Mul(d, g)\n"
                                           "y = Add(a, m)\noutput y\n");
  EXPECT_EQ(result.changes, 1u);
  EXPECT_THAT(result.text(), HasSubstr("Add(\"d/copy\", x)"));
  EXPECT_THAT(result.text(), HasSubstr("Mul(d, g)"));  // SiLU keeps its one operand
  expect_same_values(result);
  expect_unchanged(split_dequantizations, kWhole + "y = Add(d, x)\noutput y\n");
}

}  // namespace
}  // namespace opkit::passes
