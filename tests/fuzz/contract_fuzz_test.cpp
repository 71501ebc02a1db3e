// Documents, contracts, prototypes and expressions against thousands of mutants of good files.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "mutator.h"
#include "opkit/contract/op_contract.h"
#include "opkit_test_paths.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

std::string slurp(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

constexpr const char* kEverything = R"yaml(op: Probe
version: "1.0.0"
inputs:
  x:    {dtype: T, shape: "B.., M, K", values: [0, "K - 1"]}
  w:    {dtype: T, shape: "K, ceildiv(N, 16) * 16", format: F}
  bias: {dtype: T, shape: "N|1", presence: optional}
  xs:   {dtype: T, shape: "B.., M, L[]", presence: dynamic}
outputs:
  y:  {dtype: T, shape: "B.., M, select(mode == 'a', N, N) + sum(L)"}
columns:
  - {T: float16, F: ND}
  - {T: float32, F: NCHW}
attrs:
  alpha: {type: float, default: 1.0, range: "(0, 1]"}
  perm:  {type: list_int, default: [0, 1], enum: [0, 1, 2]}
  mode:  {type: string, default: "a"}
where:
  - "1 <= K <= 65536 and M >= 1"
  - {rule: "N % 16 == 0", why: "whole blocks"}
  - "prod(B) * M < 2**31 and rank(B) == 2 and rank(permute(B, perm)) >= 0"
reference:
  - {op: MatMul, in: [x, w], out: t0}
  - {op: Add, in: [t0, bias], out: t1, when: "present(bias)", else: t0}
  - {op: Mul, in: [t1, $alpha], out: t2}
  - {op: Concat, in: [t2, xs], out: y, attrs: {axis: -1}}
numeric: {accumulate: float32, overflow: saturate, rounding: floor, nan: ignore, order: fixed}
tolerance: {value: 0.001, absolute: 1e-6, reason: "a table"}
soc: [Ascend910B, Ascend310P3]
kernel: {entry: probe, task_type: mix_1_2, tiling_keys: [0, 1]}
tests:
  shapes: [{B: [2, 5], M: 3, K: 4, N: 16, L: [1, 2], alpha: 0.5}]
  values: [uniform, special]
bench: {shapes: [{B: [2, 7], M: 3, K: 4, N: 16, L: [], absent: [bias], collapsed: ["bias:0"], count: {xs: 0}}]}
)yaml";

// What no reference computes: lists of results, shapes that depend on values.
constexpr const char* kNoReference = R"yaml(op: Depend
version: "1.0.0"
inputs:
  x:    {dtype: T, shape: "B.., M"}
  w:    {dtype: U, shape: "M, ceildiv(M, 16), 16", format: F}
  xs:   {dtype: T, shape: "M, L[]", presence: dynamic}
  axes: {dtype: int64, shape: "R", value_depend: true}
outputs:
  y:  {dtype: T, shape: "broadcast(B, axes), M, select(M == 1, 2, M) + sum(L)"}
  ys: {dtype: T, shape: "M, L[]", presence: dynamic, count: "count(xs)"}
columns:
  - {T: float16, U: int8, F: ND}
  - {T: float32, U: int8, F: NCHW}
reference: {none: "an example"}
soc: [Ascend910B]
)yaml";

constexpr const char* kPrototype = R"json([{"op": "AddCustom",
 "input_desc": [{"name": "x", "param_type": "required", "format": ["ND", "NCHW"], "type": ["fp16", "float"]}],
 "output_desc": [{"name": "x", "param_type": "required", "format": ["ND", "NCHW"], "type": ["fp16", "float"]}],
 "attr": [{"name": "a", "param_type": "optional", "type": "list_int", "default_value": "[1, 2]"}]}])json";

std::vector<std::string> seeds() {
  return {kEverything,
          kNoReference,
          kPrototype,
          slurp(OPKIT_SOURCE_DIR "/ops/fused/add_relu/op_contract.yaml"),
          slurp(OPKIT_SOURCE_DIR "/ops/fused/scale_relu_dropout/op_contract.yaml"),
          "ceildiv(M * N, 16) ** 2 % 7 <= prod(B..) and not (a == 'x' or b in [1, 2])",
          "B.., select(present(x), M|1, N[]), -3"};
}

std::vector<std::string> dictionary() {
  return {"9223372036854775807",
          "-9223372036854775808",
          "2**63",
          "0x",
          "inf",
          "nan",
          "*B",
          "&a [*a]",
          "!!int",
          "---\n",
          "..",
          "B..",
          "N|1",
          "L[]",
          "opaque",
          "$alpha",
          "{const: 1}",
          "[]",
          "{}",
          "\"\"",
          "yes",
          "**",
          "//",
          "not ",
          "((((((((",
          "present(x)",
          "count(xs)",
          "broadcast(B, B)",
          "1e308",
          "\xC3\xA9",
          "~",
          "<<: {}",
          "dynamic",
          "value_depend: true",
          "T",
          "float16",
          "? [",
          "%YAML 9.9\n"};
}

TEST(ContractFuzz, TheSeedsAreGood) {
  for (const char* seed : {kEverything, kNoReference}) {
    const auto checked = OpContract::check(seed, "seed.yaml");
    std::string text;
    for (const Error& message : checked.messages) text += message.to_string() + "\n";
    EXPECT_TRUE(checked.ok()) << text;
  }
}

TEST(ContractFuzz, NoMutantBreaksAPromise) {
  constexpr int kMutants = 6000;
  Mutator mutator(20241121, seeds(), dictionary());
  int accepted = 0;
  for (int i = 0; i < kMutants; ++i) {
    const std::string text = mutator.next();
    SCOPED_TRACE(text);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    accepted += OpContract::check(text, "mutant.yaml").ok();
  }
  EXPECT_GT(accepted, kMutants / 100) << "mutants that are all refused early test little";
}

}  // namespace
}  // namespace opkit::fuzz
