// A newer version is on trial beside the one that has served a program. AddRelu's contract says
// y = max(x, 0); the plugins compute x + their addend, so only addend 0 on x >= 0 is right.
#include "opkit/acl/nn/canary.h"
#include "opkit/acl/nn/nn_ops.h"

#include <gmock/gmock.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/acl/op_versions.h"

namespace opkit::acl {
namespace {

using registry::PackageSpec;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

class CanaryTest : public OpVersions {
 protected:
  // Returns what the call said on stderr.
  std::string call(Caller& caller, float shows) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(caller.call(), shows);
    return testing::internal::GetCapturedStderr();
  }
  std::string version() {
    const auto served = nn_ops().find("AddRelu", "Ascend910B1");
    return served.ok() ? served->op->package.manifest.version : served.error().code;
  }

  const PackageSpec right_{.plugin = "good"};
  const PackageSpec right_1_2_{.version = "1.2.0", .plugin = "good_1_2"};
  const PackageSpec wrong_{.plugin = "adds_1"};
  const PackageSpec wrong_1_2_{.version = "1.2.0", .plugin = "adds_2"};
  const PackageSpec cannot_tile_{.version = "1.2.0", .plugin = "cannot_tile"};
  const PackageSpec faults_{.version = "1.2.0", .plugin = "faults"};
  const PackageSpec loads_not_{.version = "1.2.0", .plugin = "null"};
};

TEST_F(CanaryTest, TheSameBitsPromote) {
  for (const Lies lies : {Lies::kApart, Lies::kInPlace, Lies::kEverySecond}) {
    nn_ops() = {};
    install(right_, true);
    Caller caller(5, lies);
    EXPECT_EQ(caller.call(), 5);
    upgrade(right_1_2_);
    EXPECT_EQ(version(), "1.0.0") << "nobody has called it";
    EXPECT_THAT(call(caller, 5), IsEmpty());
    EXPECT_EQ(version(), "1.2.0");
    EXPECT_THAT(call(caller, 5), IsEmpty());
    roll_back(false);
  }
}

TEST_F(CanaryTest, WhatTheContractForbidsNeverServes) {
  for (const Lies lies : {Lies::kApart, Lies::kInPlace, Lies::kEverySecond}) {
    nn_ops() = {};
    install(right_, true);
    Caller caller(5, lies);
    EXPECT_EQ(caller.call(), 5);
    upgrade(wrong_1_2_);
    EXPECT_THAT(call(caller, 5),
                AllOf(HasSubstr("OPK-ACLNN-005"), HasSubstr("AddRelu 1.2.0 of acme was on trial"),
                      HasSubstr("AddRelu 1.0.0 of acme goes on"),
                      HasSubstr("64 of 64 elements of output 'y'"), HasSubstr("OPKIT_CANARY=0")));
    for (int i = 0; i < 3; ++i) EXPECT_THAT(call(caller, 5), IsEmpty()) << "said once";
    EXPECT_EQ(version(), "1.0.0");
    roll_back(false);
  }
}

TEST_F(CanaryTest, OtherBitsThatTheContractAllowsPromote) {
  install(wrong_);
  Caller caller(5);
  EXPECT_EQ(caller.call(), 6);
  upgrade(right_1_2_);
  EXPECT_THAT(call(caller, 6), IsEmpty()) << "the version before still serves this call";
  EXPECT_EQ(call(caller, 5), "");
}

// The plugins add to padding as well: what stands there is nobody's result.
TEST_F(CanaryTest, AFormatOfTheCubeUnitIsJudgedByItsElements) {
  const auto adds = [](const std::string& addend, const std::string& behind) {
    return PackageSpec{.plugin = "fractal_adds_" + addend,
                       .lies = "shape: \"M, N\", format: FRACTAL_NZ",
                       .behind = behind};
  };
  install(adds("1", ""));
  Caller caller(5, Lies::kFractal);
  EXPECT_EQ(caller.call(), 6);
  install(adds("0", ""), true);
  EXPECT_EQ(call(caller, 6), "") << "other bits, and right ones";
  EXPECT_EQ(call(caller, 5), "");
  install(adds("2", ""), true);
  EXPECT_THAT(call(caller, 5), HasSubstr("15 of 15 elements of output 'y'"));
  EXPECT_EQ(call(caller, 5), "");
  install(adds("0", "again"), true);
  EXPECT_EQ(call(caller, 5), "") << "the same bits";
}

TEST_F(CanaryTest, TheCopiesAreOfWhatTheCallWasGiven) {
  install(wrong_);
  Caller caller(5, Lies::kInPlace);
  EXPECT_EQ(caller.call(), 6);
  upgrade(right_1_2_);
  EXPECT_EQ(caller.call(), 7) << "one addition, to the program's memory";
  EXPECT_EQ(caller.call(), 7);
}

TEST_F(CanaryTest, AVersionThatCannotRunTheCallIsRefused) {
  struct Case {
    PackageSpec version;
    const char* says;
  };
  for (const Case& one : {Case{cannot_tile_, "OPK-TILE"}, Case{faults_, "its kernel failed"},
                          Case{loads_not_, "OPK-PLUGIN-"}}) {
    nn_ops() = {};
    install(right_, true);
    Caller caller(5);
    EXPECT_EQ(caller.call(), 5);
    registry::write_installed(opp_, one.version);
    std::this_thread::sleep_for(2 * registry::Answers::kHolds);
    EXPECT_THAT(call(caller, 5), AllOf(HasSubstr("OPK-ACLNN-005"), HasSubstr(one.says)));
    EXPECT_THAT(call(caller, 5), IsEmpty());
    std::filesystem::remove_all(opp_ / "vendors/acme/op_pkg/AddRelu/1.2.0");
    std::this_thread::sleep_for(2 * registry::Answers::kHolds);
  }
}

TEST_F(CanaryTest, WhoServedBeforeComesBackUntried) {
  install(right_);
  Caller caller(5);
  EXPECT_EQ(caller.call(), 5);
  upgrade(right_1_2_);
  EXPECT_EQ(caller.call(), 5);
  EXPECT_EQ(version(), "1.2.0");
  roll_back(false);
  EXPECT_EQ(version(), "1.0.0") << "without a call";
}

TEST_F(CanaryTest, ARepeatableExecutorKeepsItsVersionAndIsJudgedOnce) {
  install(wrong_);
  Caller caller(5);
  EXPECT_EQ(caller.call(), 6);
  upgrade(right_1_2_);
  aclOpExecutor* const planned = caller.plan();
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(planned), ACLNN_SUCCESS);
  EXPECT_EQ(caller.run(planned), 6);
  EXPECT_EQ(version(), "1.2.0");
  EXPECT_EQ(caller.run(planned), 6);
  EXPECT_EQ(caller.call(), 5);
  EXPECT_EQ(aclDestroyAclOpExecutor(planned), ACLNN_SUCCESS);
}

// Every version that is installed is new to the program, and every second one is wrong.
TEST_F(CanaryTest, NoCallFailsOrIsWrongWhileVersionsComeOnTrial) {
  install(right_);
  std::atomic<bool> over = false;
  std::atomic<int> calls = 0;
  std::vector<std::thread> callers;
  testing::internal::CaptureStderr();
  for (int t = 0; t < 2; ++t) {
    callers.emplace_back([&] {
      Caller caller(5);
      for (; !over; ++calls) EXPECT_EQ(caller.call(), 5) << said();
    });
  }
  Held early;
  for (int i = 0; i < kSwaps; ++i) {
    PackageSpec next = i % 2 == 0 ? right_ : wrong_;
    next.behind = std::to_string(i);
    install(next, true);
    std::this_thread::sleep_for(2 * registry::Answers::kHolds);
    for (const int before = calls; calls < before + 6;) std::this_thread::yield();
    if (i == kSwaps / 5) early = Held::now();
  }
  over = true;
  for (std::thread& one : callers) one.join();
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(count_of(told, "OPK-ACLNN-005"), kSwaps / 2);
  EXPECT_EQ(count_of(told, "64 of 64 elements of output 'y'"), kSwaps / 2);
  EXPECT_EQ(version(), "1.0.0");
  EXPECT_LE(Held::now().plugins, 3u) << "of a hundred";
  expect_flat(early);
}

}  // namespace
}  // namespace opkit::acl
