// Models with If, Loop and Scan, compiled without any plugin and run: bodies beside the interpreter
// of the graph as it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <random>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/atc/compile/report.h"
#include "opkit/base/json.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/tensor.h"
#include "tests/control_nodes.h"

namespace opkit::compile {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const InstalledOps& no_installed_ops() {
  static const InstalledOps ops = [] {
    const auto folder = std::filesystem::path(testing::TempDir()) / "control_flow_opp";
    std::filesystem::create_directories(folder / "vendors");
    return InstalledOps::open(registry::Registry::open(folder), "Ascend910B1");
  }();
  return ops;
}

Result<Compiled> try_compile(graph::Graph graph, bool unrolls = false) {
  Options options;
  options.candidates.soc = "Ascend910B1";
  options.unrolls = unrolls;
  return compile(std::move(graph), no_installed_ops(), options);
}

std::string why_not(graph::Graph graph) {
  const auto made = try_compile(std::move(graph));
  return made.ok() ? std::string() : made.error().to_string();
}

Compiled must_compile(graph::Graph graph, bool unrolls = false) {
  auto made = try_compile(std::move(graph), unrolls);
  EXPECT_TRUE(made.ok()) << made.error().to_string();
  return made.ok() ? std::move(*made) : Compiled();
}

// Runs the file on these inputs, in the graph's order, and compares with the interpreter.
void expect_runs(const graph::Graph& graph, const std::vector<graph::RefTensor>& inputs) {
  const Compiled made = must_compile(graph);
  auto model = model::decode(model::encode(made.model()));
  ASSERT_TRUE(model.ok()) << model.error().to_string();
  auto runner = model_run::ModelRunner::load(std::move(*model), no_installed_ops());
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  reference::NamedTensors named;
  std::vector<Tensor> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    named[graph.inputs[i]] = inputs[i];
    given.push_back(*reference::to_tensor(inputs[i]));
  }
  // A frame leaves nothing behind that the next one would see.
  for (int frame = 0; frame < 2; ++frame) {
    const auto outputs = runner->run(given);
    ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
    const auto expected = reference::evaluate(graph, named, {reference::Precision::kRounded});
    ASSERT_TRUE(expected.ok()) << expected.error().to_string();
    for (size_t o = 0; o < outputs->size(); ++o) {
      const graph::RefTensor& wanted = expected->at(graph.outputs[o]);
      ASSERT_EQ((*outputs)[o].shape(), wanted.shape);
      for (int64_t i = 0; i < wanted.elements(); ++i)
        EXPECT_EQ((*outputs)[o].at(i), wanted[i]) << graph.outputs[o] << " " << i;
    }
  }
}

graph::RefTensor floats(Shape shape, std::vector<double> values) {
  return {DType::kFloat32, std::move(shape), std::move(values)};
}
graph::RefTensor one(DType dtype, double value) { return {dtype, Shape{}, {value}}; }

TEST(ControlFlow, LoopsRunUntilTheyEnd) {
  for (const double limit : {0.1, 3.0, 100.0})
    expect_runs(halving_loop(), {floats({1, 4}, {4, 3, 2, 1}), one(DType::kFloat32, limit)});
  expect_runs(halving_loop("0"), {floats({1, 4}, {4, 3, 2, 1}), one(DType::kFloat32, 0)});
}

TEST(ControlFlow, ScansGoThroughTensors) {
  expect_runs(summing_scan(),
              {floats({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), floats({3}, {1, 0, -1})});
}

TEST(ControlFlow, BranchesAreChosenByData) {
  for (const double choice : {0.0, 1.0})
    expect_runs(choosing_if(), {one(DType::kBool, choice), floats({2, 2}, {1, -2, 3, 4})});
}

// A Loop whose body holds an If, whose branches read what lies around the Loop.
graph::Graph nested() {
  graph::Graph inner = with_bodies(
      graph_of("graph \"b\" opset 17\ninput i: int64[]\ninput c: bool[]\ninput v: float32[...]\n"
               "input x: float32[...]\nconst two: int64[] = 2\nq = Mod(i, two)\n"
               "odd = Cast(q) {to=\"bool\"}\nw = If(odd, v, x) @\"inner\"\noutput c\noutput w\n"
               "output i\n"),
      "inner", 2,
      {{"then_branch", graph_of("graph \"t\" opset 17\ninput v: float32[...]\n"
                                "input x: float32[...]\na = Add(v, x)\noutput a\n")},
       {"else_branch", graph_of("graph \"e\" opset 17\ninput v: float32[...]\n"
                                "input x: float32[...]\na = Mul(v, x)\noutput a\n")}});
  return with_bodies(graph_of("graph \"nested\" opset 17\ninput x: float32[3]\n"
                              "const n: int64[] = 5\ny, all = Loop(n, _, x, x) @\"outer\"\n"
                              "output y\noutput all\n"),
                     "outer", 1, {{"body", inner}});
}

TEST(ControlFlow, BodiesLieInsideOfBodies) {
  expect_runs(nested(), {floats({3}, {1, 0.5, -2})});
  const Compiled made = must_compile(nested());
  const model::OfflineModel& model = made.model();
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(model.bodies[0].inside, model::kNoBody);
  EXPECT_EQ(model.bodies[1].inside, 0u);
  EXPECT_EQ(model.bodies[2].inside, 0u);
  EXPECT_TRUE(model::validate(model).ok());
}

TEST(ControlFlow, IsProvedAndTold) {
  const Compiled made = must_compile(halving_loop());
  const auto proof = prove(made, no_installed_ops());
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  EXPECT_EQ(proof->not_compared, "");
  EXPECT_LT(proof->file, 1e-6);
  EXPECT_EQ(proof->bodies, 1u);
  EXPECT_THAT(summary_text(made), AllOf(HasSubstr("run by the host, body by body: 1 x Loop"),
                                        HasSubstr("body of Loop loop runs as often as data say"),
                                        HasSubstr("  half on Ascend910B1: 4 nodes imported")));
  EXPECT_THAT(explain_text(made), AllOf(HasSubstr("loop (Loop): control"),
                                        HasSubstr("in the body of Loop loop:\nscale (Mul)")));
  const Json json = summary_json(made);
  EXPECT_EQ(json["bodies"][0]["of"], Json("loop"));
  EXPECT_EQ(json["control"]["Loop"], Json(1));
}

// Goes on while x is a whole number: for ever on integers, not at all on other numbers.
TEST(ControlFlow, DataOnWhichALoopDoesNotEndAreLeftOut) {
  const Compiled made =
      must_compile(with_body("graph \"whole\" opset 17\ninput x: float32[]\nconst yes: bool[] = 1\n"
                             "y = Loop(_, yes, x) @\"loop\"\noutput y\n",
                             "loop", 0,
                             "graph \"step\" opset 17\ninput i: int64[]\ninput c: bool[]\n"
                             "input v: float32[]\nf = Floor(v)\non = Equal(f, v)\nk = Neg(v)\n"
                             "output on\noutput k\n"));
  const auto proof = prove(made, no_installed_ops());
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  EXPECT_EQ(proof->not_compared, "");
  EXPECT_FALSE(proof->file_integers);
  EXPECT_LT(proof->file, 1e-6);
}

TEST(ControlFlow, LoopsOfKnownCountAreWrittenOutWhereThatIsCheaper) {
  const Compiled looped = must_compile(nested(), true);
  // Without ops nothing has a time: to come back five times is what counts.
  EXPECT_EQ(looped.rewrites.at("unroll_loops"), 1u);
  EXPECT_TRUE(looped.bodies.empty()) << summary_text(looped);
  const auto proof = prove(looped, no_installed_ops());
  EXPECT_TRUE(proof.ok()) << proof.error().to_string();
}

// Whole numbers are found in a body, and would be lost with it.
TEST(ControlFlow, QuantisedLoopsStay) {
  const auto loop = [](const std::string& step) {
    return with_body(
        "graph \"g\" opset 17\ninput x: float32[2]\nconst n: int64[] = 2\n"
        "y = Loop(n, _, x) @\"loop\"\noutput y\n",
        "loop", 0,
        "graph \"b\" opset 17\ninput i: int64[]\ninput c: bool[]\n"
        "input v: float32[...]\nconst s: float32[] = 0.5\nconst z: int8[] = 3\n" +
            step + "output c\noutput w\n");
  };
  EXPECT_TRUE(must_compile(loop("w = Neg(v)\n"), true).bodies.empty());
  EXPECT_EQ(must_compile(loop("q = QuantizeLinear(v, s, z)\nw = DequantizeLinear(q, s, z)\n"), true)
                .bodies.size(),
            1u);
}

TEST(ControlFlow, ProductsOfIterationsStayWithin64Bits) {
  constexpr uint64_t kMost = uint64_t{1} << 56;
  EXPECT_EQ(of_all_trips(7, 3), 21u);
  EXPECT_EQ(of_all_trips(7, std::nullopt), 7u);
  EXPECT_EQ(of_all_trips(7, 0), 0u);
  EXPECT_EQ(of_all_trips(1000, std::numeric_limits<int64_t>::max()), kMost);
  EXPECT_EQ(of_all_trips(1, std::numeric_limits<int64_t>::max()), kMost);
}

TEST(ControlFlow, CarriedDimsThatChangeAreRefused) {
  EXPECT_THAT(
      why_not(with_body("graph \"g\" opset 17\ninput x: float32[1]\nconst n: int64[] = 3\n"
                        "y = Loop(n, _, x) @\"grow\"\noutput y\n",
                        "grow", 0,
                        "graph \"b\" opset 17\ninput i: int64[]\ninput c: bool[]\n"
                        "input v: float32[...]\nw = Concat(v, v) {axis=0}\noutput c\noutput w\n")),
      AllOf(HasSubstr("OPK-FLOW-001"),
            HasSubstr("carried value 0 of the Loop, 'x', begins as [1] and becomes [2]"),
            HasSubstr("in node grow")));
}

TEST(ControlFlow, StackedResultsOfAnUnknownCountAreRefused) {
  EXPECT_THAT(
      why_not(with_body("graph \"g\" opset 17\ninput x: float32[1]\ninput n: int64[]\n"
                        "y, all = Loop(n, _, x) @\"count\"\noutput all\n",
                        "count", 0,
                        "graph \"b\" opset 17\ninput i: int64[]\ninput c: bool[]\n"
                        "input v: float32[...]\nw = Neg(v)\noutput c\noutput w\noutput w\n")),
      AllOf(HasSubstr("OPK-FLOW-002: Loop: 'all' has one part per iteration"),
            HasSubstr("data decide how many")));
}

TEST(ControlFlow, BranchesOfOtherDimsAreRefused) {
  graph::Graph graph = choosing_if();
  graph::set_body(graph.nodes[0], "else_branch",
                  graph_of("graph \"no\" opset 17\ninput x: float32[...]\ninput w: float32[...]\n"
                           "a = ReduceSum(x) {axes=[0]}\noutput a\noutput x\n"));
  graph.opset = 11;
  for (const char* branch : {"then_branch", "else_branch"}) {
    graph::Graph body = *graph::body_of(graph.nodes[0], branch);
    body.opset = 11;
    graph::set_body(graph.nodes[0], branch, body);
  }
  EXPECT_THAT(why_not(graph), AllOf(HasSubstr("OPK-FLOW-003"),
                                    HasSubstr("'y' is [2, 2] in one branch of the If and [1, 2]")));
}

// Runs what fits the dims and refuses the other branch when it is taken, by rate.
void expect_one_branch(const std::string& frame, double right, double wrong,
                       const std::string& unfit) {
  const graph::Graph graph = rated_if(frame);
  const auto elements = static_cast<size_t>(graph.values.at("x").shape->elements());
  const graph::RefTensor x = floats(*graph.values.at("x").shape, std::vector<double>(elements, 2));
  expect_runs(graph, {one(DType::kInt64, right), x});
  const Compiled made = must_compile(graph);
  auto runner = model_run::ModelRunner::load(made.model(), no_installed_ops());
  ASSERT_TRUE(runner.ok()) << runner.error().to_string();
  const auto refused =
      runner->run({*reference::to_tensor(one(DType::kInt64, wrong)), *reference::to_tensor(x)});
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(),
              AllOf(HasSubstr("OPK-FLOW-005"),
                    HasSubstr("the " + unfit + " of If rates cannot run at these dims: MatMul: "),
                    HasSubstr("(OPK-REF-006)"),
                    HasSubstr("give the condition the value that takes the other branch")));
}

TEST(ControlFlow, ABranchThatDoesNotFitTheDimsRefusesToRun) {
  expect_one_branch("3", 16, 8, "else_branch");
  expect_one_branch("4", 8, 16, "then_branch");
}

// The proof finds a value of the condition's input that takes the branch that runs.
TEST(ControlFlow, ABranchThatDoesNotFitTheDimsIsTold) {
  const Compiled made = must_compile(rated_if("3"));
  ASSERT_EQ(made.warnings.size(), 1u);
  EXPECT_EQ(made.warnings[0].code, "OPK-FLOW-005");
  EXPECT_EQ(made.warnings[0].severity, Severity::kWarning);
  ASSERT_EQ(made.bodies.size(), 2u);
  EXPECT_FALSE(made.bodies[0].unfit);
  EXPECT_TRUE(made.bodies[1].unfit);
  EXPECT_THAT(summary_text(made),
              AllOf(HasSubstr("else_branch of If rates refuses to run: it does not fit these dims"),
                    Not(HasSubstr("UnfitBranch"))));
  EXPECT_EQ(summary_json(made)["bodies"][1]["unfit"], true);
  const auto proof = prove(made, no_installed_ops());
  ASSERT_TRUE(proof.ok()) << proof.error().to_string();
  EXPECT_EQ(proof->not_compared, "");
  EXPECT_EQ(proof->proved, 2u);
  EXPECT_LT(proof->file, 1e-6);
  EXPECT_EQ(proof->bodies, 2u);
  EXPECT_EQ(proof->bodies_not_compared, 1u);
}

// Operators on the host have one version in a model; the first ones are raised by nobody.
TEST(ControlFlow, BodiesOfAnotherVersionAreRefused) {
  graph::Graph graph = halving_loop();
  graph.opset = 6;
  EXPECT_THAT(why_not(graph), AllOf(HasSubstr("OPK-FLOW-004"), HasSubstr("body of Loop loop"),
                                    HasSubstr("the graph around it of 6")));
}

// A condition that turns out to be known is no If.
TEST(ControlFlow, KnownBranchesAreFolded) {
  graph::Graph graph = choosing_if();
  graph.inputs.erase(graph.inputs.begin());
  graph.add_constant("c", one(DType::kBool, 1));
  const Compiled made = must_compile(graph);
  EXPECT_EQ(made.rewrites.at("inline_branches"), 1u);
  EXPECT_TRUE(made.bodies.empty());
  expect_runs(graph, {floats({2, 2}, {1, -2, 3, 4})});
}

}  // namespace
}  // namespace opkit::compile
