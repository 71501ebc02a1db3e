// The calculator on small graphs whose bytes are counted by hand.
#include "opkit/fusion/feasible/feasible.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/reference/infer.h"
#include "opkit/soc/soc_spec.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::feasible {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

graph::Graph graph_of(const std::string& text) {
  auto graph = graph::parse_text(text);
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(reference::infer(*graph).ok());
  return std::move(*graph);
}

Subject all_of(const graph::Graph& graph) {
  std::vector<size_t> nodes(graph.nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) nodes[n] = n;
  auto subject = subject_of(graph, nodes);
  EXPECT_TRUE(subject.ok()) << subject.error().to_string();
  return std::move(*subject);
}

Feasibility feasible_on(const Subject& subject, const char* soc, std::vector<uint64_t> tile = {}) {
  FeasibilityQuestion question{"test", {find_soc(soc)->spec}, std::move(tile), {}};
  auto one = feasibility_of(subject, question);
  EXPECT_TRUE(one.ok()) << one.error().to_string();
  return std::move(*one);
}

constexpr const char* kChain =
    "input x: float16[1024]\ninput y: float16[1024]\ns = Add(x, y)\nz = Relu(s)\noutput z\n";

TEST(Feasible, CountsEveryTensorOnceForEachKernel) {
  const TensorTotals traffic = traffic_of(all_of(graph_of(kChain)));
  EXPECT_EQ(traffic.separate_bytes(), 5u * 2048);  // x, y, s written; s read, z written
  EXPECT_EQ(traffic.fused_bytes(), 3u * 2048);
  EXPECT_DOUBLE_EQ(traffic.saved(), 0.4);
  EXPECT_EQ(traffic.separate.size(), 2u);
}

TEST(Feasible, MatMulAndAddOfTheSource) {
  // The example of the source: 24 MB become 12 MB and the summand's 4 MB.
  const Feasibility one = feasible_on(
      all_of(graph_of("input a: float32[1024, 1024]\ninput b: float32[1024, 1024]\n"
                      "input c: float32[1024, 1024]\np = MatMul(a, b)\ny = Add(p, c)\noutput y\n")),
      "Ascend910B1");
  EXPECT_EQ(one.traffic.separate_bytes(), 24u << 20);
  EXPECT_EQ(one.traffic.fused_bytes(), 16u << 20);
  EXPECT_EQ(one.loops.cut, LoopCut::kBlocks);
  EXPECT_THAT(one.loops.forbids, IsEmpty());
  EXPECT_EQ(one.chips[0].gain.arithmetic.products, 1024.0 * 1024 * 1024);
}

TEST(Feasible, BuffersAreCountedToTheByte) {
  const Feasibility one = feasible_on(all_of(graph_of(kChain)), "Ascend910B1", {1024});
  uint64_t used = 0;
  for (const TileBuffer& buffer : one.chips[0].budget.buffers) used += buffer.all();
  // x, y, z twice each in float16, x and y widened, one inner sum in which z is computed in place.
  EXPECT_EQ(used, 1024u * (3 * 2 * 2 + 2 * 4 + 4));
  EXPECT_EQ(used, one.chips[0].budget.memories[0].used);
  EXPECT_TRUE(one.chips[0].budget.fits);
}

TEST(Feasible, TheLargestTileStaysWithinEightyPercent) {
  for (const char* soc : {"Ascend910B1", "Ascend310B1"}) {
    const Budget budget = feasible_on(all_of(graph_of(kChain)), soc).chips[0].budget;
    EXPECT_LE(budget.largest_share(), kMostShare);
    EXPECT_GT(budget.largest_share(), 0.75);
  }
}

TEST(Feasible, ARowThatDoesNotFitIsRed) {
  const Feasibility one = feasible_on(
      all_of(graph_of("input x: float32[4, 100000]\ns = Softmax(x) {axis=-1}\ny = Relu(s)\n"
                      "output y\n")),
      "Ascend910B1");
  EXPECT_FALSE(one.chips[0].budget.fits);
  EXPECT_THAT(one.chips[0].budget.why_not, HasSubstr("bytes of UB"));
  EXPECT_GT(one.red(), 0u);
}

TEST(Feasible, SaysWhatForbidsOneLoop) {
  const auto forbids = [](const std::string& text) {
    return loops_of(all_of(graph_of(text))).forbids;
  };
  EXPECT_THAT(
      forbids("input a: float32[32, 32]\np = MatMul(a, a)\nq = MatMul(p, a)\noutput q\n")[0],
      HasSubstr("two heavy operators"));
  EXPECT_THAT(
      forbids("input a: float32[32, 64]\ns = Softmax(a) {axis=0}\ny = Relu(s)\noutput y\n")[0],
      HasSubstr("a reduction across tiles"));
  EXPECT_THAT(forbids("input a: float32[32, 64]\nt = Transpose(a) {perm=[1, 0]}\ny = Relu(t)\n"
                      "output y\n")[0],
              HasSubstr("changes the layout"));
}

TEST(Feasible, RefusesNodesThatComeBack) {
  const graph::Graph graph =
      graph_of("input x: float32[64]\na = Relu(x)\nb = Exp(a)\nc = Add(a, b)\noutput c\n");
  const auto subject = subject_of(graph, {0, 2});
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "OPK-FEASIBLE-003");
  EXPECT_THAT(subject.error().message, HasSubstr("comes back"));
}

TEST(Feasible, RefusesAContractWithoutAReference) {
  OpContract contract;
  contract.op = "Golden";
  contract.no_reference = "golden files say what it means";
  const auto subject = subject_of(contract, ReferenceCall{});
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "OPK-FEASIBLE-001");
  EXPECT_THAT(subject.error().message, HasSubstr("golden files say what it means"));
}

TEST(Feasible, RefusesDimsThatDependOnData) {
  const graph::Graph graph = graph_of("input x: float32[64]\nn = NonZero(x)\noutput n\n");
  const auto subject = subject_of(graph, {0});
  ASSERT_FALSE(subject.ok());
  EXPECT_EQ(subject.error().code, "OPK-FEASIBLE-002");
  EXPECT_THAT(subject.error().message, HasSubstr("which NonZero makes, depend on data"));
}

double products_in(const std::string& text) {
  const graph::Graph graph = graph_of(text);
  return products_of(graph, graph.nodes[0]);
}

TEST(Feasible, CountsProductsOfEveryHeavyOperator) {
  EXPECT_EQ(products_in("input x: float32[1, 4, 5, 5]\ninput w: float32[4, 6, 3, 3]\n"
                        "y = ConvTranspose(x, w)\noutput y\n"),
            4 * 25 * 6 * 9);
  EXPECT_EQ(products_in("input x: uint8[1, 4, 5, 5]\ninput w: uint8[6, 4, 3, 3]\n"
                        "y = ConvInteger(x, w)\noutput y\n"),
            6 * 9 * 4 * 9);
  EXPECT_EQ(products_in("input a: float32[2, 3, 4]\ninput b: float32[2, 4, 5]\n"
                        "y = Einsum(a, b) {equation=\"bij,bjk->bik\"}\noutput y\n"),
            2 * 3 * 4 * 5);
  EXPECT_EQ(products_in("input a: float32[2, 3, 4]\ninput b: float32[2, 4, 5]\n"
                        "y = Einsum(a, b) {equation=\"...ij,...jk->...ik\"}\noutput y\n"),
            2 * 3 * 4 * 5);
}

TEST(Feasible, RefusesATileOfAnotherForm) {
  FeasibilityQuestion question{"test", {find_soc("Ascend910B1")->spec}, {128, 128, 64}, {}};
  const auto one = feasibility_of(all_of(graph_of(kChain)), question);
  ASSERT_FALSE(one.ok());
  EXPECT_EQ(one.error().code, "OPK-FEASIBLE-004");
  EXPECT_THAT(one.error().action, HasSubstr("--tile 8192"));
}

TEST(Feasible, CountsAlikeNodesInAModel) {
  const graph::Graph graph = graph_of(
      "input x: float32[64]\na = Relu(x)\nb = Exp(a)\nc = Relu(b)\nd = Exp(c)\ne = Exp(d)\n"
      "output e\n");
  EXPECT_EQ(times_in(graph, {0, 1}), 2u);
  EXPECT_EQ(times_in(graph, {3, 4}), 1u);
}

TEST(Feasible, QuadrantsFollowGainAndComplexity) {
  EXPECT_EQ(feasible_on(all_of(graph_of(kChain)), "Ascend910B1").quadrant, Quadrant::kPromising);
  const Feasibility one =
      feasible_on(all_of(graph_of("input a: float32[512, 512]\np = MatMul(a, a)\nq = MatMul(p, a)\n"
                                  "r = Transpose(q) {perm=[1, 0]}\noutput r\n")),
                  "Ascend910B1");
  EXPECT_EQ(one.quadrant, Quadrant::kChallenge);
  EXPECT_GE(one.chips[0].gain.most(), one.chips[0].gain.expected());
  EXPECT_LE(one.chips[0].gain.least(), one.chips[0].gain.expected());
}

}  // namespace
}  // namespace opkit::feasible
