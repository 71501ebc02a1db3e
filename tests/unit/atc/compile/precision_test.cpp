// Precision modes on graphs, with contracts that have no plugin: who computes in which type, and
// that the casts keep what the model computes.
#include "opkit/atc/compile/precision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/rewrite.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::compile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

OpContract contract_of(const std::string& op, const std::string& inputs, const std::string& types,
                       const std::string& node) {
  auto parsed =
      OpContract::parse("op: " + op + "\nversion: \"1.0.0\"\ninputs: {" + inputs +
                            "}\noutputs: {y: {dtype: T, shape: \"M, N\"}}\ntypes: {T: " + types +
                            "}\nreference: [" + node + "]\n",
                        "c.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

const std::vector<const OpContract*>& contracts() {
  static const OpContract product =
      contract_of("MatMul", "x: {dtype: T, shape: \"M, K\"}, w: {dtype: T, shape: \"K, N\"}",
                  "[float16, float32]", "{op: MatMul, in: [x, w], out: y}");
  static const OpContract relu = contract_of("Relu", "x: {dtype: T, shape: \"M, N\"}",
                                             "[float16, float32]", "{op: Relu, in: [x], out: y}");
  static const OpContract softmax =
      contract_of("Softmax", "x: {dtype: T, shape: \"M, N\"}", "[float16, float32]",
                  "{op: Softmax, in: [x], out: y, attrs: {axis: -1}}");
  static const OpContract tanh = contract_of("Tanh", "x: {dtype: T, shape: \"M, N\"}", "[float16]",
                                             "{op: Tanh, in: [x], out: y}");
  static const OpContract sine = contract_of("Sin", "x: {dtype: T, shape: \"M, N\"}", "[float32]",
                                             "{op: Sin, in: [x], out: y}");
  static const std::vector<const OpContract*> all = {&product, &relu, &softmax, &tanh, &sine};
  return all;
}

graph::Graph canonical(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  const auto changes = passes::canonicalize(*graph);
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  return std::move(graph).value();
}

const std::string kSixNodes =
    "input x: float32[2, 3]\nconst w: float32[3, 4] = all 0.5\n"
    "m = MatMul(x, w) @\"product\"\nr = Relu(m) @\"relu\"\nt = Tanh(r) @\"tanh\"\n"
    "s = Softmax(t) @\"soft\"\nq = Relu(s) @\"last\"\ny = Sin(q) @\"sine\"\noutput y\n";

std::vector<std::string> names(const std::vector<Converted>& converted) {
  std::vector<std::string> names;
  for (const Converted& one : converted) names.push_back(one.node);
  return names;
}

struct Set {
  graph::Graph before, after;
  std::vector<Converted> converted;
  std::map<std::string, size_t> unserved;
};

Set set(PrecisionMode mode, const std::string& text = kSixNodes, PrecisionOptions options = {}) {
  Set result{canonical(text), {}, {}, {}};
  result.after = result.before;
  options.mode = mode;
  graph::Graph nothing_folded;
  auto changes = set_precision(result.after, nothing_folded, contracts(), options);
  EXPECT_TRUE(changes.ok()) << changes.error().to_string();
  if (!changes.ok()) return result;
  result.converted = std::move(changes->converted);
  result.unserved = std::move(changes->unserved);
  return result;
}

size_t casts(const graph::Graph& graph) {
  size_t count = 0;
  for (const graph::Node& node : graph.nodes) count += node.op_type == "Cast";
  return count;
}

TEST(Precision, OriginChangesNothing) {
  const Set kept = set(PrecisionMode::kOrigin);
  EXPECT_THAT(kept.converted, IsEmpty());
  EXPECT_EQ(to_text(kept.before), to_text(kept.after));
}

TEST(Precision, HalfTakesWhateverAnOpHasInHalf) {
  const Set half = set(PrecisionMode::kHalf);
  EXPECT_THAT(names(half.converted), ElementsAre("product", "relu", "tanh", "soft", "last"));
  EXPECT_EQ(casts(half.after), 2u) << to_text(half.after);  // turn x, and what Sin reads
  EXPECT_EQ(half.after.values.at("x").dtype, DType::kFloat32);
  EXPECT_EQ(half.after.values.at("y").dtype, DType::kFloat32);
  // The graph computes the same, but for roundings.
  const graph::RefTensor x{DType::kFloat32, {2, 3}, {1, -2, 3, 0.5, 0.25, -1}};
  const auto before = reference::evaluate(half.before, {{"x", x}});
  const auto after = reference::evaluate(half.after, {{"x", x}}, {reference::Precision::kRounded});
  ASSERT_TRUE(before.ok() && after.ok());
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_NEAR(before->at("y")[i], after->at("y")[i], 1e-3) << to_text(half.after);
}

// The vendor's page "--precision_mode": products are computed in float16 where they can be.
TEST(Precision, AllowTakesHalfInProductsAndWhereThereIsNothingElse) {
  EXPECT_THAT(names(set(PrecisionMode::kAllowHalf).converted), ElementsAre("product", "tanh"));
  EXPECT_THAT(names(set(PrecisionMode::kAllowBrain).converted), IsEmpty());
}

TEST(Precision, MixedTakesProductsAndWhatFollowsThem) {
  // Softmax is delicate, and what follows it computes in float32.
  EXPECT_THAT(names(set(PrecisionMode::kMixedHalf).converted),
              ElementsAre("product", "relu", "tanh"));
}

TEST(Precision, CountsWhatNoOpTakesInTheType) {
  using Counts = std::map<std::string, size_t>;
  EXPECT_EQ(set(PrecisionMode::kHalf).unserved, (Counts{{"Sin", 1}}));
  EXPECT_EQ(set(PrecisionMode::kMixedHalf).unserved, Counts());
  const Set brain = set(PrecisionMode::kMixedBrain);
  EXPECT_THAT(brain.converted, IsEmpty());
  EXPECT_EQ(brain.unserved, (Counts{{"MatMul", 1}}));
  EXPECT_EQ(set(PrecisionMode::kAllowBrain).unserved,
            Counts());  // it means nothing that is float32
  PrecisionOptions options;
  options.keep_nodes = {"product"};
  EXPECT_EQ(set(PrecisionMode::kMixedBrain, kSixNodes, options).unserved, Counts());
}

TEST(Precision, SingleTakesWhatIsHalf) {
  const Set single = set(PrecisionMode::kSingle,
                         "input x: float16[2, 3]\nr = Relu(x) @\"relu\"\nt = Tanh(r) @\"tanh\"\n"
                         "output t\n");
  EXPECT_THAT(names(single.converted), ElementsAre("relu"));
  EXPECT_EQ(single.after.values.at("t").dtype, DType::kFloat16);
}

TEST(Precision, KeepsWhatIsListed) {
  PrecisionOptions options;
  const graph::Graph graph = canonical(kSixNodes);
  ASSERT_TRUE(read_kept("relu\n\nOpType::Softmax\r\n", "keep.txt", graph, options).ok());
  EXPECT_THAT(names(set(PrecisionMode::kHalf, kSixNodes, options).converted),
              UnorderedElementsAre("product", "tanh", "last"));
  const Status wrong = read_kept("relu\nrelv\n", "keep.txt", graph, options);
  ASSERT_FALSE(wrong.ok());
  EXPECT_THAT(wrong.error().to_string(), HasSubstr("keep.txt:2:1: error E10001"));
  EXPECT_THAT(wrong.error().to_string(), HasSubstr("no node 'relv'"));
  EXPECT_THAT(read_kept("OpType::Softmaxx", "k", graph, options).error().to_string(),
              HasSubstr("did you mean 'Softmax'?"));
}

TEST(Precision, LetsViewsFollow) {
  const Set half = set(PrecisionMode::kHalf,
                       "input x: float32[2, 3]\nconst d: int64[2] = 3, 2\nr = Relu(x) @\"a\"\n"
                       "v = Reshape(r, d) @\"view\"\ny = Relu(v) @\"b\"\noutput y\n");
  EXPECT_THAT(names(half.converted), ElementsAre("a", "view", "b"));
  EXPECT_EQ(casts(half.after), 2u) << to_text(half.after);
}

TEST(Precision, WarnsOfValuesBeyondTheType) {
  const std::string text =
      "input x: float32[1, 2]\nconst w: float32[2, 2] = 1, 2, 3, 100000\n"
      "m = MatMul(x, w) @\"product\"\ny = Relu(m) @\"relu\"\noutput y\n";
  const Set half = set(PrecisionMode::kHalf, text);
  const auto constants = find_overflows(half.before, half.converted, {});
  ASSERT_TRUE(constants.ok());
  ASSERT_EQ(constants->size(), 1u);
  EXPECT_EQ((*constants)[0].severity, Severity::kWarning);
  EXPECT_THAT((*constants)[0].to_string(), HasSubstr("OPK-ATC-003"));
  EXPECT_THAT((*constants)[0].to_string(), HasSubstr("'product' computes in float16"));
  EXPECT_THAT((*constants)[0].to_string(), HasSubstr("100000"));
  const std::string small =
      "input x: float32[1, 2]\nconst w: float32[2, 2] = all 300\n"
      "m = MatMul(x, w) @\"product\"\ny = Relu(m) @\"relu\"\noutput y\n";
  const Set other = set(PrecisionMode::kHalf, small);
  const auto calm =
      find_overflows(other.before, other.converted, {{"x", {DType::kFloat32, {1, 2}, {1, 2}}}});
  EXPECT_TRUE(calm->empty());
  const auto loud =
      find_overflows(other.before, other.converted, {{"x", {DType::kFloat32, {1, 2}, {200, 200}}}});
  ASSERT_EQ(loud->size(), 2u) << "the product, and Relu, which reads it";
  EXPECT_THAT((*loud)[0].to_string(), HasSubstr("120000, a value of 'm'"));
}

TEST(Precision, ReadsTheVendorsModes) {
  EXPECT_EQ(*parse_precision_mode("force_fp16"), PrecisionMode::kHalf);
  EXPECT_EQ(*parse_precision_mode("allow_mix_precision"), PrecisionMode::kMixedHalf);
  EXPECT_EQ(*parse_precision_mode_v2("mixed_bfloat16"), PrecisionMode::kMixedBrain);
  EXPECT_THAT(parse_precision_mode("fp16").error().to_string(),
              HasSubstr("E10001: value [fp16] for parameter [--precision_mode] is invalid. Reason: "
                        "it is one of must_keep_origin_dtype"));
  EXPECT_EQ(*parse_precision_mode("cube_fp16in_fp32out"), *parse_precision_mode("force_fp32"));
  EXPECT_EQ(*parse_precision_mode_v2("cube_fp16in_fp32out"), PrecisionMode::kSingle);
  EXPECT_THAT(parse_precision_mode("").error().to_string(), HasSubstr("it is one of must_keep"));
  EXPECT_THAT(parse_precision_mode_v2("cube_hif8").error().to_string(),
              HasSubstr("no installed op computes in that type"));
  EXPECT_THAT(parse_precision_mode_v2("").error().to_string(), HasSubstr("it is one of origin"));
}

}  // namespace
}  // namespace opkit::compile
