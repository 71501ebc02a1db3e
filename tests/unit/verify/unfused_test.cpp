#include "opkit/verify/unfused/unfused.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <memory>

#include "fake_executor.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/single/registry_ops.h"
#include "opkit/verify/test_run.h"
#include "opkit/verify/unfused/node_walk.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

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

class OnlyAdd : public MatchedOps {
 public:
  OnlyAdd()
      : contract_(contract_of(add_text())), executor_([](FakeCall& call) {
          for (int64_t i = 0; i < call.out().elements(); ++i)
            call.out().set(i, call.in(0).at(i) + call.in(1).at(i));
        }) {
    op_ = {&contract_, &executor_, "Add 1.0.0 of test"};
  }
  const UnfusedOp* find(const std::string& op_type) override {
    return op_type == "Add" ? &op_ : nullptr;
  }

  OpContract contract_;
  FakeExecutor executor_;
  UnfusedOp op_;
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

TEST(Unfused, OnlyOpsOfOneNodeAreSingle) {
  EXPECT_TRUE(computes_only(contract_of(add_text()), "Add"));
  EXPECT_FALSE(computes_only(contract_of(add_text()), "Sub"));
  EXPECT_FALSE(computes_only(contract_of(fused_text()), "Add"));
}

// An op by the name of its operator, with a C++ function as its kernel.
class Singles : public MatchedOps {
 public:
  void add(const std::string& text, FakeExecutor::Kernel kernel) {
    auto op = std::make_unique<One>(One{contract_of(text), FakeExecutor(std::move(kernel)), {}});
    op->single = {&op->contract, &op->executor, op->contract.op + " of test"};
    ops_[op->contract.op] = std::move(op);
  }
  const UnfusedOp* find(const std::string& op_type) override {
    const auto found = ops_.find(op_type);
    return found == ops_.end() ? nullptr : &found->second->single;
  }
  int runs(const std::string& op_type) const { return ops_.at(op_type)->executor.runs; }

 private:
  struct One {
    OpContract contract;
    FakeExecutor executor;
    UnfusedOp single;
  };
  std::map<std::string, std::unique_ptr<One>> ops_;
};

const char* split_text() {
  return R"yaml(
op: Split
version: "1.0.0"
inputs: {x: {dtype: T, shape: "A.., K, B.."}}
outputs: {ys: {dtype: T, shape: "A.., split[], B..", presence: dynamic, count: "rank(split)"}}
types: {T: [float16, float32]}
attrs:
  split: {type: list_int, length: [1, 32], range: [0, 65536]}
  axis: {type: int, default: 1, range: [0, 7]}
where: {C1: "K == sum(split)", C2: "rank(A) == axis"}
reference: [{op: Split, in: [x, $split], out: ys, attrs: {axis: $axis}}]
)yaml";
}

const char* concat_text() {
  return R"yaml(
op: Concat
version: "1.0.0"
inputs: {xs: {dtype: T, shape: "A.., K[], B..", presence: dynamic}}
outputs: {y: {dtype: T, shape: "A.., sum(K), B.."}}
types: {T: [float16, float32]}
attrs: {axis: {type: int, default: 1, range: [0, 7]}}
where: {C1: "1 <= count(xs)", C2: "rank(A) == axis"}
reference: [{op: Concat, in: [xs], out: y, attrs: {axis: $axis}}]
)yaml";
}

// Columns of the last dim, from one place to the next.
void split_rows(FakeCall& call) {
  const Tensor& x = call.in(0);
  const int64_t columns = x.shape()[x.shape().rank() - 1];
  int64_t from = 0;
  for (Tensor& part : call.outputs[0]) {
    const int64_t width = part.shape()[part.shape().rank() - 1];
    for (int64_t i = 0; i < part.elements(); ++i)
      part.set(i, x.at(i / width * columns + from + i % width));
    from += width;
  }
}

void join_rows(FakeCall& call) {
  const int64_t columns = call.out().shape()[call.out().shape().rank() - 1];
  int64_t from = 0;
  for (const Tensor& part : call.inputs[0]) {
    const int64_t width = part.shape()[part.shape().rank() - 1];
    for (int64_t i = 0; i < part.elements(); ++i)
      call.out().set(i / width * columns + from + i % width, part.at(i));
    from += width;
  }
}

// The halves of a row exchanged: sizes and axis are attributes of the plugins, counted from the
// front, and their ports take any number of tensors.
TEST(Unfused, PluginsTakeAttributesAndPortsOfManyTensors) {
  const OpContract op = contract_of(R"(
op: Exchange
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.., D"}}
outputs: {y: {dtype: T, shape: "S.., D"}}
types: {T: [float32]}
where: {C1: "rank(S) <= 3", C2: "D % 2 == 0 and 2 <= D"}
reference:
  - {op: Split, in: [x], out: [first, second], attrs: {axis: -1, num_outputs: 2}}
  - {op: Concat, in: [second, first], out: y, attrs: {axis: -1}}
)");
  Singles singles;
  singles.add(split_text(), split_rows);
  singles.add(concat_text(), join_rows);
  auto problem = parse_line(op, "--d S=2x3,D=10 --data uniform --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const auto inputs = make_inputs(op, *problem);
  const auto done = run_node_by_node(op, *problem, *inputs, singles);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_EQ(done->plugins.at("first"), "Split of test");
  EXPECT_EQ(done->plugins.at("y"), "Concat of test");
  EXPECT_EQ(singles.runs("Split"), 1);
  EXPECT_EQ(singles.runs("Concat"), 1);
  for (int64_t i = 0; i < 60; ++i)
    EXPECT_EQ(done->outputs[0][0].at(i), (*inputs)[0][0].at(i / 10 * 10 + (i + 5) % 10));
}

// A plugin whose attributes or dtypes do not reach is not asked.
TEST(Unfused, NodesThatAPluginDoesNotComputeAreLeftToTheInterpreter) {
  const OpContract op = contract_of(R"(
op: Twice
version: "1.0.0"
inputs: {x: {dtype: bfloat16, shape: "N"}}
outputs: {y: {dtype: bfloat16, shape: "2 * N"}}
reference:
  - {op: Relu, in: [x], out: r}
  - {op: Concat, in: [r, r], out: y, attrs: {axis: 0}}
)");
  Singles singles;
  singles.add(concat_text(), join_rows);
  auto problem = parse_line(op, "--d N=5 --data uniform --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const auto done = run_node_by_node(op, *problem, *make_inputs(op, *problem), singles);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_EQ(done->plugins.at("y"), "");
  EXPECT_EQ(singles.runs("Concat"), 0);
  EXPECT_EQ(done->outputs[0][0].shape(), (Shape{10}));
}

// Operands go to the ports that the op's reference names, in whatever order.
TEST(Unfused, OperandsGoToThePortsThatTheReferenceNames) {
  const OpContract op = contract_of(R"(
op: LessTwice
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N"}, y: {dtype: float32, shape: "N"}}
outputs: {z: {dtype: float32, shape: "N"}}
reference:
  - {op: Sub, in: [x, y], out: d}
  - {op: Sub, in: [d, y], out: z}
)");
  Singles singles;
  singles.add(R"(
op: Sub
version: "1.0.0"
inputs: {less: {dtype: float32, shape: "S.."}, from: {dtype: float32, shape: "S.."}}
outputs: {z: {dtype: float32, shape: "S.."}}
reference: [{op: Sub, in: [from, less], out: z}]
)",
              [](FakeCall& call) {
                for (int64_t i = 0; i < call.out().elements(); ++i)
                  call.out().set(i, call.in(1).at(i) - call.in(0).at(i));
              });
  auto problem = parse_line(op, "--d N=40 --data exact_integer --soc Ascend910B1");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  const auto inputs = make_inputs(op, *problem);
  const auto done = run_node_by_node(op, *problem, *inputs, singles);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_EQ(singles.runs("Sub"), 2);
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ(done->outputs[0][0].at(i), (*inputs)[0][0].at(i) - 2 * (*inputs)[1][0].at(i));
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
