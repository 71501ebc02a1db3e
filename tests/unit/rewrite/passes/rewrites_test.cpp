// Every rewrite proved: by Z3 for all values where it is algebra, on random and exact data through
// the interpreter elsewhere; and graphs that must not change.
#include "opkit/rewrite/passes/rewrites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "opkit/base/file.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "opkit_test_paths.h"
#include "rewritten.h"

namespace opkit::passes {
namespace {

using ::testing::HasSubstr;

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
