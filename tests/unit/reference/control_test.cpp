// If, Loop and Scan in the interpreter, against values worked out by hand.
#include "opkit/reference/control.h"

#include "build.h"
#include "opkit/reference/infer.h"
#include "tests/control_nodes.h"

namespace opkit::reference {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

NamedTensors evaluated(const Graph& graph, const NamedTensors& inputs) {
  auto outputs = evaluate(graph, inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
  return outputs.ok() ? std::move(*outputs) : NamedTensors();
}

std::string refused(const Graph& graph, const NamedTensors& inputs) {
  const auto outputs = evaluate(graph, inputs);
  return outputs.ok() ? std::string() : outputs.error().to_string();
}

RefTensor scalar(double value, DType dtype = DType::kFloat32) {
  return tensor(Shape{}, {value}, dtype);
}

TEST(Loop, EndsWhenItsConditionSaysSo) {
  const NamedTensors inputs = {{"x", tensor({1, 4}, {4, 4, 4, 4})}, {"limit", scalar(3)}};
  NamedTensors found = evaluated(halving_loop(), inputs);
  // Sums of 8, 4.25 and 2.5 (1/8, 1/64, 1/8 and 27/64 of 4).
  EXPECT_THAT(found["n"].values, ElementsAre(3));
  EXPECT_THAT(found["y"].values, ElementsAre(0.5, 0.0625, 0.5, 1.6875));
  found = evaluated(halving_loop("2"), inputs);
  EXPECT_THAT(found["n"].values, ElementsAre(2));
  found = evaluated(halving_loop("0"), inputs);
  EXPECT_THAT(found["n"].values, ElementsAre(0));
  EXPECT_THAT(found["y"].values, ElementsAre(4, 4, 4, 4));
}

TEST(Loop, WithoutAnEndIsCutOff) {
  const Graph endless = with_body(
      "graph \"endless\" opset 17\ninput x: float32[]\nconst yes: bool[] = 1\n"
      "y = Loop(_, yes, x) @\"loop\"\noutput y\n",
      "loop", 0,
      "graph \"b\" opset 17\ninput i: int64[]\ninput c: bool[]\ninput v: float32[]\n"
      "output c\noutput v\n");
  EXPECT_THAT(refused(endless, {{"x", scalar(1)}}),
              HasSubstr("OPK-REF-013: Loop: loop: more than 65536 iterations"));
}

// Without a condition the Loop of n iterations is a for loop, whatever the body says.
TEST(Loop, OfACountStacksWhatItGives) {
  const Graph squares = with_body(
      "graph \"squares\" opset 17\ninput n: int64[]\ninput x: int64[]\n"
      "last, all = Loop(n, _, x) @\"loop\"\noutput last\noutput all\n",
      "loop", 0,
      "graph \"b\" opset 17\ninput i: int64[1]\ninput c: bool[]\ninput v: int64[]\n"
      "q = Mul(i, i)\ns = Add(v, q)\nt: int64[] = ReduceSum(s) {keepdims=0}\nno = Not(c)\n"
      "output no\noutput t\noutput q\n");
  NamedTensors found =
      evaluated(squares, {{"n", scalar(4, DType::kInt64)}, {"x", scalar(5, DType::kInt64)}});
  EXPECT_THAT(found["last"].values, ElementsAre(5 + 0 + 1 + 4 + 9));
  EXPECT_EQ(found["all"].shape, (Shape{4, 1}));
  EXPECT_THAT(found["all"].values, ElementsAre(0, 1, 4, 9));
  found = evaluated(squares, {{"n", scalar(0, DType::kInt64)}, {"x", scalar(5, DType::kInt64)}});
  EXPECT_EQ(found["all"].shape, (Shape{0, 1}));
  EXPECT_THAT(found["last"].values, ElementsAre(5));
}

TEST(Scan, GoesAlongAnAxisInEitherDirection) {
  const NamedTensors found = evaluated(
      summing_scan(),
      {{"x", tensor({3, 4}, {1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7, 8})}, {"s", list({100, 0, 0})}});
  EXPECT_THAT(found.at("t").values, ElementsAre(110, 100, 26));
  EXPECT_EQ(found.at("y").shape, (Shape{3, 4}));
  EXPECT_THAT(found.at("y").values,
              ElementsAre(-104, -107, -109, -110, -40, -70, -90, -100, -8, -15, -21, -26));
}

TEST(If, TakesOneBranch) {
  const RefTensor x = tensor({2, 2}, {1, -1, 2, 5});
  NamedTensors found = evaluated(choosing_if(), {{"c", scalar(1, DType::kBool)}, {"x", x}});
  EXPECT_THAT(found["r"].values, ElementsAre(1, 2, 6, 20));
  EXPECT_THAT(found["z"].values, ElementsAre(-1, 2, -6, -20));
  found = evaluated(choosing_if(), {{"c", scalar(0, DType::kBool)}, {"x", x}});
  EXPECT_THAT(found["r"].values, ElementsAre(0, 3, 1, 1));
  EXPECT_THAT(found["z"].values, ElementsAre(1, -1, 2, 5));
}

TEST(Control, IsInferredWithoutData) {
  Graph loop = halving_loop();
  ASSERT_TRUE(infer(loop).ok());
  EXPECT_EQ(loop.values.at("y").shape, (Shape{1, 4}));
  EXPECT_EQ(loop.values.at("n").dtype, DType::kInt64);
  Graph scan = summing_scan();
  ASSERT_TRUE(infer(scan).ok());
  EXPECT_EQ(scan.values.at("y").shape, (Shape{3, 4}));
  Graph branches = choosing_if();
  ASSERT_TRUE(infer(branches).ok());
  EXPECT_EQ(branches.values.at("z").shape, (Shape{2, 2}));
}

// The branch that these dims rule out says nothing of the results; with both ruled out, the If is
// wrong.
TEST(Control, TakesTheDimsOfTheBranchThatFits) {
  for (const char* frame : {"3", "4"}) {
    Graph graph = rated_if(frame);
    ASSERT_TRUE(infer(graph).ok());
    EXPECT_EQ(graph.values.at("z").shape, (Shape{2, 1}));
  }
  Graph graph = rated_if("5");
  const Status wrong = infer(graph);
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, kBadShape);
}

TEST(If, RunsABranchThatFitsAlone) {
  const RefTensor x = tensor({2, 3}, {1, 1, 1, 1, 2, 3});
  const NamedTensors found =
      evaluated(rated_if("3"), {{"rate", scalar(16, DType::kInt64)}, {"x", x}});
  EXPECT_THAT(found.at("z").values, ElementsAre(-6, -14));
  EXPECT_THAT(refused(rated_if("3"), {{"rate", scalar(8, DType::kInt64)}, {"x", x}}),
              HasSubstr("OPK-REF-006"));
}

// What grows with each iteration has no dims, nor has what hangs on it.
TEST(Control, DimsThatChangeAreUnknown) {
  Graph growing = with_body(
      "graph \"growing\" opset 17\ninput x: float32[1]\ninput z: float32[2]\n"
      "const n: int64[] = 3\ny, k = Loop(n, _, x, z) @\"loop\"\noutput y\noutput k\n",
      "loop", 0,
      "graph \"b\" opset 17\ninput i: int64[]\ninput c: bool[]\ninput v: float32[...]\n"
      "input z: float32[...]\nw = Concat(v, v) {axis=0}\noutput c\noutput w\noutput z\n");
  ASSERT_TRUE(infer(growing).ok());
  EXPECT_FALSE(growing.values.at("y").shape.has_value());
  EXPECT_EQ(growing.values.at("k").shape, Shape{2});
  const NamedTensors found = evaluated(growing, {{"x", list({7})}, {"z", list({1, 2})}});
  EXPECT_EQ(found.at("y").shape, Shape{8});
}

TEST(Control, KnowsHowOftenBodiesRun) {
  const auto trips = [](Graph graph) {
    EXPECT_TRUE(infer(graph).ok());
    const auto found =
        known_trips(graph.nodes[0], known_operands(graph, graph.nodes[0]), infer_outputs);
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::nullopt;
  };
  EXPECT_EQ(trips(halving_loop()), std::nullopt);
  EXPECT_EQ(trips(halving_loop("0")), 0);
  EXPECT_EQ(trips(summing_scan()), 4);
  EXPECT_EQ(trips(choosing_if()), std::nullopt);
}

// The largest int64 is 2^63 as a double, which no int64 holds.
TEST(Control, CountsNoFartherThanAnInt64) {
  Graph graph = halving_loop("0");
  ASSERT_TRUE(infer(graph).ok());
  graph.add_constant("most", {DType::kInt64, Shape{}, {0x1p63}});
  Node& loop = graph.nodes[0];
  loop.inputs[0] = "most";
  loop.inputs[1] = "";  // nothing else ends it
  const auto trips = known_trips(loop, known_operands(graph, loop), infer_outputs);
  ASSERT_TRUE(trips.ok()) << trips.error().to_string();
  EXPECT_EQ(*trips, std::numeric_limits<int64_t>::max());
}

TEST(Control, RefusesBodiesThatDoNotFit) {
  Graph graph = summing_scan();
  graph.nodes[0].inputs.pop_back();
  EXPECT_THAT(infer(graph).error().to_string(), HasSubstr("OPK-REF-002"));
  graph = summing_scan();
  graph.nodes[0].attributes["scan_input_axes"] = std::vector<int64_t>{2};
  EXPECT_THAT(infer(graph).error().to_string(),
              HasSubstr("OPK-REF-005: Scan: scan: scan_input_axes names axis 2 of a tensor of "
                        "rank 2"));
  graph = halving_loop();
  graph.nodes[0].inputs[2] = "";
  EXPECT_THAT(infer(graph).error().to_string(), HasSubstr("input 2 of loop is absent"));
  graph = halving_loop();
  graph.nodes[0].inputs[1] = "none";
  EXPECT_THAT(infer(graph).error().to_string(),
              HasSubstr("OPK-REF-007: Loop: the condition of loop is int64[]"));
  graph = halving_loop();
  graph.values["none"].constant =
      std::make_shared<RefTensor>(RefTensor{DType::kFloat32, Shape{}, {0}});
  graph.values["none"].dtype = DType::kFloat32;
  EXPECT_FALSE(infer(graph).ok());
}

}  // namespace
}  // namespace opkit::reference
