#include "opkit/core/put_off/panel_views.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace opkit::core {
namespace {

constexpr uint64_t kPitch = 200;  // separates rows in GM

struct PanelViewsTest : ::testing::Test {
  PanelViewsTest() : l1(8192, 0), gm(16384) { std::iota(gm.begin(), gm.end(), uint8_t{1}); }

  // `matrices` matrices of 32 rows of 64 bytes: two panels of two fractals each.
  PanelChange change(size_t at, uint32_t matrices = 1) {
    PanelChange c;
    c.nd = gm.data();
    c.nd_row_pitch = kPitch;
    c.nd_matrix_pitch = 40 * kPitch;
    c.nz = &l1[at];
    c.nz_row_pitch = 32;
    c.nz_panel_pitch = 32 * 32;
    c.nz_matrix_pitch = 2 * 32 * 32;
    c.matrices = matrices;
    c.rows = 32;
    c.row_bytes = 64;
    return c;
  }
  void note(size_t at, uint32_t matrices = 1) { ASSERT_TRUE(views.add(change(at, matrices))); }
  // Byte b of row r of panel p of matrix m.
  uint8_t source(uint32_t m, uint32_t p, uint32_t r, uint32_t b) const {
    return gm[m * 40 * kPitch + r * kPitch + p * 32 + b];
  }
  void expect_made(size_t at, uint32_t matrices = 1) {
    for (uint32_t i = 0; i < matrices * 2048; ++i) {
      const uint32_t m = i / 2048, p = i % 2048 / 1024, r = i % 1024 / 32;
      ASSERT_EQ(l1[at + i], source(m, p, r, i % 32)) << i;
    }
  }
  void expect_untouched(size_t at, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) ASSERT_EQ(l1[at + i], 0) << i;
  }

  std::vector<uint8_t> l1, gm;
  PanelViews views;
};

TEST_F(PanelViewsTest, OnlyWholeFractalsWithoutGapsAreNoted) {
  for (int field = 0; field < 5; ++field) {
    PanelChange c = change(0, 2);
    if (field == 0) c.rows = 24;
    if (field == 1) c.row_bytes = 60;
    if (field == 2) c.nz_row_pitch = 64;
    if (field == 3) c.nz_panel_pitch = 2048;
    if (field == 4) c.nz_matrix_pitch = 4096;
    EXPECT_FALSE(views.add(c)) << field;
  }
  EXPECT_TRUE(views.empty());
}

TEST_F(PanelViewsTest, WalksOverFractalsInGm) {
  note(512, 2);
  auto walk = views.walk(&l1[512], 4096, &l1[512 + 512], 7);
  ASSERT_TRUE(walk);
  EXPECT_EQ(walk->row_pitch(), kPitch);
  EXPECT_EQ(walk->rows(), &gm[16 * kPitch]);
  walk->advance(1);
  EXPECT_EQ(walk->rows(), &gm[32]);
  walk->advance(3);
  EXPECT_EQ(walk->rows(), &gm[40 * kPitch + 16 * kPitch]);
  walk->advance(2);
  EXPECT_EQ(walk->rows(), &gm[40 * kPitch + 16 * kPitch + 32]);
  expect_untouched(0, l1.size());
}

// What a stretch says is what single steps find.
TEST_F(PanelViewsTest, StretchesAreEquallyLongSteps) {
  note(0, 2);
  for (uint32_t begin = 0; begin < 8; ++begin) {
    for (uint32_t unit = 1; unit <= 2; ++unit) {
      for (uint32_t step = 0; begin + unit <= 8 && step < 8; ++step) {
        const uint32_t most = step == 0 ? 3 : (8 - unit - begin) / step + 1;
        auto walk = views.walk(l1.data(), 4096, &l1[begin * 512], 0);
        ASSERT_TRUE(walk);
        const auto stretch = walk->stretch(step, most, unit);
        ASSERT_GE(stretch.count, 1u);
        ASSERT_LE(stretch.count, most);
        const uint8_t* first = walk->rows();
        const auto next_of = [unit](FractalWalk at) {
          at.advance(unit - 1);
          return at.rows();
        };
        const auto way = next_of(*walk) - first;
        for (uint32_t i = 0; i < stretch.count; ++i, walk->advance(step)) {
          EXPECT_EQ(walk->rows(), first + i * stretch.pitch) << begin << ' ' << unit << ' ' << step;
          EXPECT_EQ(next_of(*walk) - walk->rows(), way) << begin << ' ' << unit << ' ' << step;
          if (i + 1 == stretch.count) break;
        }
      }
    }
  }
}

TEST_F(PanelViewsTest, NoWalkAcrossAnEndBetweenFractalsOrASecondTime) {
  note(512);
  EXPECT_FALSE(views.walk(&l1[0], 1024, &l1[512], 1));
  EXPECT_FALSE(views.walk(&l1[512 + 32], 512, &l1[512 + 32], 1));
  EXPECT_TRUE(views.walk(&l1[512], 512, &l1[512], 1));
  EXPECT_FALSE(views.walk(&l1[512], 2048, &l1[512], 4));
  EXPECT_FALSE(views.walk(&l1[4096], 512, &l1[4096], 1));
}

TEST_F(PanelViewsTest, AReadOfAnyPartMakesTheWhole) {
  note(0);
  note(4096, 2);
  views.read(&l1[2048], 2048);
  expect_untouched(0, l1.size());
  views.read(&l1[4096 + 4095], 1);
  expect_made(4096, 2);
  expect_untouched(0, 4096);
  views.settle();
  expect_made(0);
  EXPECT_TRUE(views.empty());
}

TEST_F(PanelViewsTest, AWholeOverwriteForgetsAPartMakes) {
  note(0);
  note(4096);
  views.written(&l1[0], 2048);
  expect_untouched(0, l1.size());
  views.written(&l1[4096 + 32], 4000);
  expect_made(4096);
  EXPECT_TRUE(views.empty());
}

TEST_F(PanelViewsTest, AWriteToGmMakesTheReadersBefore) {
  note(0);
  PanelChange behind = change(4096);
  behind.nd = &gm[8192];
  ASSERT_TRUE(views.add(behind));
  views.gm_written(&gm[31 * kPitch + 64], 100);
  expect_untouched(0, l1.size());
  views.gm_written(&gm[31 * kPitch + 63], 1);
  expect_made(0);
  expect_untouched(4096, 2048);
}

TEST_F(PanelViewsTest, AFullTableSaysNo) {
  for (int i = 0; i < 16; ++i) note(0);
  EXPECT_FALSE(views.add(change(0)));
  views.clear();
  EXPECT_TRUE(views.empty());
}

}  // namespace
}  // namespace opkit::core
