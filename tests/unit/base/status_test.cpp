#include "opkit/base/status.h"

#include <gtest/gtest.h>

namespace opkit {
namespace {

TEST(Status, NoTerminalObeysWhatOthersWrote) {
  Error error("OPK-TILE-004",
              "an exception left the function: \x1b[2J\r\x7f \xc2\x9b"
              "7 größer",
              "look");
  error.trail.push_back("log \x07\n  more\tof it");
  EXPECT_EQ(
      error.to_string(),
      "error OPK-TILE-004: an exception left the function: \\x1b[2J\\x0d\\x7f \\u009b7 größer\n"
      "  in log \\x07\n  more\tof it\n"
      "  try: look");
}

}  // namespace
}  // namespace opkit
