#include "opkit/verify/results_store.h"

#include <gmock/gmock.h>

#include "opkit/base/file.h"

namespace opkit::verify {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Merging : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "opkit-results-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  ResultsStore store(const std::string& name) {
    auto opened = ResultsStore::open(folder_ / name);
    EXPECT_TRUE(opened.ok());
    return std::move(opened).value();
  }
  static ProblemResult judged(const std::string& line, Verdict verdict) {
    ProblemResult result;
    result.line = line;
    result.verdict = verdict;
    return result;
  }

  fs::path folder_;
};

TEST_F(Merging, TakesWhatOtherShardsJudged) {
  ResultsStore one = store("one"), two = store("two"), all = store("all");
  one.record("Op", "c", "p", judged("Op --d S=1", Verdict::kPassed));
  two.record("Op", "c", "p", judged("Op --d S=2", Verdict::kPassed));
  two.record("Op", "c", "p", judged("Op --d S=3", Verdict::kFailed));
  two.record_mutant("Op", "m", "{}");
  const auto first = all.take_over(folder_ / "one"), second = all.take_over(folder_ / "two");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->judged, 1);
  EXPECT_EQ(second->judged, 2);
  EXPECT_EQ(second->mutants, 1);
  EXPECT_TRUE(all.judged("c", "p", "Op --d S=1").has_value());
  EXPECT_TRUE(all.judged("c", "p", "Op --d S=2").has_value());
  EXPECT_FALSE(all.judged("c", "p", "Op --d S=3").has_value());  // failed: to be judged again
  EXPECT_EQ(all.failures("Op"), std::vector<std::string>{"Op --d S=3"});
  EXPECT_EQ(all.mutant("m"), "{}");
  const auto again = all.take_over(folder_ / "two");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->judged + again->mutants, 0);
}

TEST_F(Merging, LetsTheLaterVerdictStay) {
  ResultsStore early = store("early"), late = store("late");
  early.record("Op", "c", "p", judged("Op --d S=1", Verdict::kFailed));
  usleep(5000);
  late.record("Op", "c", "p", judged("Op --d S=1", Verdict::kPassed));
  ResultsStore one = store("one"), other = store("other");
  ASSERT_TRUE(one.take_over(folder_ / "early").ok() && one.take_over(folder_ / "late").ok());
  ASSERT_TRUE(other.take_over(folder_ / "late").ok() && other.take_over(folder_ / "early").ok());
  for (ResultsStore* merged : {&one, &other}) {
    EXPECT_TRUE(merged->judged("c", "p", "Op --d S=1").has_value());
    EXPECT_TRUE(merged->failures("Op").empty());
  }
}

TEST_F(Merging, TakesTheCapsulesAlong) {
  ResultsStore all = store("all");
  store("one");
  ASSERT_TRUE(write_file(folder_ / "one/Op-1.capsule.json", "{}").ok());
  ASSERT_TRUE(write_file(folder_ / "one/notes.json", "{}").ok());
  ASSERT_TRUE(all.take_over(folder_ / "one").ok());
  EXPECT_TRUE(fs::exists(folder_ / "all/Op-1.capsule.json"));
  EXPECT_FALSE(fs::exists(folder_ / "all/notes.json"));
}

TEST_F(Merging, ReportsACapsuleThatCannotBeCopied) {
  ResultsStore all = store("all");
  store("one");
  ASSERT_TRUE(write_file(folder_ / "one/Op-1.capsule.json", "{}").ok());
  fs::create_directories(folder_ / "all/Op-1.capsule.json");
  const auto taken = all.take_over(folder_ / "one");
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, "OPK-VERIFY-040");
  EXPECT_THAT(taken.error().to_string(), HasSubstr("cannot copy the capsules of"));
}

TEST_F(Merging, RefusesFoldersWithoutResults) {
  ResultsStore all = store("all");
  const auto none = all.take_over(folder_ / "none");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-VERIFY-043");
  EXPECT_THAT(none.error().to_string(), HasSubstr("it has no results.sqlite"));
  EXPECT_FALSE(fs::exists(folder_ / "none"));
  fs::create_directories(folder_ / "broken");
  ASSERT_TRUE(write_file(folder_ / "broken/results.sqlite", std::string(4096, 'x')).ok());
  const auto broken = all.take_over(folder_ / "broken");
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, "OPK-VERIFY-043");
  const auto itself = all.take_over(folder_ / "all");
  ASSERT_FALSE(itself.ok());
  EXPECT_THAT(itself.error().to_string(), HasSubstr("merged into this folder"));
}

}  // namespace
}  // namespace opkit::verify
