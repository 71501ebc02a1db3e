// The programs npu-smi and msopgen of a toolkit, as scripts call them.
#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kPort =
    R"("param_type": "required", "format": ["ND", "ND"], "type": ["float16", "float"]})";

std::string prototype(const std::string& op) {
  return R"({"op": ")" + op + R"(", "input_desc": [{"name": "x", )" + kPort +
         R"(, {"name": "y", )" + kPort + R"(], "output_desc": [{"name": "z", )" + kPort +
         R"(], "attr": [{"name": "alpha", "param_type": "optional", "type": "float",
             "default_value": "1.5"}]})";
}

// z = (x + y) * alpha of 64 elements at once.
constexpr const char* kCompute = R"source(
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> room;
  pipe.InitBuffer(room, 2 * 64 * sizeof(DTYPE_X));
  AscendC::LocalTensor<DTYPE_X> a = room.Get<DTYPE_X>(), b = a[64];
  AscendC::GlobalTensor<DTYPE_X> gx, gy, gz;
  gx.SetGlobalBuffer((__gm__ DTYPE_X*)x);
  gy.SetGlobalBuffer((__gm__ DTYPE_X*)y);
  gz.SetGlobalBuffer((__gm__ DTYPE_X*)z);
  for (uint64_t at = 0; at < tiling_data.size; at += 64) {
    AscendC::DataCopy(a, gx[at], 64);
    AscendC::DataCopy(b, gy[at], 64);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Add(a, a, b, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(gz[at], a, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
  }
)source";

class VendorPrograms : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    ASSERT_EQ(opkit({"toolkit", "kit"}).exit_code, 0);
  }
  Shown shell(const std::string& commands) {
    write("run.sh", "set -e\nsource kit/set_env.sh\n" + commands + "\n");
    return run_program({"bash", "run.sh"}, folder_, variables_);
  }
  std::string says(const std::string& commands) {
    const Shown shown = shell(commands);
    EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    return shown.out;
  }
  void installer_that_is_cut_off_installs_nothing() {
    says("cp custom/build_out/custom_opp_*.run whole.run\nhead -c 20000 whole.run > cut.run");
    const Shown cut = shell("sh cut.run --install-path=$PWD/cut");
    EXPECT_EQ(cut.exit_code, 1);
    EXPECT_THAT(cut.err, HasSubstr("is damaged"));
    EXPECT_FALSE(fs::exists(path("cut/vendors")));
    EXPECT_EQ(shell("sh whole.run --install-path=relative").exit_code, 1);
  }
};

TEST_F(VendorPrograms, NpuSmiAnswersScripts) {
  EXPECT_EQ(says("npu-smi info -t board -i 0 -c 0 | awk '/Chip Name/ {print $NF}'"), "910B1\n");
  EXPECT_EQ(says("npu-smi info -l | grep 'NPU ID' | awk '{print $4}'"), "0\n");
  EXPECT_EQ(says("npu-smi info -t common -i 0 | grep 'Aicore Count' | cut -d: -f2"), " 24\n");
  EXPECT_EQ(says("npu-smi info -t usages -i 0 | grep 'HBM Capacity' | cut -d: -f2"), " 65536\n");
  EXPECT_THAT(says("npu-smi info -m | tail -1"), HasSubstr("Ascend 910B1"));
  EXPECT_THAT(says("npu-smi info"),
              AllOf(HasSubstr("| 0     910B1               | OK "), HasSubstr("0    / 65536"),
                    HasSubstr("No running processes found in NPU 0")));
  const std::string other = says("OPKIT_SOC=Ascend310P3 npu-smi info -t memory -i 0");
  EXPECT_THAT(other, AllOf(HasSubstr("DDR Capacity(MB)               : 22888"),
                           testing::Not(HasSubstr("HBM"))));
  EXPECT_EQ(shell("npu-smi info -t common -i 1").exit_code, 2);
  EXPECT_THAT(shell("npu-smi info -t common").err, HasSubstr("OPK-CLI-003"));
  EXPECT_THAT(shell("npu-smi info -l -m").err, HasSubstr("OPK-CLI-004"));
}

TEST_F(VendorPrograms, FromPrototypeToInstalledOps) {
  write("add.json", prototype("SumCustom"));
  write("two.json", "[" + prototype("OtherCustom") + ", " + prototype("ThirdCustom") + "]");
  says(
      "msopgen gen -i add.json -f aclnn -c ai_core-Ascend910B1 -lan cpp -out custom\n"
      "msopgen gen -i two.json -f aclnn -c ai_core-ascend910b3 -lan cpp -out custom -m 1 "
      "-op ThirdCustom");
  edit("custom/op_kernel/sum_custom.cpp", "  // TODO: compute.\n", kCompute);
  says(
      "custom/build.sh > log.txt 2>&1 || { cat log.txt; exit 1; }\n"
      "custom/build_out/custom_opp_*.run --quiet --install-path=$PWD/ops");
  // What build.sh made is what commands on the project mean.
  const Shown several = opkit({"run", "custom", "--shape", "x=64", "--shape", "y=64"});
  EXPECT_THAT(several.err, AllOf(HasSubstr("OPK-BUILD-006"),
                                 HasSubstr("custom/build_out/opkit/package/sum_custom")));
  EXPECT_EQ(opkit({"run", "custom/build_out/opkit/package/sum_custom", "--shape", "x=64", "--shape",
                   "y=64"})
                .exit_code,
            0);
  EXPECT_TRUE(fs::exists(path("ops/vendors/customize/op_api/include/aclnn_sum_custom.h")));
  EXPECT_TRUE(fs::exists(path("ops/vendors/customize/op_api/lib/libcust_opapi.so")));
  EXPECT_THAT(read("ops/vendors/customize/version.info"),
              HasSubstr("custom_opp_compiler_version="));
  EXPECT_TRUE(fs::exists(path("ops/vendors/customize/op_pkg/ThirdCustom")));
  std::vector<float> x(128), y(128);
  for (size_t i = 0; i < x.size(); ++i) x[i] = float(i), y[i] = 0.5f;
  write("x.npy", float_npy(x));
  write("y.npy", float_npy(y));
  says(
      "source ops/vendors/customize/bin/set_env.bash\n"
      "opkit run SumCustom --in x=x.npy --in y=y.npy --mode checked --out z=z.npy");
  const std::vector<float> z = floats_of(read("z.npy"));
  ASSERT_EQ(z.size(), x.size());
  for (size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i], x[i] + 0.5f);
  says("bash ops/vendors/customize/scripts/uninstall.sh");
  EXPECT_FALSE(fs::exists(path("ops/vendors/customize"))) << "nothing of it is left";
  installer_that_is_cut_off_installs_nothing();
}

// One build is enough, and the package of before is gone.
TEST_F(VendorPrograms, OneMoreOpInAProjectThatWasBuilt) {
  write("add.json", prototype("SumCustom"));
  write("other.json", prototype("OtherCustom"));
  says("msopgen gen -i add.json -f aclnn -c ai_core-Ascend910B1 -lan cpp -out custom");
  ASSERT_EQ(opkit({"build", "custom"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(path("custom/build/package/manifest.yaml")));
  says("msopgen gen -i other.json -f aclnn -c ai_core-Ascend910B1 -lan cpp -out custom -m 1");
  const Shown built = opkit({"build", "custom"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  EXPECT_THAT(built.out, AllOf(HasSubstr("built SumCustom"), HasSubstr("built OtherCustom")));
  EXPECT_FALSE(fs::exists(path("custom/build/package/manifest.yaml")));
  EXPECT_TRUE(fs::exists(path("custom/build/package/other_custom/manifest.yaml")));
}

TEST_F(VendorPrograms, MsopgenRefuses) {
  write("add.json", prototype("SumCustom"));
  write("two.json", "[" + prototype("OtherCustom") + ", " + prototype("ThirdCustom") + "]");
  write("list.json", R"({"op": "ListCustom", "input_desc": [{"name": "x", )" + std::string(kPort) +
                         R"(], "output_desc": [{"name": "z", )" + kPort +
                         R"(], "attr": [{"name": "names", "param_type": "required",
                             "type": "list_string"}]})");
  const auto refused = [&](const std::string& words, int exit_code = 1) {
    const Shown shown = shell("msopgen gen " + words + " -out new");
    EXPECT_EQ(shown.exit_code, exit_code) << words;
    EXPECT_FALSE(fs::exists(path("new/op_host")));
    return shown.err;
  };
  const std::string chip = " -c ai_core-ascend910b1";
  EXPECT_THAT(refused("-i add.json -lan cpp -c aicpu", 2),
              AllOf(HasSubstr("OPK-MSOPGEN-001"), HasSubstr("opkit new NAME --template aicpu")));
  EXPECT_THAT(refused("-i add.json -lan cpp -c ai_core-ascend910_93", 2),
              HasSubstr("OPK-MSOPGEN-001"));
  EXPECT_THAT(refused("-i add.json" + chip, 2), HasSubstr("OPK-MSOPGEN-001"));
  EXPECT_THAT(refused("-i two.json -lan cpp" + chip),
              AllOf(HasSubstr("OPK-MSOPGEN-002"), HasSubstr("OtherCustom, ThirdCustom")));
  EXPECT_THAT(refused("-i list.json -lan cpp" + chip), HasSubstr("OPK-MSOPGEN-003"));
  EXPECT_THAT(refused("-i add.json -lan cpp -m 1" + chip), HasSubstr("OPK-MSOPGEN-005"));
  says("msopgen gen -i add.json -lan cpp -out there" + chip);
  EXPECT_THAT(shell("msopgen gen -i add.json -lan cpp -out there" + chip).err,
              HasSubstr("OPK-MSOPGEN-004"));
}

}  // namespace
}  // namespace opkit::e2e
