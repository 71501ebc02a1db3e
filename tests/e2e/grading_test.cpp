// Grading and replaying: mutants of a scaffolded op, failures that come back from their capsule.
#include <set>

#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Grading : public OpkitTest {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (fs::temp_directory_path() / "opkit-e2e-graded-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    built_ = new fs::path(pattern);
    run_program({opkit_binary(), "new", "MyFused", "--vendor", "acme"}, *built_);
    run_program({opkit_binary(), "build", "my_fused"}, *built_);
  }
  static void TearDownTestSuite() {
    std::error_code ignored;
    fs::remove_all(*built_, ignored);
    delete built_;
  }

  void SetUp() override {
    OpkitTest::SetUp();
    ASSERT_TRUE(fs::exists(*built_ / "my_fused/build/package/manifest.yaml"));
    fs::create_directories(path("my_fused/build"));
    for (const char* part :
         {"op_contract.yaml", "CMakeLists.txt", "op_kernel", "op_host", "build/package"})
      fs::copy(*built_ / "my_fused" / part, path("my_fused") / part, fs::copy_options::recursive);
  }

  static fs::path* built_;
};
fs::path* Grading::built_ = nullptr;

TEST_F(Grading, MutantsOfAScaffoldedOpAreFoundOut) {
  const Shown shown =
      opkit({"test", "my_fused", "--mutants", "--tier", "smoke", "--limit", "8", "--json"});
  const nlohmann::json report = nlohmann::json::parse(shown.out);
  EXPECT_EQ(report["op"], "MyFused");
  EXPECT_EQ(report["mutants"].size(), 8u);
  EXPECT_GT(report["killed"], 3);
  EXPECT_EQ(shown.exit_code, report["survived"] == 0 ? 0 : 1);
  for (const auto& mutant : report["mutants"]) {
    EXPECT_FALSE(mutant["by"].empty()) << mutant;
    // A further round of a loop handles no element: a right kernel, if a slower one.
    if (mutant["fate"] == "survived") {
      EXPECT_EQ(mutant["what"], "loop one round too many");
    }
  }
  EXPECT_TRUE(fs::exists(path("my_fused/build/mutants")));
}

TEST_F(Grading, MutantsWantAProjectThatPasses) {
  const Shown installed = opkit({"test", "MyFused", "--mutants"});
  EXPECT_EQ(installed.exit_code, 2);
  EXPECT_THAT(installed.err, AllOf(HasSubstr("OPK-CLI-017"), HasSubstr("op_kernel")));
  const Shown flag = opkit({"test", "my_fused", "--mutants", "--soc", "Ascend910B1"});
  EXPECT_EQ(flag.exit_code, 2);
  EXPECT_THAT(flag.err, AllOf(HasSubstr("OPK-CLI-016"), HasSubstr("--soc")));
  EXPECT_THAT(opkit({"test", "my_fused", "--limit", "3"}).err, HasSubstr("OPK-CLI-003"));
  edit("my_fused/op_kernel/my_fused.cpp", "Relu(z, z, count);", "");
  const Shown wrong = opkit({"test", "my_fused", "--mutants", "--tier", "smoke", "--work", "w"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("OPK-VERIFY-052"), HasSubstr("try: let opkit test pass")));
}

TEST_F(Grading, MutantsThatNobodyHasAreSaid) {
  const Shown none = opkit({"test", "my_fused", "--mutants", "--tier", "smoke", "--only", "zzzz"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, AllOf(HasSubstr("OPK-VERIFY-050"), HasSubstr("'zzzz'"),
                              HasSubstr("try: name a part of one: ")));
}

// A mistyped problem is no failure of the op, now or later.
TEST_F(Grading, WhatTheContractExcludesIsNotRemembered) {
  const Shown typo = opkit({"test", "my_fused", "--d", "A=3", "--d", "B=4"});
  EXPECT_EQ(typo.exit_code, 1);
  EXPECT_THAT(typo.err, HasSubstr("the call that was asked for"));
  EXPECT_EQ(opkit({"test", "my_fused", "--tier", "smoke", "--soc", "Ascend910B1"}).exit_code, 0);
  const Shown lone = opkit({"test", "my_fused", "--threads", "2"});
  EXPECT_EQ(lone.exit_code, 2);
  EXPECT_THAT(lone.err, AllOf(HasSubstr("OPK-CLI-003"), HasSubstr("--d S=7x13")));
}

class Failing : public Grading {
 protected:
  void SetUp() override {
    Grading::SetUp();
    edit(kKernel, "Add(z, z, y, count);", "Sub(z, z, y, count);");
    ASSERT_EQ(opkit({"build", "my_fused"}).exit_code, 0);
  }
  static constexpr const char* kKernel = "my_fused/op_kernel/my_fused.cpp";

  void mend() {
    edit(kKernel, "Sub(z, z, y, count);", "Add(z, z, y, count);");
    ASSERT_EQ(opkit({"build", "my_fused"}).exit_code, 0);
  }
  nlohmann::json test(std::vector<std::string> more, int exit_code) {
    std::vector<std::string> words = {"test",  "my_fused", "--tier",
                                      "smoke", "--soc",    "Ascend910B1"};
    words.insert(words.end(), more.begin(), more.end());
    return opkit_json(words, exit_code);
  }
};

TEST_F(Failing, CapsulesReplayBitForBitAndComeFirstUntilTheyPass) {
  const nlohmann::json failed = test({"--max-failures", "1"}, 1);
  const std::string capsule = failed["failures"][0]["capsule"];
  EXPECT_THAT(capsule, HasSubstr("my_fused/build/results/MyFused-"));
  EXPECT_THAT(failed["failures"][0]["trace"].dump(), HasSubstr("op_kernel/elementwise.h:"));

  const nlohmann::json again = opkit_json({"replay", capsule, "my_fused"});
  EXPECT_EQ(again["replayed"], true);
  EXPECT_EQ(again["same_plugin"], true);
  EXPECT_EQ(again["inputs_from"], "bytes");
  EXPECT_EQ(again["now"]["verdict"], "FAILED");
  EXPECT_THAT(opkit({"replay", capsule, "my_fused"}).out, HasSubstr("replayed bit for bit"));
  EXPECT_THAT(opkit({"replay", capsule}).err, HasSubstr("OPK-REG-001"));

  mend();
  const Shown mended = opkit({"replay", capsule, "my_fused"});
  EXPECT_EQ(mended.exit_code, 1);
  EXPECT_THAT(mended.out, AllOf(HasSubstr("something has changed"),
                                HasSubstr("the library is not the one that failed")));
  const nlohmann::json passed = test({}, 0);
  EXPECT_EQ(passed["results"][0]["origin"], "past failure");
  EXPECT_NE(test({}, 0)["results"][0]["origin"], "past failure");
}

TEST_F(Failing, ReplayRefusesOtherFiles) {
  const std::string capsule = test({"--max-failures", "1"}, 1)["failures"][0]["capsule"];
  write("no.capsule.json", "{}");
  EXPECT_THAT(opkit({"replay", "no.capsule.json"}).err, HasSubstr("OPK-VERIFY-041"));
  EXPECT_EQ(opkit({"replay", "nowhere.json"}).exit_code, 3);
  nlohmann::json damaged = nlohmann::json::parse(read(capsule));
  damaged["inputs_sha256"] = std::string(64, '0');
  write("damaged.json", damaged.dump());
  EXPECT_THAT(opkit({"replay", "damaged.json", "my_fused"}).err, HasSubstr("OPK-VERIFY-042"));
  edit(capsule, "\"op\": \"MyFused\"", "\"op\": \"YourFused\"");
  const Shown other = opkit({"replay", capsule, "my_fused"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("OPK-CLI-018"));
}

TEST_F(Failing, ThePageTellsTheFailureAndEscapesEverything) {
  test({"--max-failures", "1", "--html", "page.html"}, 1);
  const std::string page = read("page.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<title>MyFused 1.0.0: FAILED</title>"),
                          HasSubstr("opkit test MyFused --t"), HasSubstr("opkit replay "),
                          HasSubstr("worst MERE"), HasSubstr("labels reached")));
  for (const char* outside : {"<script", "<link", "<img", "src=", "href=", "@import", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

TEST_F(Grading, ASecondRunResumes) {
  const std::vector<std::string> words = {"test",        "my_fused",  "--tier", "smoke",   "--soc",
                                          "Ascend910B1", "--results", "kept",   "--resume"};
  const nlohmann::json first = opkit_json(words), second = opkit_json(words);
  EXPECT_EQ(first["resumed"], 0);
  EXPECT_EQ(second["verdict"], "PASSED");
  EXPECT_EQ(second["results"].size(), first["results"].size());
  EXPECT_EQ(second["counts"], first["counts"]);
  int64_t judged = 0;
  for (const auto& result : first["results"])
    judged += result["verdict"] == "PASSED" || result["verdict"] == "MISTRUSTED";
  EXPECT_EQ(second["resumed"], judged);
  EXPECT_THAT(opkit(words).out, HasSubstr("known from an earlier run"));
}

TEST_F(Grading, ShardsTogetherAreTheWholeRun) {
  const auto lines = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"test",  "my_fused", "--tier",
                                      "smoke", "--soc",    "Ascend910B1"};
    words.insert(words.end(), more.begin(), more.end());
    const nlohmann::json report = opkit_json(words);
    std::multiset<std::string> all;
    for (const auto& result : report["results"]) all.insert(result["line"].get<std::string>());
    return all;
  };
  std::multiset<std::string> parts = lines({"--shard", "1/3"});
  for (const char* shard : {"2/3", "3/3"}) parts.merge(lines({"--shard", shard}));
  EXPECT_EQ(parts, lines({}));
  for (const char* wrong : {"0/3", "4/3", "1", "1/3x", "x/2"})
    EXPECT_THAT(opkit({"test", "my_fused", "--shard", wrong}).err, HasSubstr("OPK-CLI-004"));
}

// Two machines that share nothing; a third one puts together what they found.
TEST_F(Grading, MergedShardsGiveTheVerdictOfTheWholeRun) {
  const std::vector<std::string> words = {"test",  "my_fused", "--tier",
                                          "smoke", "--soc",    "Ascend910B1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    return more;
  };
  const nlohmann::json whole = opkit_json(with({"--results", "whole"}));
  opkit_json(with({"--shard", "1/2", "--results", "one"}));
  opkit_json(with({"--shard", "2/2", "--results", "two"}));
  const auto merged = opkit_json({"test", "merge", "one", "two", "--results", "all"});
  EXPECT_GT(merged["results"], 20);
  const nlohmann::json joined = opkit_json(with({"--results", "all", "--resume"}));
  EXPECT_EQ(joined["verdict"], whole["verdict"]);
  EXPECT_EQ(joined["counts"], whole["counts"]);
  EXPECT_EQ(joined["results"], whole["results"]);
  EXPECT_EQ(joined["coverage"], whole["coverage"]);
  EXPECT_GT(joined["resumed"], 20);
  EXPECT_EQ(opkit({"test", "merge", "nowhere", "--results", "fresh"}).exit_code, 1);
  EXPECT_FALSE(std::filesystem::exists(path("fresh")));
  const Shown none = opkit({"test", "merge", "nowhere", "--results", "all"});
  EXPECT_NE(none.exit_code, 0);
  EXPECT_THAT(none.err, AllOf(HasSubstr("OPK-VERIFY-043"), HasSubstr("it has no results.sqlite"),
                              HasSubstr("try: name the folders that opkit test --results wrote")));
}

TEST_F(Grading, MergedShardsOfMutantsAreTheWholeRun) {
  const auto mutants = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"test",    "my_fused", "--mutants",  "--tier", "smoke",
                                      "--limit", "4",        "--min-rate", "0",      "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(opkit(words).out);
  };
  const auto whole = mutants({"--results", "whole"});
  const auto one = mutants({"--shard", "1/2", "--results", "one", "--work", "w1"}),
             two = mutants({"--shard", "2/2", "--results", "two", "--work", "w2"});
  EXPECT_EQ(one["mutants"].size() + two["mutants"].size(), whole["mutants"].size());
  EXPECT_EQ(opkit_json({"test", "merge", "one", "two"})["mutants"], 4);  // into ./merged
  const auto joined = mutants({"--results", "merged", "--resume", "--work", "w3"});
  EXPECT_EQ(joined["mutants"], whole["mutants"]);
  EXPECT_EQ(joined["resumed"], 4);
  EXPECT_EQ(joined["killed"], whole["killed"]);
}

}  // namespace
}  // namespace opkit::e2e
