// EK1303 to EK1312: order between pipes, flags and barriers.
#include "faulty.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256, kTiles = 8;

// Static tensors: no queue orders anything.
struct Tensors {
  LocalTensor<float> x{TPosition::VECIN, 0, kTile}, y{TPosition::VECIN, 8192, kTile},
      z{TPosition::VECOUT, 16384, kTile};
  GlobalTensor<float> gx, gy, gz, gw;
  __aicore__ inline void init(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
    gx.SetGlobalBuffer((__gm__ float*)xp);
    gy.SetGlobalBuffer((__gm__ float*)yp);
    gz.SetGlobalBuffer((__gm__ float*)zp);
    gw.SetGlobalBuffer((__gm__ float*)wp);
  }
};

template <HardEvent event>
__aicore__ inline void order(int32_t id = 0) {
  SetFlag<event>(id);
  WaitFlag<event>(id);
}

// --- EK1303: two pipes --------------------------------------------------------------------------

template <bool kFault>
void load_then_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.x, kTile);  // FAULT: load then add
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
}

template <bool kFault>
void add_then_store(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.x, kTile);
  if constexpr (!kFault) order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: add then store
}

// The first tile is right; the second load may overwrite what the first Add still reads.
template <bool kFault>
void next_load_overtakes(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  for (uint32_t i = 0; i < kTiles; ++i) {
    if (!kFault && i > 0) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.x, t.gx[i * kTile], kTile);  // FAULT: next load overtakes
    order<HardEvent::MTE2_V>();
    if (i > 0) WaitFlag<HardEvent::MTE3_V>(0);
    Add(t.z, t.x, t.x, kTile);
    if (!kFault && i + 1 < kTiles) SetFlag<HardEvent::V_MTE2>(0);
    order<HardEvent::V_MTE3>();
    DataCopy(t.gz[i * kTile], t.z, kTile);
    if (i + 1 < kTiles) SetFlag<HardEvent::MTE3_V>(0);
  }
}

template <bool kFault>
void wrong_event_id_pair(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  DataCopy(t.y, t.gy, kTile);
  SetFlag<HardEvent::MTE2_V>(1);
  WaitFlag<HardEvent::MTE2_V>(0);
  if constexpr (!kFault) WaitFlag<HardEvent::MTE2_V>(1);
  Add(t.z, t.x, t.y, kTile);  // FAULT: wrong event id pair
  if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(1);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
}

// A workspace that one core writes and reads back needs MTE3 -> MTE2.
template <bool kFault>
void reads_workspace_back(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw, t.z, kTile);
  if constexpr (!kFault) order<HardEvent::MTE3_MTE2>();
  DataCopy(t.x, t.gw, kTile);  // FAULT: reads workspace back
}

// --- EK1304: one pipe ---------------------------------------------------------------------------

template <bool kFault>
void overlapping_loads(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) PipeBarrier<PIPE_MTE2>();
  DataCopy(t.x, t.gy, kTile / 2);  // FAULT: overlapping loads
}

template <bool kFault>
void overlapping_stores(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
  if constexpr (!kFault) PipeBarrier<PIPE_MTE3>();
  DataCopy(t.gz[kTile - 8], t.z, kTile);  // FAULT: overlapping stores
}

template <bool kFault>
void vector_chain(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  if constexpr (!kFault) PipeBarrier<PIPE_V>();
  Add(t.z, t.x, t.x, kTile);  // FAULT: vector chain
}

// --- EK1306, EK1307, EK1308: pairing ------------------------------------------------------------

template <bool kFault>
void sets_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  DataCopy(t.y, t.gy, kTile);
  if constexpr (!kFault) WaitFlag<HardEvent::MTE2_V>(0);
  SetFlag<HardEvent::MTE2_V>(0);  // FAULT: sets twice
  WaitFlag<HardEvent::MTE2_V>(0);
}

template <bool kFault>
void sets_twice_in_a_loop(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  for (uint32_t i = 0; i < 2; ++i) {
    DataCopy(t.x[i * 64], t.gx[i * 64], 64);
    SetFlag<HardEvent::MTE2_V>(kFault ? 3 : i);  // FAULT: sets twice in a loop
  }
  for (uint32_t i = 0; i < (kFault ? 1 : 2); ++i) WaitFlag<HardEvent::MTE2_V>(kFault ? 3 : i);
  Add(t.z, t.x, t.x, 128);
}

template <bool kFault>
void sets_queue_style_flag_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  TQueSync<PIPE_MTE2, PIPE_V> sync;
  DataCopy(t.x, t.gx, kTile);
  sync.SetFlag(2);
  if constexpr (kFault) sync.SetFlag(2);  // FAULT: sets queue style flag twice
  sync.WaitFlag(2);
}

template <bool kFault>
void waits_for_nothing(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  if constexpr (!kFault) SetFlag<HardEvent::V_MTE2>(0);
  WaitFlag<HardEvent::V_MTE2>(0);  // FAULT: waits for nothing
  DataCopy(t.x, t.gx, kTile);
}

template <bool kFault>
void waits_for_another_id(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(1);  // FAULT: waits for another id
  WaitFlag<HardEvent::MTE2_V>(0);
}

template <bool kFault>
void waits_for_another_event(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  SetFlag<HardEvent::V_MTE3>(0);
  if constexpr (kFault) WaitFlag<HardEvent::V_MTE2>(0);  // FAULT: waits for another event
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(t.gz, t.z, kTile);
}

template <bool kFault>
void leaves_a_flag_up(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  for (uint32_t i = 0; i < kTiles; ++i) {
    if (i > 0) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.x, t.gx[i * kTile], kTile);
    order<HardEvent::MTE2_V>();
    Add(t.z, t.x, t.x, kTile);
    if (kFault || i + 1 < kTiles) SetFlag<HardEvent::V_MTE2>(0);  // FAULT: leaves a flag up
  }
}

template <bool kFault>
void leaves_prologue_flags_up(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  for (int32_t id = 0; id < 2; ++id)
    SetFlag<HardEvent::V_MTE2>(id);  // FAULT: leaves prologue flags up
  WaitFlag<HardEvent::V_MTE2>(0);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) WaitFlag<HardEvent::V_MTE2>(1);
}

template <bool kFault>
void forgets_the_wait(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  SetFlag<HardEvent::V_MTE3>(4);  // FAULT: forgets the wait
  if constexpr (!kFault) WaitFlag<HardEvent::V_MTE3>(4);
  DataCopy(t.gz, t.z, kTile);
}

// --- EK1309, EK1312: needless -------------------------------------------------------------------

// Double-buffered loop over static tensors, as the vendor writes it; `Extra` may add something.
template <typename Extra>
__aicore__ inline void add_loop(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w, Extra extra) {
  Tensors t;
  t.init(x, y, z, w);
  SetFlag<HardEvent::V_MTE2>(0);
  SetFlag<HardEvent::MTE3_V>(0);
  for (uint32_t i = 0; i < kTiles; ++i) {
    WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.x, t.gx[i * kTile], kTile);
    DataCopy(t.y, t.gy[i * kTile], kTile);
    order<HardEvent::MTE2_V>();
    WaitFlag<HardEvent::MTE3_V>(0);
    Add(t.z, t.x, t.y, kTile);
    SetFlag<HardEvent::V_MTE2>(0);
    order<HardEvent::V_MTE3>();
    DataCopy(t.gz[i * kTile], t.z, kTile);
    SetFlag<HardEvent::MTE3_V>(0);
    extra(t);
  }
  WaitFlag<HardEvent::V_MTE2>(0);
  WaitFlag<HardEvent::MTE3_V>(0);
}

template <bool kFault>
void needless_flag(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  add_loop(
      x, y, z, w, [](Tensors&) __attribute__((always_inline)) {
        if constexpr (kFault) SetFlag<HardEvent::MTE2_MTE3>(5);  // FAULT: needless flag
        if constexpr (kFault) WaitFlag<HardEvent::MTE2_MTE3>(5);
      });
}

template <bool kFault>
void needless_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  add_loop(
      x, y, z, w, [](Tensors&) __attribute__((always_inline)) {
        if constexpr (kFault) PipeBarrier<PIPE_ALL>();  // FAULT: needless barrier
      });
}

template <bool kFault>
void needless_copy_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  add_loop(
      x, y, z, w, [](Tensors&) __attribute__((always_inline)) {
        if constexpr (kFault) PipeBarrier<PIPE_MTE2>();  // FAULT: needless copy barrier
      });
}

// Queues order everything that this kernel does; `Extra` comes on top.
template <typename Extra>
__aicore__ inline void queue_loop(GM_ADDR x, GM_ADDR z, Extra extra) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  GlobalTensor<float> gx, gz;
  gx.SetGlobalBuffer((__gm__ float*)x);
  gz.SetGlobalBuffer((__gm__ float*)z);
  pipe.InitBuffer(in, 2, kTile * 4);
  pipe.InitBuffer(out, 2, kTile * 4);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto loaded = in.AllocTensor<float>();
    DataCopy(loaded, gx[i * kTile], kTile);
    in.EnQue(loaded);
    auto source = in.DeQue<float>();
    auto made = out.AllocTensor<float>();
    extra();
    Add(made, source, source, kTile);
    in.FreeTensor(source);
    out.EnQue(made);
    auto ready = out.DeQue<float>();
    DataCopy(gz[i * kTile], ready, kTile);
    out.FreeTensor(ready);
  }
}

template <bool kFault>
void flag_besides_a_queue(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  queue_loop(
      x, z, []() __attribute__((always_inline)) {
        if constexpr (kFault) SetFlag<HardEvent::MTE2_V>(6);  // FAULT: flag besides a queue
        if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(6);
      });
}

template <bool kFault>
void flag_between_strangers(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  queue_loop(
      x, z, []() __attribute__((always_inline)) {
        if constexpr (kFault) SetFlag<HardEvent::MTE2_MTE3>(1);  // FAULT: flag between strangers
        if constexpr (kFault) WaitFlag<HardEvent::MTE2_MTE3>(1);
      });
}

template <bool kFault>
void barrier_besides_a_queue(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  queue_loop(
      x, z, []() __attribute__((always_inline)) {
        if constexpr (kFault) PipeBarrier<PIPE_MTE3>();  // FAULT: barrier besides a queue
      });
}

// --- EK1310: event ids that do not exist --------------------------------------------------------

template <int32_t kId>
void copies_with_event_id(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(kId);  // FAULT: copies with event id
  WaitFlag<HardEvent::MTE2_V>(kId);
}

TEST(RaceFaults, EventIdsAreZeroToSeven) {
  EXPECT_FAULT("EK1310", "copies with event id", check<copies_with_event_id<8>>());
  EXPECT_FAULT("EK1310", "copies with event id", check<copies_with_event_id<-1>>());
  EXPECT_FAULT("EK1310", "copies with event id", check<copies_with_event_id<100000>>());
  EXPECT_CLEAN(check<copies_with_event_id<7>>());
}

TEST(RaceFaults, PipesWithoutOrder) {
  EXPECT_FAULT("EK1303", "load then add", check<load_then_add<true>>());
  EXPECT_FAULT("EK1303", "add then store", check<add_then_store<true>>());
  EXPECT_FAULT("EK1303", "next load overtakes", check<next_load_overtakes<true>>());
  EXPECT_FAULT("EK1303", "wrong event id pair", check<wrong_event_id_pair<true>>());
  EXPECT_FAULT("EK1303", "reads workspace back", check<reads_workspace_back<true>>());
  EXPECT_CLEAN(check<load_then_add<false>>());
  EXPECT_CLEAN(check<add_then_store<false>>());
  EXPECT_CLEAN(check<next_load_overtakes<false>>());
  EXPECT_CLEAN(check<wrong_event_id_pair<false>>());
  EXPECT_CLEAN(check<reads_workspace_back<false>>());
}

TEST(RaceFaults, BothPartiesAndTheRoundAreNamed) {
  const auto report = check<next_load_overtakes<true>>();
  ASSERT_EQ(report.findings.size(), 1u) << all_text(report);
  const auto& finding = report.findings[0];
  EXPECT_EQ(finding.at.instruction, "DataCopy on MTE2");
  EXPECT_EQ(finding.at.occurrence, 2u);
  EXPECT_EQ(finding.other.instruction, "Add on V");
  EXPECT_EQ(finding.other.occurrence, 1u);
  EXPECT_EQ(finding.count, kTiles - 1);
  EXPECT_THAT(finding.message, ::testing::HasSubstr("write after read on bytes 0 to 1024 of UB"));
  EXPECT_THAT(finding.action, ::testing::HasSubstr("HardEvent::V_MTE2"));
}

TEST(RaceFaults, OnePipeWithoutABarrier) {
  LaunchSetup strict;
  strict.options.automatic_order = false;
  EXPECT_FAULT("EK1304", "overlapping loads", check<overlapping_loads<true>>());
  EXPECT_FAULT("EK1304", "overlapping stores", check<overlapping_stores<true>>());
  EXPECT_FAULT("EK1304", "vector chain", check<vector_chain<true>>(strict));
  EXPECT_CLEAN(check<overlapping_loads<false>>());
  EXPECT_CLEAN(check<overlapping_stores<false>>());
  EXPECT_CLEAN(check<vector_chain<false>>(strict));
}

TEST(RaceFaults, TheCompilerOrdersVectorInstructionsByDefault) {
  EXPECT_CLEAN(check<vector_chain<true>>());
}

TEST(RaceFaults, FlagsSetTwice) {
  EXPECT_FAULT("EK1306", "sets twice", check<sets_twice<true>>());
  EXPECT_FAULT("EK1306", "sets twice in a loop", check<sets_twice_in_a_loop<true>>());
  EXPECT_FAULT("EK1306", "sets queue style flag twice", check<sets_queue_style_flag_twice<true>>());
  EXPECT_CLEAN(check<sets_twice<false>>());
  EXPECT_CLEAN(check<sets_twice_in_a_loop<false>>());
  EXPECT_CLEAN(check<sets_queue_style_flag_twice<false>>());
}

TEST(RaceFaults, WaitsThatNobodyAnswers) {
  EXPECT_FAULT("EK1307", "waits for nothing", check<waits_for_nothing<true>>());
  EXPECT_FAULT("EK1307", "waits for another id", check<waits_for_another_id<true>>());
  EXPECT_FAULT("EK1307", "waits for another event", check<waits_for_another_event<true>>());
  EXPECT_CLEAN(check<waits_for_nothing<false>>());
  EXPECT_CLEAN(check<waits_for_another_id<false>>());
  EXPECT_CLEAN(check<waits_for_another_event<false>>());
}

TEST(RaceFaults, FlagsLeftUp) {
  EXPECT_FAULT("EK1308", "leaves a flag up", check<leaves_a_flag_up<true>>());
  EXPECT_FAULT("EK1308", "leaves prologue flags up", check<leaves_prologue_flags_up<true>>());
  EXPECT_FAULT("EK1308", "forgets the wait", check<forgets_the_wait<true>>());
  EXPECT_CLEAN(check<leaves_a_flag_up<false>>());
  EXPECT_CLEAN(check<leaves_prologue_flags_up<false>>());
  EXPECT_CLEAN(check<forgets_the_wait<false>>());
}

TEST(RaceFaults, NeedlessSynchronisation) {
  EXPECT_FAULT("EK1309", "needless flag", check<needless_flag<true>>());
  EXPECT_FAULT("EK1309", "flag besides a queue", check<flag_besides_a_queue<true>>());
  EXPECT_FAULT("EK1309", "flag between strangers", check<flag_between_strangers<true>>());
  EXPECT_FAULT("EK1312", "needless barrier", check<needless_barrier<true>>());
  EXPECT_FAULT("EK1312", "needless copy barrier", check<needless_copy_barrier<true>>());
  EXPECT_FAULT("EK1312", "barrier besides a queue", check<barrier_besides_a_queue<true>>());
  EXPECT_CLEAN(check<needless_flag<false>>());
  EXPECT_CLEAN(check<needless_barrier<false>>());
  EXPECT_CLEAN(check<needless_copy_barrier<false>>());
  EXPECT_CLEAN(check<flag_besides_a_queue<false>>());
  EXPECT_CLEAN(check<flag_between_strangers<false>>());
  EXPECT_CLEAN(check<barrier_besides_a_queue<false>>());
}

}  // namespace
}  // namespace faults
