#include "opkit/base/utf8.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(Utf8, TakesTextOfAnyLanguage) {
  for (const char* text :
       {"", "conv1/weight", "\xc3\xa9", "\xe6\x9d\x83\xe9\x87\x8d", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(is_utf8(text)) << text;
}

TEST(Utf8, RefusesOtherBytes) {
  for (const char* text :
       {"\xff", "a\x80", "\xc3", "\xe6\x9d", "\xc0\xaf", "\xf5\x80\x80\x80", "caf\xe9"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace opkit
