// Every chip of the catalogue: an op is built once, judged, compiled into a model and run on each,
// by the tool and by a program.
#include "npy.h"
#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Loads a model and runs it once on zeros; its chip comes from the environment.
constexpr const char* kLoader = R"source(
#include <cstdio>
#include "acl/acl.h"
  static void add(aclmdlDataset* set, size_t bytes) {
    void* memory = nullptr;
    aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(memory, bytes, 0, bytes);
    aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes));
  }
  int main(int, char** words) {
    aclInit(nullptr);
    aclrtSetDevice(0);
    uint32_t model = 0;
    if (aclmdlLoadFromFile(words[1], &model)) return std::puts(aclGetRecentErrMsg()), 1;
    aclmdlDesc* desc = aclmdlCreateDesc();
    aclmdlGetDesc(desc, model);
    aclmdlDataset *in = aclmdlCreateDataset(), *out = aclmdlCreateDataset();
    for (size_t i = 0; i < aclmdlGetNumInputs(desc); ++i) add(in, aclmdlGetInputSizeByIndex(desc, i));
    add(out, aclmdlGetOutputSizeByIndex(desc, 0));
    size_t free = 0, total = 0;
    aclrtGetMemInfo(ACL_DDR_MEM, &free, &total);
    std::printf("%s, memory %d: %d\n", aclrtGetSocName(), total > (1u << 30),
                aclmdlExecute(model, in, out));
    return 0;
  }
)source";

// Says on which chip it runs, and how many cores the platform of tiling functions has.
constexpr const char* kPlatform = R"source(
#include <cstdio>
#include "acl/acl.h"
#include "tiling/platform/platform_ascendc.h"
  int main() {
    aclrtSetDevice(0);
    std::printf("%s %u\n", aclrtGetSocName(),
                platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNum());
  }
)source";

class Chips : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/vendor/plain_sum", path("plain_sum"),
             fs::copy_options::recursive);
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    OnnxWriter net;
    net.input("x", {4096});
    net.input("y", {4096});
    net.node("Add", {"x", "y"}, "z");
    net.output("z", {4096});
    write("net.onnx", net.model());
    std::vector<float> x(4096);
    for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 2000;
    write("x.npy", float_npy(x));
  }
  std::vector<std::string> chips() {
    std::vector<std::string> names;
    const nlohmann::json list = opkit_json({"soc", "list"});
    for (const auto& chip : list["socs"]) names.push_back(chip["name"]);
    return names;
  }
  void judge_op(const std::string& chip) {
    const Shown ran = opkit({"run", "PlainSum", "--soc", chip, "--in", "x=x.npy", "--in", "y=x.npy",
                             "--out", "z=z.npy", "--mode", "checked"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(floats_of(read("z.npy"))[5], -3990);
    const Shown tested = opkit({"test", "PlainSum", "--soc", chip, "--tier", "smoke"});
    EXPECT_EQ(tested.exit_code, 0) << tested.out << tested.err;
  }
  void judge_model(const std::string& chip) {
    const auto made = opkit_json(
        {"atc", "--model=net.onnx", "--framework=5", "--output=net", "--soc_version=" + chip});
    EXPECT_EQ(made["kernels"], 1) << made;
    const Shown ran = opkit(
        {"model", "run", "net.om", "--input", "x=x.npy", "--input", "y=x.npy", "--out", "z=z.npy"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(floats_of(read("z.npy"))[4095], 4190);
    variables_["OPKIT_SOC"] = chip;
    const Shown program = run_program({path("load").string(), "net.om"}, folder_, variables_);
    EXPECT_EQ(program.exit_code, 0) << program.out << program.err;
    EXPECT_THAT(program.out, HasSubstr(chip + ", memory 1: 0"));
    variables_.erase("OPKIT_SOC");
  }
};

TEST_F(Chips, BuildTestCompileAndRunOnEach) {
  ASSERT_EQ(opkit({"build", "plain_sum", "--install"}).exit_code, 0);
  write("load.cpp", kLoader);
  ASSERT_EQ(opkit({"cc", "load.cpp", "-o", "load"}).exit_code, 0);
  const std::vector<std::string> all = chips();
  ASSERT_GE(all.size(), 8u);
  for (const std::string& chip : all) {
    SCOPED_TRACE(chip);
    judge_op(chip);
    judge_model(chip);
  }
}

// A program without kernels is of no chip; `--soc` says on which one it runs unless told otherwise.
// What it asks a tiling function's platform is answered for the chip that it runs on.
TEST_F(Chips, ProgramsWithoutKernelsRunOnAny) {
  write("name.cpp", kPlatform);
  ASSERT_EQ(opkit({"cc", "name.cpp", "-o", "name", "--soc", "Ascend310B4"}).exit_code, 0);
  const auto said = [&] { return run_program({path("name").string()}, folder_, variables_).out; };
  EXPECT_EQ(said(), "Ascend310B4 1\n");
  variables_["OPKIT_SOC"] = "Ascend310P3";
  EXPECT_EQ(said(), "Ascend310P3 8\n");
}

// Kernels were compiled for one chip, on which their program stays.
TEST_F(Chips, ProgramsWithKernelsStayOnTheirs) {
  write("name.cpp", std::string("#include \"kernel_operator.h\"\n") + kPlatform +
                        "extern \"C\" __global__ __aicore__ __vector__ void k(GM_ADDR x) {}\n"
                        "void launch() { k<<<1, nullptr, nullptr>>>(nullptr); }\n");
  ASSERT_EQ(opkit({"cc", "name.cpp", "-o", "name", "--soc", "Ascend910B4"}).exit_code, 0);
  for (const char* word : {"", "Ascend310P3"}) {
    variables_["OPKIT_SOC"] = word;
    EXPECT_EQ(run_program({path("name").string()}, folder_, variables_).out, "Ascend910B4 40\n");
  }
}

}  // namespace
}  // namespace opkit::e2e
