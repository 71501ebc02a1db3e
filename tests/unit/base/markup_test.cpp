#include "opkit/base/markup.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(MarkupText, PlainTextStays) {
  for (const char* text : {"", "x=32,128", "größe", "a\tb\nc", "it is 100 %; all"})
    EXPECT_EQ(markup_text(text), text);
}

TEST(MarkupText, NoTextOpensAnElementOrEndsAnAttribute) {
  EXPECT_EQ(markup_text("<script>"), "&lt;script&gt;");
  EXPECT_EQ(markup_text("\" onload='x'"), "&quot; onload=&#39;x&#39;");
  EXPECT_EQ(markup_text("a & b"), "a &amp; b");
  EXPECT_EQ(markup_text("&lt;"), "&amp;lt;");
}

TEST(MarkupText, XmlHoldsEveryCharacter) {
  EXPECT_EQ(markup_text(std::string_view("a\x1b[31m\0b\r", 9)), "a?[31m?b?");
}

}  // namespace
}  // namespace opkit
