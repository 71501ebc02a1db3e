// What a command line may say: options, suggestions that work, output files, interruption.
#include "built_project.h"
#include "npy.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CommandLine : public BuiltProject {};

TEST_F(CommandLine, OptionsThatContradictEachOtherAreRefused) {
  install();
  write("x.npy", float_npy({1, 2, 3}));
  EXPECT_THAT(opkit({"run", "MyFused", "--in", "x=x.npy", "--shape", "x=3"}).err,
              HasSubstr("OPK-CLI-009"));
  EXPECT_THAT(opkit({"test", "MyFused", "--resume"}).err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(opkit({"run", "MyFused", "--in", "x=none.npy"}).err, HasSubstr("OPK-FILE-001"));
  EXPECT_THAT(opkit({"run", "MyFused", "--attr", "alpah=1"}).err, HasSubstr("--attr alpha="));
  const Shown shown =
      opkit({"run", "MyFused", "--shape", "x=3", "--shape", "y=3", "--out", "q=q.npy"});
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-CLI-007"), HasSubstr("try: --out z=q.npy")));
  const std::vector<std::string> call = {"run", "MyFused", "--shape", "x=3", "--shape", "y=3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return opkit(more).err;
  };
  EXPECT_THAT(with({"--numerics"}), AllOf(HasSubstr("OPK-CLI-003"), HasSubstr("--mode checked")));
  EXPECT_THAT(with({"--out", "z=a.npy", "--out", "z=b.npy"}),
              AllOf(HasSubstr("OPK-CLI-004"), HasSubstr("names z twice")));
  EXPECT_FALSE(fs::exists(path("b.npy")));
  EXPECT_THAT(opkit({"release", "MyFused", "--version", "^1"}).err, HasSubstr("OPK-VERSION-001"));
  EXPECT_THAT(opkit({"contract", "check", "/dev/zero"}).err, HasSubstr("OPK-FILE-003"));
}

TEST_F(CommandLine, BadAttributesAreWrongUse) {
  install();
  for (const char* command : {"run", "test", "infer"}) {
    const Shown shown = opkit({command, "MyFused", "--attr", "alpha=big"});
    EXPECT_EQ(shown.exit_code, 2) << command;
    EXPECT_THAT(shown.err, HasSubstr("alpha must be a number, not 'big'")) << command;
  }
  EXPECT_EQ(opkit({"gate", "my_fused"}).exit_code, 3);
  EXPECT_EQ(opkit({"run", "MyFused", "--version", "latest"}).exit_code, 2);
}

TEST_F(CommandLine, LockedIsAboutInstalledOps) {
  for (const char* word : {"my_fused", "my_fused/op_contract.yaml"}) {
    const Shown shown = opkit({"infer", word, "--locked", "--shape", "x=3", "--shape", "y=3"});
    EXPECT_EQ(shown.exit_code, 2) << word;
    EXPECT_THAT(shown.err, HasSubstr("--locked is about installed ops")) << word;
  }
}

// What a command that was killed leaves is named, and goes with the next one.
TEST_F(CommandLine, LeftoversAreNamedAndGo) {
  install();
  variables_["TMPDIR"] = path("temporary").string();
  fs::create_directories(path("temporary/opkit-scratch-killed/op_proto"));
  fs::create_directories(path("opp/.opkit/stage-killed"));
  const Shown doctor = opkit({"doctor"});
  EXPECT_THAT(doctor.out,
              AllOf(HasSubstr("leftovers in TMPDIR  "), HasSubstr("temporary/opkit-scratch-killed"),
                    HasSubstr("opp/.opkit/stage-killed")));
  EXPECT_FALSE(fs::exists(path("temporary/opkit-scratch-killed")));
  ASSERT_EQ(opkit({"uninstall", "MyFused"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(path("opp/.opkit/stage-killed")));
}

// As daemons and cron start programs.
TEST_F(CommandLine, ClosedStandardStreamsAndNoTemporaryFolder) {
  install();
  const Shown run = run_program(
      {"sh", "-c", opkit_binary() + " run MyFused --shape x=8 --shape y=8 --json <&- 2>&-"},
      folder_, variables_);
  EXPECT_EQ(run.exit_code, 0) << run.out;
  variables_["TMPDIR"] = path("nowhere").string();
  const Shown doctor = opkit({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("no temporary folder can be made"));
}

TEST_F(CommandLine, OneProblemRunsAloneAndReportsAreWritten) {
  install();
  const Shown one = opkit({"test", "MyFused", "--t", "T=float32", "--d", "A=7x13,B=7x13", "--attr",
                           "alpha=0.5", "--data", "special", "--seed", "7", "--junit", "r.xml"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.out, HasSubstr("  1 problem in"));
  EXPECT_THAT(read("r.xml"), HasSubstr("<testsuite"));
  const nlohmann::json report = opkit_json({"test", "MyFused", "--tier", "smoke", "--quiet"});
  EXPECT_EQ(report["op"], "MyFused");
  const Shown bad = opkit({"test", "MyFused", "--d", "Q=7"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("OPK-VERIFY-010"));
  const Shown incomplete = opkit({"test", "MyFused", "--data", "uniform"});
  EXPECT_EQ(incomplete.exit_code, 2);
  EXPECT_THAT(incomplete.err,
              AllOf(HasSubstr("--d gives no value for A, B"), HasSubstr("try: --d A=2x16,B=2x16")));
}

// What stands behind "try:" works when it is typed.
TEST_F(CommandLine, SuggestionsWork) {
  install();
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", "MyFused", "--shape", "x=4,8", "--shape", "y=4,8"};
    words.insert(words.end(), more.begin(), more.end());
    return opkit(words);
  };
  EXPECT_THAT(run({"--attr", "alpha"}).err, HasSubstr("try: --attr alpha=VALUE"));
  EXPECT_THAT(run({"--out", "z.npy"}).err, HasSubstr("try: --out z=z.npy"));
  EXPECT_EQ(run({"--out", "z=z.npy"}).exit_code, 0);
  const Shown negative = opkit({"run", "MyFused", "--shape", "x=4,-8", "--shape", "y=4,8"});
  EXPECT_EQ(negative.exit_code, 2);
  EXPECT_THAT(negative.err, AllOf(HasSubstr("OPK-CLI-021"), HasSubstr("try: --shape x=4,8")));
  std::string doubles = npy_header("<f8", "3,");
  for (const double value : {1.0, 2.5, -3.0})
    doubles.append(reinterpret_cast<const char*>(&value), sizeof value);
  write("wide.npy", doubles);
  write("y.npy", float_npy({1, 1, 1}));
  const Shown wide = opkit({"run", "MyFused", "--in", "x=wide.npy", "--in", "y=y.npy"});
  EXPECT_EQ(wide.exit_code, 2);
  EXPECT_THAT(wide.err, AllOf(HasSubstr("wide.npy holds float64; input x of MyFused takes"),
                              HasSubstr("try: --dtype x=float")));
  EXPECT_EQ(
      opkit({"run", "MyFused", "--in", "x=wide.npy", "--in", "y=y.npy", "--dtype", "x=float32"})
          .exit_code,
      0);
}

// And it fits the rest of the call.
TEST_F(CommandLine, SuggestionsFitTheCall) {
  install();
  const auto told = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", "MyFused"};
    words.insert(words.end(), more.begin(), more.end());
    const Shown shown = opkit(words);
    EXPECT_NE(shown.exit_code, 0);
    return shown.err;
  };
  EXPECT_THAT(told({"--attr", "epsilon"}), HasSubstr("try: --attr alpha=VALUE"));
  EXPECT_THAT(told({"--attr", "0.5"}), HasSubstr("try: --attr alpha=0.5"));
  EXPECT_THAT(told({"--attr", "epsilon=2"}), HasSubstr("try: --attr alpha=2"));
  EXPECT_THAT(told({"--shape", "q=4,8"}), HasSubstr("try: --shape x=4,8"));
  std::string doubles = npy_header("<f8", "3,");
  std::string columns = npy_header("<f4", "1, 3");
  columns.replace(columns.find("False"), 5, "True ");
  for (const double value : {1.0, 2.5, -3.0})
    doubles.append(reinterpret_cast<const char*>(&value), sizeof value);
  columns.append(12, '\0');
  write("wide.npy", doubles);
  write("columns.npy", columns);
  write("y.npy", float_npy({1, 1, 1}));
  // float16 comes first in the contract, and goes with no y that the call has.
  EXPECT_THAT(told({"--in", "x=wide.npy", "--in", "y=y.npy"}),
              HasSubstr("try: --dtype x=float32 (rounds"));
  EXPECT_THAT(
      told({"--in", "x=columns.npy"}),
      HasSubstr(
          "numpy.save(\"columns.npy\", numpy.ascontiguousarray(numpy.load(\"columns.npy\")))"));
  const Shown part = opkit({"test", "MyFused", "--d", "A=3"});
  EXPECT_EQ(part.exit_code, 2);
  EXPECT_THAT(part.err, HasSubstr("try: --d A=3,B=3"));
  EXPECT_EQ(opkit({"test", "MyFused", "--d", "A=3,B=3"}).exit_code, 0);
}

// What cannot be written is refused before anything runs; what is no file is written into.
TEST_F(CommandLine, OutputFilesAreCheckedFirstAndNeverReplaced) {
  install();
  const Shown report = opkit({"test", "MyFused", "--tier", "smoke", "--html", "none/r.html"});
  EXPECT_EQ(report.exit_code, 3);
  EXPECT_THAT(report.err, HasSubstr("OPK-FILE-004"));
  EXPECT_EQ(report.out, "");
  EXPECT_EQ(opkit({"test", "MyFused", "--junit", "none/r.xml"}).exit_code, 3);
  const auto run = [&](const std::string& target) {
    return opkit({"run", "MyFused", "--shape", "x=8", "--shape", "y=8", "--out", "z=" + target});
  };
  EXPECT_EQ(run("none/z.npy").exit_code, 3);
  write("real.npy", "old");
  fs::create_symlink("real.npy", path("link.npy"));
  EXPECT_EQ(run("link.npy").exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(path("link.npy")));
  EXPECT_NE(read("real.npy"), "old");
  EXPECT_EQ(run("/dev/null").exit_code, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// Ctrl-C in the middle: a report of what was done, no verdict, the shell's exit code.
TEST_F(CommandLine, AnInterruptedTestHasNoVerdict) {
  install();
  const Shown shown = run_program({"timeout", "--preserve-status", "-s", "INT", "3", opkit_binary(),
                                   "test", "MyFused", "--tier", "nightly", "--junit", "part.xml"},
                                  folder_, variables_);
  EXPECT_EQ(shown.exit_code, 130) << shown.out << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("INTERRUPTED"), HasSubstr("this is no verdict"),
                               Not(HasSubstr("PASSED ("))));
  EXPECT_THAT(read("part.xml"), HasSubstr("errors=\"1\""));
}

TEST_F(CommandLine, EnvironmentVariablesNameTheOpp) {
  variables_["ASCEND_OPP_PATH"] = path("elsewhere").string();
  install();
  EXPECT_TRUE(fs::exists(path("elsewhere/vendors/acme/op_pkg/MyFused/1.0.0/manifest.yaml")));
  EXPECT_THAT(opkit({"list"}).out, HasSubstr("elsewhere"));
  EXPECT_THAT(opkit({"list", "--opp", "other"}).out, HasSubstr("no op is installed in other"));
}

}  // namespace
}  // namespace opkit::e2e
