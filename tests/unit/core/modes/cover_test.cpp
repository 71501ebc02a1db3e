// Which bytes a launch writes, by whom and how often, with and without data.
#include "opkit/core/modes/cover.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/dry.h"
#include "opkit/include/lib/matmul_intf.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using testing::HasSubstr;

constexpr uint32_t kTile = 64, kBlocks = 4;  // elements; floats
constexpr uint64_t kBytes = kTile * kBlocks * sizeof(float);

// Every block writes `count` elements at its own tile plus `shift`, `rounds` times.
template <uint32_t shift, uint32_t count, uint32_t rounds>
void store(void* const* args) {
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[0]), kTile * kBlocks);
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  for (uint32_t round = 0; round < rounds; ++round) {
    LocalTensor<float> tile = out.AllocTensor<float>();
    Duplicate(tile, 1.0f, kTile);
    out.EnQue(tile);
    tile = out.DeQue<float>();
    const uint32_t at = GetBlockIdx() * kTile + shift;
    DataCopy(z[at], tile, count);
    out.FreeTensor(tile);
  }
}

// Every block multiplies into 16 x 4 of z, in blocks of 16 x 16, and takes the block from UB.
void product(void* const* args) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> sums;
  pipe.InitBuffer(sums, 1, 16 * 16 * sizeof(float));
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, float>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float>>
      mm;
  TCubeTiling tiling;
  tiling.M = tiling.singleCoreM = tiling.baseM = 16;
  tiling.N = tiling.singleCoreN = 4;
  tiling.baseN = 16;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = tiling.baseK = 8;
  mm.Init(&tiling);
  GlobalTensor<float> z, a, b;
  z.SetGlobalBuffer(static_cast<float*>(args[0]), kTile * kBlocks);
  a.SetGlobalBuffer(static_cast<float*>(args[0]), 16 * 8);
  b.SetGlobalBuffer(static_cast<float*>(args[0]), 8 * 4);
  mm.SetTensorA(a);
  mm.SetTensorB(b);
  while (mm.Iterate()) {
    LocalTensor<float> block = sums.AllocTensor<float>();
    mm.GetTensorC(block, 0, true);
    sums.EnQue(block);
    block = sums.DeQue<float>();
    DataCopyPad(z[GetBlockIdx() * kTile], block, DataCopyExtParams{16, 16, 1, 0, 0});
    sums.FreeTensor(block);
  }
}

// Every block writes the 16 bytes of each row that are its panel of z, a matrix of 16 x 16, and row
// `again` twice.
template <uint32_t rows, uint32_t again>
void panel(void* const* args) {
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[0]), kTile * kBlocks);
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, 16 * 32);
  LocalTensor<float> tile = out.AllocTensor<float>();
  Duplicate(tile, 1.0f, 16 * 8);
  out.EnQue(tile);
  tile = out.DeQue<float>();
  const uint32_t at = GetBlockIdx() * 4;
  DataCopyPad(z[at], tile, DataCopyExtParams{rows, 16, 0, 48, 0});
  DataCopyPad(z[at + again * 16], tile, DataCopyExtParams{1, 16, 0, 0, 0});
  out.FreeTensor(tile);
}

struct Seen {
  LaunchReport launch;
  CoverReport cover;
};

template <KernelBody body>
Seen watch(const CoverOptions& options, bool dry = false) {
  std::vector<float> z(kTile * kBlocks, -1.0f);
  Cover cover(options);
  LaunchSetup setup;
  setup.blocks = kBlocks;
  setup.gm = {GmRange{reinterpret_cast<uint8_t*>(z.data()), kBytes, "z", true, false}};
  Dry without_data(cover);
  setup.observer = dry ? static_cast<Observer*>(&without_data) : &cover;
  LaunchReport report = run<body>({z.data()}, setup);
  if (dry) {
    EXPECT_THAT(z, testing::Each(-1.0f)) << "a dry run moves no data";
  }
  return {std::move(report), cover.take_report()};
}

class CoverOfAWrite : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Dry, CoverOfAWrite, testing::Bool());

TEST_P(CoverOfAWrite, IsCompleteWhenEveryByteIsWrittenOnce) {
  const Seen seen = watch<store<0, kTile, 1>>({}, GetParam());
  ASSERT_TRUE(seen.launch.ok());
  ASSERT_EQ(seen.cover.ranges.size(), 1u);
  EXPECT_EQ(seen.cover.ranges[0].written, kBytes);
  EXPECT_EQ(seen.cover.ranges[0].missing, 0u);
  EXPECT_EQ(seen.cover.ranges[0].repeated, 0u);
  EXPECT_EQ(seen.cover.ranges[0].clashing, 0u);
  EXPECT_EQ(seen.cover.peak[OPK_MEM_UB], kTile * sizeof(float));
}

// The block that GetTensorC asks for was watched only.
TEST_P(CoverOfAWrite, SeesWhatAMatmulObjectLeavesInUb) {
  const Seen seen = watch<product>({}, GetParam());
  ASSERT_TRUE(seen.launch.ok()) << seen.launch.faults.front().message;
  EXPECT_EQ(seen.cover.ranges[0].missing, 0u);
  EXPECT_EQ(seen.cover.ranges[0].repeated, 0u);
}

TEST_P(CoverOfAWrite, HasAHoleWhereNobodyWrites) {
  const Seen seen = watch<store<0, kTile - 8, 1>>({}, GetParam());
  EXPECT_EQ(seen.cover.ranges[0].missing, kBlocks * 8 * sizeof(float));
  ASSERT_EQ(seen.cover.ranges[0].holes.size(), size_t{kBlocks});
  EXPECT_EQ(seen.cover.ranges[0].holes[0].first, (kTile - 8) * sizeof(float));
  EXPECT_EQ(seen.cover.ranges[0].holes[0].second, kTile * sizeof(float));
}

TEST_P(CoverOfAWrite, MergesPanelsOfRows) {
  const Seen whole = watch<panel<16, 5>>({}, GetParam());
  ASSERT_EQ(whole.cover.ranges.size(), 1u);
  EXPECT_EQ(whole.cover.ranges[0].written, kBytes);
  EXPECT_EQ(whole.cover.ranges[0].repeated, kBytes / 16);
  EXPECT_EQ(whole.cover.ranges[0].clashing, 0u);
  EXPECT_TRUE(whole.cover.ranges[0].holes.empty());
  const Seen short_of_one = watch<panel<14, 15>>({}, GetParam());
  ASSERT_EQ(short_of_one.cover.ranges[0].holes.size(), 1u);
  EXPECT_EQ(short_of_one.cover.ranges[0].holes[0],
            (std::pair<uint64_t, uint64_t>(14 * 64, 15 * 64)));
}

TEST_P(CoverOfAWrite, CountsWhatIsWrittenAgain) {
  const Seen seen = watch<store<0, kTile, 3>>({}, GetParam());
  EXPECT_EQ(seen.cover.ranges[0].written, kBytes);
  EXPECT_EQ(seen.cover.ranges[0].repeated, 2 * kBytes);
  EXPECT_EQ(seen.cover.ranges[0].clashing, 0u) << "a core's own writes are in order";
}

// Every block writes the first tile.
void store_first(void* const* args) {
  GlobalTensor<float> z;
  z.SetGlobalBuffer(static_cast<float*>(args[0]), kTile * kBlocks);
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  LocalTensor<float> tile = out.AllocTensor<float>();
  Duplicate(tile, 1.0f, kTile);
  out.EnQue(tile);
  tile = out.DeQue<float>();
  DataCopy(z, tile, kTile);
  out.FreeTensor(tile);
}

TEST_P(CoverOfAWrite, NamesTwoCoresThatClash) {
  const Seen seen = watch<store_first>({}, GetParam());
  const CoverOfRange& range = seen.cover.ranges[0];
  EXPECT_EQ(range.clashing, (kBlocks - 1) * kTile * sizeof(float)) << "once per further core";
  EXPECT_EQ(range.clash.begin, 0u);
  EXPECT_EQ(range.clash.end, kTile * sizeof(float));
  EXPECT_NE(range.clash.first, range.clash.second);
}

TEST(Cover, GivesUpWithAWordWhenTheWritesAreTooMany) {
  CoverOptions options;
  options.max_pieces = 2;
  const Seen seen = watch<store<0, kTile - 8, 1>>(options);
  ASSERT_FALSE(seen.launch.ok());
  EXPECT_EQ(seen.launch.faults[0].code, "EK1604");
  EXPECT_THAT(seen.launch.faults[0].message,
              HasSubstr("no longer watched: the outputs are written in more than 2 pieces"));
  EXPECT_EQ(seen.launch.faults[0].action, "try a smaller shape");
  EXPECT_EQ(seen.cover.gave_up, "the outputs are written in more than 2 pieces");
}

TEST(Cover, GivesUpWithAWordWhenTheLaunchIsTooLong) {
  CoverOptions options;
  options.max_instructions = 5;
  const Seen seen = watch<store<0, kTile, 3>>(options);
  ASSERT_FALSE(seen.launch.ok());
  EXPECT_EQ(seen.launch.faults[0].code, "EK1604");
  EXPECT_THAT(seen.launch.faults[0].message, HasSubstr("no longer watched"));
}

}  // namespace
}  // namespace opkit::core::test
