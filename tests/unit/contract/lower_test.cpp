#include "opkit/contract/lower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/contract/scope.h"
#include "opkit/graph/text.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

OpContract contract_of(const std::string& text) {
  auto parsed = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

graph::ValueInfo tensor(DType dtype, Shape shape) {
  return {dtype, std::move(shape), Format::kND, nullptr};
}

constexpr const char* kLinear = R"yaml(
op: Linear
version: "1.0.0"
inputs:
  x:    {dtype: T, shape: "B.., K"}
  w:    {dtype: T, shape: "K, N"}
  bias: {dtype: T, shape: "N", presence: optional}
outputs:
  y: {dtype: T, shape: "prod(B)*N"}
types: {T: [float16, float32]}
attrs:
  alpha: {type: float, default: 0.1}
reference:
  - {op: MatMul, in: [x, w], out: t0}
  - {op: Add, in: [t0, bias], out: t1, when: "present(bias)",
                     else : t0
}
  - {op: LeakyRelu, in: [t1], out: t2, attrs: {alpha: $alpha}}
  - {op: Mul, in: [t2, {const: 0.1}], out: t3}
  - {op: Mul, in: [t3, $alpha], out: t4}
  - {op: Reshape, in: [t4, {shape: "prod(B)*N"}], out: y}
)yaml";

ReferenceCall linear_call(const OpContract& op, bool bias) {
  SymbolValues symbols{{{"K", 4}, {"N", 5}}, {{"B", {2, 3}}}, {}, {}, {}};
  if (!bias) symbols.absent.insert("bias");
  const AttrValues attrs = *op.complete({});
  ReferenceCall call{{{tensor(DType::kFloat16, {2, 3, 4})}, {tensor(DType::kFloat16, {4, 5})}, {}},
                     attrs,
                     scope_of(op, symbols, attrs)};
  if (bias) call.inputs[2] = {tensor(DType::kFloat16, {5})};
  return call;
}

TEST(Lower, ResolvesAttributesConstantsAndDims) {
  const OpContract op = contract_of(kLinear);
  const auto lowered = lower_reference(op, linear_call(op, true));
  ASSERT_TRUE(lowered.ok()) << lowered.error().to_string();
  EXPECT_EQ(graph::to_text(lowered->graph), R"yaml(graph "Linear" opset 20
input x: float16[2, 3, 4]
input w: float16[4, 5]
input bias: float16[5]
const "#0": float16[] = 0.1
const "#1": float16[] = 0.10000000149011612
const "#2": int64[1] = 30
t0: float16[2, 3, 5] = MatMul(x, w) @"t0"
t1: float16[2, 3, 5] = Add(t0, bias) @"t1"
t2: float16[2, 3, 5] = LeakyRelu(t1) {alpha=0.10000000149011612} @"t2"
t3: float16[2, 3, 5] = Mul(t2, "#0") @"t3"
t4: float16[2, 3, 5] = Mul(t3, "#1") @"t4"
y: float16[30] = Reshape(t4, "#2") @"y"
output y
)yaml");
  EXPECT_EQ(lowered->outputs, (std::vector<std::vector<std::string>>{{"y"}}));
  EXPECT_TRUE(graph::validate(lowered->graph).ok());
}

TEST(Lower, ReadersOfASkippedNodeReadItsElse) {
  const OpContract op = contract_of(kLinear);
  const auto lowered = lower_reference(op, linear_call(op, false));
  ASSERT_TRUE(lowered.ok()) << lowered.error().to_string();
  EXPECT_EQ(lowered->graph.inputs, (std::vector<std::string>{"x", "w"}));
  EXPECT_THAT(graph::to_text(lowered->graph), HasSubstr("LeakyRelu(t0)"));
  EXPECT_THAT(graph::to_text(lowered->graph), ::testing::Not(HasSubstr("Add(")));
}

TEST(Lower, TensorsOfDynamicPortsStandWhereTheirNameStands) {
  const OpContract op = contract_of(R"yaml(
op: Halves
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N, M[]", presence: dynamic}}
outputs: {y: {dtype: float32, shape: "N, sum(M)"
  }
  }
reference: [{op: Concat, in: [x], out: y, attrs: {axis: -1}}]
)yaml");
  SymbolValues symbols{{{"N", 2}}, {{"M", {3, 4}}}, {}, {}, {}};
  const auto lowered =
      lower_reference(op, {{{tensor(DType::kFloat32, {2, 3}), tensor(DType::kFloat32, {2, 4})}},
                           {},
                           scope_of(op, symbols, {})});
  ASSERT_TRUE(lowered.ok()) << lowered.error().to_string();
  EXPECT_EQ(lowered->graph.nodes[0].inputs, (std::vector<std::string>{"x:0", "x:1"}));
  EXPECT_EQ(lowered->graph.values.at("y").shape, (Shape{2, 7}));
}

TEST(Lower, ErrorsPointToTheNode) {
  const OpContract op = contract_of(kLinear);
  ReferenceCall call = linear_call(op, true);
  call.inputs[2][0].dtype = DType::kFloat32;
  const auto lowered = lower_reference(op, call);
  ASSERT_FALSE(lowered.ok());
  EXPECT_THAT(lowered.error().to_string(),
              HasSubstr("op_contract.yaml:15:5: error OPK-REF-007: Linear: input 1 is float32"));
  EXPECT_THAT(lowered.error().to_string(), HasSubstr("in node t1"));
}

TEST(Lower, WhatCannotBeLoweredIsSaid) {
  const OpContract text = contract_of(R"yaml(
op: Texts
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N"}}
outputs: {y: {dtype: float32, shape: "N"}}
attrs: {mode: {type: string, default: "a"}}
reference: {none: "tried by hand"}
)yaml");
  // A parsed contract cannot hold such a node: trying the reference refuses it.
  OpContract by_hand = text;
  by_hand.reference.push_back({"Add",
                               {{Operand::Kind::kTensor, "x", {}, true, {}, {}, {}},
                                {Operand::Kind::kAttr, "mode", {}, true, {}, {}, {"c", 9, 1}}},
                               {"y"},
                               {},
                               {},
                               "",
                               "",
                               {},
                               {"c", 9, 3}});
  const AttrValues attrs = *text.complete({});
  const auto lowered =
      lower_reference(by_hand, {{{tensor(DType::kFloat32, {2})}},
                                attrs,
                                scope_of(text, {{{"N", 2}}, {}, {}, {}, {}}, attrs)});
  ASSERT_FALSE(lowered.ok());
  EXPECT_EQ(lowered.error().code, "OPK-CONTRACT-045");
  EXPECT_EQ(lowered.error().where.line, 9);

  const OpContract op = contract_of(kLinear);
  ReferenceCall call = linear_call(op, true);
  call.scope.lists["B"] = ListValue{};
  const auto open = lower_reference(op, call);
  ASSERT_FALSE(open.ok());
  EXPECT_EQ(open.error().code, "OPK-CONTRACT-046");
}

}  // namespace
}  // namespace opkit
