#include "opkit/cli/options/compiler_words.h"

#include <gmock/gmock.h>

namespace opkit::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CompilerWords, AreThoseOfGxxAndTheVendors) {
  const auto read = read_compiler_words({"-DA=1",
                                         "-D",
                                         "B",
                                         "-Idir",
                                         "-I",
                                         "other dir",
                                         "-isystem",
                                         "third",
                                         "-O3",
                                         "-std=gnu++17",
                                         "-Wall",
                                         "-g",
                                         "-fPIC",
                                         "-dc",
                                         "--npu-arch=dav-2201",
                                         "-MD",
                                         "-MT",
                                         "a.o",
                                         "-MF",
                                         "a.o.d",
                                         "--opkit-soc=Ascend910B3",
                                         "--opkit-launchers"});
  ASSERT_TRUE(read.ok());
  EXPECT_THAT(read->macros, ElementsAre("A=1", "B"));
  EXPECT_THAT(read->includes, ElementsAre("dir", "other dir", "third"));
  EXPECT_THAT(read->plain, ElementsAre("-Wall", "-g", "-fPIC"));
  EXPECT_EQ(read->level, "3");
  EXPECT_EQ(read->rule, "a.o.d");
  EXPECT_EQ(read->soc, "Ascend910B3");
  EXPECT_TRUE(read->launchers);
}

TEST(CompilerWords, HaveDefaults) {
  const auto read = read_compiler_words({});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->level + read->soc + read->rule, "");
  EXPECT_FALSE(read->launchers);
  EXPECT_THAT(read->plain, IsEmpty());
  EXPECT_EQ(read_compiler_words({"-O"})->level, "1") << "as g++";
}

TEST(CompilerWords, ThatMeanNothingAreRefused) {
  for (const char* word : {"--cce-x", "-O7", "-O22", "-std=c++23", "-std=c17", "-I", "-D", "-MF",
                           "-isystem", "file.cpp", "--npu-arch=dav-3510", "-l", ""}) {
    const auto read = read_compiler_words({"-g", word});
    ASSERT_FALSE(read.ok()) << word;
    EXPECT_EQ(read.error().code, "OPK-CC-013");
    EXPECT_THAT(read.error().to_string(), HasSubstr(word));
  }
}

TEST(CompilerWords, RefuseToMakeNothing) {
  const auto read = read_compiler_words({"-g", "-fsyntax-only"});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, "OPK-CC-013");
  EXPECT_THAT(read.error().message, HasSubstr("-fsyntax-only makes no object"));
}

}  // namespace
}  // namespace opkit::cli
