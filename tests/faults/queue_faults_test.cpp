// EK1102 to EK1119: tensors of queues.
#include "faulty.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256, kTiles = 4;

struct Buffers {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> x, z;

  __aicore__ inline void init(GM_ADDR xp, GM_ADDR zp, uint32_t bytes = kTile * 4) {
    x.SetGlobalBuffer((__gm__ float*)xp);
    z.SetGlobalBuffer((__gm__ float*)zp);
    pipe.InitBuffer(in, 2, bytes);
    pipe.InitBuffer(out, 2, bytes);
  }
  __aicore__ inline void load(uint32_t tile) {
    auto local = in.AllocTensor<float>();
    DataCopy(local, x[tile * kTile], kTile);
    in.EnQue(local);
  }
  __aicore__ inline void store(uint32_t tile) {
    auto local = out.DeQue<float>();
    DataCopy(z[tile * kTile], local, kTile);
    out.FreeTensor(local);
  }
};

// --- EK1117: leaks at the end -------------------------------------------------------------------

template <bool kFault>
void never_freed_input(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();  // FAULT: never freed
  auto out = b.out.AllocTensor<float>();
  Add(out, in, in, kTile);
  b.out.EnQue(out);
  if constexpr (!kFault) b.in.FreeTensor(in);
  b.store(0);
}

template <bool kFault>
void never_dequeued(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();
  auto out = b.out.AllocTensor<float>();
  Add(out, in, in, kTile);
  b.in.FreeTensor(in);
  b.out.EnQue(out);  // FAULT: never dequeued
  if constexpr (!kFault) b.store(0);
}

template <bool kFault>
void never_queued(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  for (uint32_t i = 0; i < 2; ++i) {
    auto out = b.out.AllocTensor<float>();  // FAULT: never queued
    Duplicate(out, 1.0f, kTile);
    if (kFault && i == 1) break;
    b.out.EnQue(out);
    b.store(i);
  }
}

// --- EK1118: use after FreeTensor ---------------------------------------------------------------

template <bool kFault>
void copies_out_after_free(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  auto made = b.out.AllocTensor<float>();
  Duplicate(made, 2.0f, kTile);
  b.out.EnQue(made);
  auto out = b.out.DeQue<float>();
  if constexpr (kFault) b.out.FreeTensor(out);
  DataCopy(b.z, out, kTile);  // FAULT: copies out after free
  if constexpr (!kFault) b.out.FreeTensor(out);
}

template <bool kFault>
void adds_after_free(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();
  auto out = b.out.AllocTensor<float>();
  if constexpr (kFault) b.in.FreeTensor(in);
  Add(out, in, in, kTile);  // FAULT: adds after free
  if constexpr (!kFault) b.in.FreeTensor(in);
  b.out.EnQue(out);
  b.store(0);
}

template <bool kFault>
void reads_scalar_after_free(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();
  float first = kFault ? 0.0f : in.GetValue(0);
  b.in.FreeTensor(in);
  if constexpr (kFault) first = in.GetValue(0);  // FAULT: reads scalar after free
  auto out = b.out.AllocTensor<float>();
  Duplicate(out, first, kTile);
  b.out.EnQue(out);
  b.store(0);
}

// --- EK1102 to EK1108: refused by the queue itself ----------------------------------------------

template <bool kFault>
void allocates_too_often(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto out = b.out.AllocTensor<float>();  // FAULT: allocates too often
    Duplicate(out, 1.0f, kTile);
    b.out.EnQue(out);
    auto taken = b.out.DeQue<float>();
    DataCopy(b.z[i * kTile], taken, kTile);
    if constexpr (!kFault) b.out.FreeTensor(taken);
  }
}

template <bool kFault>
void takes_from_empty(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  auto local = b.in.AllocTensor<float>();
  DataCopy(local, b.x, kTile);
  if constexpr (!kFault) b.in.EnQue(local);
  auto in = b.in.DeQue<float>();  // FAULT: takes from empty
  b.in.FreeTensor(in);
}

template <bool kFault>
void frees_twice(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();
  b.in.FreeTensor(in);
  if constexpr (kFault) b.in.FreeTensor(in);  // FAULT: frees twice
}

// --- EK1101, EK1119: capacity -------------------------------------------------------------------

template <bool kFault>
void asks_for_too_much(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, 16384);
  pipe.InitBuffer(out, 2, kFault ? 131072 : 16384);  // FAULT: asks for too much
}

template <bool kFault>
void nearly_full(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, kFault ? 180000 : 90000);  // FAULT: nearly full
}

template <bool kFault>
void nearly_full_of_queues(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, kFault ? 40960 : 32768);
  pipe.InitBuffer(out, 2, kFault ? 40960 : 32768);  // FAULT: nearly full of queues
}

template <bool kFault>
void nearly_full_l1(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::A1, 1> a;
  pipe.InitBuffer(a, 1, kFault ? 500000 : 300000);  // FAULT: nearly full l1
}

TEST(QueueFaults, LeaksAreNamedByWhatIsMissing) {
  EXPECT_FAULT("EK1117", "never freed", check<never_freed_input<true>>());
  EXPECT_FAULT("EK1117", "never dequeued", check<never_dequeued<true>>());
  EXPECT_FAULT("EK1117", "never queued", check<never_queued<true>>());
  EXPECT_CLEAN(check<never_freed_input<false>>());
  EXPECT_CLEAN(check<never_dequeued<false>>());
  EXPECT_CLEAN(check<never_queued<false>>());
}

TEST(QueueFaults, UseAfterFreeTensor) {
  EXPECT_FAULT("EK1118", "copies out after free", check<copies_out_after_free<true>>());
  EXPECT_FAULT("EK1118", "adds after free", check<adds_after_free<true>>());
  EXPECT_FAULT("EK1118", "reads scalar after free", check<reads_scalar_after_free<true>>());
  EXPECT_CLEAN(check<copies_out_after_free<false>>());
  EXPECT_CLEAN(check<adds_after_free<false>>());
  EXPECT_CLEAN(check<reads_scalar_after_free<false>>());
}

TEST(QueueFaults, UseAfterFreeNamesTheFree) {
  const auto report = check<adds_after_free<true>>();
  ASSERT_FALSE(report.findings.empty());
  EXPECT_NE(report.findings[0].other.pc, nullptr);
  EXPECT_EQ(report.findings[0].other.instruction, "FreeTensor");
}

TEST(QueueFaults, QueuesRefuseMisuse) {
  EXPECT_FAULT("EK1102", "allocates too often", check<allocates_too_often<true>>());
  EXPECT_FAULT("EK1103", "takes from empty", check<takes_from_empty<true>>());
  EXPECT_FAULT("EK1104", "frees twice", check<frees_twice<true>>());
  EXPECT_CLEAN(check<allocates_too_often<false>>());
  EXPECT_CLEAN(check<takes_from_empty<false>>());
  EXPECT_CLEAN(check<frees_twice<false>>());
}

TEST(QueueFaults, OverflowPrintsTheBufferMap) {
  const auto report = check<asks_for_too_much<true>>();
  EXPECT_FAULT("EK1101", "asks for too much", report);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_THAT(report.findings[0].message,
              ::testing::HasSubstr("2 x 16384 bytes at 0 (queue 1, VECIN)"));
  EXPECT_CLEAN(check<asks_for_too_much<false>>());
}

TEST(QueueFaults, NearlyFullMemoriesAreWarnedOf) {
  const auto report = check<nearly_full<true>>();
  EXPECT_FAULT("EK1119", "nearly full", report);
  EXPECT_EQ(report.errors(), 0u);
  EXPECT_FAULT("EK1119", "nearly full of queues", check<nearly_full_of_queues<true>>());
  EXPECT_FAULT("EK1119", "nearly full l1", check_cube<nearly_full_l1<true>>());
  EXPECT_CLEAN(check<nearly_full<false>>());
  EXPECT_CLEAN(check<nearly_full_of_queues<false>>());
  EXPECT_CLEAN(check_cube<nearly_full_l1<false>>());
}

}  // namespace
}  // namespace faults
