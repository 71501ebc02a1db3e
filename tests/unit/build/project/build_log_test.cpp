#include "opkit/build/project/build_log.h"

#include <gtest/gtest.h>

namespace opkit::project {
namespace {

TEST(BuildLog, FindsTheCompilersFirstError) {
  const auto found = first_error(
      "[1/3] Building\n/a b/k.cpp: In function 'f':\n/a b/k.cpp:7:3: warning: odd\n"
      "/a b/k.cpp:12:5: error: 'x' was not declared\n   12 |   x;\n      |   ^\nmore\n"
      "/a b/k.cpp:13:5: error: second\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->where.to_string(), "/a b/k.cpp:12:5");
  EXPECT_EQ(found->message, "'x' was not declared");
  EXPECT_EQ(found->excerpt, "   12 |   x;\n      |   ^\n");
}

TEST(BuildLog, NamesTheAuthorsLineOfAnErrorInAnInstalledHeader) {
  const auto found = first_error(
      "sdk/include/opkit/ascendc/v.h: In instantiation of 'void AscendC::Relu()':\n"
      "/p/op_kernel/k.cpp:17:9:   required from here\n"
      "sdk/include/opkit/abi/ops.inc:19:1: error: static assertion failed: Relu exists for half\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->where.to_string(), "/p/op_kernel/k.cpp:17:9");
}

TEST(BuildLog, FindsEveryErrorOfTheCompiler) {
  const auto found = all_errors(
      "/p/k.asc:5:3: error: first\n    5 | x;\n/p/k.asc:7:1: warning: odd\n"
      "/p/k.asc:9:3: error: second\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].where.line, 5);
  EXPECT_EQ(found[1].message, "second");
  EXPECT_TRUE(all_errors("fine\n").empty());
}

TEST(BuildLog, FindsLinkerToolAndCmakeErrors) {
  EXPECT_EQ(first_error("k.o: undefined reference to `f'\n")->message,
            "k.o: undefined reference to `f'");
  const auto tool =
      first_error("CMake Error at a.cmake:3 (message):\n  c.yaml:4:2: error OPK-X-001: no\n");
  EXPECT_EQ(tool->where.line, 4);
  EXPECT_EQ(tool->message, "error OPK-X-001: no");
  const auto cmake = first_error(
      "-- ok\nCMake Error at CMakeLists.txt:5 (foo):\n  Unknown CMake command\n  "
      "\"foo\".\n\n\nrest\n");
  EXPECT_EQ(cmake->where.to_string(), "CMakeLists.txt:5");
  EXPECT_EQ(cmake->message, "Unknown CMake command \"foo\".");
  EXPECT_FALSE(first_error("all fine\n"));
}

TEST(BuildLog, ReadsNinjasSteps) {
  const auto step = ninja_step("[3/7] Building CXX object a.o");
  ASSERT_TRUE(step);
  EXPECT_EQ(step->done, 3u);
  EXPECT_EQ(step->total, 7u);
  EXPECT_EQ(step->text, "Building CXX object a.o");
  EXPECT_FALSE(ninja_step("[x/7] no"));
  EXPECT_FALSE(ninja_step("-- Configuring"));
}

TEST(BuildLog, AnErrorInAHeaderOfTheSdkLeadsWithTheAuthorsLine) {
  const auto found = first_error(
      "In file included from /sdk/include/opkit/include/kernel_operator.h:7,\n"
      "                 from /home/me/add/op_kernel/add.cpp:2:\n"
      "/sdk/include/opkit/include/ascendc/vector.h: In instantiation of 'void AscendC::Cast() "
      "[with "
      "T = int]':\n"
      "/sdk/include/opkit/include/ascendc/forms.h:40:9:   required from 'void AscendC::Casts()'\n"
      "/home/me/add/op_kernel/add.h:12:7:   required from 'void Op<T>::Run() [with T = int]'\n"
      "/home/me/add/op_kernel/add.cpp:30:5:   required from here\n"
      "/sdk/include/opkit/include/ascendc/vector.h:88:17: error: static assertion failed: EK1205: "
      "no such cast\n"
      "   88 |   static_assert(has<T>, ...);\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->where.file, "/home/me/add/op_kernel/add.h");
  EXPECT_EQ(found->where.line, 12);
  EXPECT_EQ(found->message, "static assertion failed: EK1205: no such cast");
  EXPECT_EQ(found->excerpt, "");
}

}  // namespace
}  // namespace opkit::project
