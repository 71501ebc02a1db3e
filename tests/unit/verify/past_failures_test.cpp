// What failed once comes first, unless the contract has no such call any more.
#include "opkit/verify/past_failures.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "parsed_contract.h"

namespace opkit::verify {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

OpContract negate_for(const std::string& socs, const std::string& most = "4096") {
  return contract_of(R"(
op: Negate
version: "1.0.0"
inputs: {x: {dtype: float32, shape: "N"}}
outputs: {y: {dtype: float32, shape: "N"}}
where: {C1: "N <= )" +
                     most +
                     R"("}
reference: [{op: Neg, in: [x], out: y}]
soc: )" + socs + "\n");
}

class PastFailuresTest : public testing::Test {
 protected:
  PastFailuresTest()
      : folder_(std::filesystem::path(testing::TempDir()) / "opkit_past_failures"),
        store_((std::filesystem::remove_all(folder_), ResultsStore::open(folder_)).value()) {}

  void fails(const OpContract& contract, const std::string& soc, int64_t n) {
    Problem problem;
    problem.soc = soc;
    problem.symbols.dims["N"] = n;
    ProblemResult result;
    result.problem = problem;
    result.line = to_line(contract, problem);
    result.verdict = Verdict::kFailed;
    store_.record("Negate", "contract", "plugin", result);
  }

  std::filesystem::path folder_;
  ResultsStore store_;
};

TEST_F(PastFailuresTest, OnChipsThatTheContractLostAreDropped) {
  const OpContract before = negate_for("[Ascend310B, Ascend910B]");
  fails(before, "Ascend310B1", 7);
  fails(before, "Ascend310B1", 8);
  fails(before, "Ascend910B2", 9);
  const OpContract now = negate_for("[Ascend910B]");
  const PastFailures past = past_failures(now, {}, store_);
  ASSERT_EQ(past.problems.size(), 1u);
  EXPECT_EQ(past.problems[0].problem.soc, "Ascend910B2");
  EXPECT_THAT(past.notes, ElementsAre(HasSubstr("2 failures of earlier runs dropped: the contract "
                                                "does not name Ascend310B1 any more")));
  EXPECT_THAT(past_failures(now, {}, store_).notes, ElementsAre());
  EXPECT_EQ(store_.failures("Negate").size(), 1u);
}

TEST_F(PastFailuresTest, ThatAConstraintRefusesNowAreDropped) {
  fails(negate_for("[Ascend910B]"), "Ascend910B1", 4000);
  const PastFailures past = past_failures(negate_for("[Ascend910B]", "1000"), {}, store_);
  EXPECT_TRUE(past.problems.empty());
  EXPECT_THAT(past.notes, ElementsAre(HasSubstr("1 failure of earlier runs dropped: ")));
}

TEST_F(PastFailuresTest, OfAnotherChipThanTheRunsWait) {
  const OpContract contract = negate_for("[Ascend310B, Ascend910B]");
  fails(contract, "Ascend310B1", 7);
  const PastFailures past = past_failures(contract, {"Ascend910B1"}, store_);
  EXPECT_TRUE(past.problems.empty());
  EXPECT_TRUE(past.notes.empty());
  EXPECT_EQ(past_failures(contract, {}, store_).problems.size(), 1u);
}

// The store tells at most fifty at a time.
TEST_F(PastFailuresTest, AreAllDroppedHoweverMany) {
  const OpContract before = negate_for("[Ascend310B, Ascend910B]");
  fails(before, "Ascend910B1", 3);
  for (int64_t n = 1; n <= 120; ++n) fails(before, "Ascend310B1", n);
  const PastFailures past = past_failures(negate_for("[Ascend910B]"), {}, store_);
  EXPECT_EQ(past.problems.size(), 1u);
  EXPECT_THAT(past.notes, ElementsAre(HasSubstr("120 failures")));
}

}  // namespace
}  // namespace opkit::verify
