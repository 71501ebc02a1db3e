#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measured_frame.h"

namespace opkit::model_profile {
namespace {

using ::testing::ElementsAre;

std::vector<uint64_t> starts(const ModelProfile& profile) {
  std::vector<uint64_t> all;
  for (const Piece& piece : profile.pieces) all.push_back(piece.start_ns);
  return all;
}

// 48 bytes each way at 0.5 bytes per nanosecond.
TEST(LayOut, PiecesFollowEachOther) {
  const ModelProfile profile =
      frame({.launch = 20, .busy = 100, .between = 40, .behind = 8, .link = 0.5});
  EXPECT_THAT(starts(profile), ElementsAre(0, 96, 216, 256, 376, 384));
  EXPECT_EQ(profile.pieces.back().ns, 96u);
  EXPECT_EQ(profile.parts.h2d, 96u);
  EXPECT_EQ(profile.parts.infer, 200u);
  EXPECT_EQ(profile.parts.idle, 80u);  // two launches, the host between kernels
  EXPECT_EQ(profile.parts.post, 8u);   // behind the last kernel
  EXPECT_EQ(profile.parts.d2h, 96u);
  EXPECT_EQ(profile.parts.total(), 480u);
}

TEST(LayOut, PiecesSayWhoDoesWhat) {
  const ModelProfile profile = frame({.launch = 5, .memory_bound = true});
  EXPECT_EQ(profile.pieces[0].op, "copy to the device");
  EXPECT_EQ(profile.pieces[0].name, "x");
  EXPECT_EQ(profile.pieces[1].op, "AddRelu");
  EXPECT_EQ(profile.pieces[1].row, TimelineRow::kStream);
  EXPECT_EQ(profile.pieces[1].busy_ns, 1000u);
  EXPECT_EQ(profile.pieces[1].hbm_bytes, 64u);
  EXPECT_EQ(profile.pieces[1].operations, 4096);
  EXPECT_EQ(profile.pieces[1].of_roof, 0.75);
  EXPECT_EQ(profile.pieces[1].block_dim, 3u);
  EXPECT_TRUE(profile.pieces[1].memory_bound);
  EXPECT_EQ(profile.pieces[2].row, TimelineRow::kHost);
  EXPECT_EQ(profile.pieces[4].op, "host LeakyRelu");
  const model_run::ModelMemory memory = model_run::memory_of(frame_model());
  EXPECT_EQ(profile.peak_bytes, memory.weights + memory.work);
}

// A clock that rounds up may give a kernel more cycles than its task lasts.
TEST(LayOut, BusyTimeIsAPartOfTheTask) {
  const ModelProfile profile =
      lay_out(frame_model(), 0, {{10, 12, 0, false}, {10, 10, 0, false}}, ran({0, 0, 0, 0}), 1e6);
  EXPECT_EQ(profile.parts.infer, 20u);
  EXPECT_EQ(profile.parts.idle, 0u);
}

TEST(LayOut, FramesFollowEachOther) {
  const ModelProfile one = frame({.between = 40}), other = frame({.between = 60});
  const ModelProfile all = join_frames({one, other});
  EXPECT_THAT(all.frames_ns, ElementsAre(one.parts.total(), one.parts.total() + 20));
  EXPECT_EQ(all.all_ns(), 2 * one.parts.total() + 20);
  ASSERT_EQ(all.pieces.size(), 2 * one.pieces.size());
  const Piece& second = all.pieces[one.pieces.size()];
  EXPECT_EQ(second.frame, 1u);
  EXPECT_EQ(second.start_ns, one.parts.total());
  EXPECT_EQ(all.parts.idle, one.parts.idle + 10);
  EXPECT_EQ(all.parts.infer, one.parts.infer);
}

// What runs on the host alone is work on results: nothing waits for it.
TEST(LayOut, AModelWithoutKernels) {
  const ModelProfile profile = lay_out(model::small_model(), 0, {}, ran({1, 2, 3, 4}), 1e6);
  EXPECT_EQ(profile.parts.infer, 0u);
  EXPECT_EQ(profile.parts.post, 10u);
}

}  // namespace
}  // namespace opkit::model_profile
