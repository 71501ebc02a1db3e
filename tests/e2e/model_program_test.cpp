// The model API: a program classifies with a small net that `opkit atc` compiled, on an installed
// op's kernels and on the host, and hears what it does wrong.
#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "npy.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"
#include "small_net.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ModelPrograms : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    ASSERT_EQ(opkit({"new", "BlendRelu"}).exit_code, 0);
    ASSERT_EQ(opkit({"build", "blend_relu", "--install"}).exit_code, 0);
    write("net.onnx", small_net());
    compile();
    const Shown built = opkit({"cc", "src/model_main.cpp", "-o", "classify"});
    ASSERT_EQ(built.exit_code, 0) << built.err;
  }
  void compile() {
    const Shown made = opkit({"atc", "--model=" + path("net.onnx").string(), "--framework=5",
                              "--output=" + path("net").string(), "--soc_version=Ascend910B1",
                              "--no-check"});  // one test's op is wrong
    ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
    ASSERT_THAT(made.out, HasSubstr("1 kernel, 1 of them for several nodes"));
  }
  Shown classify() {
    return run_program({path("classify").string(), path("net.om").string()}, folder_, variables_);
  }
};

TEST_F(ModelPrograms, ClassifyInEveryModeAndHearOfMisuses) {
  for (const char* mode : {"fast", "checked", "timed"}) {
    variables_["OPKIT_MODE"] = mode;
    const Shown shown = classify();
    EXPECT_EQ(shown.exit_code, 0) << mode << ": " << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("0 wrong of 10 runs, 25 misuses"));
    EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
  }
}

// 100000 and 1000 by hand (docs/programs.md).
TEST_F(ModelPrograms, RunAndLoadWithoutEndInTheSameMemory) {
  const Shown built = opkit({"cc", "src/endure_main.cpp", "-o", "endure"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  variables_["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0";  // its chunks count as taken
  const Shown shown = run_program({path("endure").string(), path("net.om").string(), "2000", "40"},
                                  folder_, variables_);
  EXPECT_THAT(shown.out, HasSubstr("0 wrong, ")) << shown.err;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer keeps memory for itself, so that it is not flat";
#endif
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("0 wrong, flat"));
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// relu(0.5 * image w + shift) of inputs that hold one value throughout, whose sums are exact in
// double.
std::vector<float> expected_blend() {
  const float value = std::bit_cast<float>(0x3e3e3e3eu);
  const std::vector<float> w = eighths(128, 3);
  std::vector<float> all;
  for (size_t row = 0; row < 4; ++row) {
    for (size_t column = 0; column < 8; ++column) {
      double sum = 0;
      for (size_t k = 0; k < 16; ++k) sum += static_cast<double>(value) * w[k * 8 + column];
      const double half = 0.5 * static_cast<float>(sum);
      all.push_back(std::max(static_cast<float>(half + value), 0.0f));
    }
  }
  return all;
}

// Two runs of the model that was loaded behind aclmdlSetDump; the kernel stands for three nodes.
TEST_F(ModelPrograms, DumpAndProfileWhatAModelDoes) {
  const Shown built = opkit({"cc", "src/watch_main.cpp", "-o", "watch"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  fs::create_directory(path("dumps"));
  write("dump.json",
        "{\"dump\": {\"dump_path\": \"dumps\", \"dump_mode\": \"all\", \"dump_list\": "
        "[{\"model_name\": \"net\", \"layer\": [\"r_node\"]}]}}");
  const std::vector<std::string> words = {path("watch").string(), path("net.om").string(),
                                          "dump.json", "profile"};
  const Shown shown = run_program(words, folder_, variables_);
  ASSERT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.out, testing::Not(HasSubstr("wrong")));
  const auto om = opkit_json({"om", "show", "net.om"});
  std::string heard;
  for (const auto& step : om["steps"])
    heard += "heard of " + step.value("op", step.value("kind", "")) + " " + step.value("name", "") +
             "\n";
  EXPECT_EQ(shown.out, heard + heard);
  const std::vector<std::string> names = files_in(path("dumps"));
  ASSERT_EQ(names.size(), 6u);
  for (size_t run : {0, 1}) {
    for (size_t i = 0; i < 3; ++i) {
      const char* const side = i < 2 ? "input" : "output";
      EXPECT_THAT(names[run * 3 + i],
                  testing::MatchesRegex("[0-9]+/0/net/2/" + std::to_string(run) +
                                        "/BlendRelu\\.[a-z_+]*r_node\\.1\\.0\\.[0-9]+\\." + side +
                                        "\\." + std::to_string(i % 2) + "\\.npy"));
    }
    EXPECT_EQ(floats_of(read("dumps/" + names[run * 3 + 2])), expected_blend());
  }
  const std::string trace = read("profile/PROF_000001/msprof.json");
  for (const char* name : {"\"model 1\"", "\"BlendRelu\"", "r_node\"", "\"inputs\"", "\"outputs\""})
    EXPECT_THAT(trace, HasSubstr(name));
  EXPECT_THAT(trace, testing::Not(HasSubstr("\"model 2\"")));
  write("dump.json",
        "{\"dump\": {\"dump_path\": \"dumps\", \"dump_list\": "
        "[{\"model_name\": \"net\", \"layer\": [\"conv9\"]}]}}");
  const Shown no_layer = run_program(words, folder_, variables_);
  EXPECT_EQ(no_layer.exit_code, 3);
  EXPECT_THAT(no_layer.err, HasSubstr("100009"));
  EXPECT_THAT(no_layer.err, HasSubstr("model net has no step for layer conv9"));
}

// Builds one source with an ordinary compiler, against the toolkit's folder.
TEST_F(ModelPrograms, BuildWithoutOpkit) {
  const Shown made = opkit({"toolkit", "kit"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_TRUE(fs::exists(path("kit/include/aclnnop/aclnn_blend_relu.h")));
  write("build.sh",
        "set -e\nsource kit/set_env.sh\ntest -n \"$ASCEND_HOME_PATH\"\natc --help > help.txt\n"
        "for name in model op nn; do\n"
        "  g++ -std=c++17 -I$ASCEND_HOME_PATH/include -I$ASCEND_HOME_PATH/include/aclnnop"
        " src/${name}_main.cpp -o own_$name -L$ASCEND_TOOLKIT_HOME/lib64 -lascendcl -lnnopbase\n"
        "  ./own_$name net.om\ndone\n"
        "g++ -I$ASCEND_HOME_PATH/runtime/include src/watch_main.cpp -o own_watch"
        " -L$ASCEND_HOME_PATH/runtime/lib64/stub -lascendcl\n");
  const Shown shown = run_program({"bash", "build.sh"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.out,
              testing::AllOf(HasSubstr("0 wrong of 10 runs"), HasSubstr("0 wrong of 3 ways"),
                             HasSubstr("0 wrong of 4 calls")));
  EXPECT_THAT(opkit({"toolkit", "src"}).err, HasSubstr("OPK-TOOLKIT-001"));
  // A toolkit is brought up to date, and keeps what was installed into it.
  write("kit/opp/vendors/kept.txt", "");
  fs::remove(path("kit/include/aclnnop/aclnn_blend_relu.h"));
  ASSERT_EQ(opkit({"toolkit", "kit"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(path("kit/include/aclnnop/aclnn_blend_relu.h")));
  EXPECT_TRUE(fs::exists(path("kit/opp/vendors/kept.txt")));
  EXPECT_THAT(opkit({"toolkit", "net.om/kit"}).err, HasSubstr("OPK-TOOLKIT-002"));
}

TEST_F(ModelPrograms, SayWhatIsWrongWithTheirOps) {
  edit("blend_relu/op_kernel/blend_relu.cpp", "Muls(z, x,", "Muls(z, z,");  // nothing wrote z
  ASSERT_EQ(opkit({"build", "blend_relu", "--install"}).exit_code, 0);
  const Shown other_build = classify();
  EXPECT_THAT(other_build.err, HasSubstr("another build is installed"));
  compile();
  variables_["OPKIT_MODE"] = "checked";
  const Shown wrong = classify();
  EXPECT_EQ(wrong.exit_code, 3);
  EXPECT_THAT(wrong.err,
              testing::AllOf(HasSubstr("op_kernel/blend_relu.cpp:1"), HasSubstr("EK1301"),
                             HasSubstr("aclmdlExecute: 507015"),
                             HasSubstr("exception 507015 at h_node+s_node+r_node: 2 inputs"),
                             HasSubstr("OPK-ACLNN-004"), HasSubstr("step h_node")));
}

TEST_F(ModelPrograms, SayWhatAModelMisses) {
  variables_["ASCEND_OPP_PATH"] = path("nowhere").string();
  const Shown no_op = classify();
  EXPECT_EQ(no_op.exit_code, 3);
  EXPECT_THAT(no_op.err, testing::AllOf(HasSubstr("aclmdlLoadFromFile: 545001"),
                                        HasSubstr("OPK-OM-005"), HasSubstr("BlendRelu 1.0.0")));
  ASSERT_EQ(opkit({"cc", "--soc", "Ascend910B3", "src/model_main.cpp", "-o", "classify"}).exit_code,
            0);
  const Shown other_chip = classify();
  EXPECT_EQ(other_chip.exit_code, 3);
  EXPECT_THAT(other_chip.err,
              HasSubstr("compiled for Ascend910B1, the program runs on Ascend910B3"));
}

}  // namespace
}  // namespace opkit::e2e
