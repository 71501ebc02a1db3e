// Plugins that misbehave in an offline model, and while atc compiles one: the command says which
// step, and writes nothing.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/e2e/npy.h"
#include "tests/e2e/onnx_writer.h"
#include "tests/e2e/run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;
namespace fs = std::filesystem;

struct ActInModel {
  const char* said;  // OPKIT_HOSTILE
  const char* code;
  const char* text;
};

const ActInModel kActsInModel[] = {
    {"kernel:abort", "OPK-WORKER-002", "the kernel died with SIGABRT"},
    {"kernel:write_null", "OPK-WORKER-002", "hostile.h:"},
    {"kernel:exit", "OPK-WORKER-003", "the kernel ended the process with code 0"},
    {"kernel:throw", "OPK-WORKER-007", "boom"},
    {"kernel:loop", "OPK-WORKER-004", "the kernel gave no answer"},
    {"kernel:print", "OPK-WORKER-008", "printed without end"},
    {"kernel:past_output", "OPK-WORKER-005", "behind the end of output 'z' (of 4000 bytes)"},
    {"kernel:write_input", "OPK-WORKER-005", "byte 3 of input 'x'"},
    {"kernel:beside_output", "OPK-WORKER-0", "in front of output 'z'"},
    {"thread:abort", "OPK-WORKER-002", "SIGABRT"},
    {"tile:abort", "OPK-WORKER-002", "the tiling function died with SIGABRT"},
    {"tile:exit", "OPK-WORKER-003", "the tiling function"},
    {"tile:loop", "OPK-WORKER-004", "the tiling function"},
    {"infer_shape:write_null", "OPK-WORKER-002", "the InferShape function"},
    {"constructor:exit", "OPK-WORKER-003", "a static initialiser"},
};

// s = x + y, z = s + y: two steps of the hostile op.
class HostileModel : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    fs::create_directories(path("opp/vendors"));
    ASSERT_EQ(opkit({"install", OPKIT_HOSTILE_PACKAGE}).exit_code, 0);
    OnnxWriter net;
    net.input("x", {1000});
    net.input("y", {1000});
    net.node("Add", {"x", "y"}, "s");
    net.node("Add", {"s", "y"}, "z");
    net.output("z", {1000});
    write("net.onnx", net.model());
    const std::vector<float> values = sixteenths(1000, 1);
    write("x.npy", float_npy(values, "1000,"));
    ASSERT_EQ(opkit(atc()).exit_code, 0);
  }

  Words atc(Words more = {}) const {
    more.insert(more.begin(), {"atc", "--model=net.onnx", "--framework=5", "--output=net",
                               "--soc_version=Ascend910B1"});
    return more;
  }
  static Words model(const std::string& command, Words more = {}) {
    more.insert(more.begin(),
                {"model", command, "net.om", "--input", "x=x.npy", "--input", "y=x.npy"});
    return more;
  }
  Shown hostile(const std::string& act, Words words) {
    variables_["OPKIT_HOSTILE"] = act;
    if (act.ends_with(":loop")) words.insert(words.end(), {"--time-limit", "0.3"});
    Shown shown = opkit(words);
    variables_["OPKIT_HOSTILE"] = "";
    opkit({"release", "Hostile"});
    return shown;
  }
};

TEST_F(HostileModel, RunsWhenThePluginBehaves) {
  Words words = model("run", {"--out", "z=z.npy"});
  EXPECT_EQ(opkit_json(words).at("runs"), "in a worker");
  const std::string in_worker = read("z.npy");
  words.push_back("--in-process");
  EXPECT_EQ(opkit_json(words).at("runs"), "in this process");
  EXPECT_EQ(read("z.npy"), in_worker);
  std::vector<float> expected = sixteenths(1000, 1);
  for (float& value : expected) value *= 3;
  EXPECT_EQ(floats_of(in_worker), expected);
  for (const char* command : {"bench", "profile"})
    EXPECT_THAT(opkit(model(command)).out, HasSubstr("plugins ran in a worker"));
  EXPECT_EQ(opkit_json(atc()).at("runs"), "in a worker");
  EXPECT_EQ(opkit_json(atc({"--in-process"})).at("runs"), "in this process");
}

TEST_F(HostileModel, ItsStepIsNamedAndNothingIsWritten) {
  for (const ActInModel& act : kActsInModel) {
    for (const char* command : {"run", "bench", "profile"}) {
      Words words = model(command);
      if (words[1] == "run") words.insert(words.end(), {"--out", "z=z.npy"});
      const Shown shown = hostile(act.said, words);
      EXPECT_EQ(shown.exit_code, 1) << act.said << command << shown.out << shown.err;
      EXPECT_EQ(shown.out, "");
      EXPECT_THAT(shown.err, AllOf(HasSubstr(act.code), HasSubstr("Hostile: "), HasSubstr(act.text),
                                   HasSubstr("step s_node")))
          << act.said << command;
      EXPECT_FALSE(fs::exists(path("z.npy")));
    }
  }
}

TEST_F(HostileModel, AnErrorIsOneJsonDocument) {
  variables_["OPKIT_HOSTILE"] = "kernel:exit";
  const auto json = opkit_json(model("run"), 1);
  EXPECT_EQ(json.at("error").at("code"), "OPK-WORKER-003");
  EXPECT_EQ(json.at("error").at("op"), "Hostile");
}

// Three models' runs that crash, and neither models nor atc use the plugin until it is released.
TEST_F(HostileModel, CrashesThatComeAgainAreAQuarantine) {
  variables_["OPKIT_HOSTILE"] = "kernel:abort";
  for (const char* command : {"run", "bench", "profile"})
    EXPECT_THAT(opkit(model(command)).err, HasSubstr("OPK-WORKER-002")) << command;
  variables_["OPKIT_HOSTILE"] = "";
  for (const char* command : {"run", "bench", "profile"}) {
    const Shown refused = opkit(model(command));
    EXPECT_EQ(refused.exit_code, 1) << command;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("OPK-PLUGIN-014"), HasSubstr("opkit release Hostile")))
        << command;
  }
  const Shown compiled = opkit(atc());
  EXPECT_EQ(compiled.exit_code, 0);
  EXPECT_THAT(compiled.out + compiled.err,
              AllOf(HasSubstr("OPK-PLUGIN-014"), HasSubstr("0 kernels")));
  EXPECT_THAT(opkit({"list"}).out, HasSubstr("in quarantine after 3 crashes"));
  EXPECT_EQ(opkit({"release", "Hostile"}).exit_code, 0);
  EXPECT_THAT(opkit(atc()).out, HasSubstr("2 kernels"));
  EXPECT_EQ(opkit(model("run")).exit_code, 0);
}

// A plugin that dies while it is asked takes no node, and everybody is told.
TEST_F(HostileModel, AtcGoesOnWithoutIt) {
  for (const ActInModel& act : kActsInModel) {
    if (std::string(act.said).starts_with("kernel") || std::string(act.said).starts_with("thread"))
      continue;
    const Shown shown = hostile(act.said, atc());
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_THAT(shown.err, AllOf(HasSubstr("warning"), HasSubstr(act.code), HasSubstr(act.text),
                                 HasSubstr("node s_node")));
    EXPECT_THAT(shown.out, HasSubstr("0 kernels"));
    const Shown strict = hostile(act.said, atc({"--no-fallback"}));
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_THAT(strict.out + strict.err, AllOf(HasSubstr("EZ3003"), HasSubstr(act.code)));
  }
}

// A kernel that dies where its time is modelled is chosen at the price of a slow one: it may do so
// without data alone. Who does not answer three times is not asked a fourth time.
TEST_F(HostileModel, AtcWarnsOfAKernelThatCannotBeTimed) {
  fs::remove_all(fs::path(variables_.at("OPKIT_CACHE_DIR")) / "costs");
  const Shown shown = hostile("kernel:abort", atc({"--no-check"}));
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("warning"), HasSubstr("OPK-WORKER-002"),
                               HasSubstr("where its time was modelled")));
  EXPECT_THAT(shown.out, HasSubstr("2 kernels"));
  OnnxWriter net;
  net.input("x", {1000});
  const std::vector<std::string> sums = {"x", "a", "b", "c", "d", "e"};
  for (size_t i = 1; i < sums.size(); ++i) net.node("Add", {sums[i - 1], "x"}, sums[i]);
  net.output("e", {1000});
  write("net.onnx", net.model());
  const Shown explained = hostile("tile:loop", atc({"--explain"}));
  EXPECT_EQ(explained.exit_code, 0);
  size_t unasked = 0;
  const std::string text = "the plugin ended its worker 3 times and is not asked again";
  for (size_t at = 0; (at = explained.out.find(text, at)) != std::string::npos; ++at) ++unasked;
  EXPECT_EQ(unasked, 2u) << explained.out;
}

// The proof by data runs the kernel.
TEST_F(HostileModel, AtcsProofSaysWhatItDid) {
  for (const ActInModel& act : kActsInModel) {
    if (!std::string(act.said).starts_with("kernel")) continue;
    fs::remove(path("net.om"));
    const Shown shown = hostile(act.said, atc({"--check"}));
    EXPECT_EQ(shown.exit_code, 1) << act.said << shown.out << shown.err;
    EXPECT_THAT(shown.err, AllOf(HasSubstr(act.code), HasSubstr(act.text))) << act.said;
    EXPECT_THAT(shown.out, Not(HasSubstr("success")));
    EXPECT_FALSE(fs::exists(path("net.om")));
  }
}

// A fused op whose kernel dies is left out like one that computes something else.
TEST_F(HostileModel, BisectLeavesOutAFusedOpThatDies) {
  fs::copy(fs::path(OPKIT_HOSTILE_SOURCE), path("pair"), fs::copy_options::recursive);
  edit("pair/op_contract.yaml", "op: Hostile", "op: Hostile2");
  edit("pair/op_contract.yaml", "in: [x, y], out: z}",
       "in: [x, y], out: s}\n"
       "  - {op: Add, in: [s, y], out: z}");
  edit("pair/op_host/hostile.cpp", "OP_ADD(Hostile)", "OP_ADD(Hostile2)");
  edit("pair/op_host/hostile.cpp", "IMPL_OP_OPTILING(Hostile)", "IMPL_OP_OPTILING(Hostile2)");
  edit("pair/op_host/hostile.cpp", "class Hostile :", "class Hostile2 :");
  edit("pair/op_host/hostile.cpp", "explicit Hostile(", "explicit Hostile2(");
  ASSERT_EQ(opkit({"build", "pair"}).exit_code, 0);
  ASSERT_EQ(opkit({"uninstall", "Hostile"}).exit_code, 0);
  ASSERT_EQ(opkit({"install", "pair"}).exit_code, 0);
  const Shown shown = hostile("kernel:abort", atc({"--bisect"}));
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, AllOf(HasSubstr("dropped Hostile2 at 's_node+z_node': the kernel died"),
                               HasSubstr("0 kernels")));
}

// What this machine lacks is no mistake of the plugin.
TEST_F(HostileModel, FewDescriptorsAreNoCrash) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer takes a descriptor for every object whose type it judges";
#endif
  for (const char* most : {"8", "12", "12", "12", "12"}) {
    const Shown shown = run_program(
        {"sh", "-c", "ulimit -n $0; exec \"$@\"", most, opkit_binary(), "atc", "--model=net.onnx",
         "--framework=5", "--output=few", "--soc_version=Ascend910B1"},
        folder_, variables_);
    EXPECT_EQ(shown.exit_code, 3);
    EXPECT_THAT(shown.err, AnyOf(HasSubstr("OPK-WORKER-001"), HasSubstr("OPK-WORKER-012")));
    EXPECT_THAT(shown.err, HasSubstr(std::string("ulimit -n is ") + most));
  }
  EXPECT_FALSE(fs::exists(path("few.om")));
  EXPECT_EQ(opkit(model("run")).exit_code, 0);
}

}  // namespace
}  // namespace opkit::e2e
