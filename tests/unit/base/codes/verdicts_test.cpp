#include "opkit/base/codes/verdicts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "opkit_test_paths.h"

namespace opkit {
namespace {

// Every word that a report prints in front of a problem or an op.
TEST(Verdicts, EachIsExplained) {
  for (const char* word : {"PASSED", "FAILED", "MISTRUSTED", "REFUSED", "UNIMPLEMENTED", "SKIPPED",
                           "INTERRUPTED", "mistrusted"}) {
    const Code* verdict = find_verdict(word);
    ASSERT_TRUE(verdict) << word;
    EXPECT_EQ(std::string(verdict->cause).back(), '.') << word;
    EXPECT_EQ(std::string(verdict->cure).back(), '.') << word;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(OPKIT_SOURCE_DIR) / verdict->page));
  }
  EXPECT_EQ(find_verdict("MISTRUST"), nullptr);
  EXPECT_EQ(find_verdict(""), nullptr);
}

}  // namespace
}  // namespace opkit
