// References that are evaluated part by part: the same values as at once, within the same bounds.
#include "opkit/oracle/oracle_in_parts.h"

#include <gmock/gmock.h>

#include "opkit/verify/problem_inputs.h"
#include "parsed_contract.h"

namespace opkit::verify {
namespace {

Problem cut_problem(int64_t m, int64_t n) {
  Problem problem;
  problem.soc = "Ascend910B1";
  problem.symbols.dims["M"] = m;
  problem.symbols.dims["N"] = n;
  return problem;
}

// A reference, what it is called with, and whether it can be cut.
struct CutCase {
  const char* what;
  const char* ports;
  const char* reference;
  bool cut;
};

const CutCase kCutCases[] = {
    {"a chain with scalars and rows that all parts read", R"(
inputs:
  x: {dtype: float16, shape: "M, N"}
  b: {dtype: float16, shape: "N"}
outputs:
  y: {dtype: float16, shape: "M, N"})",
     R"(
  - {op: Mul, in: [x, {const: 0.3}], out: t}
  - {op: Add, in: [t, b], out: u}
  - {op: Gelu, in: [u], out: y})",
     true},
    {"columns, where the outer axis is short", R"(
inputs:
  x: {dtype: float32, shape: "2, M"}
  c: {dtype: float32, shape: "2, 1"}
outputs:
  y: {dtype: float32, shape: "2, M"})",
     R"(
  - {op: Mul, in: [x, c], out: t}
  - {op: Exp, in: [t], out: y})",
     true},
    {"rows", R"(
inputs:
  x: {dtype: float32, shape: "M, N"}
  g: {dtype: float32, shape: "N"}
outputs:
  y: {dtype: float32, shape: "M, N"})",
     R"(
  - {op: LayerNormalization, in: [x, g], out: t}
  - {op: Softmax, in: [t], out: y})",
     true},
    {"sums over rows, without their axis", R"(
inputs:
  x: {dtype: float32, shape: "M, N"}
  b: {dtype: float32, shape: "M"}
outputs:
  y: {dtype: float32, shape: "M"})",
     R"(
  - {op: ReduceSum, in: [x, {const: [-1], dtype: int64}], attrs: {keepdims: 0}, out: t}
  - {op: Sub, in: [t, b], out: y})",
     true},
    {"a mean over rows that its rows read", R"(
inputs:
  x: {dtype: float32, shape: "M, N"}
outputs:
  y: {dtype: float32, shape: "M, N"})",
     R"(
  - {op: ReduceMean, in: [x, {const: [1], dtype: int64}], out: t}
  - {op: Sub, in: [x, t], out: y})",
     true},
    {"sums over columns, in which each column stays whole", R"(
inputs:
  x: {dtype: float32, shape: "M, N"}
outputs:
  y: {dtype: float32, shape: "N"})",
     R"(
  - {op: ReduceSum, in: [x, {const: [0], dtype: int64}], attrs: {keepdims: 0}, out: y})",
     true},
    {"products", R"(
inputs:
  x: {dtype: float32, shape: "M, N"}
  w: {dtype: float32, shape: "N, N"}
outputs:
  y: {dtype: float32, shape: "M, N"})",
     R"(
  - {op: MatMul, in: [x, w], out: t}
  - {op: Relu, in: [t], out: y})",
     true},
    {"columns of a product, whose rows are few", R"(
inputs:
  x: {dtype: float32, shape: "N, N"}
  w: {dtype: float32, shape: "N, M"}
  b: {dtype: float32, shape: "M"}
outputs:
  y: {dtype: float32, shape: "N, M"})",
     R"(
  - {op: Gemm, in: [x, w, b], out: y})",
     true},
    {"causal attention, which keeps keys and values whole", R"(
inputs:
  q: {dtype: float16, shape: "1, M, N"}
  k: {dtype: float16, shape: "1, M, N"}
  v: {dtype: float16, shape: "1, M, N"}
outputs:
  y: {dtype: float16, shape: "1, M, N"})",
     R"(
  - {op: Transpose, in: [k], out: kt, attrs: {perm: [-1, -2]}}
  - {op: MatMul, in: [q, kt], out: s}
  - {op: Trilu, in: [s, {const: -2, dtype: int64}], out: c, attrs: {upper: 0}, store: float16}
  - {op: ReduceSum, in: [c, {const: [-1], dtype: int64}], out: r}
  - {op: Sub, in: [c, r], out: d}
  - {op: MatMul, in: [d, v], out: y})",
     true},
    {"an upper triangle, cut by columns", R"(
inputs:
  x: {dtype: float32, shape: "N, N"}
  w: {dtype: float32, shape: "N, M"}
outputs:
  y: {dtype: float32, shape: "N, M"})",
     R"(
  - {op: MatMul, in: [x, w], out: t}
  - {op: Trilu, in: [t], out: y})",
     true},
    {"products of a tensor with itself", R"(
inputs:
  x: {dtype: float32, shape: "M, M"}
outputs:
  y: {dtype: float32, shape: "M, M"})",
     R"(
  - {op: MatMul, in: [x, x], out: y})",
     false},
    {"maxima of images", R"(
inputs:
  x: {dtype: float32, shape: "M, 2, 4, N"}
outputs:
  y: {dtype: float32, shape: "M, 2, 3, N - 1"})",
     R"(
  - {op: MaxPool, in: [x], attrs: {kernel_shape: [2, 2]}, out: y})",
     true},
    {"maxima of images, and where they lie among all", R"(
inputs:
  x: {dtype: float32, shape: "M, 2, 4, N"}
outputs:
  y: {dtype: float32, shape: "M, 2, 3, N - 1"}
  i: {dtype: int64, shape: "M, 2, 3, N - 1"})",
     R"(
  - {op: MaxPool, in: [x], attrs: {kernel_shape: [2, 2]}, out: [y, i]})",
     false},
};

TEST(OracleInParts, SaysTheSameAsAtOnce) {
  for (const CutCase& one : kCutCases) {
    SCOPED_TRACE(one.what);
    const OpContract contract = contract_of(
        std::string("op: Some\nversion: \"1.0.0\"") + one.ports +
        "\nnumeric: {accumulate: float32}\nreference:" + one.reference + "\nsoc: [Ascend910B]\n");
    const Problem problem = cut_problem(150, 12);
    const Ports inputs = make_inputs(contract, problem).value();
    const oracle::OracleCall call{&contract, &inputs, problem.attrs, problem.symbols, 0};
    auto oracle = oracle::OracleInParts::of(call, 100);
    if (!oracle.ok()) oracle = oracle::OracleInParts::of(call, 300);  // room for what stays whole
    EXPECT_EQ(oracle.ok(), one.cut) << (oracle.ok() ? "" : oracle.error().to_string());
    if (!oracle.ok()) {
      EXPECT_EQ(oracle.error().code, "OPK-VERIFY-014");
      continue;
    }
    EXPECT_GT(oracle->parts(), 1);
    const auto whole = oracle::evaluate_bounded(call).value();
    int64_t seen = 0;
    for (int64_t part = 0; part < oracle->parts(); ++part) {
      const oracle::Bounded got = oracle->evaluate(inputs, part).value()[0][0];
      const oracle::Section section = oracle->section(0, 0, part);
      ASSERT_EQ(got.value.elements(), section.elements());
      seen += section.elements();
      for (int64_t i = 0; i < section.elements(); ++i) {
        const int64_t at = section.at(i);
        EXPECT_EQ(got.value[i], whole[0][0].value[at]);
        // Where all terms of a part lie on a coarse grid, its sums are exact: the whole tensor may
        // have finer ones elsewhere.
        const oracle::Interval in_part = got.at(i), at_once = whole[0][0].at(at);
        EXPECT_GE(in_part.lo, at_once.lo);
        EXPECT_LE(in_part.hi, at_once.hi);
        EXPECT_LE(in_part.lo, got.value[i]);
        EXPECT_GE(in_part.hi, got.value[i]);
      }
    }
    EXPECT_EQ(seen, whole[0][0].value.elements());
  }
}

// Half bytes are cut where a byte may be shared.
TEST(OracleInParts, SectionsOfAnyElementSize) {
  for (const DType dtype : {DType::kInt4, DType::kInt8, DType::kFloat16}) {
    Tensor whole(dtype, Shape({3, 7, 2}), "x");
    for (int64_t i = 0; i < whole.elements(); ++i) whole.set(i, static_cast<double>(i % 7 - 3));
    const oracle::Section section = oracle::Section::of(whole.shape(), 1, 2, 5);
    const Tensor part = section.cut_from(whole);
    ASSERT_EQ(part.shape(), Shape({3, 3, 2}));
    for (int64_t i = 0; i < part.elements(); ++i) EXPECT_EQ(part.at(i), whole.at(section.at(i)));
    EXPECT_EQ(section.at(6), 18);  // lies in the third row of the second plane
  }
}

}  // namespace
}  // namespace opkit::verify
