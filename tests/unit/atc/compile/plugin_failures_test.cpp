#include "opkit/atc/compile/plugin_failures.h"

#include <gtest/gtest.h>

namespace opkit::compile {
namespace {

TEST(PluginFailures, KeepTheFirstOfEachOpAndCountToThree) {
  PluginFailures failures;
  failures.add(Error("OPK-TILE-004", "no", "").of("A"), "node a");
  EXPECT_TRUE(failures.warnings().empty());
  for (const char* node : {"node a", "node b", "node c"}) {
    EXPECT_FALSE(failures.gave_up("A"));
    failures.add(Error("OPK-WORKER-002", "died", "").of("A"), node);
  }
  failures.add(Error("OPK-WORKER-004", "slow", "").of("B"), "node d");
  EXPECT_TRUE(failures.gave_up("A"));
  EXPECT_FALSE(failures.gave_up("B"));
  ASSERT_EQ(failures.warnings().size(), 2u);
  EXPECT_EQ(failures.warnings()[0].severity, Severity::kWarning);
  EXPECT_EQ(failures.warnings()[0].trail, std::vector<std::string>{"node a"});
  EXPECT_EQ(failures.warnings()[1].op, "B");
}

}  // namespace
}  // namespace opkit::compile
