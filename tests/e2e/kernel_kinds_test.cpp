// Which cores a kernel of a program runs on when it does not say so, how vector cores meet beside
// cube cores, and what crashes of kernels come to.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class KernelKinds : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
  }
  Shown build(const std::string& name, const std::vector<std::string>& options = {}) {
    std::vector<std::string> words = {"cc", "src/" + name, "-o", "prog"};
    words.insert(words.end(), options.begin(), options.end());
    Shown built = opkit(words);
    EXPECT_EQ(built.exit_code, 0) << built.err;
    return built;
  }
  Shown run(const std::string& mode = "fast") {
    variables_["OPKIT_MODE"] = mode;
    return run_program({path("prog").string()}, folder_, variables_);
  }
  // A program whose kernel k gets the address of 64 bytes, or null, and a number.
  void write_kernel(const std::string& body, const std::string& argument, int number) {
    write("src/k.asc",
          "#include \"kernel_operator.h\"\n#include \"acl/acl.h\"\n#include <cstdio>\n"
          "extern \"C\" __global__ __aicore__ void k(GM_ADDR y, int32_t n) {\n" +
              body +
              "\n}\n"
              "int main() {\n  aclInit(nullptr);\n  aclrtSetDevice(0);\n  aclrtStream s;\n"
              "  aclrtCreateStream(&s);\n  void* y;\n"
              "  aclrtMalloc(&y, 64, ACL_MEM_MALLOC_HUGE_FIRST);\n  k<<<2, nullptr, s>>>(" +
              argument + ", " + std::to_string(number) +
              ");\n  std::printf(\"sync %d\\n\", aclrtSynchronizeStream(s));\n}\n");
  }
};

// A header's helper that multiplies makes those kernels mixed that reach it, and no others.
TEST_F(KernelKinds, AKernelIsMixedByWhatItReaches) {
  for (const char* level : {"-O2", "-O0"}) {
    const Shown built = build("kinds.asc", {level});
    EXPECT_THAT(built.err,
                AllOf(HasSubstr("note: kernel together runs on cube and vector cores"),
                      HasSubstr("KERNEL_TASK_TYPE_DEFAULT"), Not(HasSubstr("kernel alone"))));
    for (const char* mode : {"fast", "checked", "timed"})
      EXPECT_THAT(run(mode).out, HasSubstr("writers 4 4 8")) << mode;
  }
}

TEST_F(KernelKinds, AStatementOfTheTypeWins) {
  edit("src/kinds.asc", "void alone(GM_ADDR y) {\n",
       "void alone(GM_ADDR y) {\n  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);\n");
  const Shown built = build("kinds.asc");
  EXPECT_THAT(built.err, Not(HasSubstr("kernel alone ")));
  EXPECT_THAT(run().out, HasSubstr("writers 4 4 8"));
}

// Vector cores, the later the slower, add up what all of them wrote; the cube cores meet, too.
TEST_F(KernelKinds, SyncAllHoldsVectorCoresThatCubeCoresCallToo) {
  build("sync_mix.asc");
  for (const char* mode : {"fast", "checked", "timed"}) {
    const Shown shown = run(mode);
    EXPECT_THAT(shown.out, HasSubstr("0 wrong of 32")) << mode;
    EXPECT_THAT(shown.err, Not(HasSubstr("EK"))) << mode;
  }
}

TEST_F(KernelKinds, ADivisionByZeroEndsTheKernelWithItsLine) {
  write_kernel("  *(__gm__ int32_t*)y = 100 / n;", "(uint8_t*)y", 0);
  build("k.asc");
  for (const char* mode : {"fast", "checked"}) {
    const Shown shown = run(mode);
    EXPECT_EQ(shown.out, "sync 507015\n") << mode;
    EXPECT_THAT(shown.err, AllOf(HasSubstr("EK1609"), HasSubstr("divides an integer by zero"),
                                 HasSubstr("k.asc:5")))
        << mode;
  }
}

TEST_F(KernelKinds, ANullPointerEndsTheKernelWithItsLine) {
  write_kernel("  *(__gm__ int32_t*)y = n;", "nullptr", 1);
  build("k.asc");
  const Shown shown = run();
  EXPECT_EQ(shown.out, "sync 507015\n");
  EXPECT_THAT(shown.err,
              AllOf(HasSubstr("EK1609"), HasSubstr("a null pointer"), HasSubstr("k.asc:5")));
}

// The stack below a call that never ends, and below an array that is longer than it.
TEST_F(KernelKinds, AFullStackEndsTheKernelWithItsLine) {
  for (const char* body :
       {"  struct Deep {\n    static __aicore__ int32_t below(volatile int32_t* of, int32_t n) {\n"
        "      volatile int32_t frame[512];\n      frame[n % 512] = *of;\n"
        "      return n < 0 ? 0 : below(frame, n + 1) + frame[0];\n    }\n  };\n"
        "  volatile int32_t first[512] = {};\n  *(__gm__ int32_t*)y = Deep::below(first, n);",
        "  volatile char array[n << 20];\n  for (int32_t i = n << 20; i > 0; i -= 512)\n"
        "    array[i - 1] = 1;\n  *(__gm__ int32_t*)y = array[n];"}) {
    write_kernel(body, "(uint8_t*)y", 12);
    build("k.asc");
    const Shown shown = run();
    EXPECT_EQ(shown.out, "sync 507015\n") << body;
    EXPECT_THAT(shown.err, AllOf(HasSubstr("EK1609"), HasSubstr("k.asc:"),
                                 HasSubstr("more than 1048576 bytes of stack")))
        << body;
  }
}

}  // namespace
}  // namespace opkit::e2e
