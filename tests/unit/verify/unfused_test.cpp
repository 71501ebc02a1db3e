#include "opkit/verify/unfused/unfused.h"

#include <gmock/gmock.h>

#include <cmath>

#include "fake_executor.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/test_run.h"
#include "opkit/verify/unfused/node_walk.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

OpContract contract_of(const std::string& text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

// y = (x + 1000) * scale: node by node in half, the sum loses what the fused kernel keeps.
const char* fused_text() {
  return R"(
op: AddMul
version: "1.0.0"
inputs: {x: {dtype: float16, shape: "N"}}
outputs: {y: {dtype: float16, shape: "N"}}
attrs: {scale: {type: float, default: 0.5}}
reference:
  - {op: Add, in: [x, {const: 1000}], out: sum}
  - {op: Mul, in: [sum, $scale], out: y}
numeric: {accumulate: float32}
)";
}

const char* add_text() {
  return R"(
op: Add
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.."}, y: {dtype: T, shape: "S.."}}
outputs: {z: {dtype: T, shape: "S.."}}
types: {T: [float16]}
reference: [{op: Add, in: [x, y], out: z}]
)";
}

class OnlyAdd : public SingleOps {
 public:
  OnlyAdd()
      : contract_(contract_of(add_text())), executor_([](FakeCall& call) {
          for (int64_t i = 0; i < call.out().elements(); ++i)
            call.out().set(i, call.in(0).at(i) + call.in(1).at(i));
        }) {
    op_ = {&contract_, &executor_, "Add 1.0.0 of test"};
  }
  const SingleOp* find(const std::string& op_type) override {
    return op_type == "Add" ? &op_ : nullptr;
  }

  OpContract contract_;
  FakeExecutor executor_;
  SingleOp op_;
};

void add_mul(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i)
    call.out().set(i, (call.in(0).at(i) + 1000) * call.attr("scale"));
}

TEST(Unfused, NodesRunByPluginsAndTheRestByTheInterpreter) {
  const OpContract op = contract_of(fused_text());
  OnlyAdd singles;
  auto problem = parse_line(op, "--d N=100 --data uniform --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const auto inputs = make_inputs(op, *problem);
  const auto done = run_node_by_node(op, *problem, *inputs, singles);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_EQ(done->plugins.at("sum"), "Add 1.0.0 of test");
  EXPECT_EQ(done->plugins.at("y"), "");
  EXPECT_EQ(singles.executor_.runs, 1);
  for (int64_t i = 0; i < 100; ++i) {
    const double sum = done->tensors.at("sum").at(i);
    EXPECT_NEAR(sum, (*inputs)[0][0].at(i) + 1000, 0.25);
    EXPECT_EQ(done->tensors.at("y").at(i), sum / 2);  // exact: a power of two
  }
}

TEST(Unfused, BothAreJudgedSideBySide) {
  const OpContract op = contract_of(fused_text());
  FakeExecutor fused(add_mul);
  OnlyAdd singles;
  TestRequest request;
  request.contract = &op;
  request.executor = &fused;
  request.singles = &singles;
  request.tier = Tier::kSmoke;
  Progress progress;
  const auto report = run_tests(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  ASSERT_TRUE(report->unfused.any_plugin());
  bool uniform = false;
  for (const UnfusedRow& row : report->unfused.rows) {
    if (row.data != "uniform") continue;
    uniform = true;
    EXPECT_LE(row.fused.worst, 0.5);  // rounded once
    EXPECT_GE(row.unfused.mean(), row.fused.mean());
    EXPECT_GT(row.unfused.elements, 0);
  }
  EXPECT_TRUE(uniform);
  EXPECT_THAT(report_text(*report), HasSubstr("Add -> sum by Add 1.0.0 of test"));
  EXPECT_THAT(report_text(*report),
              HasSubstr("no plugin, computed in double and rounded: Mul -> y"));
  EXPECT_THAT(report_json(*report), HasSubstr("\"unfused\""));
}

TEST(Unfused, OnlyOpsOfOneNodeOnTheirInputsAreSingle) {
  EXPECT_TRUE(computes_only(contract_of(add_text()), "Add"));
  EXPECT_FALSE(computes_only(contract_of(add_text()), "Sub"));
  EXPECT_FALSE(computes_only(contract_of(fused_text()), "Add"));
  std::string swapped = add_text();
  swapped.replace(swapped.find("[x, y]"), 6, "[y, x]");
  EXPECT_FALSE(computes_only(contract_of(swapped), "Add"));
}

TEST(Unfused, ShapesAsOperandsAreRefused) {
  const OpContract op = contract_of(R"(
op: Flatten2
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "M, N"}}
outputs: {y: {dtype: float32, shape: "M*N"}}
reference:
  - {op: Relu, in: [x], out: r}
  - {op: Reshape, in: [r, {shape: "M*N"}], out: y}
)");
  OnlyAdd singles;
  auto problem = parse_line(op, "--d M=2,N=3 --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const auto done = run_node_by_node(op, *problem, *make_inputs(op, *problem), singles);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_EQ(done->outputs[0][0].shape(), (Shape{6}));
}

TEST(Unfused, OpsOfAnyNumberOfTensorsAreRefused) {
  const OpContract op = contract_of(R"(
op: Joined
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N", presence: dynamic}}
outputs: {y: {dtype: float32, shape: "N"}}
reference: [{op: Sum, in: [x], out: y}]
)");
  OnlyAdd singles;
  auto problem = parse_line(op, "--d N=3 --count x=2 --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const auto done = run_node_by_node(op, *problem, *make_inputs(op, *problem), singles);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().code, "OPK-VERIFY-070");
}

}  // namespace
}  // namespace opkit::verify
