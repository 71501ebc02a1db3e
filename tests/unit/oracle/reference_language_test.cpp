// What a reference may say beside plain operators: results that are stored on the way, operators
// that only optional inputs need, axes from the end, tolerances of single columns.
#include <gmock/gmock.h>

#include "opkit/oracle/compare.h"
#include "opkit/oracle/evaluate_bounded.h"

namespace opkit::oracle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

OpContract contract_saying(const std::string& rest,
                           const std::string& inputs = "x: {dtype: T, shape: \"S..\"}",
                           const std::string& output = "{dtype: T, shape: \"S..\"}") {
  const std::string text = "op: Probe\nversion: \"1.0.0\"\ninputs:\n  " + inputs +
                           "\noutputs:\n  y: " + output + "\ntypes: {T: [float16, float32]}\n" +
                           rest;
  auto parsed = OpContract::parse(text, "c.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string() << text;
  return std::move(parsed).value();
}

Tensor tensor_of(DType dtype, Shape shape, const std::vector<double>& values) {
  Tensor tensor(dtype, std::move(shape), "x");
  for (size_t i = 0; i < values.size(); ++i) tensor.set(static_cast<int64_t>(i), values[i]);
  return tensor;
}

Bounded evaluated(const OpContract& contract, std::vector<std::vector<Tensor>> inputs,
                  SymbolValues symbols, size_t column = 0) {
  OracleCall call{&contract, &inputs, {}, std::move(symbols), column};
  auto outputs = evaluate_bounded(call);
  EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
  return std::move(outputs).value()[0][0];
}

// 2049 has no float16: a kernel that keeps the sum in memory as one goes on from 2048.
TEST(ReferenceLanguage, AStoredResultIsRoundedThere) {
  const std::string rest =
      "numeric: {accumulate: float32}\n"
      "reference:\n"
      "  - {op: Add, in: [x, {const: 1}], out: sum STORED}\n"
      "  - {op: Sub, in: [sum, {const: 2000}], out: y}\n";
  const auto with = [&](const std::string& stored, size_t column) {
    std::string text = rest;
    text.replace(text.find(" STORED"), 7, stored);
    const OpContract contract = contract_saying(text);
    const DType dtype = column == 0 ? DType::kFloat16 : DType::kFloat32;
    SymbolValues symbols;
    symbols.lists["S"] = {1};
    return evaluated(contract, {{tensor_of(dtype, {1}, {2048})}}, symbols, column);
  };
  const Bounded open = with("", 0), stored = with(", store: T", 0), wide = with(", store: T", 1);
  EXPECT_EQ(open.value[0], 49);
  EXPECT_EQ(stored.value[0], 48);
  EXPECT_FALSE(stored.at(0).contains(49));
  EXPECT_TRUE(stored.at(0).contains(48));
  EXPECT_EQ(wide.value[0], 49);
  EXPECT_EQ(with(", store: float16", 1).value[0], 48);
}

// A multiple is rounded: where the steps lie nobody knows, only how long they are.
TEST(ReferenceLanguage, AScaledResultIsOffByHalfAStep) {
  const OpContract contract = contract_saying(
      "numeric: {accumulate: float32}\n"
      "reference:\n"
      "  - {op: Mul, in: [x, {const: 1}], out: same, store: T scaled}\n"
      "  - {op: Mul, in: [same, {const: 1}], out: y}\n");
  SymbolValues symbols;
  symbols.lists["S"] = {3};
  const double least = std::ldexp(1.0, -25);
  const Bounded y =
      evaluated(contract, {{tensor_of(DType::kFloat16, {3}, {1024, 0, -1})}}, symbols);
  EXPECT_EQ(y.value[0], 1024);
  EXPECT_TRUE(y.at(0).contains(1024.5));
  EXPECT_TRUE(y.at(0).contains(1023.5));
  EXPECT_FALSE(y.at(0).contains(1025.5));
  EXPECT_TRUE(y.at(1).contains(least) && y.at(1).contains(-least));
  EXPECT_FALSE(y.at(1).contains(4 * least));
  EXPECT_TRUE(y.at(2).contains(-1 - std::ldexp(1.0, -11)));
  EXPECT_FALSE(y.at(2).contains(-1 + std::ldexp(1.0, -9)));
}

TEST(ReferenceLanguage, OnlyAFloatingTypeIsStored) {
  const auto refused = OpContract::parse(
      "op: P\nversion: \"1.0.0\"\ninputs: {x: {dtype: float32, shape: \"N\"}}\noutputs: {y: "
      "{dtype: "
      "float32, shape: \"N\"}}\nreference:\n  - {op: Relu, in: [x], out: y, store: int8}\n",
      "c.yaml");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(), HasSubstr("'int8', which Relu stores"));
}

// What reads it takes an operand that is left out.
TEST(ReferenceLanguage, WithoutElseTheResultIsAbsent) {
  const OpContract contract = contract_saying(
      "reference:\n"
      "  - {op: CastLike, in: [low, x], out: limit, when: \"present(low)\"}\n"
      "  - {op: Clip, in: [x, limit], out: y}\n",
      "x: {dtype: T, shape: \"S..\"}\n  low: {dtype: float16, shape: \"\", presence: optional}");
  SymbolValues symbols;
  symbols.lists["S"] = {3};
  const Tensor x = tensor_of(DType::kFloat32, {3}, {-5, -1, 2});
  const Bounded with =
      evaluated(contract, {{x}, {tensor_of(DType::kFloat16, Shape(std::vector<int64_t>{}), {-2})}},
                symbols, 1);
  EXPECT_THAT(with.value.values, ElementsAre(-2, -1, 2));
  symbols.absent.insert("low");
  const Bounded without = evaluated(contract, {{x}, {}}, symbols, 1);
  EXPECT_THAT(without.value.values, ElementsAre(-5, -1, 2));
}

TEST(ReferenceLanguage, AnOutputNeedsItsElse) {
  const auto refused = OpContract::parse(
      "op: P\nversion: \"1.0.0\"\ninputs: {x: {dtype: float32, shape: \"N\"}, b: {dtype: float32, "
      "shape: \"N\", presence: optional}}\noutputs: {y: {dtype: float32, shape: \"N\"}}\n"
      "reference:\n  - {op: Add, in: [x, b], out: y, when: \"present(b)\"}\n",
      "c.yaml");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-CONTRACT-033");
  EXPECT_THAT(refused.error().message, HasSubstr("output y has no value"));
}

TEST(ReferenceLanguage, PermCountsFromTheEnd) {
  const OpContract contract =
      contract_saying("reference:\n  - {op: Transpose, in: [x], out: y, attrs: {perm: [-1, -2]}}\n",
                      "x: {dtype: T, shape: \"B.., M, N\"}", "{dtype: T, shape: \"B.., N, M\"}");
  for (const std::vector<int64_t>& batch : {std::vector<int64_t>{}, std::vector<int64_t>{1, 1}}) {
    SymbolValues symbols;
    symbols.lists["B"] = batch;
    symbols.dims = {{"M", 2}, {"N", 3}};
    std::vector<int64_t> dims = batch;
    dims.insert(dims.end(), {2, 3});
    const Bounded y = evaluated(
        contract, {{tensor_of(DType::kFloat32, Shape(dims), {0, 1, 2, 3, 4, 5})}}, symbols, 1);
    EXPECT_THAT(y.value.values, ElementsAre(0, 3, 1, 4, 2, 5));
  }
}

// What a float32 evaluation gives where the sum overflows: -inf * 0.
TEST(ReferenceLanguage, GeluOfAnOverflowMayBeNan) {
  const OpContract contract = contract_saying(
      "reference:\n  - {op: Add, in: [x, x], out: sum}\n  - {op: Gelu, in: [sum], out: y}\n");
  SymbolValues symbols;
  symbols.lists["S"] = {3};
  const std::vector<std::vector<Tensor>> inputs{
      {tensor_of(DType::kFloat32, {3}, {-3e38, -INFINITY, 1})}};
  const Bounded y = evaluated(contract, inputs, symbols, 1);
  for (const int64_t i : {0, 1}) {
    EXPECT_TRUE(y.at(i).contains(NAN)) << i;
    EXPECT_TRUE(y.at(i).contains(0)) << i;
  }
  EXPECT_FALSE(y.at(2).contains(NAN));
}

// Nothing is promised of what depends on a NaN, be it through a comparison; all else stays.
TEST(ReferenceLanguage, UnspecifiedNanOpensWhatDependsOnIt) {
  const std::string reference =
      "reference:\n  - {op: Less, in: [x, {const: 0}], out: low}\n"
      "  - {op: Where, in: [low, {const: 1, dtype: float32}, {const: 2, dtype: float32}], out: "
      "chosen}\n  - {op: CastLike, in: [chosen, x], out: y}\n";
  const std::vector<std::vector<Tensor>> inputs{{tensor_of(DType::kFloat32, {3}, {NAN, -3, 3})}};
  SymbolValues symbols;
  symbols.lists["S"] = {3};
  const auto accepted = [&](const std::string& policy, const std::vector<double>& got) {
    const OpContract contract = contract_saying("numeric: {nan: " + policy + "}\n" + reference);
    const Bounded y = evaluated(contract, inputs, symbols, 1);
    return compare(contract, 1, tensor_of(DType::kFloat32, {3}, got), y, inputs).ok();
  };
  EXPECT_TRUE(accepted("propagate", {2, 1, 2}));
  EXPECT_FALSE(accepted("propagate", {1, 1, 2}));
  EXPECT_TRUE(accepted("unspecified", {1, 1, 2}));
  EXPECT_TRUE(accepted("unspecified", {NAN, 1, 2}));
  EXPECT_FALSE(accepted("unspecified", {1, 2, 2}));
}

TEST(ReferenceLanguage, EinsumHasABound) {
  const OpContract contract = contract_saying(
      "reference:\n  - {op: Einsum, in: [x, w], out: y, attrs: {equation: \"mk,kn->mn\"}}\n",
      "x: {dtype: T, shape: \"M, K\"}\n  w: {dtype: T, shape: \"K, N\"}",
      "{dtype: T, shape: \"M, N\"}");
  SymbolValues symbols;
  symbols.dims = {{"M", 1}, {"K", 3}, {"N", 1}};
  const auto product = [&](const std::vector<double>& x, const std::vector<double>& w) {
    return evaluated(
        contract,
        {{tensor_of(DType::kFloat32, {1, 3}, x)}, {tensor_of(DType::kFloat32, {3, 1}, w)}}, symbols,
        1);
  };
  const Bounded exact = product({1, 2, 3}, {4, 5, 6});
  EXPECT_EQ(exact.value[0], 32);
  EXPECT_TRUE(exact.at(0).is_point());
  const double third = static_cast<double>(1.0f / 3);
  const Bounded rounded = product({third, third, third}, {third, third, third});
  const double ideal = 3 * third * third;
  EXPECT_FALSE(rounded.at(0).is_point());
  EXPECT_TRUE(rounded.at(0).contains(ideal + ideal * 0x1p-24));
  EXPECT_FALSE(rounded.at(0).contains(ideal + ideal * 0x1p-20));
}

// |result - exact| <= absolute + value * |exact|, in the columns that it is for.
TEST(ReferenceLanguage, AToleranceHoldsInItsColumns) {
  const OpContract contract = contract_saying(
      "tolerance:\n"
      "  - {types: {T: float16}, value: 0.25, absolute: 1, reason: \"a table\"}\n"
      "reference: [{op: Add, in: [x, x], out: y}]\n");
  ASSERT_NE(contract.tolerance_of(0), nullptr);
  EXPECT_EQ(contract.tolerance_of(1), nullptr);
  SymbolValues symbols;
  symbols.lists["S"] = {1};
  const auto accepted = [&](size_t column, double got) {
    const DType dtype = column == 0 ? DType::kFloat16 : DType::kFloat32;
    const std::vector<std::vector<Tensor>> inputs{{tensor_of(dtype, {1}, {4})}};
    const Bounded expected = evaluated(contract, inputs, symbols, column);
    return compare(contract, column, tensor_of(dtype, {1}, {got}), expected, inputs).ok();
  };
  EXPECT_TRUE(accepted(0, 8 + 1 + 0.25 * 8));
  EXPECT_FALSE(accepted(0, 8 + 1 + 0.25 * 8 + 0.0625));
  EXPECT_FALSE(accepted(1, 8.0625));
  EXPECT_TRUE(accepted(1, 8));
}

TEST(ReferenceLanguage, AToleranceNamesColumnsThatAre) {
  const auto refused = OpContract::parse(
      "op: P\nversion: \"1.0.0\"\ninputs: {x: {dtype: T, shape: \"N\"}}\noutputs: {y: {dtype: T, "
      "shape: \"N\"}}\ntypes: {T: [float16]}\ntolerance: [{types: {T: float32}, value: 0.1, "
      "reason: "
      "\"x\"}]\nreference: [{op: Relu, in: [x], out: y}]\n",
      "c.yaml");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-CONTRACT-035");
  EXPECT_THAT(refused.error().message, HasSubstr("no column has T=float32"));
}

}  // namespace
}  // namespace opkit::oracle
