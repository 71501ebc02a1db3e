// What a plugin can do at each stage of its life, against each command: the expected and the
// observed outcome, as a table. A command neither crashes nor hangs, says what happened with a
// stable code, is never green without a verdict, loses nothing, and its stdout stays its own.
// OPKIT_FAULT_MATRIX=whole judges every act at every stage under every command, which takes a
// minute of a processor; without it each act at each stage is judged under one command, in turn.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <iostream>
#include <mutex>
#include <thread>

#include "tests/e2e/run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

// How an act ends, where a command comes to it.
enum class Ending {
  kHarmless,
  kDies,
  kThrows,
  kExits,
  kHangs,
  kFloods,
  kCloses,
  kUnwinds,   // its own thread: nobody is left to answer, or a catch (...) ends the process
  kDeclines,  // the op is not what it is said to be
};

struct Act {
  std::string name;
  Ending ending;
};

// Sanitizers see some acts first, and end the process themselves.
#if defined(__SANITIZE_ADDRESS__)
constexpr Ending kHugeAllocation = Ending::kExits, kJump = Ending::kDies;
constexpr Ending kDoubleFree = Ending::kExits;
#elif defined(__SANITIZE_THREAD__)  // and that one hands memory out again that was freed twice
constexpr Ending kHugeAllocation = Ending::kExits, kJump = Ending::kExits;
#else
constexpr Ending kHugeAllocation = Ending::kThrows, kJump = Ending::kDies;
constexpr Ending kDoubleFree = Ending::kDies;
#endif

const std::vector<Act>& acts() {
  using enum Ending;
  static const std::vector<Act> kActs = {
    {"read_null", kDies},
    {"write_null", kDies},
    {"call_null", kDies},
    {"far", kDies},
    {"write_code", kDies},
    {"divide", kDies},
    {"trap", kDies},
    {"abort", kDies},
    {"raise", kDies},
    {"kill_self", kDies},
    {"deaf", kDies},
    {"recurse", kDies},
#if !defined(__SANITIZE_THREAD__)
    {"free_twice", kDoubleFree},
#endif
    {"longjmp", kJump},
    {"stack", kDies},
    {"terminate", kThrows},
    {"throw", kThrows},
    {"throw_int", kThrows},
    {"no_memory", kHugeAllocation},
    {"exit", kExits},
    {"exit_1", kExits},
    {"_exit", kExits},
    {"lie", kExits},
    {"end_thread", kUnwinds},
    {"loop", kHangs},
    {"sleep", kHangs},
    {"stop", kHangs},
    {"print", kFloods},
    {"close", kCloses},
    {"mailbox", kCloses},
    {"close_std", kHarmless},
    {"json", kHarmless},
    {"fork", kHarmless},
    {"exec", kHarmless},
    {"kill_parent", kHarmless},
    {"kill_all", kHarmless},
    {"ptrace", kHarmless},
    {"rlimit", kHarmless},
    {"files", kHarmless},
    {"modes", kHarmless},
    {"socket", kHarmless},
    {"inputs", kHarmless},
    {"map", kHarmless},
    {"left_thread", kHarmless},
    {"environment", kHarmless}
  };
  return kActs;
}

// Any of them explains the ending.
Words codes_of(Ending ending) {
  switch (ending) {
    case Ending::kHarmless: return {};
    case Ending::kDies: return {"OPK-WORKER-002", "OPK-PLUGIN-010"};
    case Ending::kExits: return {"OPK-WORKER-003", "OPK-PLUGIN-010"};
    case Ending::kThrows: return {"OPK-WORKER-007", "OPK-TILE-004", "OPK-PLUGIN-010"};
    case Ending::kHangs: return {"OPK-WORKER-004", "OPK-PLUGIN-011"};
    case Ending::kFloods: return {"OPK-WORKER-008", "OPK-PLUGIN-010"};
    case Ending::kUnwinds:
      return {"OPK-WORKER-003", "OPK-WORKER-002", "OPK-WORKER-007", "OPK-PLUGIN-010"};
    case Ending::kDeclines: return {"OPK-DECL-001"};
    case Ending::kCloses: return {"OPK-WORKER-003", "OPK-WORKER-006", "OPK-PLUGIN-010"};
  }
  return {};
}

const Words kStages = {"constructor", "query",  "infer_shape", "infer_dtype",
                       "tile",        "kernel", "thread",      "destructor"};
const Words kVerbs = {"install", "run", "test", "profile", "tile"};

Words words_of(const std::string& verb) {
  const std::string package = OPKIT_HOSTILE_PACKAGE;
  if (verb == "install") return {verb, package, "--opp", "opp"};
  if (verb == "test")
    return {verb,      package, "--d",         "S=1000",     "--data",
            "uniform", "--soc", "Ascend910B1", "--no-shrink"};
  return {verb, package, "--shape", "x=1000", "--shape", "y=1000"};
}

// Tells whether a command comes to a stage. Libraries are unloaded by probes alone.
bool reaches(const std::string& verb, const std::string& stage) {
  if (stage == "constructor" || stage == "query" || stage == "destructor") return true;
  if (verb == "install") return false;
  return verb != "tile" || (stage != "kernel" && stage != "thread");
}

Ending ending_at(const std::string& stage, const std::string& verb, const Act& act) {
  // What leaves the constructor of an OpDef is caught, and kept for whoever wants to call the op.
  if (stage == "query" && act.ending == Ending::kThrows && act.name != "terminate")
    return verb == "install" ? Ending::kHarmless : Ending::kDeclines;
  if (stage == "thread" && act.ending == Ending::kUnwinds) return Ending::kHarmless;
  // Only a core's stack is small.
  if (act.name == "stack" && stage != "kernel") return Ending::kHarmless;
  return act.ending;
}

// Tells whether what the plugin prints is on stdout only where the report quotes the end of it.
bool quotes_only(const std::string& out, const std::string& text) {
  const std::string before = "it printed: ";
  const size_t at = out.find(text);
  return at == std::string::npos ||
         (at >= before.size() && out.compare(at - before.size(), before.size(), before) == 0);
}

struct Cell {
  std::string stage, act, verb;
  Words codes;  // none: the command succeeds
  Shown shown;
  std::string wrong;  // empty: as expected

  std::string expected() const {
    std::string text = codes.empty() ? "succeeds" : "";
    for (const std::string& code : codes) text += (text.empty() ? "" : " or ") + code;
    return text;
  }
  // The first stable code, or how the command ended.
  std::string observed() const {
    const std::string all = shown.out + shown.err;
    for (const std::string& code : codes)
      if (all.find(code) != std::string::npos) return code;
    const size_t at = all.find("OPK-");
    if (shown.exit_code == 1 && at != std::string::npos)
      return all.substr(at, all.find_first_of(": \n", at) - at);
    return shown.exit_code == 0 ? "succeeds" : "exit code " + std::to_string(shown.exit_code);
  }
};

// Looks for processes by what their environment holds.
bool somebody_runs_with(const std::string& text) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    const std::string all(std::istreambuf_iterator<char>(file), {});
    if (all.find(text) != std::string::npos) return true;
  }
  return false;
}

class FaultMatrix : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    variables_["OPKIT_CACHE_DIR"] = path("warm").string();
    const Shown shown = opkit(words_of("run"));
    ASSERT_EQ(shown.exit_code, 0);
    confined_ = shown.err.find("OPK-WORKER-011") == std::string::npos;
  }

  // With a cache that knows the plugin as one that behaves in the probe, or with none.
  Shown run(Words words, const std::string& act, const std::string& name, bool warm) {
    const fs::path folder = path(name);
    fs::create_directories(folder);
    if (warm) fs::copy(path("warm"), folder / "cache", fs::copy_options::recursive);
    std::ofstream(folder / "victim") << "here";
    std::map<std::string, std::string> variables = variables_;
    variables["OPKIT_HOSTILE"] = act;
    variables["OPKIT_HOSTILE_VICTIM"] = (folder / "victim").string();
    variables["OPKIT_CACHE_DIR"] = (folder / "cache").string();
    words.insert(words.begin(), {"timeout", "-s", "KILL", "100", opkit_binary()});
    return run_program(words, folder, variables);
  }

  void fill(Cell& cell) {
    Words words = words_of(cell.verb);
    const bool waits = std::count(cell.codes.begin(), cell.codes.end(), "OPK-WORKER-004") > 0;
    if (waits) words.insert(words.end(), {"--time-limit", "0.3"});
    const std::string name = cell.stage + "-" + cell.act + "-" + cell.verb;
    cell.shown = run(words, cell.stage + ":" + cell.act, name,
                     cell.verb != "install" && cell.stage != "destructor");
    cell.wrong = judged(cell, path(name));
    if (cell.wrong.empty()) fs::remove_all(path(name));
  }

  static std::string judged(const Cell& cell, const fs::path& folder) {
    const Shown& shown = cell.shown;
    const std::string all = shown.out + shown.err;
    const auto has = [](const std::string& text, const std::string& part) {
      return text.find(part) != std::string::npos;
    };
    // Not a signal (128 and more), not the end of patience (124, 137), and green only with a
    // verdict.
    if (shown.exit_code != (cell.codes.empty() ? 0 : 1)) return "exit code";
    if (!cell.codes.empty() && std::none_of(cell.codes.begin(), cell.codes.end(),
                                            [&](const auto& code) { return has(all, code); }))
      return "no such code";
    const bool judges = cell.verb == "test" && has(shown.out, "Hostile 1.0.0 on");
    if (judges && !has(shown.out, cell.codes.empty() ? "1 PASSED" : "1 FAILED")) return "verdict";
    if (cell.verb == "test" && !judges && cell.codes.empty()) return "no verdict";
    if (!quotes_only(shown.out, "xxxxxxxx") || !quotes_only(shown.out, "by the plugin"))
      return "foreign text on stdout";
    if (shown.out.size() > 1u << 16 || shown.err.size() > 1u << 20) return "endless output";
    const fs::path installed = folder / "opp/vendors/test/op_pkg/Hostile/1.0.0";
    if (cell.verb == "install" && fs::exists(installed) != cell.codes.empty()) return "installed";
    return spoilt(folder);
  }

  static std::string spoilt(const fs::path& folder) {
    std::error_code failure;
    const fs::path victim = folder / "victim";
    if (fs::file_size(victim, failure) != 4 || failure) return "a file was spoilt";
    if (access(victim.c_str(), R_OK | W_OK) != 0) return "a file's mode was spoilt";
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      if (name.rfind("victim.", 0) == 0) return "a file was made: " + name;
    }
    return {};
  }

  // Side by side: most of them wait, for workers and for patience to end.
  void fill(std::vector<Cell>& cells) {
    std::atomic<size_t> next{0};
    std::vector<std::thread> lanes;
    for (int lane = 0; lane < 4; ++lane)
      lanes.emplace_back([&] {
        for (size_t i = next++; i < cells.size(); i = next++) fill(cells[i]);
      });
    for (std::thread& lane : lanes) lane.join();
  }

  // Returns the commands that come to the stage: all, or the one whose turn it is.
  static Words verbs_of(const std::string& stage, size_t turn) {
    Words verbs;
    for (const std::string& verb : kVerbs)
      if (reaches(verb, stage)) verbs.push_back(verb);
    const char* said = std::getenv("OPKIT_FAULT_MATRIX");
    if (said && said == std::string("whole")) return verbs;
    return {verbs[turn % verbs.size()]};
  }

  std::vector<Cell> cells_of(const std::string& stage) const {
    std::vector<Cell> cells;
    auto turn =
        static_cast<size_t>(std::find(kStages.begin(), kStages.end(), stage) - kStages.begin());
    for (const Act& act : acts()) {
      for (const std::string& verb : verbs_of(stage, turn++))
        cells.push_back({stage, act.name, verb, codes_of(ending_at(stage, verb, act)), {}, {}});
    }
    // Where a command does not come, no act is asked for: one stands for all.
    for (const std::string& verb : kVerbs)
      if (!reaches(verb, stage)) cells.push_back({stage, "abort", verb, {}, {}, {}});
    return cells;
  }

  static void show(const std::vector<Cell>& cells) {
    std::string row;
    for (const Cell& cell : cells) {
      const std::string name = cell.stage + ", " + cell.act + " (" + cell.expected() + "):";
      if (name != row) std::cout << "\n" << name;
      std::cout << " " << cell.verb << " " << cell.observed()
                << (cell.wrong.empty() ? "" : " WRONG: " + cell.wrong) << ";";
      row = name;
    }
    const auto right = std::count_if(cells.begin(), cells.end(),
                                     [](const Cell& cell) { return cell.wrong.empty(); });
    std::cout << "\n" << right << " of " << cells.size() << " outcomes as expected\n";
  }

  void judge_stage(const std::string& stage) {
    if (!confined_) GTEST_SKIP() << "this host cannot confine plugins";
    std::vector<Cell> cells = cells_of(stage);
    fill(cells);
    show(cells);
    for (const Cell& cell : cells) {
      EXPECT_EQ(cell.wrong, "") << cell.stage << ", " << cell.act << ", " << cell.verb
                                << ": expected " << cell.expected() << ", observed "
                                << cell.observed() << "\n"
                                << cell.shown.out.substr(0, 2000) << cell.shown.err.substr(0, 2000);
    }
    EXPECT_FALSE(somebody_runs_with("OPKIT_HOSTILE_VICTIM=" + folder_.string()));
  }

  // One act with one of several commands.
  void judge(const std::string& stage, const std::string& act, const Words& codes,
             const Words& verbs) {
    for (const std::string& verb : verbs) {
      Cell cell{stage, act, verb, codes, {}, {}};
      fill(cell);
      EXPECT_EQ(cell.wrong, "") << stage << ", " << act << ", " << verb << ": expected "
                                << cell.expected() << ", observed " << cell.observed() << "\n"
                                << cell.shown.out << cell.shown.err;
    }
  }

  Shown act(const std::string& verb, const std::string& said) {
    variables_["OPKIT_HOSTILE"] = said;
    return opkit(words_of(verb));
  }

  bool confined_ = false;
};

TEST_F(FaultMatrix, Constructor) { judge_stage(kStages[0]); }
TEST_F(FaultMatrix, Query) { judge_stage(kStages[1]); }
TEST_F(FaultMatrix, InferShape) { judge_stage(kStages[2]); }
TEST_F(FaultMatrix, InferDtype) { judge_stage(kStages[3]); }
TEST_F(FaultMatrix, Tile) { judge_stage(kStages[4]); }
TEST_F(FaultMatrix, Kernel) { judge_stage(kStages[5]); }
TEST_F(FaultMatrix, ThreadOfAKernel) { judge_stage(kStages[6]); }
TEST_F(FaultMatrix, Destructor) { judge_stage(kStages[7]); }

const Words kWithTiling = {"run", "test", "profile", "tile"};
const Words kWithLaunch = {"run", "test", "profile"};

TEST_F(FaultMatrix, ATilingFunctionsWildAnswersAreRefused) {
  judge("tile", "blocks", {"OPK-TILE-011"}, kWithTiling);
  judge("tile", "no_blocks", {"OPK-TILE-008"}, kWithTiling);
  judge("tile", "data_size", {"OPK-TILE-005"}, kWithTiling);
  judge("tile", "past_tiling", {"OPK-TILE-006"}, kWithTiling);
  judge("tile", "workspace", {"OPK-WORKER-009"}, kWithLaunch);
  judge("tile", "workspace_63", {"OPK-TILE-007"}, kWithTiling);
}

TEST_F(FaultMatrix, WildAnswersOfInferenceAreRefused) {
  judge("infer_shape", "negative", {"OPK-TILE-021"}, kWithTiling);
  for (const char* act : {"huge", "another"})
    judge("infer_shape", act, {"OPK-TILE-023"}, kWithTiling);
  judge("infer_dtype", "another", {"OPK-TILE-023"}, kWithTiling);
  judge("infer_shape", "fickle", {"OPK-TILE-023"}, {"test"});
}

TEST_F(FaultMatrix, AKernelThatLeavesItsMemoryIsToldTheByte) {
  for (const char* act : {"past_output", "write_input", "write_tiling"})
    judge("kernel", act, {"OPK-WORKER-005"}, kWithLaunch);
  judge("kernel", "beside_output", {"OPK-WORKER-010", "OPK-WORKER-005"}, kWithLaunch);
  EXPECT_THAT(act("run", "kernel:past_output").err,
              HasSubstr("behind the end of output 'z' (of 4000 bytes)"));
  EXPECT_THAT(act("run", "kernel:write_input").err, HasSubstr("byte 3 of input 'x'"));
}

TEST_F(FaultMatrix, SaysTheLineAndTheBlock) {
  const Shown shown = act("run", "kernel:write_null");
  EXPECT_THAT(shown.err, HasSubstr("hostile.h:"));
  EXPECT_THAT(shown.err, HasSubstr(", block "));  // whichever of them failed first
  EXPECT_THAT(shown.err, HasSubstr("a null pointer"));
}

// Whichever way the package is named, and whichever of two threads fails first.
TEST_F(FaultMatrix, SaysTheLineOfAPackageBehindALink) {
  fs::create_directory_symlink(OPKIT_HOSTILE_PACKAGE, path("linked"));
  variables_["OPKIT_HOSTILE"] = "kernel:write_null";
  Words words = words_of("run");
  words[1] = "linked";
  for (int again = 0; again < 10; ++again) ASSERT_THAT(opkit(words).err, HasSubstr("hostile.h:"));
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
                                  "Ascend910B1", "--no-shrink", "--time-limit", "0.3"},
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
  const Words call = {"run", op, "--opp", "opp", "--shape", "x=8", "--shape", "y=8"};
  variables_["OPKIT_HOSTILE"] = "kernel:abort";
  for (int i = 0; i < 3; ++i) EXPECT_THAT(opkit(call).err, HasSubstr("OPK-WORKER-002"));
  variables_["OPKIT_HOSTILE"] = "";
  const Shown refused = opkit(call);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("OPK-PLUGIN-014"));
  EXPECT_THAT(refused.err, HasSubstr("opkit release " + op));
  for (const Words& words :
       {Words{"list", "--opp", "opp"}, {"why", op, "--opp", "opp"}, {"doctor", "--opp", "opp"}})
    EXPECT_THAT(opkit(words).out, HasSubstr("in quarantine after 3 crashes")) << words[0];
  EXPECT_EQ(opkit_json({"release", op, "--opp", "opp"}).at("packages").at(0).at("released"), true);
  EXPECT_EQ(opkit(call).exit_code, 0);
}

// Where there is no worker, exit() is an error still.
TEST_F(FaultMatrix, ExitInThisProcessIsNoSuccess) {
  variables_["OPKIT_HOSTILE"] = "kernel:exit";
  const Words call = {"run",    OPKIT_HOSTILE_PACKAGE, "--shape", "x=1000", "--shape",
                      "y=1000", "--in-process"};
  const Shown shown = opkit(call);
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, HasSubstr("OPK-CLI-041"));
  EXPECT_THAT(shown.err, HasSubstr("ended this process with exit(0), without an answer"));
  Words json = call;
  json.push_back("--json");
  EXPECT_EQ(opkit_json(json, 1).at("error").at("code"), "OPK-CLI-041");
}

// In this process only where asked, and said.
TEST_F(FaultMatrix, ReportsSayWhereThePluginRan) {
  const Words call = {"run", OPKIT_HOSTILE_PACKAGE, "--shape", "x=8", "--shape", "y=8"};
  EXPECT_EQ(opkit_json(call).at("runs"), "in a worker");
  Words here = call;
  here.push_back("--in-process");
  EXPECT_EQ(opkit_json(here).at("runs"), "in this process");
}

}  // namespace
}  // namespace opkit::e2e
