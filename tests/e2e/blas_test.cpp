// Products and conversions by the names of the linear algebra subprograms, on shipped ops.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Blas : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
    ASSERT_EQ(opkit({"cc", "src/blas_main.cpp", "-o", "blas"}).exit_code, 0);
  }
  Shown run() { return run_program({path("blas").string()}, folder_, variables_); }
};

TEST_F(Blas, ComputesWhatTheNamesSay) {
  if (!take_shipped({"GEMM", "CastToFloat16"})) GTEST_SKIP() << "no packages: run `make ops` first";
  variables_["ASCEND_OPP_PATH"] = path("opp").string();
  for (const char* mode : {"fast", "checked", "timed"}) {
    variables_["OPKIT_MODE"] = mode;
    const Shown shown = run();
    EXPECT_EQ(shown.exit_code, 0) << mode << ": " << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("13 right, 8 misuses"));
    EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
  }
}

TEST_F(Blas, WantsTheOpInstalled) {
  variables_["ASCEND_OPP_PATH"] = path("nothing").string();
  const Shown shown = run();
  EXPECT_NE(shown.exit_code, 0);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("aclblasGemmEx: 100024"), HasSubstr("GEMM")));
}

}  // namespace
}  // namespace opkit::e2e
