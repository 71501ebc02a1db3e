// What a plugin can do at each stage of its life, against each command: the expected and the
// observed outcome. A command neither crashes nor hangs, says what happened with a stable code, is
// never green without a verdict, and its stdout stays its own.
#include <gmock/gmock.h>
#include <signal.h>

#include <array>

#include "tests/e2e/run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Codes that may explain an act; the first word of the answer.
struct Act {
  const char* name;
  std::vector<const char*> codes;  // any of them; empty: the act is harmless, the command succeeds
};

const std::vector<Act>& acts() {
  static const std::vector<Act> kActs = {
      {"segv", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"abort", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"exit", {"OPK-WORKER-003", "OPK-PLUGIN-010"}},
      {"_exit", {"OPK-WORKER-003", "OPK-PLUGIN-010"}},
      {"throw", {"OPK-WORKER-007", "OPK-TILE-004", "OPK-PLUGIN-010"}},
      {"throw_int", {"OPK-WORKER-007", "OPK-TILE-004", "OPK-PLUGIN-010"}},
      {"loop", {"OPK-WORKER-004", "OPK-PLUGIN-011"}},
      {"sleep", {"OPK-WORKER-004", "OPK-PLUGIN-011"}},
      {"stop", {"OPK-WORKER-004", "OPK-PLUGIN-011"}},
      {"recurse", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"null", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"divide", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"far", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"trap", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},
      {"print", {"OPK-WORKER-008", "OPK-PLUGIN-010"}},
      {"close", {"OPK-WORKER-003", "OPK-PLUGIN-010"}},
      {"fork", {"OPK-WORKER-002", "OPK-PLUGIN-010"}},  // refused: the plugin aborts
      {"kill_parent", {}},
      {"kill_group", {}},
      {"kill_all", {}},
      {"write_file", {}}};
  return kActs;
}

const char* const kStages[] = {"constructor", "infer", "tile", "kernel", "destructor"};

struct Verb {
  const char* name;
  std::vector<std::string> words;
};

const std::vector<Verb>& verbs() {
  static const std::vector<std::string> kCall = {"--shape", "x=1000",       "--shape",
                                                 "y=1000",  "--time-limit", "2"};
  const auto with_call = [](const char* verb) {
    std::vector<std::string> words = {verb, OPKIT_HOSTILE_PACKAGE};
    words.insert(words.end(), kCall.begin(), kCall.end());
    return words;
  };
  static const std::vector<Verb> kVerbs = {
      {"run", with_call("run")},
      {"tile", with_call("tile")},
      {"profile", with_call("profile")},
      {"test",
       {"test", OPKIT_HOSTILE_PACKAGE, "--d", "S=1000", "--data", "uniform", "--soc", "Ascend910B1",
        "--no-shrink", "--time-limit", "2"}},
      {"install", {"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp", "--force"}}};
  return kVerbs;
}

// Whether a command comes to a stage.
bool reaches(const std::string& verb, const std::string& stage) {
  // A library that no command has seen is probed: loaded and unloaded.
  if (stage == "constructor" || stage == "destructor") return true;
  if (verb == "install") return false;
  if (verb == "tile") return stage != "kernel";
  return true;
}

// What the plugin prints is on stdout only where the report quotes the end of it.
bool is_quoted(const std::string& out) {
  const std::string words = "it printed: ";
  const size_t at = out.find("xxxxxxxx");
  return at == std::string::npos ||
         (at >= words.size() && out.compare(at - words.size(), words.size(), words) == 0);
}

// Without --time-limit the probe waits for ten seconds: once is enough.
bool takes_ten_seconds(const Verb& verb, const std::string& stage, const Act& act) {
  const bool never_ends = std::string(act.codes.empty() ? "" : act.codes[0]) == "OPK-WORKER-004";
  return never_ends && std::string(verb.name) == "install" &&
         (stage == "constructor" || stage == "destructor") && std::string(act.name) != "loop";
}

class FaultMatrix : public OpkitTest {
 protected:
  Shown act(const Verb& verb, const std::string& stage, const std::string& act) {
    variables_["OPKIT_HOSTILE"] = stage + ":" + act;
    variables_["OPKIT_HOSTILE_TRACE"] = (folder_ / "trace").string();
    variables_["OPKIT_CACHE_DIR"] = (folder_ / ("cache-" + stage + act + verb.name)).string();
    return opkit(verb.words);
  }

  void judge(const Verb& verb, const std::string& stage, const Act& told) {
    SCOPED_TRACE(std::string(verb.name) + ", " + stage + ": " + told.name);
    const Shown shown = act(verb, stage, told.name);
    const bool expects_error = !told.codes.empty() && reaches(verb.name, stage);
    // Not a signal (128 and more), and green only with a verdict.
    EXPECT_EQ(shown.exit_code, expects_error ? 1 : 0) << shown.out << shown.err;
    if (expects_error) {
      bool named = false;
      for (const char* code : told.codes)
        named = named || (shown.out + shown.err).find(code) != std::string::npos;
      EXPECT_TRUE(named) << shown.out << shown.err;
    } else if (std::string(verb.name) == "test") {
      EXPECT_THAT(shown.out, HasSubstr("PASSED"));
    }
    EXPECT_TRUE(is_quoted(shown.out)) << "the plugin wrote to stdout: " << shown.out.substr(0, 500);
    EXPECT_LT(shown.out.size(), 1u << 16);
    EXPECT_LT(shown.err.size(), 1u << 20);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "trace.written"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "trace.forked"));
  }

  void judge_stage(const std::string& stage) {
    for (const Verb& verb : verbs()) {
      for (const Act& one : acts()) {
        if (!takes_ten_seconds(verb, stage, one)) judge(verb, stage, one);
      }
    }
  }
};

TEST_F(FaultMatrix, Constructor) { judge_stage(kStages[0]); }
TEST_F(FaultMatrix, Infer) { judge_stage(kStages[1]); }
TEST_F(FaultMatrix, Tile) { judge_stage(kStages[2]); }
TEST_F(FaultMatrix, Kernel) { judge_stage(kStages[3]); }
TEST_F(FaultMatrix, Destructor) { judge_stage(kStages[4]); }

// A local array that is larger than a core's stack; host functions have the process's own.
TEST_F(FaultMatrix, AKernelsLargeArrayIsTold) {
  for (size_t v : {0u, 2u, 3u}) judge(verbs()[v], "kernel", {"stack", {"OPK-WORKER-002"}});
}

TEST_F(FaultMatrix, ATilingFunctionsWildAnswersAreRefused) {
  for (size_t v : {0u, 1u, 2u, 3u}) {
    judge(verbs()[v], "tile", {"blocks", {"OPK-TILE-011"}});
    judge(verbs()[v], "tile", {"past_tiling", {"OPK-TILE-006"}});
    judge(verbs()[v], "tile", {"memory", {"OPK-WORKER-009", "OPK-WORKER-002", "OPK-WORKER-004"}});
  }
  for (size_t v : {0u, 2u, 3u}) judge(verbs()[v], "tile", {"workspace", {"OPK-WORKER-009"}});
}

TEST_F(FaultMatrix, AKernelThatLeavesItsMemoryIsToldTheByte) {
  for (size_t v : {0u, 2u, 3u}) {
    for (const char* name : {"past_output", "write_input"})
      judge(verbs()[v], "kernel", {name, {"OPK-WORKER-005"}});
    judge(verbs()[v], "kernel", {"beside_output", {"OPK-WORKER-010", "OPK-WORKER-005"}});
  }
  EXPECT_THAT(act(verbs()[0], "kernel", "past_output").err,
              HasSubstr("behind the end of output 'z' (of 4000 bytes)"));
  EXPECT_THAT(act(verbs()[0], "kernel", "write_input").err, HasSubstr("byte 3 of input 'x'"));
}

TEST_F(FaultMatrix, SaysTheLineAndTheBlock) {
  const Shown shown = act(verbs()[0], "kernel", "null");
  EXPECT_THAT(shown.err, HasSubstr("hostile.h:"));
  EXPECT_THAT(shown.err, HasSubstr(", block "));  // whichever of them failed first
  EXPECT_THAT(shown.err, HasSubstr("a null pointer"));
}

// Whichever way the package is named, and whichever of two threads fails first.
TEST_F(FaultMatrix, SaysTheLineOfAPackageBehindALink) {
  std::filesystem::create_directory_symlink(OPKIT_HOSTILE_PACKAGE, path("linked"));
  Verb verb = verbs()[0];
  verb.words[1] = "linked";
  for (int again = 0; again < 20; ++again)
    ASSERT_THAT(act(verb, "kernel", "null").err, HasSubstr("hostile.h:"));
}

// The whole of a run is lost to nobody: every problem has a verdict, in JSON and by exit code.
TEST_F(FaultMatrix, ATestCountsTheProblemAndGoesOn) {
  variables_["OPKIT_HOSTILE"] = "kernel:exit";
  const auto report = opkit_json({"test", OPKIT_HOSTILE_PACKAGE, "--tier", "smoke", "--random", "1",
                                  "--max-failures", "2", "--soc", "Ascend910B1"},
                                 1);
  EXPECT_EQ(report.at("verdict"), "FAILED");
  EXPECT_GE(report.at("failures").size(), 1u);
  EXPECT_THAT(report.at("failures").at(0).dump(), HasSubstr("OPK-WORKER-003"));
  EXPECT_THAT(report.at("failures").at(0).dump(), HasSubstr("S=0 "));  // made as small as it can be
}

// Problems that would only wait again are not run.
TEST_F(FaultMatrix, ATestEndsAfterThreeTimeOuts) {
  variables_["OPKIT_HOSTILE"] = "kernel:loop";
  const auto report = opkit_json({"test", OPKIT_HOSTILE_PACKAGE, "--tier", "smoke", "--soc",
                                  "Ascend910B1", "--no-shrink", "--time-limit", "1"},
                                 1);
  EXPECT_EQ(report.at("verdict"), "FAILED");
  EXPECT_EQ(report.at("counts").at("FAILED"), 3);
  EXPECT_GT(report.at("not_run"), 0);
  EXPECT_THAT(report.at("notes").dump(),
              HasSubstr("the run ended here: 3 problems got no answer in time (the kernel)"));
}

// Three runs that crash, and the registry stops at the package; release lets it go.
TEST_F(FaultMatrix, CrashesThatComeAgainAreAQuarantine) {
  variables_["OPKIT_CACHE_DIR"] = (folder_ / "cache").string();
  ASSERT_EQ(opkit({"install", OPKIT_HOSTILE_PACKAGE, "--opp", "opp"}).exit_code, 0);
  const std::string op = opkit_json({"list", "--opp", "opp"}).at("packages").at(0).at("op");
  const std::vector<std::string> call = {"run",     op,    "--opp",   "opp",
                                         "--shape", "x=8", "--shape", "y=8"};
  variables_["OPKIT_HOSTILE"] = "kernel:abort";
  for (int i = 0; i < 3; ++i) EXPECT_THAT(opkit(call).err, HasSubstr("OPK-WORKER-002"));
  variables_["OPKIT_HOSTILE"] = "";
  const Shown refused = opkit(call);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("OPK-PLUGIN-014"));
  EXPECT_THAT(refused.err, HasSubstr("opkit release " + op));
  for (const std::vector<std::string>& words : {std::vector<std::string>{"list", "--opp", "opp"},
                                                {"why", op, "--opp", "opp"},
                                                {"doctor", "--opp", "opp"}})
    EXPECT_THAT(opkit(words).out, HasSubstr("in quarantine after 3 crashes")) << words[0];
  EXPECT_EQ(opkit_json({"release", op, "--opp", "opp"}).at("packages").at(0).at("released"), true);
  EXPECT_EQ(opkit(call).exit_code, 0);
}

// In this process only where asked, and said.
TEST_F(FaultMatrix, ReportsSayWhereThePluginRan) {
  const std::vector<std::string> call = {"run", OPKIT_HOSTILE_PACKAGE, "--shape", "x=8", "--shape",
                                         "y=8"};
  EXPECT_EQ(opkit_json(call).at("runs"), "in a worker");
  std::vector<std::string> here = call;
  here.push_back("--in-process");
  EXPECT_EQ(opkit_json(here).at("runs"), "in this process");
}

}  // namespace
}  // namespace opkit::e2e
