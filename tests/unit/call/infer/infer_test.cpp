#include "opkit/call/infer/infer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/base/json.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

// A contract with these inputs, outputs and further fields, over T: [float16, float32].
OpContract contract_of(const std::string& inputs, const std::string& outputs,
                       const std::string& more = "") {
  const std::string text = "op: Probe\nversion: \"1.0.0\"\ninputs:\n" + inputs + "outputs:\n" +
                           outputs + "types: {T: [float16, float32]}\n" +
                           "reference: {none: \"only shapes matter here\"}\n" + more;
  auto contract = OpContract::parse(text, "probe.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string() << "\n" << text;
  return contract.ok() ? *contract : OpContract();
}

std::vector<PortFacts> facts_of(const OpContract& contract, const std::vector<std::string>& texts) {
  std::vector<TensorFacts> tensors;
  for (const std::string& text : texts) {
    if (text.empty()) {
      tensors.emplace_back();
      continue;
    }
    auto facts = TensorFacts::parse(text);
    EXPECT_TRUE(facts.ok()) << facts.error().to_string();
    tensors.push_back(*facts);
  }
  auto ports = arrange_inputs(contract, std::span<const TensorFacts>(tensors));
  EXPECT_TRUE(ports.ok());
  return *ports;
}

std::string inferred(const OpContract& contract, const std::vector<std::string>& inputs,
                     const AttrValues& attrs = {}) {
  const auto ports = facts_of(contract, inputs);
  const auto outputs = infer(contract, std::span<const PortFacts>(ports), attrs);
  if (!outputs.ok()) return outputs.error().to_string();
  std::string text;
  for (const PortFacts& port : *outputs) {
    for (const TensorFacts& tensor : port) text += (text.empty() ? "" : "; ") + tensor.to_string();
  }
  return text;
}

const char* kMatMulInputs =
    "  x: {dtype: T, shape: \"B.., M, K\"}\n  w: {dtype: T, shape: \"K, N\"}\n";
const char* kMatMulOutputs = "  y: {dtype: T, shape: \"B.., M, N\"}\n";
const char* kMatMulWhere = "where: {C1: \"1 <= K <= 65536\", C2: \"N % 16 == 0\"}\n";

TEST(Infer, StaticDims) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  EXPECT_EQ(inferred(op, {"float16 [2, 3, 32, 128]", "float16 [128, 256]"}),
            "y: float16 [2, 3, 32, 256] ND");
  EXPECT_EQ(inferred(op, {"float32 [32, 128]", "float32 [128, 256]"}), "y: float32 [32, 256] ND");
}

TEST(Infer, UnknownAndRangedDims) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  EXPECT_EQ(inferred(op, {"float16 [?, 1..64, 128]", "float16 [128, ?]"}),
            "y: float16 [?, 1..64, ?] ND");
  EXPECT_EQ(inferred(op, {"float16 [...]", "float16 [128, 256]"}), "y: float16 [...] ND");
}

TEST(Infer, OneInputsFactsCompleteAnothers) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"M, N\"}\n  y: {dtype: T, shape: \"M, N\"}\n",
                  "  z: {dtype: T, shape: \"M, N\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [?, 8]", "float16 [4, ?]"}), "z: float16 [4, 8] ND");
  EXPECT_EQ(inferred(op, {"float16 [...]", "float16 [4, 2..8]"}), "z: float16 [4, 2..8] ND");
}

TEST(Infer, ConstraintsNarrowWhatIsOpen) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"M, N\"}\n", "  y: {dtype: T, shape: \"N, M\"}\n",
                  "where: {C1: \"1 <= M <= 64\", C2: \"N == 2 * M\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [?, ?]"}), "y: float16 [2..128, 1..64] ND");
  EXPECT_EQ(inferred(op, {"float16 [8, ?]"}), "y: float16 [16, 8] ND");
}

TEST(Infer, ComputedDims) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"M, N\"}\n  p: {dtype: T, shape: \"ceildiv(N, 16), 16\"}\n",
      "  y: {dtype: T, shape: \"M * N, ceildiv(M, 4)\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [5, 33]", "float16 [3, 16]"}), "y: float16 [165, 2] ND");
  EXPECT_EQ(inferred(op, {"float16 [5, 33]", "float16 [2, 16]"}),
            "probe.yaml:5:24: error OPK-INFER-005: Probe: dim 0 of p is 2, expected ceildiv(N, 16) "
            "= 3\n  try: give it the expected size");
  EXPECT_EQ(inferred(op, {"float16 [5, 33]", "float16 [3, 8]"}),
            "probe.yaml:5:24: error OPK-INFER-005: Probe: dim 1 of p is 8, expected 16\n"
            "  try: give it the expected size");
}

TEST(Infer, Broadcasting) {
  const OpContract op =
      contract_of("  a: {dtype: T, shape: \"A..\"}\n  b: {dtype: T, shape: \"B..\"}\n",
                  "  y: {dtype: T, shape: \"broadcast(A, B)\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [4, 1, 3]", "float16 [5, 1]"}), "y: float16 [4, 5, 3] ND");
  EXPECT_EQ(inferred(op, {"float16 [?, 3]", "float16 [7, 1]"}), "y: float16 [7, 3] ND");
  EXPECT_EQ(inferred(op, {"float16 [...]", "float16 [7, 1]"}), "y: float16 [...] ND");
  EXPECT_THAT(inferred(op, {"float16 [4]", "float16 [3]"}),
              HasSubstr("OPK-EXPR-014: Probe: dims 4 and 3 cannot be broadcast together"));
}

TEST(Infer, TwoListsOfOneInput) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"A.., K, B..\"}\n", "  y: {dtype: T, shape: \"B.., K, A..\"}\n",
      "attrs:\n  axis: {type: int, default: 1, range: [0, 7]}\nwhere: {C1: \"rank(A) == axis\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [2, 3, 5]"}), "y: float16 [5, 3, 2] ND");
  EXPECT_EQ(inferred(op, {"float16 [2, 3, 5]"}, {{"axis", int64_t{0}}}), "y: float16 [3, 5, 2] ND");
  EXPECT_EQ(inferred(op, {"float16 [2, ?, 5]"}, {{"axis", int64_t{2}}}), "y: float16 [5, 2, ?] ND");
  EXPECT_EQ(inferred(op, {"float16 [...]"}), "y: float16 [...] ND");
  EXPECT_THAT(inferred(op, {"float16 [2, 3, 5]"}, {{"axis", int64_t{3}}}),
              HasSubstr("x has rank 3 (float16 [2, 3, 5] ND); its shape \"A.., K, B..\" needs rank "
                        "4 or more"));
}

TEST(Infer, CollapsibleDims) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"M, N|1\"}\n  y: {dtype: T, shape: \"M|1, N|1\"}\n",
                  "  z: {dtype: T, shape: \"M, N\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [3, 1]", "float16 [1, 5]"}), "z: float16 [3, 5] ND");
  EXPECT_EQ(inferred(op, {"float16 [3, 1]", "float16 [3, 1]"}), "z: float16 [3, 1] ND");
  EXPECT_THAT(inferred(op, {"float16 [3, 4]", "float16 [1, 5]"}),
              HasSubstr("dim 1 of y is 5, expected N = 4 (from x)"));
}

TEST(Infer, OptionalInputs) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"M\"}\n  g: {dtype: T, shape: \"K\", presence: optional}\n"
      "  b: {dtype: T, shape: \"M\", presence: optional}\n",
      "  y: {dtype: T, shape: \"select(present(g), K, M)\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [3]"}), "y: float16 [3] ND");
  EXPECT_EQ(inferred(op, {"float16 [3]", "", "float16 [3]"}), "y: float16 [3] ND");
  EXPECT_EQ(inferred(op, {"float16 [3]", "float16 [9]"}), "y: float16 [9] ND");
  EXPECT_THAT(inferred(op, {}), HasSubstr("OPK-INFER-006: Probe: input x is required and has 0"));
}

TEST(Infer, DynamicInputsAndOutputs) {
  const OpContract concat =
      contract_of("  xs: {dtype: T, shape: \"M, N[]\", presence: dynamic}\n",
                  "  y: {dtype: T, shape: \"M, sum(N)\"}\n", "where: {C1: \"count(xs) >= 1\"}\n");
  EXPECT_EQ(inferred(concat, {"float16 [2, 3]", "float16 [2, 4]", "float16 [2, 5]"}),
            "y: float16 [2, 12] ND");
  EXPECT_EQ(inferred(concat, {"float16 [?, 3]", "float16 [2, ?]"}), "y: float16 [2, 3..] ND");
  EXPECT_THAT(inferred(concat, {"float16 [2, 3]", "float16 [3, 4]"}),
              HasSubstr("dim 0 of xs is 3, expected M = 2 (from xs)"));
  EXPECT_THAT(inferred(concat, {}), HasSubstr("OPK-INFER-003"));
  const OpContract split = contract_of(
      "  x: {dtype: T, shape: \"M, N\"}\n",
      "  ys: {dtype: T, shape: \"M, sizes[]\", presence: dynamic, count: \"rank(sizes)\"}\n",
      "attrs: {sizes: {type: list_int}}\nwhere: {C1: \"sum(sizes) == N\"}\n");
  const AttrValues sizes = {{"sizes", std::vector<int64_t>{3, 4}}};
  EXPECT_EQ(inferred(split, {"float16 [2, 7]"}, sizes),
            "ys0: float16 [2, 3] ND; ys1: float16 [2, 4] ND");
  EXPECT_THAT(inferred(split, {"float16 [2, 8]"}, sizes),
              HasSubstr("OPK-INFER-010: Probe C1: 'sum(sizes) == N' does not hold for "
                        "sizes=[3, 4], N=8"));
}

TEST(Infer, TwoDynamicInputsShareTheirDims) {
  const OpContract op = contract_of(
      "  xs: {dtype: T, shape: \"N[]\", presence: dynamic}\n"
      "  ys: {dtype: T, shape: \"N[]\", presence: dynamic}\n",
      "  z: {dtype: T, shape: \"sum(N)\"}\n");
  const auto facts = [](const char* text) { return *TensorFacts::parse(text); };
  std::vector<PortFacts> ports = {{facts("float16 [2]"), facts("float16 [3]")},
                                  {facts("float16 [2]"), facts("float16 [3]")}};
  EXPECT_EQ(infer(op, std::span<const PortFacts>(ports), {})->at(0)[0].desc.shape, Shape{5});
  ports[1][1] = facts("float16 [4]");
  EXPECT_EQ(infer(op, std::span<const PortFacts>(ports), {}).error().code, "OPK-INFER-005");
}

TEST(Infer, ValuesOfHostInputs) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"S..\"}\n"
      "  axes: {dtype: int64, shape: \"R\", value_depend: true}\n",
      "  y: {dtype: T, shape: \"drop(S, axes)\"}\n");
  auto ports = facts_of(op, {"float16 [2, 3, 4]", "int64 [1]"});
  EXPECT_EQ(infer(op, std::span<const PortFacts>(ports), {})->at(0)[0].to_string(),
            "y: float16 [...] ND");
  ports[1][0].values = std::vector<int64_t>{1};
  EXPECT_EQ(infer(op, std::span<const PortFacts>(ports), {})->at(0)[0].to_string(),
            "y: float16 [2, 4] ND");
  ports[1][0].values = std::vector<int64_t>{3};
  EXPECT_EQ(infer(op, std::span<const PortFacts>(ports), {}).error().code, "OPK-EXPR-015");
}

TEST(Infer, OpaqueShapesAreUnknown) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"N\"}\n", "  y: {dtype: T, shape: opaque}\n");
  EXPECT_EQ(inferred(op, {"float16 [4]"}), "y: float16 [...] ND");
}

TEST(Infer, MismatchesSayWhere) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  EXPECT_EQ(inferred(op, {"float16 [32, 128]", "float16 [64, 256]"}),
            "probe.yaml:5:24: error OPK-INFER-005: Probe: dim 0 of w is 64, expected K = 128 "
            "(from x)\n  try: give both the same K");
  EXPECT_EQ(inferred(op, {"float16 [32]", "float16 [64, 256]"}),
            "probe.yaml:4:24: error OPK-INFER-004: Probe: x has rank 1 (float16 [32] ND); its "
            "shape \"B.., M, K\" needs rank 2 or more\n  try: reshape the tensor");
  EXPECT_EQ(inferred(op, {"float16 [32, 128]", "float16 [128, 250]"}),
            "probe.yaml:10:32: error OPK-INFER-010: Probe C2: 'N % 16 == 0' does not hold for "
            "N=250\n  try: choose shapes and attributes that meet C2");
  const OpContract lists =
      contract_of("  x: {dtype: T, shape: \"S..\"}\n  y: {dtype: T, shape: \"S..\"}\n",
                  "  z: {dtype: T, shape: \"S..\"}\n");
  EXPECT_THAT(inferred(lists, {"float16 [2, 3]", "float16 [2, 4]"}),
              HasSubstr("the dims S of y are [2, 4], expected [2, 3] (from x)"));
  EXPECT_THAT(inferred(lists, {"float16 [2, 3]", "float16 [2, 3, 1]"}), HasSubstr("OPK-INFER-005"));
}

TEST(Infer, NegativeDimsAreRefused) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"M, N\"}\n", "  y: {dtype: T, shape: \"M - N\"}\n");
  EXPECT_EQ(inferred(op, {"float16 [5, 3]"}), "y: float16 [2] ND");
  EXPECT_THAT(inferred(op, {"float16 [3, 5]"}),
              HasSubstr("OPK-INFER-012: Probe: dim 0 of output y (M - N) would be -2"));
}

TEST(Infer, DimsBeyond2To62AreRefused) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"N\"}\n", "  y: {dtype: T, shape: \"N\"}\n");
  EXPECT_THAT(inferred(op, {"float16 [9223372036854775807]"}),
              HasSubstr("(N) would be 9223372036854775807; no dim is larger than 2^62\n  try: "
                        "choose smaller dims"));
}

TEST(Infer, ColumnsNameTheNearestRows) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs);
  EXPECT_EQ(inferred(op, {"float16 [2, 2]", "float32 [2, 2]"}),
            "probe.yaml:1:5: error OPK-INFER-002: Probe: no column of 2 has x float16/ND, w "
            "float32/ND; nearest: [0] x float16/ND, w float16/ND; [1] x float32/ND, w float32/ND\n"
            "  try: use one of the listed combinations");
}

TEST(Infer, ColumnsByFormat) {
  const OpContract op = contract_of("  x: {dtype: T, shape: \"N\", format: [ND, NCHW]}\n",
                                    "  y: {dtype: T, shape: \"N\", format: [ND, NHWC]}\n");
  EXPECT_EQ(inferred(op, {"float32 [4] NCHW"}), "y: float32 [4] NHWC");
  EXPECT_THAT(inferred(op, {"float32 [4] ND"}), HasSubstr("OPK-INFER-002"));
  EXPECT_EQ(*op.column_for(std::vector<DType>{DType::kFloat32}), 1u);
}

TEST(Infer, AmbiguousColumnsNeedFormats) {
  const std::string text =
      "op: P\nversion: \"1.0.0\"\ninputs: {x: {dtype: int8, shape: \"N\", format: [ND, NCHW]}}\n"
      "outputs: {y: {dtype: int8, shape: \"N\"}}\nreference: {none: \"only columns matter\"}\n";
  const OpContract op = *OpContract::parse(text, "p.yaml");
  EXPECT_EQ(op.column_for(std::vector<DType>{DType::kInt8}).error().code, "OPK-INFER-003");
  EXPECT_EQ(*op.column_for(std::vector<DType>{DType::kInt8}, std::vector<Format>{Format::kNCHW}),
            1u);
}

TEST(Infer, ColumnsThatDifferInAbsentInputsAreOne) {
  const std::string text =
      "op: P\nversion: \"1.0.0\"\ninputs:\n  x: {dtype: T, shape: \"N\"}\n"
      "  b: {dtype: U, shape: \"N\", presence: optional}\noutputs: {y: {dtype: T, shape: \"N\"}}\n"
      "types: {T: [float16, float16, float32], U: [float16, float32, float32]}\n"
      "reference: {none: \"only columns matter\"}\n";
  const OpContract op = *OpContract::parse(text, "p.yaml");
  EXPECT_EQ(inferred(op, {"float16 [4]"}), "y: float16 [4] ND");
  EXPECT_EQ(bind_facts(op, facts_of(op, {"float16 [4]"}), {})->column, 0u);
  EXPECT_EQ(bind_facts(op, facts_of(op, {"float16 [4]", "float32 [4]"}), {})->column, 1u);
}

TEST(Infer, Attributes) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"M, N\"}\n",
      "  y: {dtype: T, shape: \"select(mode == 'rows', M, N), select(flip, 2, 1) * pad\"}\n",
      "attrs:\n  mode: {type: string, default: \"rows\", enum: [\"rows\", \"columns\"]}\n"
      "  flip: {type: bool, default: false}\n  pad: {type: int, range: [1, 8]}\n");
  EXPECT_EQ(inferred(op, {"float16 [3, 5]"}, {{"pad", int64_t{4}}}), "y: float16 [3, 4] ND");
  EXPECT_EQ(inferred(op, {"float16 [3, 5]"},
                     {{"pad", int64_t{4}}, {"flip", true}, {"mode", std::string("columns")}}),
            "y: float16 [5, 8] ND");
  EXPECT_THAT(inferred(op, {"float16 [3, 5]"}), HasSubstr("OPK-ATTR-006"));
  EXPECT_THAT(inferred(op, {"float16 [3, 5]"}, {{"pad", int64_t{9}}}), HasSubstr("OPK-ATTR-003"));
  EXPECT_THAT(inferred(op, {"float16 [3, 5]"}, {{"pad", 1.5}}), HasSubstr("OPK-ATTR-002"));
  EXPECT_THAT(inferred(op, {"float16 [3, 5]"}, {{"pda", int64_t{4}}}),
              HasSubstr("OPK-ATTR-005: Probe: there is no attribute 'pda'\n  try: did you mean"));
  EXPECT_THAT(
      inferred(op, {"float16 [3, 5]"}, {{"pad", int64_t{4}}, {"mode", std::string("diagonal")}}),
      HasSubstr("OPK-ATTR-004"));
}

TEST(Infer, CountsInputs) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"N\"}\n", "  y: {dtype: T, shape: \"N\"}\n");
  std::vector<TensorDesc> two(2, TensorDesc{"x", DType::kFloat16, Shape{4}, Format::kND});
  EXPECT_EQ(infer(op, std::span<const TensorDesc>(two)).error().code, "OPK-INFER-001");
  two.pop_back();
  EXPECT_EQ(infer(op, std::span<const TensorDesc>(two))->at(0).to_string(), "y: float16 [4] ND");
}

TEST(Infer, TensorsOfADynamicInputAgree) {
  const OpContract op = contract_of("  xs: {dtype: T, shape: \"N\", presence: dynamic}\n",
                                    "  y: {dtype: T, shape: \"N\"}\n");
  EXPECT_THAT(inferred(op, {"float16 [4]", "float32 [4]"}), HasSubstr("OPK-INFER-007"));
}

TEST(Infer, UnknownCountsAreRefused) {
  const OpContract op =
      contract_of("  x: {dtype: T, shape: \"N\"}\n",
                  "  ys: {dtype: T, shape: \"1\", presence: dynamic, count: \"N\"}\n");
  EXPECT_THAT(inferred(op, {"float16 [2]"}), HasSubstr("ys1: float16 [1] ND"));
  EXPECT_THAT(inferred(op, {"float16 [?]"}), HasSubstr("OPK-INFER-013"));
  EXPECT_THAT(inferred(op, {"float16 [1000000]"}), HasSubstr("OPK-INFER-013"));
}

// More facts never contradict fewer: every output dim of known inputs lies in the range that the
// same inputs with some dims open gave.
TEST(Infer, MonotoneUnderMoreFacts) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"B.., M, K\"}\n  w: {dtype: T, shape: \"K, N\"}\n",
      "  y: {dtype: T, shape: \"B.., ceildiv(M, 3) * N, max(M, N) - min(M, N), K % 5\"}\n",
      "where: {C1: \"1 <= K <= 40\", C2: \"M >= 2\"}\n");
  uint32_t random = 7;
  const auto next = [&random](uint32_t n) {
    random = random * 1664525 + 1013904223;
    return static_cast<int64_t>((random >> 8) % n);
  };
  for (int round = 0; round < 500; ++round) {
    const int64_t m = 2 + next(30), k = 1 + next(40), n = next(30);
    std::vector<PortFacts> known(2), open(2);
    known[0] = {{{"x", DType::kFloat16, Shape{3, m, k}, Format::kND}, {}, {}}};
    known[1] = {{{"w", DType::kFloat16, Shape{k, n}, Format::kND}, {}, {}}};
    open = known;
    for (PortFacts& port : open) {
      TensorFacts& tensor = port[0];
      tensor.ranges.resize(tensor.desc.shape.rank());
      for (size_t i = 0; i < tensor.ranges.size(); ++i) {
        const int64_t dim = tensor.desc.shape[i];
        tensor.ranges[i] = {dim - next(3), dim + next(3)};
        if (next(2)) tensor.desc.shape[i] = kUnknownDim;
      }
    }
    const auto exact = infer(op, std::span<const PortFacts>(known), {});
    const auto loose = infer(op, std::span<const PortFacts>(open), {});
    ASSERT_TRUE(exact.ok() && loose.ok());
    for (size_t i = 0; i < 4; ++i)
      ASSERT_TRUE((*loose)[0][0].dim(i).contains((*exact)[0][0].desc.shape[i]))
          << (*loose)[0][0].to_string() << " vs " << (*exact)[0][0].to_string();
  }
}

TEST(Shapes, FromSymbols) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"B.., M, K\"}\n  w: {dtype: T, shape: \"K, N\"}\n"
      "  bias: {dtype: T, shape: \"N|1\", presence: optional}\n"
      "  xs: {dtype: T, shape: \"M, L[]\", presence: dynamic}\n",
      "  y: {dtype: T, shape: \"B.., M, N + sum(L)\"}\n");
  SymbolValues values;
  values.dims = {{"M", 2}, {"K", 3}, {"N", 4}};
  values.lists = {{"B", {5, 6}}, {"L", {7, 8}}};
  const auto shapes = shapes_from_symbols(op, values, {});
  ASSERT_TRUE(shapes.ok()) << shapes.error().to_string();
  EXPECT_EQ(shapes->inputs[0], std::vector<Shape>{(Shape{5, 6, 2, 3})});
  EXPECT_EQ(shapes->inputs[2], std::vector<Shape>{Shape{4}});
  EXPECT_EQ(shapes->inputs[3], (std::vector<Shape>{{2, 7}, {2, 8}}));
  EXPECT_EQ(shapes->outputs[0], std::vector<Shape>{(Shape{5, 6, 2, 19})});
  values.collapsed = {"bias:0"};
  EXPECT_EQ(shapes_from_symbols(op, values, {})->inputs[2], std::vector<Shape>{Shape{1}});
  values.absent = {"bias"};
  EXPECT_TRUE(shapes_from_symbols(op, values, {})->inputs[2].empty());
  values.dims.erase("K");
  EXPECT_EQ(shapes_from_symbols(op, values, {}).error().code, "OPK-EXPR-010");
}

TEST(Shapes, ADynamicInputNeedsACount) {
  const OpContract op = contract_of("  xs: {dtype: T, shape: \"N\", presence: dynamic}\n",
                                    "  y: {dtype: T, shape: \"N\"}\n");
  SymbolValues values;
  values.dims = {{"N", 4}};
  EXPECT_EQ(shapes_from_symbols(op, values, {}).error().code, "OPK-INFER-014");
  values.counts = {{"xs", 3}};
  EXPECT_EQ(shapes_from_symbols(op, values, {})->inputs[0].size(), 3u);
}

TEST(Shapes, SymbolsDoNotTellThoseOfAnOpaqueInput) {
  const auto contract = OpContract::parse(R"yaml(
op: Any
version: "1.0.0"
inputs:
  xs: {dtype: float32, shape: opaque, presence: dynamic}
outputs:
  y: {dtype: float32, shape: "count(xs)"}
reference: {none: "an example"}
)yaml",
                                          "c.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  SymbolValues values;
  values.counts["xs"] = 2;
  const auto shapes = shapes_from_symbols(*contract, values, {});
  ASSERT_FALSE(shapes.ok());
  EXPECT_EQ(shapes.error().code, "OPK-INFER-016");
}

TEST(Shapes, AgreeWithBinding) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  SymbolValues values;
  values.dims = {{"M", 5}, {"K", 7}, {"N", 16}};
  values.lists = {{"B", {2}}};
  const ConcreteShapes shapes = *shapes_from_symbols(op, values, {});
  const std::vector<TensorDesc> inputs = {{"x", DType::kFloat32, shapes.inputs[0][0], Format::kND},
                                          {"w", DType::kFloat32, shapes.inputs[1][0], Format::kND}};
  const auto ports = *arrange_inputs(op, std::span<const TensorDesc>(inputs));
  const Binding binding = *bind_facts(op, ports, {});
  EXPECT_EQ(binding.column, 1u);
  EXPECT_EQ(binding.dim("K"), 7);
  EXPECT_EQ(binding.dim("Q"), -1);
  EXPECT_EQ((*infer(op, binding))[0][0].desc.shape, shapes.outputs[0][0]);
}

TEST(Constraints, AreJudgedOneByOne) {
  const OpContract op =
      contract_of(kMatMulInputs, kMatMulOutputs,
                  "where: {C1: \"K <= 64\", C2: \"N % 16 == 0\", C3: \"M // N > 0\"}\n");
  SymbolValues values;
  values.dims = {{"M", 5}, {"K", 70}, {"N", 0}};
  const auto states = judge_constraints(op, scope_of(op, values, {}));
  ASSERT_EQ(states.size(), 3u);
  EXPECT_TRUE(states[0].truth.is_false());
  EXPECT_TRUE(states[1].truth.is_true());
  EXPECT_EQ(states[2].problem, "5 // 0 has no 64-bit result");
  EXPECT_EQ(states[2].constraint->label, "C3");
}

TEST(ValueRange, OfAnInput) {
  const OpContract op = contract_of(
      "  x: {dtype: T, shape: \"V, N\"}\n"
      "  i: {dtype: int32, shape: \"N\", values: [0, \"V - 1\"]}\n",
      "  y: {dtype: T, shape: \"N\"}\n");
  Scope scope;
  scope.numbers["V"] = Range::of(10);
  const auto range = value_range(*op.input("i"), scope);
  ASSERT_TRUE(range.ok() && range->has_value());
  EXPECT_EQ(**range, (std::pair<double, double>(0, 9)));
  EXPECT_FALSE(value_range(*op.input("x"), scope)->has_value());
  scope.numbers["V"] = Range::any_dim();
  EXPECT_EQ(value_range(*op.input("i"), scope).error().code, "OPK-INFER-015");
}

TEST(TensorFacts, ParseWhatTheyPrint) {
  for (const char* text : {"x: float16 [?, 1..64, 128] ND", "float32 [] NCHW", "int8 [...] ND",
                           "a: bool [2.., ..7] ND"}) {
    const auto facts = TensorFacts::parse(text);
    ASSERT_TRUE(facts.ok()) << text;
    const std::string printed = facts->to_string();
    EXPECT_EQ(TensorFacts::parse(printed)->to_string(), printed);
  }
  EXPECT_EQ(TensorFacts::parse("fp16[2,-1]")->to_string(), "float16 [2, ?] ND");
  for (const char* text : {"", "float16", "float17 [2]", "float16 [2,]", "float16 [a]",
                           "float16 [3..2]", "float16 [-3]", "float16 [2] XY", "float16 ]2["}) {
    const auto facts = TensorFacts::parse(text);
    ASSERT_FALSE(facts.ok()) << text;
    EXPECT_EQ(facts.error().code, "OPK-INFER-020");
  }
}

TEST(Reports, TextAndJson) {
  const OpContract op = contract_of(kMatMulInputs, kMatMulOutputs, kMatMulWhere);
  const auto ports = facts_of(op, {"float16 [?, 8]", "float16 [8, 16]"});
  const Binding binding = *bind_facts(op, ports, {});
  const auto outputs = *infer(op, binding);
  const std::string text = infer_text(op, ports, binding, outputs);
  EXPECT_THAT(text, HasSubstr("outputs:\n  y: float16 [?, 16] ND\n"));
  EXPECT_THAT(text, HasSubstr("C2 holds: N % 16 == 0"));
  const auto json = infer_json(op, ports, binding, outputs);
  EXPECT_EQ(json["outputs"][0]["shape"], (std::vector<int64_t>{-1, 16}));
  EXPECT_EQ(json["symbols"]["K"], "8");
  EXPECT_EQ(json["constraints"][0]["state"], "holds");
}

}  // namespace
}  // namespace opkit
