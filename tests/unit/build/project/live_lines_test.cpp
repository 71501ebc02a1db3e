// Which lines count after conditional compilation, by file and pass.
#include "opkit/build/project/live_lines.h"

#include <gmock/gmock.h>

namespace opkit::project {
namespace {

using testing::Pair;
using testing::UnorderedElementsAre;

TEST(LiveLines, AreThoseThatThePreprocessorLeaves) {
  source_text::LiveLines lines;
  add_live_lines(
      "# 0 \"/a/k.cpp\"\n"
      "# 1 \"/a/h.h\" 1\n"
      "int from_header;\n"
      "# 2 \"/a/k.cpp\" 2\n"
      "\n"
      "  \t\n"
      "void live() {\n"
      "#define KEPT 1\n"
      "# 9 \"/a/k.cpp\"\n"
      "}\n",
      1, lines);
  EXPECT_THAT(lines["/a/k.cpp"], UnorderedElementsAre(Pair(4, 1), Pair(5, 1), Pair(9, 1)));
  EXPECT_THAT(lines["/a/h.h"], UnorderedElementsAre(Pair(1, 1)));
  add_live_lines("# 5 \"/a/b/../k.cpp\"\nx\ny\n", 2, lines);
  EXPECT_THAT(lines["/a/k.cpp"],
              UnorderedElementsAre(Pair(4, 1), Pair(5, 3), Pair(6, 2), Pair(9, 1)));
}

}  // namespace
}  // namespace opkit::project
