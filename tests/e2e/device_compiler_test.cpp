// Programs hold what the chip's compiler takes and refuses in functions of the device, and what the
// host's compiler takes beside them.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DeviceCompiler : public OpkitTest {
 protected:
  // A kernel around `device` and a main around `host`, built and, when that succeeds, run.
  Shown build(const std::string& device, const std::string& host = "") {
    write("k.asc",
          "#include \"kernel_operator.h\"\n#include \"acl/acl.h\"\n#include <cstdio>\n"
          "using namespace AscendC;\n"
          "extern \"C\" __global__ __aicore__ __vector__ void k(GM_ADDR y, int32_t n) {\n" +
              device +
              "}\n"
              "int main() {\n" +
              host +
              "aclInit(nullptr); aclrtSetDevice(0); void* y; aclrtStream s; "
              "aclrtCreateStream(&s);\n"
              "aclrtMalloc(&y, 4096, ACL_MEM_MALLOC_HUGE_FIRST); k<<<1, nullptr, s>>>((uint8_t*)y, "
              "3);\n"
              "std::printf(\"ran %d\\n\", aclrtSynchronizeStream(s)); }\n");
    const Shown built = opkit({"cc", "k.asc", "-o", "prog"});
    if (built.exit_code != 0) return built;
    return run_program({path("prog").string()}, folder_, variables_);
  }
  void expect_refused(const std::string& device, const std::string& what) {
    const Shown shown = build(device);
    EXPECT_EQ(shown.exit_code, 1) << device;
    EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-CC-008"), HasSubstr("k.asc:"), HasSubstr(what),
                                 Not(HasSubstr("deleted function"))))
        << device;
  }
  void expect_runs(const std::string& device, const std::string& host = "") {
    const Shown shown = build(device, host);
    EXPECT_EQ(shown.exit_code, 0) << device << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("ran 0"));
  }
};

TEST_F(DeviceCompiler, ItsNamesMeanWhatTheyMeanThere) {
  fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
  const Shown built = opkit({"cc", "src/device_names.asc", "-o", "prog"});
  ASSERT_EQ(built.exit_code, 0) << built.err;
  for (const char* mode : {"fast", "checked"}) {
    variables_["OPKIT_MODE"] = mode;
    const Shown shown = run_program({path("prog").string()}, folder_, variables_);
    EXPECT_EQ(shown.exit_code, 0) << mode << shown.out << shown.err;
    EXPECT_EQ(shown.out, "0 wrong\n") << mode;
    EXPECT_EQ(shown.err, "") << mode;
  }
}

TEST_F(DeviceCompiler, ArithmeticOfSingleHalvesIsRefused) {
  for (const char* sum : {"half a = n; half b = a + half(1); ((__gm__ half*)y)[0] = b;\n",
                          "half a = n; a *= half(2); ((__gm__ half*)y)[0] = a;\n",
                          "half a = n; float b = 1.0f / a; ((__gm__ float*)y)[0] = b;\n"})
    expect_refused(sum, "half(float(a) + float(b))");
  expect_refused("bfloat16_t a = n; ((__gm__ float*)y)[0] = (float)a;\n", "ToFloat(x)");
}

TEST_F(DeviceCompiler, WhatKernelsDoWithSingleHalvesRuns) {
  expect_runs(
      "half a = n; bfloat16_t b = n; float c = a; int32_t d = a > half(1) && a != half(0);\n"
      "c = c * static_cast<float>(a) + ToFloat(b); a = -half(c); d += b == b;\n"
      "((__gm__ float*)y)[0] = c + d; ((__gm__ half*)y)[4] = a;\n");
}

TEST_F(DeviceCompiler, HostFunctionsComputeWithHalves) {
  expect_runs(
      "((__gm__ float*)y)[0] = n;\n",
      "half a = 1.5f; bfloat16_t b = 2.0f; a += a * half(2) + half(float(b));\n"
      "static float large[20000]; float larger[20000]; larger[1] = a; large[1] = larger[1];\n");
}

TEST_F(DeviceCompiler, FramesLargerThanTheStackOfACoreAreRefused) {
  const auto reversed = [](int count) {
    const std::string n = std::to_string(count);
    return "float keep[" + n + "]; for (int i = 0; i < " + n +
           "; ++i) keep[i] = ((__gm__ float*)y)[i % 64] + n;\n"
           "for (int i = 0; i < 64; ++i) ((__gm__ float*)y)[i] = keep[(i * n) % " +
           n + "];\n";
  };
  expect_runs(reversed(6000));
  expect_refused(reversed(10240), "the stack of a core has 32768");
  expect_refused(reversed(3000000), "the stack of a core has 32768");
}

TEST_F(DeviceCompiler, AnInstructionIsNamedWithTheCallThatIssuesIt) {
  expect_refused("copy_gm_to_ubuf(0, y, 0, 1, 1, 0, 0); vadd(0, 0, 0, 1, 1, 1, 1, 8, 8, 8);\n",
                 "use DataCopy");
}

TEST_F(DeviceCompiler, OneConditionalOfFloatAndHalfIsNamed) {
  expect_refused("half a = n; float b = n > 1 ? 1.0f : a; ((__gm__ float*)y)[0] = b;\n",
                 "c ? x : float(h)");
}

}  // namespace
}  // namespace opkit::e2e
