// EK1101 to EK1108, EK1117 to EK1119: tensors of queues, capacity.
#include "corpus.h"
#include "opkit/base/debug/source_line.h"
#include "opkit_test_paths.h"

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
  auto in = b.in.DeQue<float>();  // FAULT: never_freed_input
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
  b.out.EnQue(out);  // FAULT: never_dequeued
  if constexpr (!kFault) b.store(0);
}

template <bool kFault>
void never_queued(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  for (uint32_t i = 0; i < 2; ++i) {
    auto out = b.out.AllocTensor<float>();  // FAULT: never_queued
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
  DataCopy(b.z, out, kTile);  // FAULT: copies_out_after_free
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
  Add(out, in, in, kTile);  // FAULT: adds_after_free
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
  if constexpr (kFault) first = in.GetValue(0);  // FAULT: reads_scalar_after_free
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
    auto out = b.out.AllocTensor<float>();  // FAULT: allocates_too_often
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
  auto in = b.in.DeQue<float>();  // FAULT: takes_from_empty
  b.in.FreeTensor(in);
}

template <bool kFault>
void frees_twice(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();
  b.in.FreeTensor(in);
  if constexpr (kFault) b.in.FreeTensor(in);  // FAULT: frees_twice
}

template <bool kFault>
void holds_all_tensors_at_once(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  for (uint32_t i = 0; i < (kFault ? 3u : 2u); ++i) {
    auto local = b.in.AllocTensor<float>();  // FAULT: holds_all_tensors_at_once
    DataCopy(local, b.x[i * kTile], kTile);
    b.in.EnQue(local);
  }
  for (uint32_t i = 0; i < 2; ++i) {
    auto in = b.in.DeQue<float>();
    b.in.FreeTensor(in);
  }
}

// The tensor is given back in one branch only.
template <bool kFault>
void frees_in_one_branch(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  for (uint32_t i = 0; i < kTiles + 2; ++i) {
    auto local = b.in.AllocTensor<float>();  // FAULT: frees_in_one_branch
    DataCopy(local, b.x[i * kTile], kTile);
    b.in.EnQue(local);
    auto in = b.in.DeQue<float>();
    if (i % 2 == 0 || !kFault) b.in.FreeTensor(in);
  }
}

template <bool kFault>
void takes_one_more_than_was_queued(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  b.load(1);
  for (uint32_t i = 0; i < (kFault ? 3u : 2u); ++i) {
    auto in = b.in.DeQue<float>();  // FAULT: takes_one_more_than_was_queued
    b.in.FreeTensor(in);
  }
}

// Stages in the wrong order.
template <bool kFault>
void stores_before_it_computes(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  const auto compute = [&]() {
    auto out = b.out.AllocTensor<float>();
    Duplicate(out, 1.0f, kTile);
    b.out.EnQue(out);
  };
  if constexpr (!kFault) compute();
  auto local = b.out.DeQue<float>();  // FAULT: stores_before_it_computes
  DataCopy(b.z, local, kTile);
  b.out.FreeTensor(local);
  if constexpr (kFault) compute();
}

template <bool kFault>
void frees_into_another_queue(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  b.load(0);
  auto in = b.in.DeQue<float>();
  if constexpr (kFault) b.out.FreeTensor(in);  // gives it back all the same
  b.in.FreeTensor(in);                         // FAULT: frees_into_another_queue
}

template <bool kFault>
void frees_a_tensor_of_a_buffer(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  TBuf<TPosition::VECCALC> room;
  b.pipe.InitBuffer(room, 1024);
  auto t = room.Get<float>();
  Duplicate(t, 1.0f, kTile);
  if constexpr (kFault) b.out.FreeTensor(t);  // FAULT: frees_a_tensor_of_a_buffer
}

// --- EK1105: depth ------------------------------------------------------------------------------

// Two buffers, but a queue for one tensor.
template <bool kFault>
void queues_two_at_depth_one(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, kFault ? 1 : 2> in;
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x);
  pipe.InitBuffer(in, 2, kTile * 4);
  for (uint32_t i = 0; i < 2; ++i) {
    auto t = in.template AllocTensor<float>();
    DataCopy(t, gx[i * kTile], kTile);
    in.EnQue(t);  // FAULT: queues_two_at_depth_one
  }
  for (uint32_t i = 0; i < 2; ++i) {
    auto t = in.template DeQue<float>();
    in.FreeTensor(t);
  }
}

template <bool kFault>
void prefetches_too_far(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x);
  pipe.InitBuffer(in, 4, kTile * 4);
  for (uint32_t i = 0; i < (kFault ? 3u : 2u); ++i) {
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx[i * kTile], kTile);
    in.EnQue(t);  // FAULT: prefetches_too_far
  }
  while (in.HasTensorInQue()) {
    auto t = in.DeQue<float>();
    in.FreeTensor(t);
  }
}

template <bool kFault>
void results_pile_up(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> out;
  GlobalTensor<float> gz;
  gz.SetGlobalBuffer((__gm__ float*)z);
  pipe.InitBuffer(out, 2, kTile * 4);
  for (uint32_t i = 0; i < 2; ++i) {
    auto t = out.AllocTensor<float>();
    Duplicate(t, 1.0f, kTile);
    out.EnQue(t);  // FAULT: results_pile_up
    if (kFault && i == 0) continue;
    auto made = out.DeQue<float>();
    DataCopy(gz[i * kTile], made, kTile);
    out.FreeTensor(made);
  }
}

// --- EK1106: no buffers -------------------------------------------------------------------------

template <bool kFault>
void forgets_init_buffer(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  if constexpr (!kFault) pipe.InitBuffer(in, 1, kTile * 4);
  auto t = in.AllocTensor<float>();  // FAULT: forgets_init_buffer
  in.FreeTensor(t);
}

template <bool kFault>
void gives_one_queue_the_buffers_of_two(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> a, b;
  pipe.InitBuffer(a, 1, kTile * 4);
  pipe.InitBuffer(kFault ? a : b, 1, kTile * 4);
  auto t = b.AllocTensor<float>();  // FAULT: gives_one_queue_the_buffers_of_two
  b.FreeTensor(t);
}

template <bool kFault>
void sets_up_in_the_last_block_only(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> out;
  if (!kFault || GetBlockIdx() == 1) pipe.InitBuffer(out, 1, kTile * 4);
  auto t = out.AllocTensor<float>();  // FAULT: sets_up_in_the_last_block_only
  out.FreeTensor(t);
}

// --- EK1107, EK1108: what EnQue takes -----------------------------------------------------------

template <bool kFault>
void queues_an_input_as_result(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  auto in = b.in.AllocTensor<float>();
  if constexpr (kFault) b.out.EnQue(in);  // FAULT: queues_an_input_as_result
  b.in.FreeTensor(in);
}

template <bool kFault>
void queues_a_tensor_of_a_buffer(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  TBuf<TPosition::VECCALC> room;
  b.pipe.InitBuffer(room, 1024);
  auto t = room.Get<float>();
  if constexpr (kFault) b.out.EnQue(t);  // FAULT: queues_a_tensor_of_a_buffer
}

template <bool kFault>
void queues_a_tensor_made_by_address(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  LocalTensor<float> t(TPosition::VECOUT, 2 * kTile * 4, kTile);
  if constexpr (kFault) b.out.EnQue(t);  // FAULT: queues_a_tensor_made_by_address
}

template <bool kFault>
void queues_twice(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  auto t = b.in.AllocTensor<float>();
  DataCopy(t, b.x, kTile);
  b.in.EnQue(t);
  if constexpr (kFault) b.in.EnQue(t);  // FAULT: queues_twice
  t = b.in.DeQue<float>();
  b.in.FreeTensor(t);
}

template <bool kFault>
void queues_a_copy_of_the_handle(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  auto t = b.in.AllocTensor<float>();
  const LocalTensor<float> same = t;
  DataCopy(t, b.x, kTile);
  b.in.EnQue(t);
  if constexpr (kFault) b.in.EnQue(same);  // FAULT: queues_a_copy_of_the_handle
  t = b.in.DeQue<float>();
  b.in.FreeTensor(t);
}

template <bool kFault>
void queues_after_free(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Buffers b;
  b.init(x, z);
  auto t = b.out.AllocTensor<float>();
  Duplicate(t, 1.0f, kTile);
  if constexpr (kFault) b.out.FreeTensor(t);
  b.out.EnQue(t);  // FAULT: queues_after_free
  b.store(0);
}

// --- EK1101, EK1119: capacity -------------------------------------------------------------------

template <bool kFault>
void asks_for_too_much(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, 16384);
  pipe.InitBuffer(out, 2, kFault ? 131072 : 16384);  // FAULT: asks_for_too_much
  auto first = out.AllocTensor<float>(), second = out.AllocTensor<float>();
  Duplicate(second, 0.0f, kFault ? 32768 : 4096);
  out.FreeTensor(first);
  out.FreeTensor(second);
}

template <bool kFault>
void nearly_full(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, kFault ? 180000 : 90000);  // FAULT: nearly_full
}

template <bool kFault>
void nearly_full_of_queues(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, kFault ? 40960 : 32768);
  pipe.InitBuffer(out, 2, kFault ? 40960 : 32768);  // FAULT: nearly_full_of_queues
}

template <bool kFault>
void nearly_full_in_use(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> scratch, more;
  GlobalTensor<float> gx;
  gx.SetGlobalBuffer((__gm__ float*)x, kElements);
  const uint32_t bytes = kFault ? 40960 : 8192;
  pipe.InitBuffer(in, 2, bytes);
  pipe.InitBuffer(scratch, bytes);
  pipe.InitBuffer(more, bytes);  // FAULT: nearly_full_in_use
  auto t = in.AllocTensor<float>();
  DataCopy(t, gx, kTile);
  in.EnQue(t);
  t = in.DeQue<float>();
  Adds(scratch.Get<float>(), t, 1.0f, kTile);
  in.FreeTensor(t);
}

// Cube cores are meant to fill their memories.
void nearly_full_l1(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::A1, 1> a;
  pipe.InitBuffer(a, 1, 500000);
}

TEST(QueueFaults, OnlyUbIsNotedAsFull) { EXPECT_CLEAN(check_cube<nearly_full_l1>()); }

template <bool kFault>
void temporary_overflows_ub(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(in, 2, 32768);
  pipe.InitBuffer(room, kFault ? 140000 : 40000);  // FAULT: temporary_overflows_ub
  room.Get<float>()[kFault ? 34992 : 9992].SetValue(0, 1.0f);
}

template <bool kFault>
void blocks_overflow_l0a(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::A2, 2> a;
  pipe.InitBuffer(a, 2, kFault ? 40960 : 16384);  // FAULT: blocks_overflow_l0a
  auto first = a.AllocTensor<half>(), second = a.AllocTensor<half>();
  InitConstValue(second, InitConstValueParams<half>(kFault ? 80 : 32, 1, 0, half(0.0f)));
  a.FreeTensor(first);
  a.FreeTensor(second);
}

TEST(QueueFaults, UseAfterFreeNamesTheFree) {
  const auto report = check<adds_after_free<true>>();
  ASSERT_FALSE(report.findings.empty());
  EXPECT_NE(report.findings[0].other.pc, nullptr);
  EXPECT_EQ(report.findings[0].other.instruction, "FreeTensor");
}

// With paths that can be opened from anywhere.
std::string whole_text(const opkit::core::CheckedReport& report) {
  opkit::debug::SourceLines lines;
  return to_text(report, [&](const void* pc) {
    const std::string place = lines.text(pc);
    return OPKIT_SOURCE_DIR "/tests/faults" + place.substr(place.rfind('/'));
  });
}

TEST(QueueFaults, OverflowPrintsTheBufferMapAndTheTileThatFits) {
  const auto report = check<asks_for_too_much<true>>();
  ASSERT_EQ(report.findings.size(), 1u);
  const std::string text = whole_text(report);
  EXPECT_THAT(text, ::testing::HasSubstr(
                        "map  UB 0..32768: in, 2 x 16384 bytes, queue 1, VECIN, depth 2, made at"));
  EXPECT_THAT(text, ::testing::HasSubstr("map  UB 32768..294912: out, 2 x 131072 bytes, queue 2"));
  // 196608 bytes of UB for 2 * (16384 + 131072).
  EXPECT_THAT(text, ::testing::HasSubstr("with at most 87360 bytes here instead of 131072"));
}

TEST(QueueFaults, TheBufferMapTellsHowLongBuffersAreUsed) {
  const std::string text = whole_text(check<nearly_full_in_use<true>>());
  EXPECT_THAT(text,
              ::testing::ContainsRegex("2 x 40960 bytes, queue 1, VECIN, depth 2, made at "
                                       "[^ ]*:[0-9]+, used from [^ ]*:[0-9]+ to [^ ]*:[0-9]"));
  EXPECT_THAT(text, ::testing::HasSubstr("scratch, 1 x 40960 bytes, TBuf, VECCALC"));
}

}  // namespace

Family queue_faults() {
  return {
      VECTOR_FAULT("EK1101", asks_for_too_much, "2 x 131072 bytes"),
      VECTOR_FAULT("EK1101", temporary_overflows_ub, "of UB"),
      CUBE_FAULT("EK1101", blocks_overflow_l0a, "of L0A"),
      VECTOR_FAULT("EK1102", allocates_too_often, "every buffer"),
      VECTOR_FAULT("EK1102", holds_all_tensors_at_once, "every buffer"),
      VECTOR_FAULT("EK1102", frees_in_one_branch, "every buffer"),
      VECTOR_FAULT("EK1103", takes_from_empty, "queue is empty"),
      VECTOR_FAULT("EK1103", takes_one_more_than_was_queued, "queue is empty"),
      VECTOR_FAULT("EK1103", stores_before_it_computes, "queue is empty"),
      VECTOR_FAULT("EK1104", frees_twice, "free already"),
      VECTOR_FAULT("EK1104", frees_into_another_queue, "is free already"),
      VECTOR_FAULT("EK1104", frees_a_tensor_of_a_buffer, "does not belong to this queue"),
      VECTOR_FAULT("EK1105", queues_two_at_depth_one, "depth"),
      VECTOR_FAULT("EK1105", prefetches_too_far, "depth"),
      VECTOR_FAULT("EK1105", results_pile_up, "depth"),
      VECTOR_FAULT("EK1106", forgets_init_buffer, "no buffers"),
      VECTOR_FAULT("EK1106", gives_one_queue_the_buffers_of_two, "no buffers"),
      VECTOR_FAULT("EK1106", sets_up_in_the_last_block_only, "no buffers").on(2),
      VECTOR_FAULT("EK1107", queues_an_input_as_result, "not allocated from this queue"),
      VECTOR_FAULT("EK1107", queues_a_tensor_of_a_buffer, "not allocated from this queue"),
      VECTOR_FAULT("EK1107", queues_a_tensor_made_by_address, "not allocated from this queue"),
      VECTOR_FAULT("EK1108", queues_twice, "not allocated"),
      VECTOR_FAULT("EK1108", queues_a_copy_of_the_handle, "not allocated"),
      VECTOR_FAULT("EK1108", queues_after_free, "not allocated"),
      VECTOR_FAULT("EK1117", never_freed_input, "but not freed"),
      VECTOR_FAULT("EK1117", never_dequeued, "never taken out"),
      VECTOR_FAULT("EK1117", never_queued, "neither queued nor freed"),
      VECTOR_FAULT("EK1118", copies_out_after_free, "reads a tensor").between_two(),
      VECTOR_FAULT("EK1118", adds_after_free, "reads a tensor").between_two(),
      VECTOR_FAULT("EK1118", reads_scalar_after_free, "reads a tensor").between_two(),
      VECTOR_FAULT("EK1119", nearly_full, "of UB is in use"),
      VECTOR_FAULT("EK1119", nearly_full_of_queues, "of UB is in use"),
      VECTOR_FAULT("EK1119", nearly_full_in_use, "of UB is in use"),
  };
}

}  // namespace faults
