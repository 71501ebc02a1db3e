#include "opkit/atc/compile/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::compile {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

double number_behind(const std::string& text, const std::string& word, size_t from = 0) {
  const size_t at = text.find(word, from);
  EXPECT_NE(at, std::string::npos) << word;
  return std::stod(text.substr(at + word.size()));
}

TEST(Svg, PutsBoxesBelowWhatTheyRead) {
  // The second box reads the third one.
  const std::string text =
      svg("net", {{{"x", "float32[2]"}, "#eeeeee", true}, {{"Relu"}}, {{"Abs"}}},
          {{0, 2, "x"}, {2, 1, "a"}});
  EXPECT_THAT(text, HasSubstr("<svg xmlns="));
  EXPECT_THAT(text, HasSubstr("float32[2]"));
  const double x = number_behind(text, "y=\"", text.find(">x</text>") - 60),
               relu = number_behind(text, "y=\"", text.find(">Relu<") - 70),
               abs = number_behind(text, "y=\"", text.find(">Abs<") - 70);
  EXPECT_LT(x, abs);
  EXPECT_LT(abs, relu);
}

TEST(Svg, EscapesAndCutsTexts) {
  const std::string text = svg("a<b>&", {{{"\"" + std::string(200, 'n') + "end"}}}, {});
  EXPECT_THAT(text, HasSubstr("a&lt;b&gt;&amp;"));
  EXPECT_THAT(text, HasSubstr("&quot;nnn"));
  EXPECT_THAT(text, HasSubstr("nend</text>"));
  EXPECT_THAT(text, Not(HasSubstr(std::string(100, 'n'))));
}

}  // namespace
}  // namespace opkit::compile
