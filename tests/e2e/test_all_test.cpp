// opkit test --all: every installed op, also behind one that fails.
#include "built_project.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class TestAll : public BuiltProject {
 protected:
  void SetUp() override {
    BuiltProject::SetUp();
    install();
  }

  const std::vector<std::string> quick_ = {"test",     "--all", "--tier",  "smoke",
                                           "--random", "0",     "--shard", "1/8"};

  std::vector<std::string> quick(std::vector<std::string> more) const {
    std::vector<std::string> words = quick_;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(TestAll, SaysALineForEachOp) {
  const Shown shown = opkit(quick({"--junit", "ops.xml"}));
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("PASSED   MyFused 1.0.0  "),
                               HasSubstr("1 passed, 0 failed, 0 skipped\n")));
  EXPECT_THAT(read("ops.xml"), AllOf(HasSubstr("<testsuites>"), HasSubstr("opkit.MyFused"),
                                     HasSubstr("</testsuites>")));
}

TEST_F(TestAll, GoesOnBehindADamagedOp) {
  fs::copy(path(installed()).parent_path(), path("opp/vendors/acme/op_pkg/Another"),
           fs::copy_options::recursive);
  const auto report = opkit_json(quick({}), 1);
  ASSERT_EQ(report["ops"].size(), 2u);
  EXPECT_EQ(report["ops"][0]["op"], "Another");
  EXPECT_EQ(report["ops"][0]["verdict"], "FAILED");
  EXPECT_THAT(report["ops"][0]["reason"].get<std::string>(), HasSubstr("OPK-"));
  EXPECT_EQ(report["ops"][1]["verdict"], "PASSED");
  EXPECT_EQ(report["ops"][1]["report"]["verdict"], "PASSED");
  EXPECT_EQ(report["passed"], 1);
  EXPECT_EQ(report["failed"], 1);
  const Shown shown = opkit(quick({"--junit", "ops.xml"}));
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("FAILED   Another"), HasSubstr("failed: Another\n")));
  EXPECT_THAT(read("ops.xml"), HasSubstr("name=\"not opened\"><error message=\""));
}

// Seconds differ from run to run.
void forget_seconds(nlohmann::json& json) {
  if (json.is_object()) json.erase("seconds");
  for (auto& item : json)
    if (item.is_structured()) forget_seconds(item);
}

TEST_F(TestAll, OnSeveralProcessesSaysTheSame) {
  fs::copy(path(installed()).parent_path(), path("opp/vendors/acme/op_pkg/Another"),
           fs::copy_options::recursive);
  auto alone = opkit_json(quick({}), 1);
  forget_seconds(alone);
  ASSERT_EQ(alone["ops"].size(), 2u);
  auto both = opkit_json(quick({"--jobs", "2", "--junit", "ops.xml"}), 1);
  forget_seconds(both);
  EXPECT_EQ(both, alone);
  EXPECT_THAT(read("ops.xml"), AllOf(HasSubstr("opkit.MyFused"), HasSubstr("\"not opened\"")));
  EXPECT_THAT(opkit({"test", "MyFused", "--jobs", "2"}).err,
              AllOf(HasSubstr("OPK-CLI-016"), HasSubstr("--jobs goes with --all only")));
  if (run_program({"sh", "-c", "command -v mpirun"}, folder_).exit_code != 0) return;
  std::vector<std::string> words = {"mpirun", "--allow-run-as-root", "--oversubscribe", "-n",
                                    "2",      opkit_binary()};
  for (const std::string& word : quick({"--opp", "opp", "--json"})) words.push_back(word);
  const Shown ran = run_program(words, folder_);
  if (ran.err.find("OPK-SPREAD-002") != std::string::npos) return;  // libopkit_mpi.so was not built
  auto ranks = nlohmann::json::parse(ran.out, nullptr, false);
  forget_seconds(ranks);
  EXPECT_EQ(ranks, alone) << ran.err;
}

TEST_F(TestAll, OfNothingIsNoSuccess) {
  const Shown unfit = opkit(quick({"--soc", "Ascend910A"}));
  EXPECT_EQ(unfit.exit_code, 1);
  EXPECT_THAT(unfit.out, AllOf(HasSubstr("SKIPPED  MyFused"), HasSubstr("1 skipped\n")));
  const Shown none = opkit(quick({"--vendor", "nobody"}));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("OPK-CLI-003"), HasSubstr("no op of vendor nobody")));
}

TEST_F(TestAll, TakesNoOptionsOfOneOp) {
  const Shown neither = opkit({"test"});
  EXPECT_EQ(neither.exit_code, 2);
  EXPECT_THAT(neither.err, AllOf(HasSubstr("OPK-CLI-003"), HasSubstr("say --all")));
  const Shown both = opkit({"test", "MyFused", "--all"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("an op's name does not go with --all"));
  EXPECT_THAT(opkit({"test", "--all", "--d", "S=7"}).err,
              AllOf(HasSubstr("OPK-CLI-016"), HasSubstr("--d does not go with --all")));
  EXPECT_THAT(opkit({"test", "--all", "--column", "0"}).err, HasSubstr("OPK-CLI-016"));
}

TEST_F(TestAll, OneColumnOfAnOp) {
  const auto report = opkit_json({"test", "MyFused", "--tier", "smoke", "--column", "float32"});
  EXPECT_EQ(report["verdict"], "PASSED");
  EXPECT_EQ(report["column"], "T=float32");
  for (const auto& result : report["results"]) {
    const std::string line = result["line"];
    EXPECT_THAT(line, testing::Not(HasSubstr("T=float16")));
  }
  const Shown wrong = opkit({"test", "MyFused", "--column", "flaot32"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("OPK-VERIFY-015"), HasSubstr("0 (T=float"),
                               HasSubstr("did you mean 'float32'?")));
  const Shown both = opkit({"test", "MyFused", "--column", "0", "--d", "A=3,B=3"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, AllOf(HasSubstr("OPK-CLI-003"), HasSubstr("--t T=float16")));
}

TEST_F(TestAll, MoreSchedulesThanUsual) {
  const Shown shown = opkit(quick({"--schedules", "5"}));
  EXPECT_EQ(shown.exit_code, 0) << shown.out;
  EXPECT_THAT(opkit({"test", "--all", "--schedules", "1000"}).err, HasSubstr("OPK-CLI-004"));
}

}  // namespace
}  // namespace opkit::e2e
