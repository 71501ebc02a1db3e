// A package that is older than its sources is never taken: projects are built again, packages
// refused.
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKernel = "my_fused/op_kernel/my_fused.cpp";
constexpr const char* kPackage = "my_fused/build/package";

class Stale : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    ASSERT_EQ(opkit({"new", "MyFused"}).exit_code, 0);
    ASSERT_EQ(opkit({"build", "my_fused"}).exit_code, 0);
  }
  void expect_refused(const std::string& why) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"install", kPackage, "--opp", "opp"},
          {"pack", kPackage, "a.opkg"},
          {"test", kPackage},
          {"run", kPackage, "--shape", "x=8", "--shape", "y=8"}}) {
      const Shown shown = opkit(words);
      EXPECT_EQ(shown.exit_code, 1);
      EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-BUILD-012"), HasSubstr(why),
                                   HasSubstr("try: opkit build my_fused")));
    }
    EXPECT_FALSE(fs::exists(path("a.opkg")));
    EXPECT_FALSE(fs::exists(path("opp")));
  }
};

TEST_F(Stale, SourcesAreBuiltAgain) {
  const std::vector<std::string> test = {"test", "my_fused", "--tier", "smoke"};
  const Shown fresh = opkit(test);
  EXPECT_EQ(fresh.exit_code, 0);
  EXPECT_THAT(fresh.err, Not(HasSubstr("again")));

  edit(kKernel, "Relu(", "Abs(");
  expect_refused("op_kernel/my_fused.cpp has changed since it was built");
  const Shown wrong = opkit(test);
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("FAILED"));
  EXPECT_THAT(wrong.err, HasSubstr("again: op_kernel/my_fused.cpp has changed"));

  edit(kKernel, "Abs(", "Relu(");
  edit("my_fused/op_contract.yaml", "version: \"1.0.0\"", "version: \"1.0.1\"");
  const Shown packed = opkit({"pack", "my_fused"});
  EXPECT_EQ(packed.exit_code, 0) << packed.err;
  EXPECT_THAT(packed.out, HasSubstr("MyFused-1.0.1-customize.opkg"));
  EXPECT_EQ(opkit(test).exit_code, 0);
}

TEST_F(Stale, AFailedBuildLeavesNothingToTake) {
  edit(kKernel, "Relu(", "NoSuchCall(");
  const Shown failed = opkit({"install", "my_fused", "--opp", "opp"});
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("OPK-BUILD-004"), HasSubstr("NoSuchCall")));
  expect_refused("op_kernel/my_fused.cpp has changed since it was built");
  edit(kKernel, "NoSuchCall(", "Relu(");
  write("my_fused/op_host/more.cpp", "int more() { return 1; }\n");
  expect_refused("op_host/more.cpp is new since it was built");
  fs::remove(path("my_fused/op_host/more.cpp"));
  EXPECT_EQ(opkit({"install", kPackage, "--opp", "opp"}).exit_code, 0);
}

// The kernel reads the struct that the host fills, whichever of their files was edited.
TEST_F(Stale, ATilingStructIsReadAgainWhenItsHeaderAloneChanges) {
  constexpr const char* kStruct = "my_product/op_host/my_product_tiling.h";
  ASSERT_EQ(opkit({"new", "MyProduct", "--template", "matmul"}).exit_code, 0);
  edit(kStruct, "END_TILING_DATA_DEF;",
       "TILING_DATA_FIELD_DEF(float, slope);\nEND_TILING_DATA_DEF;");
  edit("my_product/op_kernel/my_product.cpp", "TPipe pipe;",
       "static_assert(sizeof(data.slope) == 4, \"the slope is narrow\");\n  TPipe pipe;");
  const Shown narrow = opkit({"build", "my_product"});
  EXPECT_EQ(narrow.exit_code, 0) << narrow.err;

  edit(kStruct, "DEF(float, slope);\nEND", "DEF(uint64_t, slope);\nEND");
  const Shown wide = opkit({"build", "my_product"});
  EXPECT_EQ(wide.exit_code, 1);
  EXPECT_THAT(wide.err, AllOf(HasSubstr("OPK-BUILD-004"), HasSubstr("the slope is narrow")));
}

}  // namespace
}  // namespace opkit::e2e
