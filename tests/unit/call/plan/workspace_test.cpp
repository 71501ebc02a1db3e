#include "opkit/call/plan/workspace.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <span>

namespace opkit {
namespace {

bool all_poison(const Workspace& workspace) {
  const std::span<const std::byte> bytes(workspace.data(), workspace.size_bytes());
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0xff}; });
}

class Workspaces : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Workspaces,
                         testing::Values(1, 4096, 100'000, (2u << 20) - 64, 2u << 20, 5'000'001));

TEST_P(Workspaces, HoldPoisonUntilTheyAreWrittenAndAgainWhenTold) {
  auto workspace = Workspace::make(GetParam());
  ASSERT_TRUE(workspace.ok());
  EXPECT_EQ(workspace->size_bytes(), GetParam());
  EXPECT_TRUE(all_poison(*workspace));
  for (int round = 0; round < 2; ++round) {
    workspace->data()[0] = std::byte{1};
    workspace->data()[GetParam() - 1] = std::byte{2};
    EXPECT_FALSE(all_poison(*workspace));
    workspace->poison();
    EXPECT_TRUE(all_poison(*workspace));
  }
}

TEST(Workspace, WhatOneWritesNoOtherOneSees) {
  const auto one = Workspace::make(1000), other = Workspace::make(1000);
  one->data()[10] = std::byte{0};
  EXPECT_TRUE(all_poison(*other));
  EXPECT_TRUE(all_poison(*Workspace::make(1000)));
}

TEST(Workspace, BytesBehindTheEndAreReadable) {
  const auto workspace = Workspace::make(4096);
  EXPECT_EQ(workspace->data()[4096 + 63], std::byte{0xff});
}

TEST(Workspace, MayBeEmptyAndMayBeTooLarge) {
  auto empty = Workspace::make(0);
  ASSERT_TRUE(empty.ok());
  EXPECT_NE(empty->data(), nullptr);
  empty->poison();
  for (const uint64_t bytes : {uint64_t{1} << 60, ~uint64_t{0}}) {
    const auto huge = Workspace::make(bytes);
    ASSERT_FALSE(huge.ok());
    EXPECT_EQ(huge.error().code, "OPK-RUN-005");
    EXPECT_NE(huge.error().message.find(std::to_string(bytes)), std::string::npos);
  }
}

// Larger than what the host would give at once: only what is touched is taken.
TEST(Workspace, TakesPagesWhereItIsTouched) {
  ASSERT_TRUE(Workspace::make(uint64_t{1} << 40, true).ok());
  const auto workspace = Workspace::make(uint64_t{4} << 30);
  ASSERT_TRUE(workspace.ok());
  workspace->data()[uint64_t{3} << 30] = std::byte{3};
  EXPECT_EQ(workspace->data()[(uint64_t{3} << 30) + 1], std::byte{0xff});
}

}  // namespace
}  // namespace opkit
