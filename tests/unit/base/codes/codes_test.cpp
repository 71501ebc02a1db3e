#include "opkit/base/codes/codes.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "opkit_test_paths.h"

namespace opkit {
namespace {
namespace fs = std::filesystem;

const fs::path kRoot = OPKIT_SOURCE_DIR;

TEST(Codes, EveryRowIsComplete) {
  std::set<std::string> ids;
  for (const Code& code : all_codes()) {
    EXPECT_TRUE(ids.insert(code.id).second) << code.id << " stands twice";
    const std::string cause = code.cause, cure = code.cure;
    ASSERT_GT(cause.size(), 10u) << code.id;
    EXPECT_EQ(cause.back(), '.') << code.id << ": the cause is a sentence";
    EXPECT_EQ(cure.back(), '.') << code.id << ": the cure is a sentence";
    EXPECT_GT(std::string(code.example).size(), 2u) << code.id;
    EXPECT_TRUE(fs::exists(kRoot / code.page)) << code.id << " points to " << code.page;
  }
}

TEST(Codes, FindTakesAnyCase) {
  ASSERT_TRUE(find_code("ek1103"));
  EXPECT_STREQ(find_code("ek1103")->id, "EK1103");
  EXPECT_EQ(find_code("EK999"), nullptr);
  EXPECT_EQ(find_code(""), nullptr);
}

TEST(Codes, ExplainNamesCauseExampleCureAndPage) {
  const Code* code = find_code("EK1103");
  ASSERT_TRUE(code);
  EXPECT_EQ(explain(*code),
            "EK1103: DeQue is called on a queue that holds nothing.\n"
            "  for example: queue.DeQue<float>() before EnQue\n"
            "  cure: EnQue a tensor first, on every path that leads to the DeQue.\n"
            "  read: docs/checked.md\n");
}

}  // namespace
}  // namespace opkit
