// Every chip of the catalogue: an op is built once, judged, compiled into a model and run on each,
// by the tool and by a program.
#include <cmath>
#include <cstdio>

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
constexpr const char* kPlatformProgram = R"source(
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
  // The verdicts of one chip, a column each.
  struct Row {
    bool run = false, test = false, atc = false, model = false, program = false;
  };
  Row row_of(const std::string& chip) {
    Row row;
    judge_op(chip, row);
    judge_model(chip, row);
    return row;
  }
  void judge_op(const std::string& chip, Row& row) {
    const Shown ran = opkit({"run", "PlainSum", "--soc", chip, "--in", "x=x.npy", "--in", "y=x.npy",
                             "--out", "z=z.npy", "--mode", "checked"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    row.run = ran.exit_code == 0 && element("z.npy", 5) == -3990;
    const Shown tested = opkit({"test", "PlainSum", "--soc", chip, "--tier", "smoke"});
    EXPECT_EQ(tested.exit_code, 0) << tested.out << tested.err;
    row.test = tested.exit_code == 0;
  }
  void judge_model(const std::string& chip, Row& row) {
    const auto made = opkit_json(
        {"atc", "--model=net.onnx", "--framework=5", "--output=net", "--soc_version=" + chip});
    EXPECT_EQ(made["kernels"], 1) << made;
    row.atc = made["kernels"] == 1;
    const Shown ran = opkit(
        {"model", "run", "net.om", "--input", "x=x.npy", "--input", "y=x.npy", "--out", "z=z.npy"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    row.model = ran.exit_code == 0 && element("z.npy", 4095) == 4190;
    variables_["OPKIT_SOC"] = chip;
    const Shown program = run_program({path("load").string(), "net.om"}, folder_, variables_);
    EXPECT_EQ(program.exit_code, 0) << program.out << program.err;
    EXPECT_THAT(program.out, HasSubstr(chip + ", memory 1: 0"));
    row.program = program.out == chip + ", memory 1: 0\n";
    variables_.erase("OPKIT_SOC");
  }
  float element(const std::string& file, size_t at) const {
    const std::vector<float> values = floats_of(read(file));
    return at < values.size() ? values[at] : NAN;
  }
};

TEST_F(Chips, BuildTestCompileAndRunOnEach) {
  ASSERT_EQ(opkit({"build", "plain_sum", "--install"}).exit_code, 0);
  write("load.cpp", kLoader);
  ASSERT_EQ(opkit({"cc", "load.cpp", "-o", "load"}).exit_code, 0);
  const nlohmann::json list = opkit_json({"soc", "list"});
  ASSERT_GE(list["socs"].size(), 8u);
  // Shown by `make chips`.
  std::printf("| chip | memory, MiB | run | test | atc | model run | program |\n");
  std::printf("|---|--:|---|---|---|---|---|\n");
  for (const auto& chip : list["socs"]) {
    const std::string name = chip["name"];
    const uint64_t memory = chip["memory"]["device"];
    SCOPED_TRACE(name);
    EXPECT_GT(memory, 0u);
    const Row row = row_of(name);
    std::printf("| %s | %llu |", name.c_str(), static_cast<unsigned long long>(memory >> 20));
    for (const bool well : {row.run, row.test, row.atc, row.model, row.program}) {
      EXPECT_TRUE(well);
      std::printf(" %s |", well ? "right" : "WRONG");
    }
    std::printf("\n");
  }
}

// A program without kernels is of no chip; `--soc` says on which one it runs unless told otherwise.
// What it asks a tiling function's platform is answered for the chip that it runs on.
TEST_F(Chips, ProgramsWithoutKernelsRunOnAny) {
  write("name.cpp", kPlatformProgram);
  ASSERT_EQ(opkit({"cc", "name.cpp", "-o", "name", "--soc", "Ascend310B4"}).exit_code, 0);
  const auto said = [&] { return run_program({path("name").string()}, folder_, variables_).out; };
  EXPECT_EQ(said(), "Ascend310B4 1\n");
  variables_["OPKIT_SOC"] = "Ascend310P3";
  EXPECT_EQ(said(), "Ascend310P3 8\n");
}

// Kernels were compiled for one chip, on which their program stays.
TEST_F(Chips, ProgramsWithKernelsStayOnTheirs) {
  write("name.cpp", std::string("#include \"kernel_operator.h\"\n") + kPlatformProgram +
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
