#include "opkit/core/put_off/gm_views.h"

#include <gtest/gtest.h>

#include <vector>

namespace opkit::core {
namespace {

struct GmViewsTest : ::testing::Test {
  GmViewsTest() : ub(4096, 1), gm(4096, 2) {}
  void view(size_t at, size_t from, size_t bytes) {
    views.written(&ub[at], bytes);
    ASSERT_TRUE(views.add(&ub[at], &gm[from], bytes));
  }
  std::vector<uint8_t> ub, gm;
  GmViews views;
};

TEST_F(GmViewsTest, ReadsThroughWhileNobodySees) {
  view(0, 100, 1024);
  EXPECT_EQ(views.read(&ub[32], 64), &gm[132]);
  EXPECT_EQ(views.read(&ub[2048], 64), &ub[2048]);
  EXPECT_EQ(ub[0], 1);
}

TEST_F(GmViewsTest, AReadAcrossTheEndMakesTheCopy) {
  view(0, 100, 1024);
  EXPECT_EQ(views.read(&ub[1000], 64), &ub[1000]);
  EXPECT_EQ(ub[1023], 2);
  EXPECT_EQ(ub[1024], 1);
  EXPECT_TRUE(views.empty());
}

TEST_F(GmViewsTest, AWholeOverwriteForgetsOneInTheMiddleCopies) {
  view(0, 0, 512);
  view(1024, 512, 512);
  views.written(&ub[0], 512);
  EXPECT_EQ(ub[0], 1);
  views.written(&ub[1024 + 32], 32);
  EXPECT_EQ(ub[1024 + 511], 2);
  EXPECT_TRUE(views.empty());
}

TEST_F(GmViewsTest, AnOverwriteAtAnEndLeavesTheRestAView) {
  view(0, 100, 512);
  views.written(&ub[0], 64);
  views.written(&ub[448], 100);
  EXPECT_EQ(views.read(&ub[64], 384), &gm[164]);
  EXPECT_EQ(views.read(&ub[0], 64), &ub[0]);
  EXPECT_EQ(views.read(&ub[448], 64), &ub[448]);
  views.settle();
  EXPECT_EQ(ub[63], 1);
  EXPECT_EQ(ub[64], 2);
  EXPECT_EQ(ub[447], 2);
  EXPECT_EQ(ub[448], 1);
}

TEST_F(GmViewsTest, AWriteToGmCopiesBefore) {
  view(0, 100, 512);
  view(1024, 2000, 512);
  views.gm_written(&gm[600], 100);
  EXPECT_EQ(ub[0], 2);
  EXPECT_EQ(ub[1024], 1);
  EXPECT_EQ(views.read(&ub[1024], 8), &gm[2000]);
}

TEST_F(GmViewsTest, SettleMakesEveryCopyAndFullTablesSayNo) {
  for (size_t i = 0; i < 8; ++i) view(i * 512, 0, 512);
  uint8_t other[512];
  EXPECT_FALSE(views.add(other, gm.data(), 512));
  views.settle();
  EXPECT_EQ(ub[0], 2);
  EXPECT_EQ(ub[4095], 2);
  EXPECT_TRUE(views.empty());
}

}  // namespace
}  // namespace opkit::core
