// Programs give the bits of the kernel, wherever tensors lie and whatever they hold.
#include <gtest/gtest.h>

#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::replays {
namespace {

using namespace AscendC;

constexpr uint32_t kFloats = 8192, kTile = 1024;

struct Tensors {
  GlobalTensor<float> x, y, z;
  explicit Tensors(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kFloats);
    y.SetGlobalBuffer(static_cast<float*>(args[1]), kFloats);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), kFloats);
  }
};

LocalTensor<float> room(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * 8192, 2048);
}

// The elements of the block: from, and how many tiles.
struct Share {
  uint32_t from = static_cast<uint32_t>(GetBlockIdx() * (kFloats / GetBlockNum()));
  uint32_t tiles = static_cast<uint32_t>(kFloats / GetBlockNum()) / kTile;
};

void add_relu(void* const* args) {
  Tensors g(args);
  const Share share;
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile, odd = t % 2 * 3;
    DataCopy(room(odd), g.x[at], kTile);
    DataCopy(room(odd + 1), g.y[at], kTile);
    Add(room(odd + 2), room(odd), room(odd + 1), kTile);
    Relu(room(odd + 2), room(odd + 2), kTile);
    DataCopy(g.z[at], room(odd + 2), kTile);
  }
}

// Every kind of step that follows another in place, and conversions.
void long_chain(void* const* args) {
  Tensors g(args);
  const Share share;
  const LocalTensor<half> narrow = room(4).ReinterpretCast<half>();
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile;
    DataCopy(room(0), g.x[at], kTile);
    DataCopy(room(1), g.y[at], kTile);
    Mul(room(2), room(0), room(0), kTile);
    Muls(room(2), room(2), -0.0713548163f, kTile);
    Adds(room(2), room(2), -1.5957691216f, kTile);
    Mul(room(2), room(2), room(0), kTile);
    Exp(room(2), room(2), kTile);
    Adds(room(2), room(2), 1.0f, kTile);
    Div(room(3), room(0), room(2), kTile);
    Axpy(room(3), room(1), 0.5f, kTile);
    Cast(narrow, room(3), RoundMode::CAST_RINT, kTile);
    Maxs(narrow, narrow, static_cast<half>(-3.0f), kTile);
    Cast(room(5), narrow, RoundMode::CAST_NONE, kTile);
    Sub(room(5), room(5), room(1), kTile);
    DataCopy(g.z[at], room(5), kTile);
  }
}

// Rows of 256: sums and maxima by folding, a number per row, a row for all rows.
void rows(void* const* args) {
  Tensors g(args);
  const Share share;
  constexpr uint8_t kRows = 4, kPitch = 32;  // blocks
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile;
    const LocalTensor<float> x = room(0), folded = room(1), number = room(2), wide = room(3);
    DataCopy(x, g.x[at], kTile);
    DataCopy(room(4), g.y, 256);
    Duplicate(number, 0.5f, 64);
    Adds(folded, x, 0.0f, static_cast<uint64_t>(64), kRows, UnaryRepeatParams(1, 1, 8, kPitch));
    for (uint32_t c = 64; c < 256; c += 64)
      Add(folded, folded, x[c], static_cast<uint64_t>(64), kRows,
          BinaryRepeatParams(1, 1, 1, 8, 8, kPitch));
    WholeReduceSum(number, folded, 64, kRows, 1, 1, 8);
    WholeReduceMax(number[8], x, 64, kRows, 1, 1, kPitch, ReduceOrder::ORDER_ONLY_VALUE);
    WholeReduceMin(number[16], x, 40, kRows, 1, 1, kPitch, ReduceOrder::ORDER_ONLY_VALUE);
    Muls(number, number, 1.0f / 256, 4);
    Brcb(wide, number, 1, {1, 8});
    for (uint32_t c = 0; c < 256; c += 64) {
      Sub(x[c], x[c], wide, static_cast<uint64_t>(64), kRows,
          BinaryRepeatParams(1, 1, 0, kPitch, kPitch, 1));
      Mul(x[c], x[c], room(4)[c], static_cast<uint64_t>(64), kRows,
          BinaryRepeatParams(1, 1, 1, kPitch, kPitch, 0));
    }
    Add(x, x, x, kTile);
    DataCopy(g.z[at], x, kTile);
    DataCopy(g.z[at], number[8], 24);
  }
}

// Rows of 256 as a normalization has them: sums of blocks, a block per row, two rows for all rows,
// and a chain of steps behind.
void normalized(void* const* args) {
  Tensors g(args);
  const Share share;
  constexpr uint8_t kRows = 4;
  DataCopy(room(4), g.y, 512);
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile;
    const LocalTensor<float> x = room(0), sums = room(1), wide = room(2), w = room(3);
    DataCopy(x, g.x[at], kTile);
    BlockReduceMax(sums, x, 16, 64, 1, 1, 8);
    BlockReduceMin(sums[128], x, 16, 64, 1, 1, 8);
    Add(sums, sums, sums[128], 128);
    BlockReduceSum(sums[128], x, 16, 64, 1, 1, 8);
    Add(sums, sums, sums[128], 128);
    Muls(sums, sums, 1.0f / 64, 128);
    Brcb(wide, sums, 1, {1, 8});
    for (uint32_t r = 0; r < kRows; ++r)
      Sub(x[r * 256], x[r * 256], wide[r * 8], static_cast<uint64_t>(64), kRows,
          BinaryRepeatParams(1, 1, 0, 8, 8, 0));
    for (uint32_t r = 0; r < kRows; ++r) FusedMulAdd(x[r * 256], room(4), room(4)[256], 256);
    for (uint32_t r = 0; r < kRows; ++r) Mul(w[r * 256], x[r * 256], room(4), 256);
    Muls(w, w, -0.5f, kTile);
    Exp(w, w, kTile);
    Div(x, x, w, kTile);
    DataCopy(g.z[at], x, kTile);
  }
}

// Tiles that end inside a block of 32 bytes, strided copies, a tile read after it went out.
void ragged(void* const* args) {
  Tensors g(args);
  const Share share;
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile, n = 1001;
    const DataCopyExtParams out{1, n * 4, 0, 0, 0};
    DataCopyPad(room(0), g.x[at], out, DataCopyPadExtParams<float>{true, 0, 3, 0});
    DataCopy(room(1), g.y[at], DataCopyParams(16, 2, 2, 1));
    Duplicate(room(2), 0.25f, kTile);
    Adds(room(2), room(1), 1.5f, static_cast<uint64_t>(16), 16, UnaryRepeatParams(1, 1, 3, 3));
    Mul(room(0), room(0), room(2), n);
    DataCopyPad(g.z[at], room(0), out);
    Abs(room(3), room(0), n);
    DataCopyPad(g.z[at + 500], room(3), DataCopyExtParams{1, 123 * 4, 0, 0, 0});
  }
}

// Operands that lie in one another, and a copy that overwrites what is still needed.
void shifted(void* const* args) {
  Tensors g(args);
  const Share share;
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile;
    DataCopy(room(0), g.x[at], kTile);
    DataCopy(room(1), g.y[at], kTile);
    Add(room(4), room(0)[8], room(1), kTile - 8);
    Add(room(0)[64], room(4)[8], room(1), kTile - 64);
    Muls(room(2), room(0), 3.0f, kTile);
    DataCopy(room(0), g.y[at], 512);
    Sub(room(2), room(2), room(0), kTile);
    DataCopy(g.z[at], room(2), kTile);
    DataCopy(room(3), room(2), 512);
    DataCopy(g.z[at + 512], room(3), 512);
  }
}

// Instructions that stay what they are: masks with gaps, comparisons, counter mode.
void issued(void* const* args) {
  Tensors g(args);
  const Share share;
  const LocalTensor<uint8_t> bits = room(4).ReinterpretCast<uint8_t>();
  for (uint32_t t = 0; t < share.tiles; ++t) {
    const uint32_t at = share.from + t * kTile;
    DataCopy(room(0), g.x[at], kTile);
    DataCopy(room(1), g.y[at], kTile);
    uint64_t mask[2] = {0x5555555555555555u, 0};
    Adds(room(0), room(0), 2.0f, mask, 16, UnaryRepeatParams(1, 1, 8, 8));
    Compare(bits, room(0), room(1), CMPMODE::LT, kTile);
    Select(room(2), bits, room(0), room(1), SELMODE::VSEL_TENSOR_TENSOR_MODE, kTile);
    SetMaskCount();
    SetVectorMask<float, MaskMode::COUNTER>(0, kTile);
    Muls<float, false>(room(2), room(2), 1.25f, MASK_PLACEHOLDER, 1, UnaryRepeatParams(1, 1, 8, 8));
    SetMaskNorm();
    ResetMask();
    PairReduceSum(room(3), room(2), 16, static_cast<uint64_t>(64), 1, 1, 8);
    DataCopy(g.z[at], room(2), kTile);
    DataCopy(g.z[at], room(3), kTile / 2);
  }
}

template <KernelBody body>
void expect_program(const ReplayedSetup& setup = {}) {
  const Replayed seen = replayed<body>(setup);
  EXPECT_EQ(seen.report.why, "");
  EXPECT_TRUE(seen.report.has_program);
  EXPECT_EQ(seen.report.replayed, setup.launches - 1);
  EXPECT_TRUE(seen.same);
  EXPECT_TRUE(seen.ok);
  EXPECT_GT(seen.report.bytes, 0u);
}

TEST(Replay, GivesTheBitsOfTheKernel) {
  expect_program<add_relu>();
  expect_program<long_chain>();
  expect_program<rows>();
  expect_program<normalized>();
  expect_program<ragged>();
  expect_program<shifted>();
  expect_program<issued>();
}

TEST(Replay, GivesTheBitsOfTheKernelByPassesAlone) {
  ReplayedSetup setup;
  setup.host = LoopHost::kNone;
  expect_program<long_chain>(setup);
  expect_program<rows>(setup);
  expect_program<normalized>(setup);
  const Replayed seen = replayed<long_chain>(setup);
  EXPECT_EQ(seen.report.compiled, 0u);
  EXPECT_EQ(seen.report.why_passes, loop_host() == LoopHost::kNone
                                        ? "opkit has no machine code for this host"
                                        : "OPKIT_REPLAY is passes");
}

// Rows that follow each other are one step, so that all behind the sums is one group.
TEST(Replay, CompilesRowsAndWhatFollowsAsOneLoop) {
  if (loop_host() == LoopHost::kNone) GTEST_SKIP() << "no machine code for this host";
  const Replayed seen = replayed<normalized>();
  EXPECT_EQ(seen.report.why_passes, "");
  EXPECT_EQ(seen.report.compiled, 4u);  // sums with their scale and rows, for each of two tiles
  EXPECT_EQ(seen.report.loops, 2u);
  EXPECT_GT(seen.report.code_bytes, 0u);
  EXPECT_GT(seen.report.bytes, seen.report.code_bytes);
}

TEST(Replay, OnSeveralThreadsAndManyBlocks) {
  ReplayedSetup setup;
  setup.threads = 2;
  setup.blocks = 8;
  expect_program<long_chain>(setup);
  expect_program<rows>(setup);
}

TEST(Replay, WhereTheOutputLiesWhereAnInputLies) {
  ReplayedSetup setup;
  setup.in_place = true;
  expect_program<add_relu>(setup);
  expect_program<long_chain>(setup);
  expect_program<shifted>(setup);
}

TEST(Replay, BlocksOfOneShapeShareTheirSteps) {
  const Replayed seen = replayed<add_relu>();
  EXPECT_EQ(seen.report.classes, 1u);
  // Two tiles, one behind the other, are one pass over GM.
  EXPECT_EQ(seen.report.steps, 1u);
}

void by_tiling(void* const* args) {
  Tensors g(args);
  const Share share;
  float factor;
  std::memcpy(&factor, args[3], sizeof factor);
  DataCopy(room(0), g.x[share.from], kTile);
  Muls(room(0), room(0), factor, kTile);
  DataCopy(g.z[share.from], room(0), kTile);
}

TEST(Replay, OtherTilingBytesAreTheKernels) {
  ReplayedLaunches launches(entry<by_tiling>, {});
  const auto say = [&](float factor) {
    std::memcpy(launches.tiling().data(), &factor, sizeof factor);
  };
  say(2.0f);
  for (uint32_t i = 1; i < 4; ++i) launches.launch(i);
  EXPECT_EQ(launches.result().report.replayed, 2u);
  say(3.0f);
  launches.launch(4);
  EXPECT_EQ(launches.result().report.replayed, 2u);
  launches.launch(5);
  EXPECT_EQ(launches.result().report.replayed, 3u);
  EXPECT_TRUE(launches.result().same);
}

// Vector cores that wait for each other, and then read what the others wrote.
void meets_others(void* const* args) {
  Tensors g(args);
  const auto from = static_cast<uint32_t>(GetBlockIdx()) * kTile;
  DataCopy(room(0), g.x[from], kTile);
  Muls(room(1), room(0), 2.0f, kTile);
  DataCopy(g.z[from], room(1), kTile);
  SyncAll();
  DataCopy(room(2), g.z[(from + kTile) % (4 * kTile)], kTile);
  SyncAll();
  Relu(room(2), room(2), kTile);
  DataCopy(g.z[from], room(2), kTile);
}

TEST(Replay, WaitsWhereTheKernelWaits) {
  for (const unsigned threads : {1u, 2u}) {
    ReplayedSetup setup;
    setup.threads = threads;
    const Replayed seen = replayed<meets_others>(setup);
    EXPECT_TRUE(seen.ok && seen.same) << threads;
    EXPECT_EQ(seen.report.why, "");
    EXPECT_EQ(seen.report.replayed, setup.launches - 1) << threads;
  }
}

// Reads elements at offsets that are computed from data.
void gathers_by_data(void* const* args) {
  Tensors g(args);
  const auto from = static_cast<uint32_t>(GetBlockIdx()) * kTile;
  const LocalTensor<int32_t> numbers = room(2).ReinterpretCast<int32_t>();
  DataCopy(room(0), g.x[from], kTile);
  DataCopy(room(1), g.y[from], kTile);
  Maxs(room(1), room(1), 0.0f, 64);
  Mins(room(1), room(1), 15.0f, 64);
  Cast(numbers, room(1), RoundMode::CAST_FLOOR, 64);
  Muls(numbers, numbers, 16, 64);
  const LocalTensor<float> values(TPosition::VECCALC, 0, kTile);  // all of them are there
  Gather(room(3), values, numbers.ReinterpretCast<uint32_t>(), 0, 64);
  DataCopy(room(0), g.y[from + 64], 64);
  Add(room(3), room(3), room(0), 64);
  DataCopy(g.z[from], room(3), 64);
}

// Writes rows with gaps between them, which together are every byte.
void turns_blocks(void* const* args) {
  Tensors g(args);
  const auto from = static_cast<uint32_t>(GetBlockIdx()) * kTile;
  DataCopy(room(0), g.x[from], kTile);
  for (uint32_t i = 0; i < 2; ++i)
    Copy(room(1)[8 * i], room(0)[64 * i], uint64_t{8}, 8, {1, 1, 2, 1});
  DataCopy(g.z[from], room(1), 128);
}

TEST(Replay, RunsWhatChoosesElementsByData) {
  for (const auto launch : {replayed<gathers_by_data>, replayed<turns_blocks>}) {
    const Replayed seen = launch({});
    EXPECT_TRUE(seen.ok && seen.same);
    EXPECT_EQ(seen.report.why, "");
    EXPECT_EQ(seen.report.replayed, ReplayedSetup{}.launches - 1);
  }
}

}  // namespace
}  // namespace opkit::core::test::replays
