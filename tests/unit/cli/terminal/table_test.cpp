#include "opkit/cli/terminal/table.h"

#include <gtest/gtest.h>

namespace opkit::cli {
namespace {

TEST(Table, AlignsByVisibleWidth) {
  Table table({"name", ">bytes", "state"});
  const Palette painted(true);
  table.add({"é", "7", painted.paint(Style::kGreen, "good")});
  table.add({"longer", "1234567", "a\nb"});
  EXPECT_EQ(table.to_string(Palette(false)),
            "name      bytes  state\n"
            "é             7  \033[1;32mgood\033[0m\n"
            "longer  1234567  a b\n");
}

TEST(Palette, PaintsOnlyWhenItIsOn) {
  EXPECT_EQ(Palette(false).paint(Style::kRed, "x"), "x");
  EXPECT_EQ(Palette(true).paint(Style::kRed, "x"), "\033[1;31mx\033[0m");
  EXPECT_EQ(visible_width("\033[1;31mxé\033[0m"), 2u);
}

}  // namespace
}  // namespace opkit::cli
