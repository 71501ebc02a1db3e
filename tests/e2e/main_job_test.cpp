// The main job: scaffold, build, install, test, run; wrong kernels are found.
#include <cmath>
#include <sstream>

#include "built_project.h"
#include "npy.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKernel = "my_fused/op_kernel/my_fused.cpp";
constexpr const char* kLoops = "my_fused/op_kernel/elementwise.h";

class MainJob : public BuiltProject {
 protected:
  // Builds an edited copy and returns what a test of it says.
  Shown test_edited(const char* file, const std::string& from, const std::string& to) {
    edit(file, from, to);
    const Shown built = opkit({"build", "my_fused"});
    EXPECT_EQ(built.exit_code, 0);
    return opkit(
        {"test", "my_fused", "--soc", "Ascend910B1", "--tier", "smoke", "--max-failures", "1"});
  }
};

// The command of the line "reproduce: opkit test ...", as words.
std::vector<std::string> reproducer(const std::string& report) {
  const size_t at = report.find("reproduce: opkit ");
  if (at == std::string::npos) return {};
  std::istringstream line(report.substr(at + 17, report.find('\n', at) - at - 17));
  std::vector<std::string> words;
  for (std::string word; line >> word;) {
    std::erase(word, '\'');  // works as a shell does: no word of it holds a blank
    words.push_back(word);
  }
  return words;
}

TEST_F(MainJob, AnOpIsScaffoldedBuiltInstalledTestedAndRun) {
  EXPECT_THAT(made_->out, AllOf(HasSubstr("made my_fused"), HasSubstr("op_kernel/my_fused.cpp")));
  EXPECT_THAT(build_->out, HasSubstr("MyFused 1.0.0 of acme"));
  EXPECT_THAT(build_->err, HasSubstr("build my_fused: compiling"));
  EXPECT_THAT(opkit({"install", "my_fused"}).out, HasSubstr("installed MyFused 1.0.0 of acme"));
  EXPECT_THAT(opkit({"list"}).out, AllOf(HasSubstr("MyFused"), HasSubstr("chosen")));
  EXPECT_THAT(opkit({"why", "MyFused"}).out, HasSubstr("uses MyFused 1.0.0 of acme"));
  EXPECT_EQ(opkit({"verify"}).exit_code, 0);
  const Shown tested = opkit({"test", "MyFused", "--tier", "smoke", "--soc", "Ascend910B1"});
  EXPECT_EQ(tested.exit_code, 0);
  EXPECT_THAT(tested.out, HasSubstr("PASSED"));

  std::vector<float> x, y;
  for (int i = 0; i < 1001; ++i) {
    x.push_back(0.5f * static_cast<float>(i - 500));
    y.push_back(static_cast<float>(i % 7));
  }
  write("x.npy", float_npy(x));
  write("y.npy", float_npy(y));
  const Shown ran = opkit({"run", "MyFused", "--in", "x=x.npy", "--in", "y=y.npy", "--attr",
                           "alpha=0.25", "--out", "z=z.npy"});
  EXPECT_EQ(ran.exit_code, 0);
  const std::vector<float> z = floats_of(read("z.npy"));
  ASSERT_EQ(z.size(), x.size());
  for (size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i], std::fmax(0.25f * x[i] + y[i], 0.0f)) << i;
}

TEST_F(MainJob, GeneratedInputsDependOnTheSeedAlone) {
  install();
  const auto run = [&](const std::string& seed, const std::string& threads) {
    return opkit_json({"run", "MyFused", "--shape", "x=70000", "--shape", "y=70000", "--dtype",
                       "float16", "--seed", seed, "--threads", threads})["outputs"][0]["sha256"];
  };
  const nlohmann::json first = run("7", "1");
  EXPECT_EQ(first, run("7", "2"));
  EXPECT_NE(first, run("8", "1"));
}

TEST_F(MainJob, ArchivesAndCheckedModeWork) {
  install();
  const std::vector<std::string> shapes = {"--shape", "x=100", "--shape", "y=100"};
  std::vector<std::string> words = {"run", "MyFused", "--mode", "checked", "--out", "all.npz"};
  words.insert(words.end(), shapes.begin(), shapes.end());
  const Shown checked = opkit(words);
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_THAT(checked.out, HasSubstr("checked mode"));
  EXPECT_EQ(read("all.npz").substr(0, 2), "PK");
  EXPECT_THAT(opkit({"run", "MyFused", "--in", "all.npz"}).err, HasSubstr("OPK-CLI-007"));
}

// 3e38 + 3e38 is not finite; nothing but the compiler orders Muls, Add and Relu.
TEST_F(MainJob, SwitchesOfCheckedModeAreHeard) {
  install();
  write("x.npy", float_npy(std::vector<float>(64, 3e38f)));
  const auto run = [&](const std::vector<std::string>& switches) {
    std::vector<std::string> words = {"run",     "MyFused", "--mode",  "checked", "--in",
                                      "x=x.npy", "--in",    "y=x.npy", "--attr",  "alpha=1"};
    words.insert(words.end(), switches.begin(), switches.end());
    return opkit(words);
  };
  const Shown plain = run({});
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_THAT(plain.out + plain.err, Not(HasSubstr("EK1")));
  const Shown numerics = run({"--numerics"});
  EXPECT_EQ(numerics.exit_code, 0);
  EXPECT_THAT(numerics.out + numerics.err,
              AllOf(HasSubstr("EK1311 warning"), HasSubstr("Add on V")));
  const Shown order = run({"--no-implied-order"});
  EXPECT_EQ(order.exit_code, 1);
  EXPECT_THAT(order.out + order.err,
              AllOf(HasSubstr("EK1304 error"), HasSubstr("Relu on V"), Not(HasSubstr("EK1311"))));
}

// With the cycles that the launch takes without it.
TEST_F(MainJob, ANeedlessBarrierIsWeighed) {
  edit(kLoops, "DataCopyPad(output_[", "PipeBarrier<PIPE_MTE3>();\n    DataCopyPad(output_[");
  ASSERT_EQ(opkit({"build", "my_fused"}).exit_code, 0);
  install();
  const Shown shown = opkit({"run", "MyFused", "--mode", "checked", "--shape", "x=4194304",
                             "--shape", "y=4194304", "--soc", "Ascend910B1"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out + shown.err, AllOf(HasSubstr("EK1312 warning"), HasSubstr("PipeBarrier"),
                                           HasSubstr("without it this launch would take"),
                                           HasSubstr("cycles instead of")));
}

TEST_F(MainJob, TilingAndInferenceAreShown) {
  install();
  const nlohmann::json tiled = opkit_json(
      {"tile", "MyFused", "--shape", "x=8000", "--shape", "y=8000", "--dtype", "float32"});
  EXPECT_EQ(tiled["tiling_data"].get<std::string>().substr(0, 32),
            "0100000000000000401f000000000000");  // rows, columns
  EXPECT_EQ(tiled["block_dim"], 4);               // what 64000 bytes repay
  EXPECT_THAT(opkit({"infer", "MyFused", "--shape", "x=?,1..64", "--shape", "y=?,1..64"}).out,
              HasSubstr("1..64"));
  const Shown wrong = opkit({"infer", "MyFused", "--shape", "x=3", "--shape", "y=4"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("dims 3 and 4 cannot be broadcast together"));
  EXPECT_THAT(opkit({"infer", "MyFused", "--shape", "q=3"}).err, HasSubstr("OPK-CLI-007"));
  EXPECT_THAT(opkit({"infer", "MyFused", "--shape", "x3"}).err, HasSubstr("OPK-CLI-006"));
  EXPECT_THAT(opkit({"infer", "MyFused", "--shape", "x=3"}).err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(opkit({"infer", "MyFused", "--dtype", "x=flot16"}).err,
              HasSubstr("try: --dtype float16"));
  EXPECT_THAT(opkit({"infer", "MyFused", "--dtype", "int32", "--shape", "x=1"}).err,
              HasSubstr("OPK-CLI-011"));
  EXPECT_THAT(opkit({"tile", "MyFused", "--shape", "x=?", "--shape", "y=?"}).err,
              HasSubstr("OPK-CLI-012"));
}

// No tensor is made: 24 GiB of them are planned, judged and timed.
TEST_F(MainJob, ACallNeedsNoTensorsToBePlannedCheckedAndTimed) {
  install();
  const std::vector<std::string> shapes = {"MyFused",      "--shape", "x=2147483647", "--shape",
                                           "y=2147483647", "--dtype", "float32"};
  const auto with = [&](std::string command, std::vector<std::string> more) {
    more.insert(more.begin(), shapes.begin(), shapes.end());
    more.insert(more.begin(), std::move(command));
    return more;
  };
  const nlohmann::json tiled = opkit_json(with("tile", {"--cost"}));
  EXPECT_EQ(tiled["buffer_bytes"], uint64_t{3} * 4 * 2147483647);
  EXPECT_GT(tiled["cost"]["cycles"], uint64_t{2} * 4 * 2147483647 / 835);
  EXPECT_FALSE(tiled["cost"]["exact"]);
  const nlohmann::json small = opkit_json({"tile", "MyFused", "--shape", "x=8000", "--shape",
                                           "y=8000", "--dtype", "float32", "--cost"});
  const nlohmann::json timed = opkit_json({"run", "MyFused", "--shape", "x=8000", "--shape",
                                           "y=8000", "--dtype", "float32", "--mode", "timed"});
  EXPECT_TRUE(small["cost"]["exact"]);
  EXPECT_EQ(small["cost"]["cycles"], timed["timing"]["cycles"]);
  const nlohmann::json dry = opkit_json({"run", "MyFused", "--shape", "x=8000", "--shape", "y=8000",
                                         "--dtype", "float32", "--mode", "timed", "--dry"});
  EXPECT_EQ(dry["timing"]["cycles"], timed["timing"]["cycles"]);
  EXPECT_TRUE(dry["outputs"].empty());
  const Shown checked = opkit(
      {"run", "MyFused", "--shape", "x=80000", "--shape", "y=80000", "--mode", "checked", "--dry"});
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_THAT(checked.out, HasSubstr("nothing to report"));
  EXPECT_THAT(opkit(with("run", {"--dry"})).err, HasSubstr("OPK-CLI-032"));
}

TEST_F(MainJob, ADroppedReluIsFound) {
  const Shown tested = test_edited(kKernel, "    Relu(z, z, count);\n", "");
  EXPECT_EQ(tested.exit_code, 1);
  EXPECT_THAT(tested.out, AllOf(HasSubstr("FAILED"), HasSubstr("expected 0")));
  EXPECT_THAT(tested.out, AllOf(HasSubstr("tiling:    key 0, "), HasSubstr(", alpha ")));
  const std::vector<std::string> words = reproducer(tested.out);
  ASSERT_GT(words.size(), 2u) << tested.out;
  EXPECT_EQ(words[1], "my_fused");
  const Shown again = opkit(words);
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.out, HasSubstr("1 FAILED"));
}

TEST_F(MainJob, AFieldThatNobodySetsIsNamed) {
  const Shown tested = test_edited("my_fused/op_host/my_fused.cpp",
                                   "tiling->alpha = *context->GetAttrs()->GetFloat(0);", "");
  EXPECT_EQ(tested.exit_code, 1);
  EXPECT_THAT(tested.out, ContainsRegex("alpha 0; fields? .*alpha w.* never set "
                                        "\\(MyFusedTilingData\\)"));
}

TEST_F(MainJob, AShortenedTailIsFound) {
  const Shown tested = test_edited(kLoops, "tiling_.tile_columns, columns - column",
                                   "tiling_.tile_columns, columns - column > 1 ? columns - column "
                                   "- 1 : 1");
  EXPECT_EQ(tested.exit_code, 1);
  EXPECT_THAT(tested.out, AllOf(HasSubstr("FAILED"), HasSubstr("reproduce: opkit test my_fused")));
}

TEST_F(MainJob, ACompilersFirstErrorIsShown) {
  edit(kKernel, "Relu(z, z, count);", "Relu(z, z, cuont);");
  const Shown built = opkit({"build", "my_fused", "--quiet"});
  EXPECT_EQ(built.exit_code, 1);
  EXPECT_THAT(built.err,
              AllOf(HasSubstr("my_fused.cpp:"), HasSubstr("OPK-BUILD-004"), HasSubstr("cuont"),
                    HasSubstr("opkit_build.log"), Not(HasSubstr("compiling\n"))));
  EXPECT_THAT(read("my_fused/build/opkit_build.log"), HasSubstr("cuont"));
}

TEST_F(MainJob, AContractsErrorIsShownBeforeAnythingIsBuilt) {
  edit("my_fused/op_contract.yaml", "reference:", "refrence:");
  const Shown built = opkit({"build", "my_fused"});
  EXPECT_EQ(built.exit_code, 1);
  EXPECT_THAT(built.err, AllOf(HasSubstr("op_contract.yaml:"), HasSubstr("reference")));
  EXPECT_EQ(opkit({"contract", "check", "my_fused"}).exit_code, 1);
}

TEST_F(MainJob, TimesAreModelledAndTraced) {
  install();
  const std::vector<std::string> call = {"MyFused", "--shape", "x=100000", "--shape", "y=100000"};
  std::vector<std::string> words = {"profile", "--trace", "t.json"};
  words.insert(words.end(), call.begin(), call.end());
  const nlohmann::json first = opkit_json(words);
  EXPECT_GT(first["cycles"], 0);
  EXPECT_EQ(first["figures"]["gm_to_ub_bytes"], 400000);  // two inputs of 100000 float16
  EXPECT_EQ(first["figures"]["ub_to_gm_bytes"], 200000);
  EXPECT_EQ(opkit_json(words), first);
  const nlohmann::json trace = nlohmann::json::parse(read("t.json"), nullptr, false);
  EXPECT_GT(trace["traceEvents"].size(), 48u * 5u);  // copies and arithmetic on 48 cores
  words = {"run", "--mode", "timed"};
  words.insert(words.end(), call.begin(), call.end());
  EXPECT_EQ(opkit_json(words)["timing"]["cycles"], first["cycles"]);
  words.insert(words.end(), {"--soc", "Ascend310B1"});
  EXPECT_THAT(opkit(words).err, HasSubstr("OPK-CLI-015"));
  EXPECT_EQ(first["chip_is_measured"], true);
  words = {"profile"};
  words.insert(words.end(), call.begin(), call.end());
  words.insert(words.end(), {"--soc", "Ascend310B1"});
  EXPECT_THAT(opkit(words).out, HasSubstr("nothing was measured on Ascend310B1"));
  EXPECT_EQ(opkit_json(words)["chip_is_measured"], false);
}

// The contract says what is worth measuring.
TEST_F(MainJob, BenchShapesAreMeasuredAndProfiled) {
  install();
  const std::string contract = read("my_fused/op_contract.yaml");
  const bool has_bench = contract.find("\nbench:") != std::string::npos;
  ASSERT_TRUE(has_bench) << contract;
  const nlohmann::json all = opkit_json({"bench", "MyFused", "--samples", "5", "--quiet"});
  ASSERT_FALSE(all["cases"].empty());
  for (const auto& one : all["cases"]) {
    EXPECT_EQ(one["samples"], 5);
    EXPECT_GT(one["mean_seconds"], 0);
    EXPECT_LE(one["p50_seconds"], one["p95_seconds"]);
    EXPECT_EQ(one["noisy"], one["cv"] > 0.15);
  }
  const nlohmann::json half = opkit_json(
      {"bench", "MyFused", "--case", "1", "--dtype", "float16", "--samples", "2", "--quiet"});
  ASSERT_EQ(half["cases"].size(), 1u);
  EXPECT_THAT(half["cases"][0]["column"].get<std::string>(), HasSubstr("float16"));
  const Shown none = opkit({"bench", "MyFused", "--case", "99"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("OPK-CLI-022"));
  EXPECT_GT(opkit_json({"profile", "MyFused", "--dtype", "float16"})["cycles"], 0);
}

TEST_F(MainJob, ProfilesAreComparedSideBySide) {
  install();
  const std::string small = "MyFused --shape x=4096 --shape y=4096";
  const nlohmann::json both =
      opkit_json({"profile", "--compare", small, "my_fused --shape x=8192 --shape y=8192",
                  "--dtype", "float32"})["comparisons"][0];
  EXPECT_EQ(both["a"], "MyFused");
  nlohmann::json loaded;
  for (const auto& figure : both["figures"])
    if (figure["name"] == "gm_to_ub_bytes") loaded = figure;
  EXPECT_EQ(loaded["a"], 2 * 4 * 4096);
  EXPECT_EQ(loaded["b"], 2 * 4 * 8192);
  EXPECT_EQ(loaded["percent"], 100.0);
  write("kept.json", opkit({"profile", "MyFused", "--shape", "x=4096", "--shape", "y=4096", "--out",
                            "kept", "--json"})
                         .out);
  const Shown same = opkit({"profile", "--compare", "kept", "kept.json"});
  EXPECT_THAT(same.out, AllOf(HasSubstr("task_ns"), HasSubstr("+0.0 %"), Not(HasSubstr("new"))));
  EXPECT_THAT(opkit({"profile", "--compare", small}).err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(opkit({"profile", "MyFused", "MyFused"}).err, HasSubstr("OPK-CLI-005"));
  for (const char* text : {"", "[]", "{\"figures\": 1}", "{\"figures\": {\"cycles\": -1}}"}) {
    write("bad.json", text);
    EXPECT_THAT(opkit({"profile", "--compare", "bad.json", "kept"}).err, HasSubstr("OPK-CLI-030"));
  }
}

TEST_F(MainJob, EveryScheduleGivesTheSameBits) {
  install();
  const auto digest = [&](const char* seed, const char* mode) {
    return opkit_json({"run", "MyFused", "--shape", "x=9000", "--shape", "y=9000", "--mode", mode,
                       "--schedule-seed", seed})["outputs"][0]["sha256"];
  };
  const nlohmann::json expected = digest("0", "fast");
  for (const char* seed : {"1", "2", "3"}) {
    for (const char* mode : {"fast", "checked", "timed"}) EXPECT_EQ(digest(seed, mode), expected);
  }
  EXPECT_EQ(opkit({"test", "MyFused", "--tier", "smoke", "--schedule-seed", "1"}).exit_code, 0);
}

}  // namespace
}  // namespace opkit::e2e
