// EK1309, EK1312: flags and barriers that order nothing.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1309, EK1312: needless -------------------------------------------------------------------

// Double-buffered loop over static tensors, as the vendor writes it; `Extra` may add something.
template <typename Extra>
__aicore__ inline void add_loop(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w, Extra extra) {
  Tensors t(x, y, z, w);
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
        if constexpr (kFault) SetFlag<HardEvent::MTE2_MTE3>(5);  // FAULT: needless_flag
        if constexpr (kFault) WaitFlag<HardEvent::MTE2_MTE3>(5);
      });
}

template <bool kFault>
void needless_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  add_loop(
      x, y, z, w, [](Tensors&) __attribute__((always_inline)) {
        if constexpr (kFault) PipeBarrier<PIPE_ALL>();  // FAULT: needless_barrier
      });
}

template <bool kFault>
void needless_copy_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  add_loop(
      x, y, z, w, [](Tensors&) __attribute__((always_inline)) {
        if constexpr (kFault) PipeBarrier<PIPE_MTE2>();  // FAULT: needless_copy_barrier
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
        if constexpr (kFault) SetFlag<HardEvent::MTE2_V>(6);  // FAULT: flag_besides_a_queue
        if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(6);
      });
}

template <bool kFault>
void flag_between_strangers(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  queue_loop(
      x, z, []() __attribute__((always_inline)) {
        if constexpr (kFault) SetFlag<HardEvent::MTE2_MTE3>(1);  // FAULT: flag_between_strangers
        if constexpr (kFault) WaitFlag<HardEvent::MTE2_MTE3>(1);
      });
}

template <bool kFault>
void barrier_besides_a_queue(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  queue_loop(
      x, z, []() __attribute__((always_inline)) {
        if constexpr (kFault) PipeBarrier<PIPE_MTE3>();  // FAULT: barrier_besides_a_queue
      });
}

// The second flag orders what the first does.
template <bool kFault>
void flag_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < kTiles; ++i) {
    DataCopy(t.x, t.gx[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    if constexpr (kFault) SetFlag<HardEvent::MTE2_V>(1);  // FAULT: flag_twice
    WaitFlag<HardEvent::MTE2_V>(0);
    if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(1);
    Add(t.z, t.x, t.x, kTile);
    order<HardEvent::V_MTE2>();
  }
}

template <bool kFault>
void barrier_after_a_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  for (uint32_t i = 0; i < kTiles; ++i) {
    DataCopy(t.gz, t.z, kTile);
    PipeBarrier<PIPE_MTE3>();
    if constexpr (kFault) PipeBarrier<PIPE_MTE3>();  // FAULT: barrier_after_a_barrier
  }
}

// The first flag orders a part of what the second does, which comes first.
template <bool kFault>
void flag_that_orders_less(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < kTiles; ++i) {
    DataCopy(t.x, t.gx[i * kTile], kTile);
    if constexpr (kFault) SetFlag<HardEvent::MTE2_V>(1);  // FAULT: flag_that_orders_less
    DataCopy(t.y, t.gy[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(1);
    Add(t.z, t.x, t.y, kTile);
    order<HardEvent::V_MTE2>();
  }
}

// Either may go only when the other one orders the same.
TEST(NeedlessFaults, NoPairWhenOneIsNeeded) {
  const auto report = check<flag_that_orders_less<true>>();
  ASSERT_EQ(report.findings.size(), 1u) << all_text(report);
  EXPECT_EQ(report.findings[0].other.pc, nullptr) << all_text(report);
  EXPECT_THAT(report.findings[0].action, ::testing::StartsWith("remove it"));
}

}  // namespace

Family needless_faults() {
  return {
      VECTOR_FAULT("EK1309", needless_flag, "never ordered"),
      VECTOR_FAULT("EK1309", flag_besides_a_queue, "never ordered"),
      VECTOR_FAULT("EK1309", flag_between_strangers, "never ordered"),
      VECTOR_FAULT("EK1309", flag_twice, "at least 15 cycles").between_two(),
      VECTOR_FAULT("EK1309", flag_that_orders_less, "never ordered"),
      VECTOR_FAULT("EK1312", barrier_after_a_barrier, "32 in a core").between_two(),
      VECTOR_FAULT("EK1312", needless_barrier, "repeats what flags order").between_two(),
      VECTOR_FAULT("EK1312", needless_copy_barrier, "never ordered"),
      VECTOR_FAULT("EK1312", barrier_besides_a_queue, "never ordered"),
  };
}

}  // namespace faults
