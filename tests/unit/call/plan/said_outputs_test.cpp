#include "opkit/call/plan/said_outputs.h"

#include <gmock/gmock.h>

#include "opkit/call/infer/infer.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

OpContract contract() {
  return OpContract::parse(R"(
op: Pick
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: [N], format: ND}
outputs:
  kept: {dtype: float32, shape: opaque, format: ND}
  count: {dtype: int32, shape: [N], format: ND}
reference: {none: "its outputs are chosen by the caller"}
soc: [Ascend910B]
kernel: {entry: pick, task_type: aiv_only}
)",
                           "op_contract.yaml")
      .value();
}

std::vector<PortFacts> inferred(const OpContract& contract) {
  const std::vector<PortFacts> inputs = {{TensorFacts::parse("float32 [7]").value()}};
  const Binding binding = bind_facts(contract, inputs, {}).value();
  return infer(contract, binding).value();
}

std::string refusal(const SaidOutputs& said) {
  const OpContract pick = contract();
  std::vector<PortFacts> outputs = inferred(pick);
  const auto applied = apply_said(pick, said, outputs);
  EXPECT_FALSE(applied.ok());
  if (applied.ok()) return {};
  EXPECT_EQ(applied.error().code, "OPK-RUN-006");
  return applied.error().message;
}

TEST(SaidOutputs, AnOpenShapeBecomesTheCallers) {
  const OpContract pick = contract();
  std::vector<PortFacts> outputs = inferred(pick);
  EXPECT_TRUE(apply_said(pick, {{Shape{3, 2}}, {}}, outputs).value());
  EXPECT_EQ(outputs[0][0].desc.shape, (Shape{3, 2}));
  EXPECT_EQ(outputs[1][0].desc.shape, (Shape{7}));
}

// A contract that is made from an OpDef says 1 of a dynamic output, because nothing tells more.
TEST(SaidOutputs, TheCallerKnowsTheCountOfAnOpenList) {
  const OpContract lists = OpContract::parse(R"(
op: Lists
version: 1.0.0
inputs:
  x: {dtype: float32, shape: opaque, format: ND, presence: dynamic}
outputs:
  y: {dtype: float32, shape: opaque, format: ND, presence: dynamic, count: 1}
reference: {none: "its outputs are chosen by the caller"}
soc: [Ascend910B]
)",
                                             "op_contract.yaml")
                               .value();
  const std::vector<PortFacts> inputs = {
      {TensorFacts::parse("float32 [7]").value(), TensorFacts::parse("float32 [3]").value()}};
  std::vector<PortFacts> outputs = infer(lists, bind_facts(lists, inputs, {}).value()).value();
  EXPECT_TRUE(apply_said(lists, {{Shape{7}, Shape{3}}}, outputs).value());
  ASSERT_EQ(outputs[0].size(), 2u);
  EXPECT_EQ(outputs[0][1].desc.shape, (Shape{3}));
  EXPECT_EQ(outputs[0][1].desc.name, "y1");
}

TEST(SaidOutputs, InferenceIsAskedForWhatNobodySaid) {
  const OpContract pick = contract();
  std::vector<PortFacts> outputs = inferred(pick);
  EXPECT_FALSE(apply_said(pick, {}, outputs).value());
  EXPECT_FALSE(apply_said(pick, {{}, {Shape{7}}}, outputs).value());
}

TEST(SaidOutputs, TheContractMustAllowTheShape) {
  EXPECT_THAT(refusal({{}, {Shape{8}}}), HasSubstr("'count' is said to be [8], inference gives"));
  EXPECT_THAT(refusal({{}, {Shape{7, 1}}}), HasSubstr("'count'"));
}

TEST(SaidOutputs, EveryDimIsANumber) {
  EXPECT_THAT(refusal({{Shape{kUnknownDim}}, {}}), HasSubstr("'kept' is said to be"));
}

TEST(SaidOutputs, EveryTensorOfAPortNeedsOne) {
  EXPECT_THAT(refusal({{Shape{1}, Shape{2}}, {}}),
              HasSubstr("'kept' is 1 tensors, 2 shapes are said"));
}

}  // namespace
}  // namespace opkit
