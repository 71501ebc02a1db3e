// A folder with several ops of one family: built, installed and tested, and one more op added.
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kKernel = R"(#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void @op@(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  LocalTensor<float> values = buffer.Get<float>();
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x);
  to.SetGlobalBuffer((__gm__ float*)y);
  DataCopyPad(values, from, {1, 12, 0, 0, 0}, {false, 0, 0, 0});
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  @formula@
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopyPad(to, values, {1, 12, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
}
)";
constexpr const char* kHost = R"(#include "register/op_impl_registry.h"
#include "register/tilingdata_base.h"
static ge::graphStatus Tile(gert::TilingContext* context) {
  context->SetBlockDim(1);
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}
)";

class Family : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    write("three/CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(three LANGUAGES CXX)\n"
          "find_package(opkit REQUIRED)\nopkit_add_family(VENDOR acme)\n");
    write("three/family.yaml",
          "version: \"1.0.0\"\ninputs:\n  x: {dtype: float32, shape: \"3\"}\n"
          "outputs:\n  y: {dtype: float32, shape: \"3\"}\nsoc: [Ascend910B]\n");
    write("three/op_host/three.cpp", std::string(kHost) +
                                         "IMPL_OP_OPTILING(Twice).Tiling(Tile);\n"
                                         "IMPL_OP_OPTILING(Flip).Tiling(Tile);\n");
    add("Twice", "twice", "Add(values, values, values, 3);", "{op: Add, in: [x, x], out: y}");
    add("Flip", "flip", "Muls(values, values, -1.0f, 3);", "{op: Neg, in: [x], out: y}");
  }
  void add(const std::string& op, const std::string& entry, const std::string& formula,
           const std::string& node) {
    std::string kernel = kKernel;
    kernel.replace(kernel.find("@op@"), 4, entry);
    kernel.replace(kernel.find("@formula@"), 9, formula);
    write("three/op_kernel/" + entry + ".cpp", kernel);
    write("three/" + entry + "_contract.yaml", "family: family.yaml\nop: " + op + "\nreference: [" +
                                                   node + "]\nkernel: {entry: " + entry +
                                                   ", task_type: aiv_only}\n");
  }
};

// Shows that one build folder serves, although CMake would not take it for other sources.
TEST_F(Family, NeedsNoBuildFile) {
  ASSERT_EQ(opkit({"build", "three"}).exit_code, 0);
  std::filesystem::remove(path("three/CMakeLists.txt"));
  const Shown built = opkit({"build", "three", "--vendor", "zenith"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_THAT(built.out, AllOf(HasSubstr("built Twice 1.0.0 of zenith"),
                               HasSubstr("built Flip 1.0.0 of zenith")));
  ASSERT_EQ(opkit({"install", "three", "--opp", "opp"}).exit_code, 0);
  EXPECT_EQ(opkit({"test", "Twice", "--opp", "opp", "--tier", "smoke"}).exit_code, 0);
}

TEST_F(Family, IsBuiltInstalledAndTested) {
  const Shown built = opkit({"build", "three"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_THAT(built.out,
              AllOf(HasSubstr("built Twice 1.0.0 of acme"), HasSubstr("built Flip 1.0.0 of acme")));
  EXPECT_THAT(read("three/build/package/flip/op_proto/op_contract.yaml"),
              AllOf(HasSubstr("op: Flip"), HasSubstr("version: \"1.0.0\"")));
  const Shown installed = opkit({"install", "three", "--opp", "opp"});
  ASSERT_EQ(installed.exit_code, 0) << installed.err;
  EXPECT_THAT(installed.out, AllOf(HasSubstr("installed Twice"), HasSubstr("installed Flip")));
  for (const char* op : {"Twice", "Flip"})
    EXPECT_EQ(opkit({"test", op, "--opp", "opp", "--tier", "smoke"}).exit_code, 0) << op;

  // One of several must be named; its contract names it.
  EXPECT_THAT(opkit({"test", "three", "--tier", "smoke"}).err, HasSubstr("OPK-BUILD-006"));
  EXPECT_EQ(opkit({"test", "three/flip_contract.yaml", "--tier", "smoke"}).exit_code, 0);
}

// Shows that mutants come of the contract that names the op, and of its own sources.
TEST_F(Family, MutantsAreMadeOfOneOp) {
  const Shown folder = opkit({"test", "three", "--mutants"});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.err, AllOf(HasSubstr("OPK-CLI-017"), HasSubstr("the folder of 2 ops")));
  EXPECT_THAT(opkit({"test", "three/family.yaml", "--mutants"}).err, HasSubstr("OPK-CLI-017"));

  const Shown shown = opkit({"test", "three/flip_contract.yaml", "--mutants", "--tier", "smoke",
                             "--only", "Muls", "--json"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  const nlohmann::json report = nlohmann::json::parse(shown.out);
  EXPECT_EQ(report["op"], "Flip");
  ASSERT_EQ(report["mutants"].size(), 1u);
  EXPECT_EQ(report["killed"], 1);
  EXPECT_EQ(report["mutants"][0]["file"], "op_kernel/flip.cpp");
  EXPECT_TRUE(std::filesystem::exists(path("three/build/mutants/flip")));
}

TEST_F(Family, SaysWhichHostFileItLooksFor) {
  std::filesystem::rename(path("three/op_host/three.cpp"), path("three/op_host/other.cpp"));
  const Shown built = opkit({"build", "three"});
  EXPECT_EQ(built.exit_code, 1);
  EXPECT_THAT(built.err,
              AllOf(HasSubstr("OPK-BUILD-003"), HasSubstr("flip has no host source"),
                    HasSubstr("three/op_host/flip.cpp"), HasSubstr("three/op_host/three.cpp")));
}

// Uses a family without a CMakeLists.txt of its own.
TEST_F(Family, PackagesOfOpsThatHaveLeftGo) {
  std::filesystem::remove(path("three/CMakeLists.txt"));
  ASSERT_EQ(opkit({"build", "three"}).exit_code, 0);
  std::filesystem::remove(path("three/flip_contract.yaml"));
  ASSERT_EQ(opkit({"build", "three"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("three/build/package/twice")));
  EXPECT_FALSE(std::filesystem::exists(path("three/build/package/flip")));
}

TEST_F(Family, TakesOneMoreOpInThreeFiles) {
  ASSERT_EQ(opkit({"build", "three"}).exit_code, 0);
  add("Magnitude", "magnitude", "Abs(values, values, 3);", "{op: Abs, in: [x], out: y}");
  write("three/op_host/magnitude.cpp",
        std::string(kHost) + "IMPL_OP_OPTILING(Magnitude).Tiling(Tile);\n");
  ASSERT_EQ(opkit({"build", "three"}).exit_code, 0);
  EXPECT_EQ(opkit({"test", "three/magnitude_contract.yaml", "--tier", "smoke"}).exit_code, 0);

  // What the family says is a source like others.
  edit("three/family.yaml", "1.0.0", "1.1.0");
  const Shown again = opkit({"test", "three/flip_contract.yaml", "--tier", "smoke"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.out, HasSubstr("Flip 1.1.0"));
}

}  // namespace
}  // namespace opkit::e2e
