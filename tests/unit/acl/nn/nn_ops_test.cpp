// Programs meet new versions of the ops that they call, while they call them.
#include "opkit/acl/nn/nn_ops.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/acl/op_versions.h"

namespace opkit::acl {
namespace {

// Versions serve at once.
class NnOpVersions : public OpVersions {
 protected:
  void SetUp() override {
    ::setenv("OPKIT_CANARY", "0", 1);
    OpVersions::SetUp();
    install(first_);
  }
  void TearDown() override {
    OpVersions::TearDown();
    ::unsetenv("OPKIT_CANARY");
  }
  void upgrade() { OpVersions::upgrade(second_); }

  const registry::PackageSpec first_{.plugin = "adds_1"};
  const registry::PackageSpec second_{.version = "1.2.0", .plugin = "adds_2"};
  const registry::PackageSpec other_first_{.plugin = "adds_3"};
};

TEST_F(NnOpVersions, TheNextCallIsServedByWhatServesNow) {
  Caller caller;
  EXPECT_EQ(caller.call(), 1);
  upgrade();
  EXPECT_EQ(caller.call(), 2);
  roll_back(false);
  EXPECT_EQ(caller.call(), 1);
  install(other_first_, true);
  EXPECT_EQ(caller.call(), 3) << "the same version, of other bytes";
}

TEST_F(NnOpVersions, AnExecutorKeepsTheVersionThatItWasPlannedFor) {
  Caller caller;
  aclOpExecutor* const planned = caller.plan();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(planned), ACLNN_SUCCESS);
  install(other_first_, true);
  EXPECT_EQ(caller.call(), 3);
  EXPECT_EQ(caller.run(planned), 1);
  EXPECT_EQ(aclDestroyAclOpExecutor(planned), ACLNN_SUCCESS);
}

TEST_F(NnOpVersions, ALibraryIsLetGoOfWithItsLastExecutor) {
  NnOps ops;
  std::weak_ptr<const OpenedOp> before;
  {
    auto served = ops.find("AddRelu", "Ascend910B1");
    ASSERT_TRUE(served.ok()) << served.error().to_string();
    EXPECT_EQ(ops.find("AddRelu", "Ascend910B1")->op, served->op);
    before = served->op;
    upgrade();
    EXPECT_NE(ops.find("AddRelu", "Ascend910B1")->op, served->op);
    EXPECT_FALSE(before.expired());
  }
  EXPECT_TRUE(before.expired());
}

TEST_F(NnOpVersions, AnOpThatIsGoneIsNotServedFromMemory) {
  Caller caller;
  EXPECT_EQ(caller.call(), 1);
  std::filesystem::remove_all(opp_ / "vendors/acme/op_pkg/AddRelu");
  std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  EXPECT_EQ(caller.plan(), nullptr);
  EXPECT_THAT(said(), testing::HasSubstr("OPK-REG-"));
}

TEST_F(NnOpVersions, AVersionThatDoesNotLoadIsToldEachTime) {
  Caller caller;
  EXPECT_EQ(caller.call(), 1);
  registry::write_installed(opp_, {.version = "1.2.0", .plugin = "null"});
  std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(caller.plan(), nullptr) << "the version before is not what was asked for";
    EXPECT_THAT(said(), testing::HasSubstr("OPK-PLUGIN-"));
  }
  std::filesystem::remove_all(opp_ / "vendors/acme/op_pkg/AddRelu/1.2.0");
  std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  EXPECT_EQ(caller.call(), 1);
}

TEST_F(NnOpVersions, NoCallFailsOrMixesWhileVersionsAreSwapped) {
  upgrade();
  std::atomic<bool> over = false;
  std::atomic<int> calls = 0;
  std::vector<std::thread> callers;
  for (int t = 0; t < 2; ++t) {
    callers.emplace_back([&] {
      Caller caller;
      for (; !over; ++calls) {
        const float shown = caller.call();
        EXPECT_TRUE(shown == 1 || shown == 2) << shown << ": " << said();
      }
    });
  }
  Caller caller;
  Held early;
  for (int i = 0; i < kSwaps; ++i) {
    for (const int before = calls; calls < before + 4;) std::this_thread::yield();
    roll_back(i % 2 == 1);
    EXPECT_EQ(caller.call(), 1 + i % 2) << "swap " << i;
    if (i == kSwaps / 5) early = Held::now();
  }
  over = true;
  for (std::thread& one : callers) one.join();
  EXPECT_LE(Held::now().plugins, 3u) << "of a hundred";
  expect_flat(early);
  RecordProperty("calls", calls);
}

}  // namespace
}  // namespace opkit::acl
