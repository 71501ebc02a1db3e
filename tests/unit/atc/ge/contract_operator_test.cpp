// Operators of contracts in graphs that programs build.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "all_ops.h"
#include "opkit/atc/ge/lower.h"
#include "opkit/reference/evaluate.h"

namespace opkit::ge_frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = leaky_relu(a + b), z = relu(a + b)
constexpr const char* kContract = R"(op: SumLeaky
version: "1.0.0"
inputs:
  a: {dtype: T, shape: "S..", format: ND}
  b: {dtype: T, shape: "S..", format: ND}
outputs:
  y: {dtype: T, shape: "S..", format: ND}
  z: {dtype: T, shape: "S..", format: ND}
types: {T: [float16, float32]}
attrs:
  factor: {type: float, default: 0.5, doc: "of what is negative in y"}
reference:
  - {op: Add, in: [a, b], out: sum}
  - {op: LeakyRelu, in: [sum], out: y, attrs: {alpha: $factor}}
  - {op: Relu, in: [sum], out: z}
tests:
  shapes: [{S: [3]}]
)";

class ContractOperator : public testing::Test {
 protected:
  ContractOperator() {
    auto parsed = OpContract::parse(kContract, "op_contract.yaml");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
    if (parsed.ok()) contract_ = std::make_unique<OpContract>(std::move(*parsed));
    x_.update_input_desc_x(ge::TensorDesc(ge::Shape({3}), ge::FORMAT_ND, ge::DT_FLOAT));
  }

  Result<graph::Graph> lowered(const ge::Operator& output) {
    ge::Graph graph("g");
    std::vector<ge::Operator> inputs{x_}, outputs{output};
    graph.SetInputs(inputs).SetOutputs(outputs);
    return lower(graph, {}, [this](const std::string& type) {
      return type == "SumLeaky" ? contract_.get() : nullptr;
    });
  }
  std::vector<double> computed(const ge::Operator& output) {
    const auto graph = lowered(output);
    EXPECT_TRUE(graph.ok()) << graph.error().to_string();
    if (!graph.ok()) return {};
    const auto results =
        reference::evaluate(*graph, {{"x", {DType::kFloat32, Shape({3}), {-1, 2, 4}}}});
    EXPECT_TRUE(results.ok()) << results.error().to_string();
    return results.ok() ? results->at(graph->outputs[0]).values : std::vector<double>();
  }

  std::unique_ptr<OpContract> contract_;
  ge::op::Data x_{"x"};
};

TEST_F(ContractOperator, BecomesItsReference) {
  auto doubled = ge::op::AddN("d").create_dynamic_input_x(2).set_attr_N(2);
  doubled.set_dynamic_input_x(0, x_).set_dynamic_input_x(1, x_);
  ge::Operator sum("s", "SumLeaky");
  sum.SetInput("a", doubled).SetInput("b", x_);
  EXPECT_THAT(computed(sum), ElementsAre(-1.5, 6, 12));
  sum.SetAttr("factor", 2.0f);
  EXPECT_THAT(computed(sum), ElementsAre(-6, 6, 12));
  // Every result can be read, by name and by number, and the call may stand twice.
  ge::Operator second("t", "SumLeaky");
  second.SetInput("a", sum, "z").SetInput("b", sum, 1U);
  EXPECT_THAT(computed(second), ElementsAre(0, 12, 24));
}

TEST_F(ContractOperator, IsCheckedByItsContract) {
  const auto refusal = [&](const ge::Operator& op) {
    const auto graph = lowered(op);
    return graph.ok() ? std::string() : graph.error().to_string();
  };
  ge::Operator sum("s", "SumLeaky");
  sum.SetInput("a", x_);
  EXPECT_THAT(refusal(sum), HasSubstr("input 'b' is not set"));
  sum.SetInput("b", x_).SetAttr("factor", int64_t{2});
  EXPECT_THAT(refusal(sum), HasSubstr("attribute 'factor' is Int, wanted is Float"));
  ge::Operator mixed("m", "SumLeaky");
  auto whole = ge::op::Cast("c").set_input_x(x_).set_attr_dst_type(ge::DT_INT32);
  mixed.SetInput("a", whole).SetInput("b", whole);
  EXPECT_THAT(refusal(mixed), testing::AllOf(HasSubstr("OPK-GE-003"), HasSubstr("m (SumLeaky)")));
}

}  // namespace
}  // namespace opkit::ge_frontend
