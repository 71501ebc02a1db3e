// Every rewrite proved: by Z3 for all values where it is algebra, on random and exact data through
// the interpreter elsewhere; and graphs that must not change.
#include "opkit/passes/rewrites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "opkit/passes/rewrite.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit_test_paths.h"
#include "proofs.h"
#include "symbolic.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using ::testing::HasSubstr;
using ::testing::Not;
using Apply = Result<size_t> (*)(Graph&);

struct Rewritten {
  Graph before, after;
  size_t changes = 0;
  std::string text() const { return to_text(after); }
};

// Applies the rewrite, then removes what it left without readers.
Rewritten rewritten(Apply apply, const std::string& text) {
  Rewritten result{parsed(text), parsed(text), 0};
  const auto changes = apply(result.after);
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  if (changes.ok()) result.changes = *changes;
  EXPECT_TRUE(remove_dead_code(result.after).ok());
  EXPECT_TRUE(graph::sort_nodes(result.after).ok());
  const Status inferred = reference::infer(result.after);
  EXPECT_TRUE(inferred.ok()) << inferred.error().to_string() << to_text(result.after);
  EXPECT_TRUE(graph::validate(result.after).ok()) << to_text(result.after);
  EXPECT_EQ(result.before.outputs, result.after.outputs);
  return result;
}

// Both graphs on the same data, to the last bit (-0 equals 0).
void expect_same_values(const Rewritten& result, double tolerance = 0) {
  passes::expect_same_values(result.before, result.after, tolerance);
}

void expect_proved(const Rewritten& result) {
  EXPECT_GT(result.changes, 0u) << result.text();
  EXPECT_EQ(compared(result.before, result.after), "equal") << result.text();
  expect_same_values(result);
}

void expect_unchanged(Apply apply, const std::string& text) {
  Graph graph = parsed(text);
  const std::string before = to_text(graph);
  const auto changes = apply(graph);
  ASSERT_TRUE(changes.ok()) << changes.error().to_string();
  EXPECT_EQ(*changes, 0u) << to_text(graph);
  EXPECT_EQ(to_text(graph), before);
}

const std::string kX = "input x: float32[2, 3, 4, 4]\n";
// Powers of two: every step is exact in float32.
const std::string kConv =
    "const w: float32[2, 3, 1, 1] = 1, 2, -0.5, 0.25, 4, -1\nconst b: float32[2] = 0.5, -2\n"
    "c = Conv(x, w, b)\n";
const std::string kNorm =
    "const s: float32[2] = 2, -1\nconst h: float32[2] = 0.5, 3\nconst m: float32[2] = 1, -4\n"
    "const v: float32[2] = 3.75, 0\ny = BatchNormalization(c, s, h, m, v) {epsilon=0.25}\n";

TEST(FoldBatchNorm, IsProved) {
  const Rewritten result = rewritten(fold_batch_norm, kX + kConv + kNorm + "output y\n");
  expect_proved(result);
  EXPECT_EQ(result.after.nodes.size(), 1u);
  EXPECT_EQ(result.after.nodes[0].outputs[0], "y");
  // Without a bias, and with values that are rounded: within the rounding of the weights.
  const std::string plain = kX + "const w: float32[2, 3, 1, 1] = all 0.3\nc = Conv(x, w)\n" +
                            "const s: float32[2] = 0.7, 1.3\nconst v: float32[2] = 0.9, 0.1\n" +
                            "y = BatchNormalization(c, s, s, s, v)\noutput y\n";
  const Rewritten rounded = rewritten(fold_batch_norm, plain);
  EXPECT_EQ(rounded.after.nodes.size(), 1u);
  expect_same_values(rounded, 1e-6);
}

TEST(FoldBatchNorm, LeavesWhatOthersRead) {
  expect_unchanged(fold_batch_norm, kX + kConv + kNorm + "z = Relu(c)\noutput y\noutput z\n");
  expect_unchanged(fold_batch_norm, kX + kConv + kNorm + "output y\noutput c\n");
  expect_unchanged(fold_batch_norm,
                   kX + "input w: float32[2, 3, 1, 1]\nc = Conv(x, w)\n" + kNorm + "output y\n");
  expect_unchanged(
      fold_batch_norm,
      kX + "const s: float32[3] = 1, 2, 3\ny = BatchNormalization(x, s, s, s, s)\noutput y\n");
}

TEST(FoldScale, IsProved) {
  expect_proved(rewritten(fold_scale, kX + kConv +
                                          "const k: float32[2, 1, 1] = 2, -0.5\n"
                                          "y = Mul(c, k)\noutput y\n"));
  expect_proved(
      rewritten(fold_scale, kX + kConv + "const k: float32[] = 4\ny = Mul(c, k)\noutput y\n"));
}

TEST(FoldScale, LeavesFactorsThatAreNotPerChannel) {
  const std::string rest = "y = Mul(c, k)\noutput y\n";
  expect_unchanged(fold_scale, kX + kConv + "const k: float32[4] = 1, 2, 3, 4\n" + rest);
  expect_unchanged(fold_scale, kX + kConv + "const k: float32[2, 1, 1, 1] = 1, 2\n" + rest);
  expect_unchanged(fold_scale, kX + kConv + "const k: float32[1, 2, 2, 1, 1] = all 2\n" + rest);
}

TEST(FoldBias, IsProved) {
  expect_proved(rewritten(fold_bias, kX + kConv +
                                         "const k: float32[2, 1, 1] = 2, -0.5\n"
                                         "y = Add(c, k)\noutput y\n"));
  expect_unchanged(fold_bias, kX + kConv + "y = Add(c, c)\noutput y\n");
}

TEST(JoinPads, IsProved) {
  const std::string pads = "const p: int64[8] = 0, 0, 1, 0, 0, 0, 2, 1\n";
  const std::string conv =
      "const w: float32[1, 3, 2, 2] = all 0.5\ny = Conv(q, w) {pads=[0, 1, 1, 0]}\noutput y\n";
  const Rewritten result = rewritten(join_pads, kX + pads + "q = Pad(x, p)\n" + conv);
  expect_proved(result);
  EXPECT_THAT(result.text(), HasSubstr("pads=[1, 1, 3, 1]"));
}

TEST(JoinPads, ReadsAxes) {
  const std::string conv = "const w: float32[1, 3, 2, 2] = all 0.5\ny = Conv(q, w)\noutput y\n";
  for (const char* axes : {"2, 3", "-2, -1"}) {
    const Rewritten result =
        rewritten(join_pads, kX + "const p: int64[4] = 1, 2, 0, 3\nconst a: int64[2] = " + axes +
                                 "\nq = Pad(x, p, _, a)\n" + conv);
    EXPECT_EQ(result.changes, 1u);
    EXPECT_THAT(result.text(), HasSubstr("pads=[1, 2, 0, 3]"));
    expect_same_values(result);
  }
  const Rewritten other = rewritten(join_pads, kX +
                                                   "const p: int64[4] = 1, 2, 0, 3\n"
                                                   "const a: int64[2] = 3, 2\n"
                                                   "q = Pad(x, p, _, a)\n" +
                                                   conv);
  EXPECT_THAT(other.text(), HasSubstr("pads=[2, 1, 3, 0]"));
  expect_same_values(other);
  expect_unchanged(join_pads, kX + "const p: int64[2] = 1, 0\nconst a: int64[1] = 1\n"
                                   "q = Pad(x, p, _, a)\nconst w: float32[1, 4, 2, 2] = all 0.5\n"
                                   "y = Conv(q, w)\noutput y\n");
}

TEST(JoinPads, LeavesOtherValuesAndDims) {
  const std::string conv = "const w: float32[1, 3, 2, 2] = all 0.5\ny = Conv(q, w)\noutput y\n";
  const std::string one = "const one: float32[] = 1\n",
                    p = "const p: int64[8] = 0, 0, 1, 0, 0, 0, 2, 1\n";
  expect_unchanged(join_pads, kX + p + one + "q = Pad(x, p, one)\n" + conv);
  expect_unchanged(join_pads, kX + p + "q = Pad(x, p) {mode=\"edge\"}\n" + conv);
  expect_unchanged(join_pads,
                   kX + "const p: int64[8] = 1, 0, 0, 0, 0, 0, 0, 0\nq = Pad(x, p)\n" + conv);
  expect_unchanged(join_pads,
                   kX + "const p: int64[8] = 0, 0, -1, 0, 0, 0, 0, 0\nq = Pad(x, p)\n" + conv);
  expect_unchanged(join_pads, kX + p + "q = Pad(x, p)\nz = Relu(q)\n" + conv + "output z\n");
}

TEST(JoinTransposes, IsProved) {
  expect_proved(rewritten(join_transposes, kX +
                                               "a = Transpose(x) {perm=[1, 2, 3, 0]}\n"
                                               "y = Transpose(a) {perm=[3, 1, 0, 2]}\noutput y\n"));
  // Every pair of orders of three axes.
  std::vector<int64_t> first{0, 1, 2};
  do {
    std::vector<int64_t> second{0, 1, 2};
    do {
      const auto order = [](const std::vector<int64_t>& p) {
        return "{perm=[" + std::to_string(p[0]) + ", " + std::to_string(p[1]) + ", " +
               std::to_string(p[2]) + "]}\n";
      };
      expect_same_values(rewritten(join_transposes, "input x: float32[2, 3, 4]\na = Transpose(x) " +
                                                        order(first) + "y = Transpose(a) " +
                                                        order(second) + "output y\n"));
    } while (std::next_permutation(second.begin(), second.end()));
  } while (std::next_permutation(first.begin(), first.end()));
}

TEST(Reshapes, AreStatedAndJoined) {
  const Rewritten stated = rewritten(state_reshapes, kX + "y = Flatten(x)\noutput y\n");
  expect_proved(stated);
  EXPECT_THAT(stated.text(), HasSubstr("y: float32[2, 48] = Reshape(x, \"y/shape\")"));
  const std::string two =
      "const a: int64[2] = 6, 16\nconst b: int64[3] = 4, 2, 12\n"
      "r = Reshape(x, a)\ny = Reshape(r, b)\noutput y\n";
  const Rewritten joined = rewritten(join_reshapes, kX + two);
  expect_proved(joined);
  EXPECT_EQ(joined.after.nodes.size(), 1u);
  // A 0 copies the dim of the operand that is there.
  expect_unchanged(join_reshapes, kX + "const a: int64[2] = 6, 16\nconst b: int64[2] = 0, 16\n"
                                       "r = Reshape(x, a)\ny = Reshape(r, b)\noutput y\n");
  for (const char* op :
       {"Squeeze(u) {axes=[0]}", "Unsqueeze(u) {axes=[0, 3]}", "Flatten(u) {axis=2}"}) {
    const Rewritten one = rewritten(
        state_reshapes, "input u: float32[1, 2, 3]\ny = " + std::string(op) + "\noutput y\n");
    EXPECT_EQ(one.changes, 1u) << op;
    expect_same_values(one);
  }
}

Rewritten old_opset(Apply apply, const std::string& text) {
  return rewritten(apply, "graph \"g\" opset 12\n" + text);
}

TEST(DropNoOps, RemovesWhatChangesNothing) {
  const std::string end = "y = Relu(n)\noutput y\n";
  for (const char* node :
       {"n = Identity(x)", "n = Dropout(x)", "n = Transpose(x) {perm=[0, 1, 2, 3]}",
        "n = Cast(x) {to=\"float32\"}", "n = Concat(x) {axis=0}", "n = Sum(x)"}) {
    const Rewritten result = old_opset(drop_no_ops, kX + node + "\n" + end);
    EXPECT_EQ(result.after.nodes.size(), 1u) << node;
    expect_same_values(result);
  }
  expect_unchanged(drop_no_ops, kX + "n = Transpose(x) {perm=[0, 1, 3, 2]}\n" + end);
  expect_unchanged(drop_no_ops, kX + "n = Cast(x) {to=\"float16\"}\n" + end);
  expect_unchanged(drop_no_ops, kX + "n = Identity(x)\noutput n\n");  // outputs keep their names
  expect_unchanged(drop_no_ops, kX + "n, mask = Dropout(x)\ny = Relu(n)\noutput y\noutput mask\n");
}

TEST(DropNeutralOperands, IsProved) {
  const std::string zero = "const k: float32[1] = 0\n", one = "const k: float32[3, 1, 1] = all 1\n";
  const std::string end = "y = Relu(n)\noutput y\n";
  expect_proved(rewritten(drop_neutral_operands, kX + zero + "n = Add(x, k)\n" + end));
  expect_proved(rewritten(drop_neutral_operands, kX + zero + "n = Sub(x, k)\n" + end));
  expect_proved(rewritten(drop_neutral_operands, kX + one + "n = Mul(k, x)\n" + end));
  expect_proved(rewritten(drop_neutral_operands, kX + one + "n = Div(x, k)\n" + end));
  expect_unchanged(drop_neutral_operands, kX + zero + "n = Sub(k, x)\n" + end);
  expect_unchanged(drop_neutral_operands, kX + one + "n = Div(k, x)\n" + end);
  expect_unchanged(drop_neutral_operands,
                   kX + "const k: float32[5, 1, 1, 1, 1] = all 0\nn = Add(x, k)\n" + end);
  expect_unchanged(drop_neutral_operands,
                   kX +
                       "const k: float32[2] = 0, 1\ns = Flatten(x)\n"
                       "const a: int64[2] = 48, 2\nr = Reshape(s, a)\nn = Add(r, k)\n" +
                       end);
}

TEST(OrderOperands, IsProved) {
  const std::string k = "const k: float32[] = 2\n";
  const Rewritten result = rewritten(order_operands, kX + k + "y = Add(k, x)\noutput y\n");
  expect_proved(result);
  EXPECT_THAT(result.text(), HasSubstr("Add(x, k)"));
  expect_proved(rewritten(order_operands, kX + k + "y = Mul(k, x)\noutput y\n"));
  expect_unchanged(order_operands, kX + k + "y = Sub(k, x)\noutput y\n");
  expect_unchanged(order_operands, kX + k + "y = Add(x, k)\noutput y\n");
}

TEST(ShareSubexpressions, ComputesOnce) {
  const Rewritten result = rewritten(
      share_subexpressions, kX + "a = Relu(x)\nb = Relu(x)\nc = Neg(b)\ny = Add(a, c)\noutput y\n");
  expect_proved(
      rewritten(share_subexpressions, kX + "a = Relu(x)\nb = Relu(x)\ny = Add(a, b)\noutput y\n"));
  EXPECT_EQ(result.after.nodes.size(), 3u);
  expect_same_values(result);
  const Rewritten constants = rewritten(
      share_subexpressions, kX + "const a: float32[] = 2\nconst b: float32[] = 2\np = Mul(x, a)\n"
                                 "q = Mul(p, b)\ny = Add(q, p)\noutput y\n");
  EXPECT_EQ(constants.changes, 1u);
  expect_same_values(constants);
  expect_unchanged(share_subexpressions, kX + "a = Elu(x) {alpha=1.0}\nb = Elu(x) {alpha=2.0}\n"
                                              "y = Add(a, b)\noutput y\n");
  expect_unchanged(share_subexpressions, kX + "a = Relu(x)\nb = Relu(x)\noutput a\noutput b\n");
}

TEST(FoldConstants, EvaluatesWhatIsKnown) {
  const Rewritten result = rewritten(
      fold_constants, kX + "const a: float32[3, 1, 1] = 1, 2, 3\nconst b: float32[] = 0.5\n"
                           "s = Mul(a, b)\nt = Neg(s)\ny = Add(x, t)\noutput y\n");
  EXPECT_EQ(result.changes, 2u);
  EXPECT_EQ(result.after.nodes.size(), 1u);
  expect_same_values(result);
  // A result that is much larger than its operands stays a node.
  expect_unchanged(fold_constants,
                   kX + "const d: int64[2] = 4096, 4096\nc = ConstantOfShape(d)\noutput c\n");
}

TEST(RemoveDeadCode, KeepsWhatOutputsNeed) {
  const Rewritten result = rewritten(
      remove_dead_code, kX + "const k: float32[] = 2\nd = Mul(x, k)\ny = Relu(x)\noutput y\n");
  EXPECT_EQ(result.after.nodes.size(), 1u);
  EXPECT_EQ(result.after.constant("k"), nullptr);
  expect_same_values(result);
  const Rewritten split =
      rewritten(remove_dead_code, "input x: float32[6]\ny, a = Split(x)\noutput y\n");
  expect_same_values(split);
  EXPECT_EQ(split.after.nodes[0].outputs.size(), 2u);
}

TEST(StateDefaults, ChangesNoMeaning) {
  const Rewritten result = rewritten(state_defaults, kX + "y = LeakyRelu(x)\noutput y\n");
  EXPECT_THAT(result.text(), HasSubstr("LeakyRelu(x) {alpha=0.01}"));
  expect_same_values(result);
}

TEST(RaiseVersion, KeepsWhatNodesMean) {
  const std::string x = "input x: float32[2, 3, 2, 2]\n";
  for (const std::string op : {"Softmax", "LogSoftmax", "Hardmax"}) {
    for (const std::string axis : {"", " {axis=0}", " {axis=1}", " {axis=3}", " {axis=-2}"}) {
      const Rewritten raised = rewritten(
          raise_version, "graph \"g\" opset 9\n" + x + "y = " + op + "(x)" + axis + "\noutput y\n");
      EXPECT_EQ(raised.changes, 1u);
      EXPECT_EQ(raised.after.opset, graph::kDefaultOpset);
      expect_same_values(raised, 1e-15);
    }
  }
  const Rewritten flat = rewritten(
      raise_version, "graph \"g\" opset 9\ninput x: float32[2, 3]\ny = Softmax(x)\noutput y\n");
  EXPECT_EQ(flat.after.nodes.size(), 1u);
  expect_same_values(flat, 1e-15);
  const Rewritten norm =
      rewritten(raise_version, "graph \"g\" opset 8\n" + kX + kConv +
                                   "const s: float32[2] = 2, 1\n"
                                   "y = BatchNormalization(c, s, s, s, s) {spatial=1}\noutput y\n");
  EXPECT_EQ(norm.changes, 1u);
  expect_same_values(norm, 1e-15);
}

TEST(RaiseVersion, LeavesWhatWouldMeanSomethingElse) {
  const std::string old = "graph \"g\" opset 9\n";
  expect_unchanged(raise_version,
                   old + "input x: float32[2, 3]\ny, m = Dropout(x)\noutput y\noutput m\n");
  expect_unchanged(raise_version, "input x: float32[2, 3]\ny = Softmax(x)\noutput y\n");
}

TEST(StateWindows, IsProved) {
  const std::string w = "const w: float32[2, 3, 3, 2] = all 0.5\n";
  for (const std::string pad : {"", "auto_pad=\"VALID\", ", "auto_pad=\"SAME_UPPER\", ",
                                "auto_pad=\"SAME_LOWER\", ", "pads=[1, 0, 2, 1], "}) {
    for (const std::string rest : {"strides=[2, 3]", "strides=[1, 1]", "dilations=[1, 2]"}) {
      const Rewritten conv =
          rewritten(state_windows, kX + w + "y = Conv(x, w) {" + pad + rest + "}\noutput y\n");
      EXPECT_GT(conv.changes, 0u);
      expect_same_values(conv);
      EXPECT_THAT(conv.text(), HasSubstr("auto_pad=\"NOTSET\""));
      EXPECT_THAT(conv.text(), HasSubstr("kernel_shape=[3, 2]"));
      const Rewritten pool = rewritten(state_windows, kX + "y = MaxPool(x) {kernel_shape=[3, 2], " +
                                                          pad + rest + "}\noutput y\n");
      EXPECT_GT(pool.changes, 0u);
      expect_same_values(pool);
      const Rewritten average =
          rewritten(state_windows, kX + "y = AveragePool(x) {kernel_shape=[3, 2], ceil_mode=1, " +
                                       pad + "strides=[2, 2]}\noutput y\n");
      expect_same_values(average);
    }
  }
  expect_unchanged(state_windows, kX + "y = Relu(x)\noutput y\n");
}

TEST(StateWindows, SaysWhatATransposedConvCutsOff) {
  const std::string w = "const w: float32[3, 2, 3, 2] = all 0.5\n";
  for (const std::string said :
       {"strides=[2, 3]", "strides=[2, 3], pads=[1, 0, 2, 1]",
        "strides=[2, 3], output_shape=[8, 9]",
        "strides=[2, 3], output_shape=[8, 10], auto_pad=\"SAME_UPPER\"",
        "strides=[2, 3], output_shape=[11, 13]", "strides=[2, 2], auto_pad=\"SAME_UPPER\"",
        "strides=[1, 2], auto_pad=\"SAME_LOWER\"", "strides=[2, 3], output_padding=[1, 2]"}) {
    const Rewritten result =
        rewritten(state_windows, kX + w + "y = ConvTranspose(x, w) {" + said + "}\noutput y\n");
    EXPECT_GT(result.changes, 0u) << said;
    expect_same_values(result);
    EXPECT_THAT(result.text(), HasSubstr("auto_pad=\"NOTSET\""));
    EXPECT_THAT(result.text(), HasSubstr("output_padding=["));
    EXPECT_THAT(result.text(), Not(HasSubstr("output_shape")));
    Graph again = result.after;
    EXPECT_EQ(state_windows(again).value(), 0u) << said;
  }
}

TEST(StateNorms, IsProved) {
  const std::string norm =
      "const s: float32[3] = 2, -1, 0.5\nconst v: float32[3] = all 3.75\n"
      "y = BatchNormalization(x, s, s, s, v) {epsilon=0.25, momentum=";
  const Rewritten result = rewritten(state_norms, kX + norm + "0.8999999761581421}\noutput y\n");
  EXPECT_EQ(result.changes, 1u);
  EXPECT_THAT(result.text(), HasSubstr("momentum=0.9}"));
  expect_same_values(result);
  expect_unchanged(state_norms, kX + norm + "0.9}\noutput y\n");
  expect_unchanged(state_norms, kX + "y = Relu(x)\noutput y\n");
}

TEST(StateSums, IsProved) {
  const std::string two = kX + "input z: float32[4, 1]\n";
  const Rewritten result = rewritten(state_sums, two + "y = Sum(x, z)\noutput y\n");
  EXPECT_EQ(result.changes, 1u);
  EXPECT_THAT(result.text(), HasSubstr("Add(x, z)"));
  expect_same_values(result);
  expect_unchanged(state_sums, two + "y = Sum(x, z, x)\nw = Sum(y)\noutput w\n");
}

TEST(StateSquares, IsProved) {
  const std::string numbers =
      "const two: float32[] = 2\nconst wide: float32[2, 1, 1, 1, 1] = 2, 2\n"
      "const twos: int64[1] = 2\nconst three: float32[] = 3\n"
      "const mixed: float32[4] = 2, 1, 2, 2\ninput i: int32[4]\ninput e: "
      "float32[]\n";
  for (const char* exponent : {"two", "twos"}) {
    const Rewritten result =
        rewritten(state_squares, kX + numbers + "y = Pow(x, " + exponent + ")\noutput y\n");
    EXPECT_EQ(result.changes, 1u);
    EXPECT_THAT(result.text(), HasSubstr("= Mul(x, x)"));
    expect_same_values(result);
  }
  // A wider result, another power, integers (whose powers are not judged here), an unknown power.
  for (const char* other : {"Pow(x, wide)", "Pow(x, three)", "Pow(x, mixed)", "Pow(i, twos)",
                            "Pow(x, e)", "Pow(two, x)"})
    expect_unchanged(state_squares, kX + numbers + "y = " + other + "\noutput y\n");
}

TEST(StateSlices, IsProved) {
  const std::string lists =
      "const s: int64[2] = 1, -3\nconst e: int64[2] = 9007199254740992, -1\n"
      "const a: int64[2] = -1, 2\nconst t: int64[2] = 2, 1\nconst s32: int32[1] = -1\n"
      "const e32: int32[1] = 50\nconst back: int64[2] = -1, -2\nconst low: int64[2] = -50, -50\n";
  for (const std::string op :
       {"Slice(x, s, e, a, t)", "Slice(x, s, e, a)", "Slice(x, s32, e32)", "Slice(x, s, e)",
        "Slice(x, e, low, a, back)", "Slice(x, e, s, a, t)"}) {
    const Rewritten result = rewritten(state_slices, kX + lists + "y = " + op + "\noutput y\n");
    EXPECT_GT(result.changes, 0u) << op;
    EXPECT_EQ(result.after.nodes[0].inputs.size(), 5u) << op;
    expect_same_values(result);
    Graph again = result.after;
    EXPECT_EQ(state_slices(again).value(), 0u) << op;
  }
  const Rewritten result =
      rewritten(state_slices, kX + lists + "y = Slice(x, s, e, a, t)\noutput y\n");
  const auto& inputs = result.after.nodes[0].inputs;
  EXPECT_EQ(result.after.constant(inputs[1])->values, (std::vector<double>{1, 1}));
  EXPECT_EQ(result.after.constant(inputs[2])->values, (std::vector<double>{3, 4}));
  EXPECT_EQ(result.after.constant(inputs[3])->values, (std::vector<double>{2, 3}));
  expect_unchanged(state_slices, kX + lists + "input q: int64[2]\ny = Slice(x, s, q)\noutput y\n");
}

// Whoever infers shapes says what is wrong with them.
TEST(StatedOperands, LeaveAxesThatDoNotExist) {
  const auto left = [](Apply rewrite, const std::string& axis, const std::string& node) {
    const std::string lists = "const one: int64[1] = 1\nconst two: int64[2] = 1, 1\n";
    auto graph = graph::parse_text(kX + lists + "const a: int64[1] = " + axis + "\n" + node +
                                   "\noutput y\n");
    ASSERT_TRUE(graph.ok()) << graph.error().to_string();
    for (const char* part : {"y", "z"}) graph->values[part].shape = Shape{2, 3, 4};
    EXPECT_EQ(rewrite(*graph).value(), 0u) << node << axis;
  };
  left(state_slices, "100", "y = Slice(x, one, one, a)");
  left(state_slices, "-100", "y = Slice(x, one, one, a)");
  left(state_pads, "4", "y = Pad(x, two, _, a)");
  left(state_splits, "0", "y, z = Split(x) {axis=4, num_outputs=2}");
  left(state_splits, "0", "y, z = Split(x) {axis=3, num_outputs=2}");
}

TEST(StateSplits, IsProved) {
  const std::string sizes = "const s: int64[2] = 3, 1\n";
  for (const std::string op : {"Split(x) {axis=-1, num_outputs=2}", "Split(x, s) {axis=2}"}) {
    const Rewritten result =
        rewritten(state_splits, kX + sizes + "y, z = " + op + "\noutput y\noutput z\n");
    EXPECT_EQ(result.changes, op.find("num") == std::string::npos ? 0u : 2u) << op;
    EXPECT_EQ(result.after.nodes[0].inputs.size(), 2u) << op;
    expect_same_values(result);
  }
}

TEST(StatePads, IsProved) {
  const std::string lists =
      "const p: int64[8] = 0, 0, 1, 2, 0, 0, 0, 1\nconst q: int64[2] = 2, 1\n"
      "const a: int64[1] = -2\nconst v: float32[1] = 0.5\n";
  for (const std::string op : {"Pad(x, p)", "Pad(x, p, v)", "Pad(x, q, v, a)", "Pad(x, q, _, a)",
                               "Pad(x, q, v, a) {mode=\"edge\"}", "Pad(x, p) {value=-2}"}) {
    const Rewritten result = rewritten(state_pads, kX + lists + "y = " + op + "\noutput y\n");
    EXPECT_GT(result.changes, 0u) << op;
    EXPECT_EQ(result.after.nodes[0].inputs.size(), op.find("edge") == std::string::npos ? 3u : 2u);
    expect_same_values(result);
    Graph again = result.after;
    EXPECT_EQ(state_pads(again).value(), 0u) << op;
  }
  // With the rewrite that states defaults there is an end.
  Graph whole = parsed(kX + lists + "y = Pad(x, q, v, a)\noutput y\n");
  EXPECT_TRUE(canonicalize(whole).ok());
  expect_unchanged(state_pads, kX + "input p: int64[8]\ny = Pad(x, p)\noutput y\n");
}

TEST(StateResizes, IsProved) {
  const std::string lists =
      "const none: float32[0] =\nconst roi: float32[8] = 0, 0, 0, 0, 1, 1, 1, 1\n"
      "const two: float32[4] = 1, 1, 2, 0.5\nconst sizes: int64[4] = 2, 3, 8, 2\n";
  for (const std::string op :
       {"Resize(x, none, two)", "Resize(x, _, two) {mode=\"linear\", nearest_mode=\"floor\"}",
        "Resize(x, roi, _, sizes) {exclude_outside=1, extrapolation_value=3}",
        "Resize(x, _, none, sizes) {coordinate_transformation_mode=\"align_corners\"}"}) {
    const Rewritten result = rewritten(state_resizes, kX + lists + "y = " + op + "\noutput y\n");
    EXPECT_GT(result.changes, 0u) << op;
    const graph::Node& node = result.after.nodes[0];
    EXPECT_EQ(node.inputs.size(), 4u) << op;
    EXPECT_EQ(node.inputs[1] + node.inputs[2], "") << op;
    EXPECT_EQ(std::get<std::string>(node.attributes.at("nearest_mode")), "round_prefer_floor");
    expect_same_values(result);
    Graph again = result.after;
    EXPECT_EQ(state_resizes(again).value(), 0u) << op;
  }
}

TEST(StateResizes, LeavesScalesThatAreNoQuotientsOfSizes) {
  const std::string lists =
      "const s: float32[4] = 1, 1, 0.6, 0.75\nconst roi: float32[8] = 0, 0, 0, 0, 1, 1, 1, 1\n";
  const Rewritten result = rewritten(
      state_resizes, kX + lists +
                         "y = Resize(x, roi, s) {coordinate_transformation_mode=\"tf_crop_and_"
                         "resize\", extrapolation_value=2.5}\noutput y\n");
  EXPECT_EQ(result.after.nodes[0].inputs, (std::vector<std::string>{"x", "roi", "s"}));
  EXPECT_EQ(std::get<double>(result.after.nodes[0].attributes.at("extrapolation_value")), 2.5);
  expect_same_values(result);
}

TEST(StateAxes, IsProved) {
  for (const std::string op :
       {"Softmax(x)", "Softmax(x) {axis=-2}", "Concat(x, x) {axis=-3}", "Transpose(x)",
        "ReduceMean(x) {axes=[-1, 1]}", "LogSoftmax(x) {axis=-4}"}) {
    const Rewritten result = rewritten(state_axes, kX + "y = " + op + "\noutput y\n");
    EXPECT_GT(result.changes, 0u) << op;
    expect_same_values(result);
  }
  expect_unchanged(state_axes, kX + "y = Softmax(x) {axis=1}\nz = Relu(y)\noutput z\n");
  // Before version 13 the default is another one.
  expect_unchanged(state_axes,
                   "graph \"g\" opset 9\ninput x: float32[2, 3]\ny = Softmax(x)\noutput y\n");
}

TEST(StateAxes, WritesConstantAxesOfReductionsAsAnAttribute) {
  const Rewritten result =
      rewritten(state_axes, kX + "const a: int64[2] = -1, 1\ny = ReduceSum(x, a)\noutput y\n");
  EXPECT_EQ(result.after.nodes[0].inputs.size(), 1u);
  EXPECT_EQ(std::get<std::vector<int64_t>>(result.after.nodes[0].attributes.at("axes")),
            (std::vector<int64_t>{1, 3}));
  expect_same_values(result);
  // None are not all.
  expect_unchanged(state_axes, kX + "const a: int64[0] =\ny = ReduceSum(x, a)\noutput y\n");
  expect_unchanged(state_axes, kX + "input a: int64[1]\ny = ReduceSum(x, a)\noutput y\n");
}

TEST(StateAxes, WritesTheAxisOfACumSumAsAScalar) {
  for (const char* axis : {"int64[1] = 2", "int32[] = -2", "int64[] = -2", "int32[1] = 2"}) {
    const Rewritten result = rewritten(
        state_axes, kX + "const a: " + axis + "\ny = CumSum(x, a) {exclusive=1}\noutput y\n");
    EXPECT_EQ(result.changes, 1u) << axis;
    EXPECT_THAT(result.text(), HasSubstr(": int64[] = 2")) << axis;
    expect_same_values(result);
  }
  expect_unchanged(state_axes, kX + "const a: int64[] = 2\ny = CumSum(x, a)\noutput y\n");
  expect_unchanged(state_axes, kX + "input a: int64[]\ny = CumSum(x, a)\noutput y\n");
}

TEST(StateNumbers, IsProved) {
  const std::string lists =
      "const one: int64[1] = 2\nconst depth: float32[] = 3\nconst v: float32[2] = 0, 1\n"
      "const i: int64[2] = 1, -1\nconst s: int64[] = 2\n";
  for (const std::string op : {"y, z = TopK(x, one)", "y = Trilu(x) {upper=0}", "y = Trilu(x, one)",
                               "y = OneHot(x, depth, v)", "y = OneHot(x, one, v) {axis=0}"}) {
    const Rewritten result = rewritten(state_numbers, kX + lists + op + "\noutput y\n");
    EXPECT_EQ(result.changes, 1u) << op;
    EXPECT_THAT(result.text(), HasSubstr("int64[] = ")) << op;
    expect_same_values(result);
  }
  expect_unchanged(state_numbers, kX + lists + "y, z = TopK(x, s)\noutput y\noutput z\n");
  expect_unchanged(state_numbers, kX + "input k: int64[1]\ny = Trilu(x, k)\noutput y\n");
}

TEST(StateAxes, CountsTheNewDimOfAOneHot) {
  const Rewritten result =
      rewritten(state_axes, kX + "const d: int64[] = 3\nconst v: float32[2] = 0, 1\n"
                                 "y = OneHot(x, d, v) {axis=-1}\noutput y\n");
  EXPECT_EQ(std::get<int64_t>(result.after.nodes[0].attributes.at("axis")), 4);
  expect_same_values(result);
}

TEST(StateTypes, IsProved) {
  const Rewritten number = rewritten(state_types, kX + "y = Cast(x) {to=10}\noutput y\n");
  EXPECT_EQ(std::get<std::string>(number.after.nodes[0].attributes.at("to")), "float16");
  expect_same_values(number);
  const Rewritten like = rewritten(
      state_types, kX + "input t: float16[1]\ny = CastLike(x, t)\nz = Add(t, t)\noutput y\n"
                        "output z\n");
  EXPECT_EQ(like.after.nodes[0].op_type, "Cast");
  EXPECT_EQ(like.after.nodes[0].inputs.size(), 1u);
  expect_same_values(like);
  expect_unchanged(state_types, kX + "y = Cast(x) {to=\"float16\"}\noutput y\n");
}

TEST(JoinCasts, IsProved) {
  const Rewritten result =
      rewritten(join_casts,
                "input x: float16[8]\na = Cast(x) {to=\"float32\"}\n"
                "y = Cast(a) {to=\"bfloat16\"}\nz = Cast(a) {to=\"float16\"}\noutput y\n"
                "output z\n");
  EXPECT_EQ(result.changes, 2u);
  EXPECT_EQ(result.after.nodes.size(), 2u);
  expect_same_values(result);
  const Rewritten none =
      rewritten(join_casts,
                "input x: float16[8]\nh = Relu(x)\na = Cast(h) {to=\"float32\"}\n"
                "y = Cast(a) {to=\"float16\"}\nz = Neg(h)\noutput y\noutput z\n");
  EXPECT_EQ(none.changes, 1u);
  EXPECT_EQ(none.after.nodes.size(), 2u) << none.text();
  expect_same_values(none);
  // The first one rounds.
  for (const char* to : {"float16", "bfloat16", "int32"})
    expect_unchanged(join_casts, std::string("input x: float32[8]\na = Cast(x) {to=\"") + to +
                                     "\"}\ny = Cast(a) {to=\"float32\"}\noutput y\n");
}

TEST(Canonicalize, FindsOneFormForManySpellings) {
  const auto canonical = [](const std::string& text) {
    Graph graph = parsed(text);
    const auto changes = canonicalize(graph);
    EXPECT_TRUE(changes.ok()) << changes.error().to_string();
    return graph;
  };
  const std::string plain = kX + kConv + "r = Relu(c)\ny = Flatten(r)\noutput y\n";
  const std::string spelled =
      kX + kConv + "const one: float32[] = 1\nm = Mul(one, c)\ni = Identity(m)\n" +
      "t = Transpose(i) {perm=[0, 2, 3, 1]}\nu = Transpose(t) {perm=[0, 3, 1, 2]}\nr = Relu(u)\n" +
      "const a: int64[3] = 2, 2, 16\nq = Reshape(r, a)\ny = Flatten(q)\noutput y\n";
  const Graph first = canonical(plain), second = canonical(spelled);
  ASSERT_EQ(first.nodes.size(), 3u) << to_text(first);
  ASSERT_EQ(second.nodes.size(), 3u) << to_text(second);
  for (size_t n = 0; n < 3; ++n) EXPECT_EQ(first.nodes[n].op_type, second.nodes[n].op_type);
  expect_same_values({parsed(spelled), second, 1});
}

TEST(Canonicalize, MayLeaveConvolutionsUnfolded) {
  Graph graph = parsed(kX + kConv + kNorm + "output y\n"), folded = graph;
  ASSERT_TRUE(canonicalize(graph, unfolding_rewrites()).ok());
  ASSERT_TRUE(canonicalize(folded).ok());
  EXPECT_EQ(graph.nodes.size(), 2u) << to_text(graph);
  EXPECT_EQ(folded.nodes.size(), 1u) << to_text(folded);
  expect_same_values({graph, folded, 1});
  EXPECT_EQ(unfolding_rewrites().size() + 3, canonical_rewrites().size());
}

TEST(Canonicalize, RewritesWithoutAnEndAreRefused) {
  Graph graph = parsed("input x: float32[2]\ny = Relu(x)\noutput y\n");
  const auto changes =
      canonicalize(graph, {{"again", "", [](Graph&) -> Result<size_t> { return size_t{1}; }}});
  ASSERT_FALSE(changes.ok());
  EXPECT_EQ(changes.error().code, "OPK-PASS-001");
}

TEST(Canonicalize, ThePageListsEveryRewriteInOrder) {
  const auto page = read_file(OPKIT_SOURCE_DIR "/docs/passes.md");
  ASSERT_TRUE(page.ok());
  std::string rows;
  for (const Rewrite& rewrite : canonical_rewrites())
    rows += "| `" + std::string(rewrite.name) + "` | " + std::string(rewrite.does) + " |\n";
  EXPECT_THAT(*page, HasSubstr(rows));
}

TEST(Canonicalize, ListsEveryRewriteOnce) {
  std::vector<std::string_view> names;
  for (const Rewrite& rewrite : canonical_rewrites()) names.push_back(rewrite.name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_GE(names.size(), 14u);
}

}  // namespace
}  // namespace opkit::passes
