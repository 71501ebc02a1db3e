// Every rule of docs/contract.md refused once: one edit of a good contract, the code and line that
// answer it, and a suggestion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/contract/op_contract.h"

namespace opkit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// 1 op .. 26 bench
constexpr const char* kGood = R"yaml(op: Probe
version: "1.0.0"
inputs:
  x:    {dtype: T, shape: "B.., M, K"}
  w:    {dtype: T, shape: "K, N", format: [ND, ND]}
  bias: {dtype: T, shape: "N|1", presence: optional}
outputs:
  y: {dtype: T, shape: "B.., M, N"}
types: {T: [float16, float32]}
attrs:
  alpha: {type: float, default: 1.0, range: "(0, 1]"}
  axis:  {type: int, default: -1, enum: [-1, 0]}
  mode:  {type: string, default: "tanh"}
where:
  C1: "1 <= K <= 65536 and M >= 1"
  C2: {rule: "N % 16 == 0", why: "a row is whole blocks"}
reference:
  - {op: MatMul, in: [x, w], out: t0}
  - {op: Add, in: [t0, bias], out: t1, when: "present(bias)", else: t0}
  - {op: LeakyRelu, in: [t1], out: y, attrs: {alpha: $alpha}}
numeric: {accumulate: float32, overflow: inf, nan: propagate}
tolerance: {value: 0.001, reason: "exp is a table"}
soc: [Ascend910B]
kernel: {entry: probe, task_type: mix_1_2, tiling_keys: [0, 1]}
tests: {shapes: [{B: [2], M: 3, K: 4, N: 16, alpha: 0.5}], values: [uniform]}
bench: {shapes: [{B: [], M: 3, K: 4, N: 16, absent: [bias]}]}
)yaml";

struct BadEdit {
  const char* from;
  const char* to;
  const char* code;
  int line;
  const char* words;  // part of the message or the action
};

void PrintTo(const BadEdit& edit, std::ostream* out) {
  *out << "'" << edit.from << "' -> '" << edit.to << "'";
}

OpContract::Checked edited(const char* from, const char* to) {
  std::string text = kGood;
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, std::string(from).size(), to);
  return OpContract::check(text, "c.yaml");
}

std::string all_messages(const OpContract::Checked& checked) {
  std::string text;
  for (const Error& error : checked.messages) text += error.to_string() + "\n";
  return text;
}

void expect_refused(const BadEdit& edit) {
  const OpContract::Checked checked = edited(edit.from, edit.to);
  EXPECT_FALSE(checked.ok()) << edit.to;
  for (const Error& error : checked.messages) {
    if (error.code != edit.code) continue;
    EXPECT_EQ(error.where.line, edit.line) << error.to_string();
    EXPECT_THAT(error.to_string(), HasSubstr(edit.words));
    EXPECT_FALSE(error.action.empty()) << error.to_string();
    return;
  }
  ADD_FAILURE() << "no " << edit.code << " for '" << edit.to << "' in:\n" << all_messages(checked);
}

class Refuses : public ::testing::TestWithParam<BadEdit> {};

TEST_P(Refuses, TheEdit) { expect_refused(GetParam()); }

TEST(GoodContract, HasNoErrors) {
  const OpContract::Checked checked = OpContract::check(kGood, "c.yaml");
  EXPECT_TRUE(checked.ok()) << all_messages(checked);
}

TEST(GoodContract, WarnsOfUnusedAttributes) {
  const OpContract::Checked checked = OpContract::check(kGood, "c.yaml");
  ASSERT_EQ(checked.messages.size(), 2u) << all_messages(checked);
  EXPECT_EQ(checked.messages[0].code, "OPK-CONTRACT-042");
  EXPECT_EQ(checked.messages[0].severity, Severity::kWarning);
  EXPECT_THAT(checked.messages[0].message, HasSubstr("axis"));
}

const BadEdit kHeader[] = {
    {"op: Probe\n", "", "OPK-CONTRACT-001", 1, "'op' is missing"},
    {"op: Probe", "op: probe_me", "OPK-CONTRACT-002", 1, "CamelCase"},
    {"\"1.0.0\"", "1.10", "OPK-DOC-013", 2, "\"1.10\""},
    {"\"1.0.0\"", "\"1.0\"", "OPK-CONTRACT-003", 2, "major.minor.patch"},
    {"outputs:", "outptus:", "OPK-DOC-017", 7, "did you mean 'outputs'?"},
    {"soc: [Ascend910B]", "soc: [Ascend910C]", "OPK-CONTRACT-036", 23, "did you mean"},
    {"soc: [Ascend910B]", "soc: []", "OPK-CONTRACT-036", 23, "leave soc out"},
    {"overflow: inf", "overflow: wrap", "OPK-CONTRACT-006", 21, "inf, saturate"},
    {"accumulate: float32", "accumulate: float31", "OPK-CONTRACT-034", 21, "float31"},
    {"reason: \"exp is a table\"", "absolute: 0.1", "OPK-CONTRACT-035", 22, "no reason"},
    {"value: 0.001", "value: 1.5", "OPK-CONTRACT-035", 22, "[0, 1)"},
    {"mix_1_2", "mix_1_3", "OPK-CONTRACT-006", 24, "mix_1_2"},
    {"[0, 1]}\ntests", "[1, 1]}\ntests", "OPK-CONTRACT-037", 24, "distinct"},
    {"task_type: mix_1_2, tiling_keys: [0, 1]", "task_type: aicpu", "OPK-CONTRACT-053", 24,
     "neither entry nor tiling keys"},
    {"op: Probe", "op: Probe\nop: Probe", "OPK-DOC-002", 2, "line 1"},
};
INSTANTIATE_TEST_SUITE_P(Header, Refuses, ::testing::ValuesIn(kHeader));

// In front of `numeric`, from line 21 on; the others move down.
#define SPELLED(text) "numeric:", "spellings:\n" text "numeric:"
const BadEdit kSpellings[] = {
    {SPELLED("  - {op: Relu, in: [x], out: y}\n"), "OPK-CONTRACT-052", 22, "map"},
    {SPELLED("  a: {attrs: {alpha: 1.0}}\n"), "OPK-CONTRACT-052", 22, "no reference"},
    {SPELLED("  a: {refrence: []}\n"), "OPK-DOC-017", 22, "reference"},
    {SPELLED("  a: {attrs: {alfa: 1.0}, reference: [{op: MatMul, in: [x, w], out: y}]}\n"),
     "OPK-CONTRACT-052", 22, "did you mean 'alpha'?"},
    {SPELLED("  a: {attrs: [1], reference: [{op: MatMul, in: [x, w], out: y}]}\n"),
     "OPK-CONTRACT-052", 22, "map"},
    {SPELLED("  a: {attrs: {alpha: 2.0}, reference: [{op: MatMul, in: [x, w], out: y}]}\n"),
     "OPK-ATTR-003", 22, "(0, 1]"},
    {SPELLED("  a:\n    - {op: MatMull, in: [x, w], out: y}\n"), "OPK-CONTRACT-027", 23,
     "did you mean 'MatMul'?"},
    {SPELLED("  a:\n    - {op: MatMul, in: [x, v], out: y}\n"), "OPK-CONTRACT-028", 23, "'v'"},
    {SPELLED("  a:\n    - {op: MatMul, in: [x, w], out: z}\n"), "OPK-CONTRACT-030", 22,
     "the spelling does not define output y"},
    {SPELLED("  a:\n    - {op: MatMul, in: [x, w], out: y}\n"), "OPK-CONTRACT-031", 22,
     "the spelling does not read input bias"},
    {SPELLED("  a:\n    - {op: MatMul, in: [x, w], out: t}\n    - {op: Relu, in: [t], out: lost}\n"
             "    - {op: Add, in: [t, bias], out: y}\n"),
     "OPK-CONTRACT-031", 24, "nothing reads the result of Relu"},
    {SPELLED("  a:\n    - {op: Gemm, in: [x, w, bias, x], out: y}\n"), "OPK-REF-002", 23, "4"},
};
#undef SPELLED
INSTANTIATE_TEST_SUITE_P(Spellings, Refuses, ::testing::ValuesIn(kSpellings));

const BadEdit kPorts[] = {
    {"  w: ", "  2w:", "OPK-CONTRACT-004", 5, "no proper name"},
    {"dtype: T, shape: \"B.., M, K\"", "shape: \"B.., M, K\"", "OPK-CONTRACT-001", 4, "no dtype"},
    {"  y: {dtype: T", "  x: {dtype: T", "OPK-CONTRACT-008", 8, "inplace: x"},
    {"presence: optional", "presence: maybe", "OPK-CONTRACT-006", 6, "required, optional"},
    {"\"B.., M, K\"", "[\"B.., M\", K]", "OPK-CONTRACT-005", 4, "one dim"},
    {"\"B.., M, K\"", "*B", "OPK-DOC-003", 4, "\"*B\""},
    {"\"B.., M, K\"", "\"B.., M K\"", "OPK-EXPR-001", 4, "commas"},
    {"\"B.., M, K\"", "opaque", "OPK-CONTRACT-025", 4, "S.."},
    {"\"B.., M, K\"", "\"B.., M, K\", written: true", "OPK-CONTRACT-051", 4, "inplace: x"},
    {"\"B.., M, K\"", "opaque, presence: dynamic", "OPK-CONTRACT-051", 4, "symbols"},
    {"\"B.., M, K\"", "\"B.., A.., M, K\"", "OPK-CONTRACT-023", 4, "more than one list"},
    {"\"B.., M, K\"", "\"B.., A.., M, K\"", "OPK-CONTRACT-023", 4, "rank(B) =="},
    {"\"B.., M, K\"", "\"permute(B, B).., M, K\"", "OPK-CONTRACT-023", 4, "A.."},
    {"\"B.., M, K\"", "\"B.., M, K[]\"", "OPK-CONTRACT-021", 4, "not dynamic"},
    {"\"B.., M, K\"", "\"B.., N.., K\"", "OPK-CONTRACT-023", 4, "more than one"},
    {"\"K, N\"", "\"B, N\"", "OPK-CONTRACT-021", 5, "one spelling"},
    {"\"K, N\"", "\"K, alpha\"", "OPK-CONTRACT-004", 5, "already an attribute"},
    {"\"K, N\"", "\"K, count\"", "OPK-CONTRACT-004", 5, "cannot be named"},
    {"\"B.., M, N\"}", "\"B.., M, N\", presence: dynamic}", "OPK-CONTRACT-014", 8, "count"},
    {"\"B.., M, N\"}", "\"B.., M, Q\"}", "OPK-CONTRACT-020", 8, "which no input shape binds"},
    {"\"B.., M, N\"}", "\"B.., M, alpha\"}", "OPK-CONTRACT-021", 8, "value of type float"},
    {"\"B.., M, N\"}", "\"B.., M, 0 - N - 1\"}", "OPK-CONTRACT-022", 8, "always negative"},
    {"\"B.., M, N\"}", "\"B.., M, N\", inplace: q}", "OPK-CONTRACT-013", 8, "no input"},
    {"\"B.., M, N\"}", "\"B.., M, N\", inplace: x}", "OPK-CONTRACT-013", 8, "another dtype, shape"},
    {"format: [ND, ND]", "values: [1, 0]", "OPK-CONTRACT-044", 5, "empty range"},
    {"format: [ND, ND]", "values: [\"N - 1\", -1]", "OPK-CONTRACT-044", 5, "the highest -1"},
    {"format: [ND, ND]", "values: [0, \"N // 0\"]", "OPK-EXPR-011", 5, "divisor that is not 0"},
    {"\"B.., M, N\"}", "\"B.., M, N % 0\"}", "OPK-EXPR-011", 8, "divisor that is not 0"},
    {"format: [ND, ND]", "values: [0, \"Q\"]", "OPK-CONTRACT-020", 5, "'Q'"},
    {"format: [ND, ND]", "valus: [0, 1]", "OPK-DOC-017", 5, "did you mean 'values'?"},
};
INSTANTIATE_TEST_SUITE_P(Ports, Refuses, ::testing::ValuesIn(kPorts));

const BadEdit kTypes[] = {
    {"[float16, float32]", "[float16, flaot32]", "OPK-CONTRACT-007", 9, "did you mean 'float32'?"},
    {"[float16, float32]", "[float16]", "OPK-CONTRACT-009", 5, "equally long"},
    {"[float16, float32]", "[]", "OPK-CONTRACT-009", 9, "0 columns"},
    {"[float16, float32]", "[float16, float16]", "OPK-CONTRACT-011", 1, "columns 0 and 1"},
    {"{T: [", "{U: [float16, int8], T: [", "OPK-CONTRACT-012", 1, "variable U"},
    {"{T: [", "{int8: [", "OPK-CONTRACT-004", 9, "dtype variable"},
    {"dtype: T, shape: \"K", "dtype: Q, shape: \"K", "OPK-CONTRACT-007", 5, "no variable"},
    {"format: [ND, ND]", "format: NCWH", "OPK-CONTRACT-008", 5, "did you mean 'NCHW'?"},
    {"format: [ND, ND]", "format: [ND]", "OPK-CONTRACT-009", 5, "1 columns, others have 2"},
    {"types: {T: [float16, float32]}", "columns: [{T: float16}, {U: int8}]", "OPK-CONTRACT-010", 9,
     "every column"},
    {"types: {T: [float16, float32]}", "columns: [{T: float16}, {T: ND}]", "OPK-CONTRACT-010", 9,
     "same kind"},
    {"types: {T: [float16, float32]}", "columns: [{T: float16}, {T: ND, F: ND}]",
     "OPK-CONTRACT-010", 9, "same variables"},
    {"types: {T: [float16, float32]}", "columns: [{T: f}, {T: g}]", "OPK-CONTRACT-007", 9,
     "no format"},
    {"types:", "columns: [{T: int8}, {T: int16}]\ntypes:", "OPK-CONTRACT-010", 9, "exclude"},
};
INSTANTIATE_TEST_SUITE_P(Types, Refuses, ::testing::ValuesIn(kTypes));

const BadEdit kAttrs[] = {
    {"  axis: ", "  lambda:", "OPK-CONTRACT-004", 12, "reserved"},
    {"type: int, ", "", "OPK-CONTRACT-015", 12, "has no type"},
    {"type: int", "type: integer", "OPK-CONTRACT-006", 12, "one of bool, int"},
    {"default: 1.0, range", "default: 1.5, range", "OPK-CONTRACT-016", 11,
     "outside its range (0, 1]"},
    {"default: 1.0, range", "default: 0, range", "OPK-CONTRACT-016", 11, "outside"},
    {"default: -1", "default: 2", "OPK-CONTRACT-016", 12, "not one of -1, 0"},
    {"default: -1", "default: 1.5", "OPK-DOC-014", 12, "integer"},
    {"default: -1", "required: true, default: -1", "OPK-CONTRACT-016", 12, "required and has"},
    {"default: -1", "required: false", "OPK-CONTRACT-016", 12, "add a default"},
    {"\"(0, 1]\"", "\"(1, 0]\"", "OPK-CONTRACT-017", 11, "is empty"},
    {"\"(0, 1]\"", "\"0 to 1\"", "OPK-CONTRACT-017", 11, "is no range"},
    {"\"(0, 1]\"", "[0]", "OPK-CONTRACT-017", 11, "two ends"},
    {"default: \"tanh\"", "default: \"tanh\", range: [0, 1]", "OPK-CONTRACT-017", 13, "no range"},
    {"enum: [-1, 0]", "enum: [-1, -1]", "OPK-CONTRACT-017", 12, "twice"},
    {"enum: [-1, 0]", "enum: []", "OPK-CONTRACT-017", 12, "list of values"},
    {"default: \"tanh\"", "default: no", "OPK-DOC-013", 13, "\"no\""},
};
INSTANTIATE_TEST_SUITE_P(Attrs, Refuses, ::testing::ValuesIn(kAttrs));

const BadEdit kWhere[] = {
    {"  C2:", "  C02:", "OPK-CONTRACT-018", 16, "C1, C2"},
    {"  C2:", "  C1:", "OPK-DOC-002", 16, "line 15"},
    {"\"N % 16 == 0\"", "\"N % 16\"", "OPK-EXPR-005", 16, "condition"},
    {"{rule: \"N % 16 == 0\", ", "{", "OPK-CONTRACT-019", 16, "no rule"},
    {"\"N % 16 == 0\"", "\"NN % 16 == 0\"", "OPK-CONTRACT-020", 16, "did you mean 'N'?"},
    {"\"N % 16 == 0\"", "\"present(bais)\"", "OPK-CONTRACT-020", 16, "did you mean 'bias'?"},
    {"\"N % 16 == 0\"", "\"alpha > 0\"", "OPK-CONTRACT-021", 16, "range"},
    {"\"N % 16 == 0\"", "\"axis\"", "OPK-CONTRACT-021", 16, "condition"},
    {"\"N % 16 == 0\"", "\"mode > 0\"", "OPK-CONTRACT-021", 16, "text"},
    {"\"N % 16 == 0\"", "\"B > 0\"", "OPK-CONTRACT-021", 16, "prod()"},
    {"\"N % 16 == 0\"", "\"K > 65536\"", "OPK-CONTRACT-024", 16, "no value for K"},
    {"\"N % 16 == 0\"", "\"N == M and M < 1\"", "OPK-CONTRACT-024", 16, "no value for M"},
    {"\"N % 16 == 0\"", "\"N * N < 0\"", "OPK-CONTRACT-024", 16, "can never hold"},
    {"\"N % 16 == 0\"", "\"K > 65536\"", "OPK-CONTRACT-024", 16,
     "constraints C1 (c.yaml:15) and C2 (c.yaml:16) contradict each other"},
    {"\"N % 16 == 0\"", "\"N == M and N < 1\"", "OPK-CONTRACT-024", 16, "C1 (c.yaml:15) and C2"},
    {"\"N % 16 == 0\"", "\"K > 65536 or K < 1\"", "OPK-CONTRACT-024", 16, "C1 (c.yaml:15) and C2"},
    {"\"N % 16 == 0\"", "\"1 == 2\"", "OPK-CONTRACT-024", 16, "C2 can never hold"},
    {"\"N % 16 == 0\"", "\"N %% 16\"", "OPK-EXPR-001", 16, "unexpected"},
    {"\"N % 16 == 0\"", "\"N % 0 == 0\"", "OPK-EXPR-011", 16, "divisor that is not 0"},
    {"\"N % 16 == 0\"", "\"N == 1 // 0\"", "OPK-EXPR-011", 16, "1 // 0 has no"},
    {"\"N % 16 == 0\"", "\"N > 2**-1\"", "OPK-EXPR-011", 16, "2**-1 has no"},
    {"\"N % 16 == 0\"", "\"N == 16 or K // 0 == 1\"", "OPK-EXPR-011", 16, "divisor"},
    {"\"N % 16 == 0\"", "\"N < 2**70\"", "OPK-EXPR-011", 16, "2**70 has no"},
};
INSTANTIATE_TEST_SUITE_P(Where, Refuses, ::testing::ValuesIn(kWhere));

// C1 is changed, too.
TEST(Refuses, ConstraintsThatContradictEachOtherByATerm) {
  const auto checked = [](const std::string& first, const std::string& second) {
    std::string text = kGood;
    text.replace(text.find("1 <= K <= 65536 and M >= 1"), 26, first);
    text.replace(text.find("N % 16 == 0"), 11, second);
    text.erase(text.find("tests:"));
    const auto contract = OpContract::parse(text, "c.yaml");
    return contract.ok() ? "" : contract.error().to_string();
  };
  for (const auto& [first, second, term] : {std::tuple{"rank(B) >= 3", "rank(B) < 3", "rank(B)"},
                                            {"N * M >= 16", "8 > N * M", "N * M"},
                                            {"M < N", "N < M", "M - N"},
                                            {"N == M and K >= 1", "M > N", "M - N"},
                                            {"N % 16 == 1", "N % 16 == 0", "N % 16"},
                                            {"N % 32 == 0", "N % 48 == 8", "N"},
                                            {"B[0] == 4", "B[0] == 5", "B[0]"}}) {
    EXPECT_THAT(checked(first, second),
                AllOf(HasSubstr("c.yaml:16:3: error OPK-CONTRACT-024"),
                      HasSubstr("constraints C1 (c.yaml:15) and C2 (c.yaml:16)"),
                      HasSubstr(std::string("no value for ") + term + ": '" + first + "', '")));
  }
  EXPECT_EQ(checked("M <= N and N % 32 == 8", "N <= M and N % 48 == 24"), "");
  EXPECT_EQ(checked("N % 3 == 0", "N % 2 == 1"), "");
  EXPECT_EQ(checked("rank(B) >= 3 or M == 1", "rank(B) < 3"), "");
}

const BadEdit kReference[] = {
    {"op: MatMul", "op: MatMull", "OPK-CONTRACT-027", 18, "did you mean 'MatMul'?"},
    {"in: [x, w]", "in: [x, v]", "OPK-CONTRACT-028", 18, "no tensor is named 'v'"},
    {"in: [x, w]", "in: [x, t1]", "OPK-CONTRACT-028", 18, "before line 19"},
    {"out: t1", "out: t0", "OPK-CONTRACT-029", 19, "twice"},
    {"out: y", "out: z", "OPK-CONTRACT-030", 8, "does not define output y"},
    {"in: [t1], out: y", "in: [t0], out: y", "OPK-CONTRACT-031", 19, "nothing reads"},
    {"{op: MatMul, in: [x, w]", "{op: MatMul, in: [x, x]", "OPK-CONTRACT-031", 5, "read input w"},
    {"$alpha", "$beta", "OPK-CONTRACT-032", 20, "$beta"},
    {"when: \"present(bias)\", ", "", "OPK-CONTRACT-033", 19, "without a when"},
    {", out: t1, when: \"present(bias)\", else: t0}",
     ", out: [t1, t2], when: \"present(bias)\", else: t0}", "OPK-CONTRACT-033", 19,
     "several outputs"},
    {"else: t0", "else: t0, store: int8", "OPK-CONTRACT-026", 19, "no floating type"},
    {"else: t0", "else: t0, store: T scaledd", "OPK-CONTRACT-026", 19, "no floating type"},
    {", in: [x, w]", ", in: [x, 2]", "OPK-CONTRACT-026", 18, "{const: 2}"},
    {", in: [x, w]", ", in: [x, {cost: 2}]", "OPK-DOC-017", 18, "did you mean 'const'?"},
    {", in: [x, w]", ", in: x", "OPK-CONTRACT-026", 18, "must be a list"},
    {", out: t0}", "}", "OPK-CONTRACT-026", 18, "no out"},
    {"{alpha: $alpha}", "{alpha: [1, \"a\"]}", "OPK-CONTRACT-026", 20, "differ in type"},
};
INSTANTIATE_TEST_SUITE_P(Reference, Refuses, ::testing::ValuesIn(kReference));

constexpr const char* kMode = "{type: string, default: \"tanh\"}";
const BadEdit kLists[] = {
    {kMode, "{type: int, default: 1, length: 2}", "OPK-CONTRACT-017", 13, "type: list_int"},
    {kMode, "{type: list_int, length: [3, 2]}", "OPK-CONTRACT-017", 13, "3 to 2 elements"},
    {kMode, "{type: list_int, length: [3]}", "OPK-CONTRACT-017", 13, "[fewest, most]"},
    {kMode, "{type: list_int, length: -1}", "OPK-CONTRACT-017", 13, "-1 to -1"},
    {kMode, "{type: list_int, elements: sortd}", "OPK-CONTRACT-006", 13, "did you mean 'sorted'?"},
    {kMode, "{type: list_bool, elements: sorted}", "OPK-CONTRACT-017", 13, "cannot be sorted"},
    {kMode, "{type: list_float, elements: permutation}", "OPK-CONTRACT-017", 13, "list_int"},
    {kMode, "{type: list_int, length: 2, default: [1]}", "OPK-CONTRACT-016", 13,
     "1 elements, not 2"},
    {kMode, "{type: list_int, elements: distinct, default: [1, 1]}", "OPK-CONTRACT-016", 13,
     "must be distinct"},
};
INSTANTIATE_TEST_SUITE_P(Lists, Refuses, ::testing::ValuesIn(kLists));

const BadEdit kCases[] = {
    {"M: 3, K: 4, N: 16, alpha", "M: 3, K: 4, N: 16, aplha", "OPK-CONTRACT-038", 25,
     "did you mean 'alpha'?"},
    {"M: 3, K: 4, N: 16, alpha", "M: 3, N: 16, alpha", "OPK-CONTRACT-039", 25, "no value for K"},
    {"M: 3, K: 4, N: 16, alpha", "M: 3, K: 4, N: 17, alpha", "OPK-CONTRACT-040", 25, "C2"},
    {"M: 3, K: 4, N: 16, alpha", "M: 0, K: 4, N: 16, alpha", "OPK-CONTRACT-040", 25, "C1"},
    {"M: 3, K: 4, N: 16, alpha", "M: -3, K: 4, N: 16, alpha", "OPK-CONTRACT-038", 25, "negative"},
    {"alpha: 0.5", "alpha: 2.5", "OPK-ATTR-003", 25, "outside"},
    {"absent: [bias]", "absent: [w]", "OPK-CONTRACT-038", 26, "optional inputs"},
    {"absent: [bias]", "collapsed: [bias]", "OPK-CONTRACT-038", 26, "input:axis"},
    {"absent: [bias]", "count: {x: 2}", "OPK-CONTRACT-038", 26, "dynamic input"},
    {"[uniform]", "[unifrom]", "OPK-CONTRACT-041", 25, "did you mean 'uniform'?"},
    {"B: [2]", "B: 2", "OPK-ATTR-001", 25, "list"},
};
INSTANTIATE_TEST_SUITE_P(Cases, Refuses, ::testing::ValuesIn(kCases));

TEST(Refuses, AReferenceOfNothing) {
  const std::string head =
      "op: P\nversion: \"1.0.0\"\ninputs: {x: {dtype: int8, shape: \"S..\"}}\n"
      "outputs: {y: {dtype: int8, shape: \"S..\"}}\n";
  for (const char* reference : {"reference: []", "reference: {none: \"\"}", "reference: Add"}) {
    const auto contract = OpContract::parse(head + reference, "c.yaml");
    ASSERT_FALSE(contract.ok()) << reference;
    EXPECT_EQ(contract.error().code, "OPK-CONTRACT-026") << reference;
  }
}

TEST(Refuses, SeveralErrorsAtOnceInFileOrder) {
  std::string text = kGood;
  text.replace(text.find("[float16, float32]"), 9, "[flaot16,");
  text.replace(text.find("MatMul"), 6, "MatMal");
  const OpContract::Checked checked = OpContract::check(text, "c.yaml");
  ASSERT_GE(checked.messages.size(), 2u);
  for (size_t i = 1; i < checked.messages.size(); ++i)
    EXPECT_LE(checked.messages[i - 1].where.line, checked.messages[i].where.line);
}

TEST(Refuses, WhatIsNoMap) {
  for (const char* text : {"", "[1]", "op", "inputs: [x]\n"})
    EXPECT_FALSE(OpContract::parse(text, "c.yaml").ok()) << text;
}

}  // namespace
}  // namespace opkit
