// Spellings against the reference, by the oracle alone.
#include "opkit/verify/spellings.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "opkit_test_paths.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

OpContract spelled_contract(const std::string& reference, const std::string& spelling) {
  auto parsed = OpContract::parse(R"(
op: Spelled
version: "1.0.0"
inputs: {x: {dtype: T, shape: "S.."}}
outputs: {y: {dtype: T, shape: "S.."}}
types: {T: [float16, float32]}
attrs: {kind: {type: string, default: "plain", enum: ["plain", "other"]}}
where: {C1: "rank(S) <= 4"}
reference:
)" + reference + "spellings:\n" + spelling,
                                  "op_contract.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

ProblemResult judged(const std::string& reference, const std::string& spelling) {
  const OpContract contract = spelled_contract(reference, spelling);
  const auto plan = make_plan({&contract, {"Ascend910B1"}, Tier::kSmoke, 1, {}, -1});
  const auto results = judge_spellings(contract, plan);
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

const std::string kGelu = "  - {op: Gelu, in: [x], out: y}\n";

TEST(Spellings, ThatMeanTheSamePass) {
  const ProblemResult result =
      judged(kGelu,
             "  by_erf:\n"
             "    - {op: Mul, in: [x, {const: 0.7071067811865476}], out: a}\n"
             "    - {op: Erf, in: [a], out: b}\n    - {op: Add, in: [b, {const: 1}], out: c}\n"
             "    - {op: Mul, in: [c, {const: 0.5}], out: d}\n"
             "    - {op: Mul, in: [x, d], out: y}\n");
  EXPECT_EQ(result.verdict, Verdict::kPassed) << result.reason;
  EXPECT_EQ(result.origin, "spelling by_erf");
  EXPECT_GT(result.elements, 100);
}

TEST(Spellings, ThatComeCloseFail) {
  // The form with tanh is another function, by less than float16 tells.
  const ProblemResult tanh =
      judged(kGelu, "  by_tanh: [{op: Gelu, in: [x], out: y, attrs: {approximate: tanh}}]\n");
  EXPECT_EQ(tanh.verdict, Verdict::kFailed);
  EXPECT_EQ(tanh.code, "OPK-VERIFY-028");
  EXPECT_THAT(tanh.reason, HasSubstr("by the spelling"));
  EXPECT_THAT(tanh.reason, HasSubstr("Spelled --t"));
  const ProblemResult constant =
      judged("  - {op: Div, in: [x, {const: 3}], out: y}\n",
             "  by_factor: [{op: Mul, in: [x, {const: 0.3333333}], out: y}]\n");
  EXPECT_EQ(constant.code, "OPK-VERIFY-028") << constant.reason;
}

TEST(Spellings, ThatDifferInSpecialValuesFail) {
  const ProblemResult result =
      judged("  - {op: Relu, in: [x], out: y}\n",
             "  by_product:\n    - {op: Greater, in: [x, {const: 0}], out: positive}\n"
             "    - {op: CastLike, in: [positive, x], out: gate}\n    - {op: Mul, in: [x, gate], "
             "out: y}\n");
  EXPECT_EQ(result.code, "OPK-VERIFY-028") << "-inf times 0 is NaN";
}

TEST(Spellings, OfShippedOpsMeanTheirReferences) {
  size_t judged = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(OPKIT_SOURCE_DIR "/ops")) {
    if (!entry.path().filename().string().ends_with("_contract.yaml")) continue;
    const auto contract = OpContract::load(entry.path());
    ASSERT_TRUE(contract.ok()) << contract.error().to_string();
    if (contract->spellings.empty()) continue;
    const auto plan = make_plan({&*contract, {"Ascend910B1"}, Tier::kSmoke, 1, {}, -1});
    for (const ProblemResult& result : judge_spellings(*contract, plan)) {
      EXPECT_EQ(result.verdict, Verdict::kPassed) << result.line << ": " << result.reason;
      ++judged;
    }
  }
  EXPECT_GE(judged, 25u);
}

TEST(Spellings, AreJudgedForTheirAttributesAlone) {
  const std::string reference =
      "  - {op: Relu, in: [x], out: t, when: \"kind == 'plain'\", else: x}\n"
      "  - {op: Abs, in: [t], out: y, when: \"kind == 'other'\", else: t}\n";
  const std::string spelling = "reference: [{op: Max, in: [x, {const: 0}], out: y}]}\n";
  EXPECT_EQ(judged(reference, "  a: {attrs: {kind: \"plain\"}, " + spelling).verdict,
            Verdict::kPassed);
  EXPECT_EQ(judged(reference, "  a: {attrs: {kind: \"other\"}, " + spelling).verdict,
            Verdict::kFailed);
}

}  // namespace
}  // namespace opkit::verify
