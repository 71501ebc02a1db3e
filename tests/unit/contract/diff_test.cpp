#include "opkit/contract/diff.h"
#include "opkit/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit {
namespace {

using ::testing::HasSubstr;

constexpr const char* kBefore = R"yaml(op: Probe
version: "1.2.3"
doc: "before"
inputs:
  x:    {dtype: T, shape: "M, K", values: [0, 1]}
  w:    {dtype: T, shape: "K, N"}
  bias: {dtype: T, shape: "N", presence: optional}
outputs:
  y: {dtype: T, shape: "M, N"}
types: {T: [float16, float32]}
attrs:
  alpha: {type: float, default: 1.0, range: [0, 1]}
  mode:  {type: string, default: "a", enum: ["a", "b"]}
where:
  C1: "1 <= K <= 1024"
  C2: "N % 16 == 0"
reference:
  - {op: MatMul, in: [x, w], out: t0}
  - {op: Add, in: [t0, bias], out: t1, when: "present(bias)", else: t0}
  - {op: LeakyRelu, in: [t1], out: y, attrs: {alpha: $alpha}}
numeric: {accumulate: float32}
tolerance: {value: 0.001, reason: "a table"}
soc: [Ascend310B, Ascend910B]
kernel: {entry: probe}
tests: {shapes: [{M: 1, K: 2, N: 16}]}
)yaml";

struct Edit {
  const char* from;
  const char* to;
  ChangeLevel level;
  const char* words;
};

void PrintTo(const Edit& edit, std::ostream* out) {
  *out << "'" << edit.from << "' -> '" << edit.to << "'";
}

OpContract parsed(const std::string& text) {
  auto contract = OpContract::parse(text, "c.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  return contract.ok() ? *contract : OpContract();
}

class Diff : public ::testing::TestWithParam<Edit> {};

// Level of a change of one list attribute's declaration.
ChangeLevel level_of_list(const char* before, const char* after) {
  const auto with = [](const char* declared) {
    std::string text = kBefore;
    const std::string mode = "mode:  {type: string, default: \"a\", enum: [\"a\", \"b\"]}";
    return parsed(
        text.replace(text.find(mode), mode.size(),
                     std::string("mode: {type: list_int, default: [0, 1], ") + declared + "}"));
  };
  return diff_contracts(with(before), with(after)).level();
}

// A rank, or any other expression, may get a wider bound.
TEST(DiffOfConstraints, WiderBoundsOfExpressionsAreMinor) {
  const auto level = [](const char* before, const char* after) {
    const auto with = [](const char* rule) {
      std::string text = kBefore;
      const std::string old = "N % 16 == 0";
      return parsed(text.replace(text.find(old), old.size(), rule));
    };
    return diff_contracts(with(before), with(after)).level();
  };
  EXPECT_EQ(level("M * N <= 64", "M * N <= 128"), ChangeLevel::kMinor);
  EXPECT_EQ(level("M * N <= 128", "M * N <= 64"), ChangeLevel::kMajor);
  EXPECT_EQ(level("0 <= M * N <= 64", "0 <= M * N <= 128"), ChangeLevel::kMinor);
  EXPECT_EQ(level("2 <= M * N", "1 <= M * N"), ChangeLevel::kMinor);
  EXPECT_EQ(level("min(M, N) >= 1", "min(M, N) >= 0"), ChangeLevel::kMinor);
  EXPECT_EQ(level("M * N <= 64", "M * K <= 128"), ChangeLevel::kMajor);
}

ChangeLevel level_of_shapes(const char* before, const char* after) {
  const auto with = [](std::string shapes) {
    const size_t split = shapes.find(" -> ");
    return parsed("op: Probe\nversion: \"1.0.0\"\ndoc: \"d\"\ninputs:\n  x: {dtype: T, shape: \"" +
                  shapes.substr(0, split) + "\"}\noutputs:\n  y: {dtype: T, shape: \"" +
                  shapes.substr(split + 4) +
                  "\"}\ntypes: {T: [float16]}\nreference: {none: \"a test\"}\n" +
                  "kernel: {entry: probe}\n");
  };
  return diff_contracts(with(before), with(after)).level();
}

TEST(DiffOfShapes, WhatStandsForTheOldItemsEverywhereIsMinor) {
  EXPECT_EQ(level_of_shapes("M, N -> M, N", "S.. -> S.."), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_shapes("M, N -> M", "B.., N -> B.."), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_shapes("B.., N -> B.., N", "S.. -> S.."), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_shapes("M, 16 -> M, 16", "M, N -> M, N"), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_shapes("M, N -> M * 2", "B.., M, N -> B.., M * 2"), ChangeLevel::kMinor);
}

TEST(DiffOfShapes, OtherNamesAreAPatch) {
  EXPECT_EQ(level_of_shapes("M, N -> N, M", "R, C -> C, R"), ChangeLevel::kPatch);
  EXPECT_EQ(level_of_shapes("S.. -> S..", "D.. -> D.."), ChangeLevel::kPatch);
}

TEST(DiffOfShapes, TheRestIsMajor) {
  EXPECT_EQ(level_of_shapes("S.. -> S..", "M, N -> M, N"), ChangeLevel::kMajor);
  EXPECT_EQ(level_of_shapes("M, N -> M, N", "M, M -> M, M"), ChangeLevel::kMajor);
  EXPECT_EQ(level_of_shapes("M, N -> N, M", "M, N -> M, N"), ChangeLevel::kMajor);
  EXPECT_EQ(level_of_shapes("M, N -> M * N", "S.. -> prod(S)"), ChangeLevel::kMajor);
  EXPECT_EQ(level_of_shapes("M, N -> M * N", "N, M -> M * M"), ChangeLevel::kMajor);
}

TEST(DiffOfAttrs, ListsMayGetWiderOnly) {
  EXPECT_EQ(level_of_list("length: 2", "length: [1, 2]"), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_list("length: 2", "doc: \"any\""), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_list("length: [1, 2]", "length: 2"), ChangeLevel::kMajor);
  EXPECT_EQ(level_of_list("doc: \"any\"", "length: 2"), ChangeLevel::kMajor);
  EXPECT_EQ(level_of_list("elements: permutation", "elements: distinct"), ChangeLevel::kMinor);
  EXPECT_EQ(level_of_list("elements: distinct", "elements: permutation"), ChangeLevel::kMajor);
}

TEST_P(Diff, SaysTheLevelAndWhy) {
  std::string text = kBefore;
  const size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(GetParam().from).size(), GetParam().to);
  const ContractDiff diff = diff_contracts(parsed(kBefore), parsed(text));
  EXPECT_EQ(diff.level(), GetParam().level) << diff_text(diff);
  EXPECT_THAT(diff_text(diff), HasSubstr(GetParam().words));
}

constexpr ChangeLevel kNone = ChangeLevel::kNone, kPatch = ChangeLevel::kPatch,
                      kMinor = ChangeLevel::kMinor, kMajor = ChangeLevel::kMajor;

const Edit kEdits[] = {
    {"\"M, K\"", "\" M,K \"", kNone, "none, the version says so"},
    {"t0}\n", "t0}  # a comment\n", kNone, "none"},
    {"op: Probe", "op: Other", kMajor, "another op"},
    {"\"before\"", "\"after\"", kPatch, "doc changed"},
    {"probe}", "probe, task_type: aiv_only}", kPatch, "kernel changed"},
    {"M: 1,", "M: 2,", kPatch, "tests changed"},
    {"presence: optional}", "presence: required}", kMajor, "optional -> required"},
    {"shape: \"M, N\"", "shape: \"M, N * 1\"", kMajor, "M, N -> M, N"},
    {"values: [0, 1]", "values: [0, 2]", kMinor, "values: [0, 1] -> [0, 2]"},
    {"values: [0, 1]", "values: [0, \"K\"]", kMajor, "values"},
    {"values: [0, 1]", "value_depend: true", kMajor, "value_depend"},
    {"[float16, float32]", "[float16, float32, bfloat16]", kMinor, "type column added"},
    {"[float16, float32]", "[float16]", kMajor, "type column removed"},
    {"[float16, float32]", "[float32, float16]", kPatch, "order of the type columns"},
    {"default: 1.0", "default: 0.5", kMajor, "rely on the default"},
    {"range: [0, 1]", "range: [0, 2]", kMinor, "alpha accepts more"},
    {"range: [0, 1]", "range: \"(0, 1]\"", kMajor, "alpha accepts fewer"},
    {"[\"a\", \"b\"]", "[\"a\", \"b\", \"c\"]", kMinor, "mode accepts more"},
    {"[\"a\", \"b\"]", "[\"a\"]", kMajor, "mode accepts fewer"},
    {"where:", "  beta: {type: int, default: 1}\nwhere:", kMinor, "attribute beta added, with"},
    {"1 <= K <= 1024", "1 <= K <= 2048", kMinor, "C1 no longer demands K <= 1024"},
    {"1 <= K <= 1024", "1 <= K <= 512", kMajor, "C1 demands K <= 512"},
    {"  C2: \"N % 16 == 0\"\n", "", kMinor, "no longer demands N % 16 == 0"},
    {"N % 16 == 0", "N % 16 == 0 and M < 9", kMajor, "demands M < 9"},
    {"  C2:", "  C3:", kPatch, "constraint: C2 -> C3"},
    {"out: t0}\n  - {op: Add, in: [t0, bias], out: t1, when: \"present(bias)\", else: t0}",
     "out: u}\n  - {op: Add, in: [u, bias], out: t1, when: \"present(bias)\", else: u}", kNone,
     "none"},
    {"op: Add", "op: Sub", kMajor, "the reference changed"},
    {"accumulate: float32", "accumulate: float16", kMinor, "accumulate"},
    {"accumulate: float32", "accumulate: float32, overflow: saturate", kMajor, "overflow"},
    {"accumulate: float32", "accumulate: float32, order: fixed", kMinor, "any -> fixed"},
    {"value: 0.001", "value: 0.01", kMajor, "looser"},
    {"value: 0.001", "value: 0.0001", kMinor, "tighter"},
    {"[Ascend310B, Ascend910B]", "[Ascend910B]", kMajor, "SoC removed: Ascend310B"},
    {"[Ascend310B, Ascend910B]", "[Ascend310B, Ascend910B, Ascend310P]", kMinor, "SoC added"},
    {"soc: [Ascend310B, Ascend910B]\n", "", kMinor, "every one"},
};
INSTANTIATE_TEST_SUITE_P(Edits, Diff, ::testing::ValuesIn(kEdits));

std::string with_edit(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Diff, AnOptionalInputAtTheEndIsMinor) {
  std::string text = with_edit(kBefore, "optional}\n",
                               "optional}\n  z: {dtype: T, shape: \"N\", presence: optional}\n");
  text = with_edit(text, "  - {op: LeakyRelu, in: [t1]",
                   "  - {op: Mul, in: [t1, z], out: t2, when: \"present(z)\", else: t1}\n"
                   "  - {op: LeakyRelu, in: [t2]");
  const ContractDiff diff = diff_contracts(parsed(kBefore), parsed(text));
  EXPECT_EQ(diff.level(), kMinor) << diff_text(diff);
  EXPECT_EQ(diff_contracts(parsed(text), parsed(kBefore)).level(), kMajor);
}

TEST(Diff, ARequiredInputIsMajor) {
  std::string text = with_edit(kBefore, "  bias:", "  z: {dtype: T, shape: \"N\"}\n  bias:");
  text = with_edit(text, "in: [t1], out: y", "in: [t2], out: y");
  text = with_edit(text, "  - {op: LeakyRelu",
                   "  - {op: Mul, in: [t1, z], out: t2}\n  - {op: LeakyRelu");
  const ContractDiff diff = diff_contracts(parsed(kBefore), parsed(text));
  EXPECT_EQ(diff.level(), kMajor);
  EXPECT_THAT(diff_text(diff), HasSubstr("input z added (it shifts the inputs behind it)"));
}

TEST(Diff, ADefaultThatGoesIsMajor) {
  std::string text = with_edit(kBefore, "default: 1.0, ", "");
  text = with_edit(text, "{M: 1,", "{alpha: 0.5, M: 1,");
  const ContractDiff diff = diff_contracts(parsed(kBefore), parsed(text));
  EXPECT_THAT(diff_text(diff), HasSubstr("major: attribute alpha default: 1.0 -> required"));
}

TEST(Diff, EqualContractsDoNotDiffer) {
  const ContractDiff same = diff_contracts(parsed(kBefore), parsed(kBefore));
  EXPECT_TRUE(same.changes.empty());
  EXPECT_EQ(same.needed_version(), "1.2.3");
}

TEST(Diff, ChecksTheVersion) {
  std::string text = kBefore;
  text.replace(text.find("default: 1.0"), 12, "default: 0.5");
  ContractDiff diff = diff_contracts(parsed(kBefore), parsed(text));
  EXPECT_EQ(diff.needed_version(), "2.0.0");
  EXPECT_FALSE(diff.version_suffices());
  EXPECT_THAT(diff_text(diff),
              HasSubstr("1.2.3 -> 1.2.3: major, the version must be at least 2.0.0"));
  text.replace(text.find("1.2.3"), 5, "2.0.0");
  diff = diff_contracts(parsed(kBefore), parsed(text));
  EXPECT_TRUE(diff.version_suffices());
  const auto json = diff_json(diff);
  EXPECT_EQ(json["level"], "major");
  EXPECT_EQ(json["changes"].size(), 1u);
}

}  // namespace
}  // namespace opkit
