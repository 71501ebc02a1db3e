#include "opkit/cli/terminal/plain_text.h"

#include <gtest/gtest.h>

namespace opkit::cli {
namespace {

TEST(PlainText, ControlsAreShown) {
  EXPECT_EQ(plain_text("a\033[2Jb\033]0;title\007c\b\r"),
            "a\\x1b[2Jb\\x1b]0;title\\x07c\\x08\\x0d");
  EXPECT_EQ(plain_text(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(plain_text("\xc2\x9b"
                       "31m\x9b"),
            "\\x9b31m\\x9b");
  EXPECT_EQ(plain_text("x\xe2\x80\xae"
                       "y\xe2\x81\xa6"),
            "x\\u202ey\\u2066");
}

TEST(PlainText, TextStays) {
  const std::string text = "line\n\ttab, \xe7\xae\x97\xe5\xad\x90 \xc3\xa9 \xf0\x9f\x98\x80\n";
  EXPECT_EQ(plain_text(text), text);
  EXPECT_EQ(plain_text("ends\r\nhere"), "ends\nhere");
}

TEST(PlainText, CutAndWrongBytesAreShown) {
  EXPECT_EQ(plain_text("\xe7\xae"), "\\xe7\\xae");
  EXPECT_EQ(plain_text("\xff"
                       "a\xc0\x80"),
            "\\xffa\\xc0\\x80");
}

TEST(PlainText, OnlyThePalettesOwnColoursPass) {
  const Palette colours(true);
  const std::string painted = colours.paint(Style::kRed, "red");
  EXPECT_EQ(plain_text(painted, colours), painted);
  EXPECT_EQ(plain_text(painted, Palette(false)).find('\033'), std::string::npos);
  EXPECT_EQ(plain_text("\033[8mhidden", colours), "\\x1b[8mhidden");
}

}  // namespace
}  // namespace opkit::cli
