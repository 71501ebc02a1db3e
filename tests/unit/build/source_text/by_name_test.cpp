#include "opkit/build/source_text/by_name.h"

#include <gmock/gmock.h>

namespace opkit::source_text {
namespace {

using testing::HasSubstr;

TEST(ByName, PointersToGmAreVoidPointers) {
  const auto launcher = launcher_of(
      {"add", "GM_ADDR x, __gm__ float *y, const uint32_t count, std::pair<int, int> p", {}, 3},
      "a.cpp");
  ASSERT_TRUE(launcher.ok()) << launcher.error().to_string();
  EXPECT_THAT(
      launcher->header,
      HasSubstr("uint32_t aclrtlaunch_add(uint32_t blocks, void* stream, void* a0, void* a1, "
                "const uint32_t a2, std::pair< int, int> a3);"));
  EXPECT_THAT(launcher->header, HasSubstr("#define ACLRT_LAUNCH_KERNEL(kernel)"));
  EXPECT_THAT(launcher->definition,
              HasSubstr("Kernel<&add>::on(\"add\", blocks, nullptr, stream)(a0, a1, a2, a3);"));
}

TEST(ByName, NamesOfParameters) {
  const auto names = [](const char* parameters) {
    return parameter_names({"add", parameters, {}, 3});
  };
  EXPECT_EQ(names("GM_ADDR x, __gm__ float *__restrict__ y, const uint32_t count"), "x,y,count");
  EXPECT_EQ(names("std::pair<int, int> p, Tiling tiling[2]"), "p,tiling");
  EXPECT_EQ(names("GM_ADDR, __gm__ float *, GM_ADDR z"), ",,z");
  EXPECT_EQ(names(" "), "");
}

TEST(ByName, WithoutParameters) {
  const auto launcher = launcher_of({"nothing", " ", {}, 1}, "a.cpp");
  ASSERT_TRUE(launcher.ok());
  EXPECT_THAT(launcher->definition, HasSubstr("(uint32_t blocks, void* stream) {"));
  EXPECT_THAT(launcher->definition, HasSubstr("stream)();"));
}

TEST(ByName, ParametersOfAMacroAreRefused) {
  const auto launcher = launcher_of({"add", "GM_ADDR x, KERNEL_ARGUMENTS", {}, 7}, "a.cpp");
  ASSERT_FALSE(launcher.ok());
  EXPECT_EQ(launcher.error().code, "OPK-CC-010");
  EXPECT_THAT(launcher.error().to_string(), HasSubstr("a.cpp:7"));
  EXPECT_THAT(launcher.error().message, HasSubstr("parameter 2 of kernel add"));
  EXPECT_THAT(launcher.error().message, HasSubstr("KERNEL_ARGUMENTS"));
}

}  // namespace
}  // namespace opkit::source_text
