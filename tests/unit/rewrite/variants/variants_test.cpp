// Every variant proved on data through the interpreter, and places that it must leave alone.
#include "opkit/rewrite/variants/variant.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "opkit/base/file.h"
#include "opkit/graph/text.h"
#include "opkit_test_paths.h"
#include "proofs.h"

namespace opkit::variants {
namespace {

using graph::Graph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Names = std::vector<std::string>;

const Variant& named(const std::string& name) {
  return *std::find_if(variants().begin(), variants().end(),
                       [&](const Variant& one) { return one.name == name; });
}

Names operators(const Graph& graph) {
  Names all;
  for (const graph::Node& node : graph.nodes) all.push_back(node.op_type);
  return all;
}

// The graph with the variant at all of its places, which compute the same.
Graph proved(const std::string& variant, const std::string& text, const Names& places,
             double tolerance = 0) {
  const Graph before = passes::parsed(text);
  EXPECT_EQ(named(variant).places(before), places) << text;
  Graph after = before;
  const auto changed = apply(after, {variant, places});
  EXPECT_TRUE(changed.ok()) << changed.error().to_string();
  EXPECT_GT(changed.ok() ? *changed : 0, 0u) << to_text(after);
  EXPECT_TRUE(graph::validate(after).ok()) << to_text(after);
  EXPECT_EQ(before.outputs, after.outputs);
  passes::expect_same_values(before, after, tolerance);
  return after;
}

void expect_left(const std::string& variant, const std::string& text) {
  const Graph graph = passes::parsed(text);
  EXPECT_THAT(named(variant).places(graph), IsEmpty()) << text;
  Graph same = graph;
  for (const auto& [name, value] : graph.values) EXPECT_FALSE(named(variant).apply(same, name));
  EXPECT_EQ(to_text(same), to_text(graph));
}

const std::string kImage = "input x: float32[2, 3, 4, 4]\n";
const std::string kFilters =
    "const v: float32[2, 3, 1, 1] = 1, 2, -0.5, 0.25, 4, -1\n"
    "const w: float32[1, 3, 1, 1] = 3, -2, 0.5\nconst b: float32[2] = 0.5, -2\n";

TEST(RecomputeProducers, GivesReadersTheirOwn) {
  const std::string text = kImage + "r = Relu(x)\na = Neg(r)\nb = Abs(r)\noutput a\noutput b\n";
  EXPECT_THAT(operators(proved("recompute_producers", text, {"r"})),
              UnorderedElementsAre("Relu", "Relu", "Neg", "Abs"));
  // An output keeps its node, its only reader gets a copy.
  EXPECT_THAT(operators(proved("recompute_producers",
                               kImage + "r = Relu(x)\na = Neg(r)\noutput a\noutput r\n", {"r"})),
              UnorderedElementsAre("Relu", "Relu", "Neg"));
  expect_left("recompute_producers", kImage + "r = Relu(x)\na = Neg(r)\noutput a\n");
  expect_left("recompute_producers",
              kImage + "r = Softmax(x)\na = Neg(r)\nb = Abs(r)\noutput a\noutput b\n");
}

TEST(MoveCasts, PassesWhatMovesElements) {
  const std::string cast = "{to=\"float16\"}";
  for (const std::string mover : {"Transpose(@) {perm=[0, 2, 3, 1]}", "Relu(@)", "Reshape(@, s)"}) {
    const auto with = [&](const std::string& operand) {
      std::string node = mover;
      return node.replace(node.find('@'), 1, operand);
    };
    const std::string begin = kImage + "const s: int64[2] = 6, 16\n";
    const std::string kind = mover.substr(0, mover.find('('));
    EXPECT_THAT(operators(proved(
                    "move_casts",
                    begin + "c = Cast(x) " + cast + "\ny = " + with("c") + "\noutput y\n", {"y"})),
                ElementsAre(kind, "Cast"));
    EXPECT_THAT(operators(proved(
                    "move_casts",
                    begin + "m = " + with("x") + "\ny = Cast(m) " + cast + "\noutput y\n", {"y"})),
                ElementsAre("Cast", kind));
  }
  // Whole numbers round towards zero: what is negative may become 0 on the way.
  expect_left("move_casts", kImage + "r = Relu(x)\ny = Cast(r) {to=\"int32\"}\noutput y\n");
  expect_left("move_casts", kImage + "c = Cast(x) " + cast + "\ny = Relu(c)\noutput y\noutput c\n");
}

TEST(HoistElementwise, TurnsConstants) {
  const std::string turned = kImage + "t = Transpose(x) {perm=[0, 2, 3, 1]}\n";
  const Graph early = proved("hoist_elementwise",
                             turned +
                                 "const c: float32[3] = 1, 2, 4\na = Add(t, c)\n"
                                 "y = Relu(a)\noutput y\n",
                             {"a", "y"});
  EXPECT_THAT(operators(early), ElementsAre("Add", "Relu", "Transpose"));
  EXPECT_THAT(to_text(early), HasSubstr("float32[3, 1, 1] = 1, 2, 4"));
  // Two operands that are turned alike are turned once.
  EXPECT_THAT(operators(proved("hoist_elementwise",
                               turned + "u = Neg(x)\nv = Transpose(u) {perm=[0, 2, 3, 1]}\n"
                                        "y = Mul(t, v)\noutput y\n",
                               {"y"})),
              ElementsAre("Neg", "Mul", "Transpose"));
  proved("hoist_elementwise",
         kImage +
             "const s: int64[3] = 6, 4, 4\nconst c: float32[4] = 1, 2, 3, 4\n"
             "r = Reshape(x, s)\ny = Mul(r, c)\noutput y\n",
         {"y"});
  // Square dims: the constant's elements change places, its dims do not.
  proved("hoist_elementwise",
         "input x: float32[2, 2]\nconst c: float32[2, 2] = 1, 2, 3, 4\n"
         "t = Transpose(x) {perm=[1, 0]}\ny = Add(t, c)\noutput y\n",
         {"y"});
  expect_left("hoist_elementwise", turned + "y = Relu(t)\noutput y\noutput t\n");
  expect_left("hoist_elementwise",
              turned +
                  "u = Transpose(x) {perm=[0, 3, 2, 1]}\nconst s: int64[4] = 2, 4, 4, 3\n"
                  "v = Reshape(u, s)\ny = Mul(t, v)\noutput y\n");
}

TEST(HoistElementwise, LeavesConstantsThatReshapesSpread) {
  const Graph before = passes::parsed(kImage +
                                      "const s: int64[2] = 2, 48\nconst c: float32[48] = all 2\n"
                                      "r = Reshape(x, s)\ny = Mul(r, c)\noutput y\n");
  Graph after = before;
  const auto changed = apply(after, {"hoist_elementwise", {"y"}});
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(*changed, 0u);
  EXPECT_EQ(to_text(after), to_text(before));
}

TEST(SinkElementwise, ComputesBehindLayouts) {
  const Graph late = proved("sink_elementwise",
                            kImage +
                                "const c: float32[3, 1, 1] = 1, 2, 4\na = Add(x, c)\n"
                                "r = Relu(a)\ny = Transpose(r) {perm=[0, 2, 3, 1]}\noutput y\n",
                            {"a", "r"});
  EXPECT_THAT(operators(late), ElementsAre("Transpose", "Add", "Relu"));
  EXPECT_THAT(to_text(late), HasSubstr("float32[3] = 1, 2, 4"));
  expect_left("sink_elementwise",
              kImage + "r = Relu(x)\ny = Transpose(r) {perm=[0, 2, 3, 1]}\noutput y\noutput r\n");
  expect_left("sink_elementwise", kImage + "r = Add(x, x)\ny = Neg(r)\noutput y\n");
}

TEST(JoinProducts, JoinsConvolutionsAndWhatFollows) {
  // SiLU behind each: two nodes, of which the second reads the product, too.
  const Graph one =
      proved("join_products",
             kImage + kFilters +
                 "c = Conv(x, v, b)\ns = Sigmoid(c)\np = Mul(c, s)\n"
                 "d = Conv(x, w)\nt = Sigmoid(d)\nq = Mul(d, t)\noutput p\noutput q\n",
             {"x"}, 1e-6);
  EXPECT_THAT(operators(one), UnorderedElementsAre("Conv", "Sigmoid", "Mul", "Split"));
  // Other activations stay apart.
  EXPECT_THAT(operators(proved("join_products",
                               kImage + kFilters +
                                   "c = Conv(x, v, b)\np = Relu(c)\nd = Conv(x, w)\nq = Abs(d)\n"
                                   "output p\noutput q\n",
                               {"x"}, 1e-6)),
              UnorderedElementsAre("Conv", "Split", "Relu", "Abs"));
  expect_left("join_products", kImage + kFilters +
                                   "c = Conv(x, v, b)\nd = Conv(x, w) {strides=[2, 2]}\n"
                                   "output c\noutput d\n");
}

TEST(JoinProducts, JoinsMatricesWithTheirBias) {
  const std::string text =
      "input x: float32[2, 5, 3]\n"
      "const v: float32[3, 2] = 1, 2, -0.5, 0.25, 4, -1\nconst w: float32[3, 1] = 3, -2, 0.5\n"
      "const a: float32[2] = 1, 2\nconst b: float32[1] = 4\n";
  const std::string products = "c = MatMul(x, v)\nd = MatMul(x, w)\n";
  EXPECT_THAT(operators(proved("join_products",
                               text + products +
                                   "e = Add(c, a)\nf = Relu(d)\ng = Relu(e)\n"
                                   "output g\noutput f\n",
                               {"x"}, 1e-6)),
              UnorderedElementsAre("MatMul", "Split", "Add", "Relu", "Relu"));
  const std::string rows =
      "const u: float32[1, 3] = 3, -2, 0.5\nconst t: float32[2, 3] = 1, 2, 3, 4, 5, 6\n"
      "input y: float32[4, 3]\n";
  EXPECT_THAT(operators(proved("join_products",
                               rows + "const b: float32[2] = 1, 2\nc = Gemm(y, t, b) {transB=1}\n"
                                      "d = Gemm(y, u) {transB=1}\noutput c\noutput d\n",
                               {"y"}, 1e-6)),
              UnorderedElementsAre("Gemm", "Split"));
  const Graph joined =
      proved("join_products",
             "input x: float32[4, 3]\nconst v: float32[3, 2] = 1, 2, -0.5, 0.25, 4, -1\n"
             "const w: float32[3, 3] = 3, -2, 0.5, 1, 2, 3, 4, 5, 6\nconst a: float32[2] = 1, 2\n"
             "const b: float32[3] = 4, 5, 6\nc = MatMul(x, v)\nd = MatMul(x, w)\ne = Add(c, a)\n"
             "f = Add(d, b)\noutput e\noutput f\n",
             {"x"}, 1e-6);
  EXPECT_THAT(operators(joined), UnorderedElementsAre("MatMul", "Add", "Split"));
  EXPECT_THAT(to_text(joined), HasSubstr("float32[5] = 1, 2, 4, 5, 6"));
}

TEST(SplitProducts, AddsProductsOfParts) {
  const std::string joined =
      "input x: float32[2, 1, 4, 4]\ninput z: float32[2, 2, 4, 4]\nk = Concat(x, z) {axis=1}\n";
  EXPECT_THAT(
      operators(proved("split_products",
                       joined + "const v: float32[2, 3, 1, 1] = 1, 2, -0.5, 0.25, 4, -1\n"
                                "const b: float32[2] = 0.5, -2\ny = Conv(k, v, b)\noutput y\n",
                       {"y"}, 1e-6)),
      UnorderedElementsAre("Conv", "Conv", "Add"));
  EXPECT_THAT(operators(proved("split_products",
                               "input p: float32[4, 1]\ninput q: float32[4, 2]\n"
                               "input r: float32[4, 1]\nk = Concat(p, q, r) {axis=-1}\n"
                               "const w: float32[4, 2] = 1, 2, 3, 4, 5, 6, 7, 8\n"
                               "y = MatMul(k, w)\noutput y\n",
                               {"y"}, 1e-6)),
              UnorderedElementsAre("MatMul", "MatMul", "MatMul", "Add", "Add"));
  const std::string filters = "const v: float32[2, 3, 1, 1] = all 1\n";
  expect_left("split_products", joined + filters + "y = Conv(k, v)\noutput y\noutput k\n");
  expect_left("split_products",
              "input x: float32[1, 3, 4, 4]\ninput z: float32[1, 3, 4, 4]\n"
              "k = Concat(x, z) {axis=0}\n" +
                  filters + "y = Conv(k, v)\noutput y\n");
}

TEST(SplitBatch, ComputesHalves) {
  const std::string convolutions = kImage + kFilters +
                                   "const w: float32[2, 2, 1, 1] = 1, -1, 0.5, 2\n"
                                   "const c: float32[2, 1, 1] = 1, -4\n"
                                   "const dims: int64[2] = 2, 32\n"
                                   "a = Conv(x, v)\n"
                                   "b = Relu(a)\n"
                                   "d = Conv(b, w)\n"
                                   "e = Add(d, a)\n"
                                   "f = Mul(e, c)\n"
                                   "y = Reshape(f, dims)\n";
  const Graph graph = proved("split_batch", convolutions + "output y\noutput b\n", {"x"});
  const Names ops = operators(graph);
  EXPECT_EQ(std::count(ops.begin(), ops.end(), "Conv"), 4) << to_text(graph);
  EXPECT_EQ(std::count(ops.begin(), ops.end(), "Concat"), 2) << to_text(graph);
  // What comes of all images ends the part.
  const Graph sum =
      proved("split_batch", convolutions + "z = ReduceSum(y) {axes=[0]}\noutput z\n", {"x"});
  EXPECT_EQ(operators(sum).back(), "ReduceSum");
}

TEST(SplitBatch, LeavesWhatMeets) {
  const std::string filters = kFilters + "const w: float32[2, 2, 1, 1] = 1, -1, 0.5, 2\n";
  // One image; three; one convolution; constants of each image.
  expect_left("split_batch", "input x: float32[1, 3, 4, 4]\n" + filters +
                                 "a = Conv(x, v)\ny = Conv(a, w)\noutput y\n");
  expect_left("split_batch", "input x: float32[3, 3, 4, 4]\n" + filters +
                                 "a = Conv(x, v)\ny = Conv(a, w)\noutput y\n");
  expect_left("split_batch", kImage + filters + "y = Conv(x, v)\noutput y\n");
  expect_left("split_batch", kImage + filters +
                                 "const own: float32[2, 1, 1, 1] = 1, 2\n"
                                 "a = Conv(x, v)\nb = Mul(a, own)\ny = Conv(b, w)\noutput y\n");
}

TEST(Variants, AreThoseOfThePage) {
  const auto page = read_file(OPKIT_SOURCE_DIR "/docs/passes.md");
  ASSERT_TRUE(page.ok());
  for (const Variant& one : variants())
    EXPECT_THAT(*page, HasSubstr(fmt::format("| `{}` | {} |", one.name, one.does)));
}

}  // namespace
}  // namespace opkit::variants
