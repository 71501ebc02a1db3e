// TPipe, TQue, TBuf: what they hand out and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;
using ::testing::HasSubstr;

template <KernelBody body>
void expect_fault(const char* code, const char* text) {
  Strict strict;
  LaunchSetup setup;
  setup.observer = &strict;
  const LaunchReport report = run<body>({}, setup);
  ASSERT_EQ(report.faults.size(), 1u) << code;
  EXPECT_EQ(report.faults[0].code, code);
  EXPECT_THAT(report.faults[0].message + "; " + report.faults[0].action, HasSubstr(text));
}

// The order of buffers: round robin, each with its own bytes.
void rotate(void* const* args) {
  auto* offsets = static_cast<uint32_t*>(args[0]);
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> first;
  TQue<QuePosition::VECOUT, 1> second;
  TBuf<TPosition::VECCALC> work;
  pipe.InitBuffer(first, 2, 100);
  pipe.InitBuffer(second, 1, 64);
  pipe.InitBuffer(work, 40);
  for (int i = 0; i < 3; ++i) {
    LocalTensor<half> a = first.AllocTensor<half>();
    offsets[i] = a.address_.bufferAddr;
    first.EnQue(a);
    LocalTensor<half> b = first.DeQue<half>();
    first.FreeTensor(b);
  }
  offsets[3] = second.AllocTensor<half>().address_.bufferAddr;
  offsets[4] = work.Get<half>().address_.bufferAddr;
  offsets[5] = work.Get<half>().GetSize();
  offsets[6] = work.GetWithOffset<half>(4, 32).address_.bufferAddr;
}

TEST(Queue, HandsOutBuffersInTurn) {
  std::vector<uint32_t> offsets(7);
  ASSERT_TRUE(run<rotate>({offsets.data()}).ok());
  EXPECT_EQ(offsets, (std::vector<uint32_t>{0, 128, 0, 256, 320, 32, 352}));
}

void no_free(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 32);
  queue.AllocTensor<float>();
  queue.AllocTensor<float>();
}
TEST(Queue, AllocWithoutFree) {
  expect_fault<no_free>("EK1102", "every buffer of the queue is in use");
}

void no_init(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  queue.AllocTensor<float>();
}
TEST(Queue, AllocWithoutInit) { expect_fault<no_init>("EK1106", "the queue has no buffers"); }

void empty_deque(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 32);
  queue.DeQue<float>();
}
TEST(Queue, DeQueFromEmpty) { expect_fault<empty_deque>("EK1103", "the queue is empty"); }

void free_twice(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 32);
  auto tensor = queue.AllocTensor<float>();
  queue.FreeTensor(tensor);
  queue.FreeTensor(tensor);
}
TEST(Queue, FreeTwice) { expect_fault<free_twice>("EK1104", "is free already"); }

void too_deep(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 2, 32);
  auto a = queue.AllocTensor<float>();
  auto b = queue.AllocTensor<float>();
  queue.EnQue(a);
  queue.EnQue(b);
}
TEST(Queue, DepthExceeded) { expect_fault<too_deep>("EK1105", "as many tensors as its depth"); }

void foreign(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue, other;
  pipe.InitBuffer(queue, 1, 32);
  pipe.InitBuffer(other, 1, 32);
  auto tensor = other.AllocTensor<float>();
  queue.EnQue(tensor);
}
TEST(Queue, ForeignTensor) { expect_fault<foreign>("EK1107", "not allocated from this queue"); }

void enque_twice(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> queue;
  pipe.InitBuffer(queue, 2, 32);
  auto tensor = queue.AllocTensor<float>();
  queue.EnQue(tensor);
  queue.EnQue(tensor);
}
// A tensor that was taken out goes in again, as often as the kernel likes.
void enque_again(void* const* args) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 32);
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  auto tensor = queue.AllocTensor<int32_t>();
  for (uint32_t i = 0; i < 3; ++i) {
    tensor.SetValue(0, static_cast<int32_t>(i));
    queue.EnQue(tensor);
    tensor = queue.DeQue<int32_t>();
    gm.SetValue(i, tensor.GetValue(0) + 5);
  }
  queue.FreeTensor(tensor);
}
TEST(Queue, EnQueAfterDeQue) {
  int32_t out[3] = {};
  ASSERT_TRUE(run<enque_again>({out}).ok());
  for (int32_t i = 0; i < 3; ++i) EXPECT_EQ(out[i], i + 5);
}

// Published kernels give tensors back through the wrong queue; the chip takes them.
void free_through_another(void* const* args) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 64);
  pipe.InitBuffer(out, 2, 32);
  auto* idle = static_cast<int32_t*>(args[0]);
  for (uint32_t i = 0; i < 3; ++i) {
    auto a = in.AllocTensor<float>();
    auto b = out.AllocTensor<float>();
    idle[0] += in.HasIdleBuffer();
    idle[1] += out.HasIdleBuffer();
    out.FreeTensor(a);
    in.FreeTensor(b);
  }
  idle[2] = in.HasIdleBuffer();
}
TEST(Queue, FreeThroughAnotherQueue) {
  int32_t idle[3] = {};
  ASSERT_TRUE(run<free_through_another>({idle}).ok());
  EXPECT_EQ(idle[0], 0);
  EXPECT_EQ(idle[1], 3);
  EXPECT_EQ(idle[2], 1);
}

TEST(Queue, EnQueTwice) { expect_fault<enque_twice>("EK1108", "it was queued or freed before"); }

void long_view(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  buffer.Get<float>(17);
}
TEST(Queue, BufferViewTooLong) {
  expect_fault<long_view>("EK1109", "more bytes than InitBuffer gave");
}

void overflow(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> a, b;
  pipe.InitBuffer(a, 1, 1024);
  pipe.InitBuffer(b, 2, 100 * 1024);
  b.AllocTensor<float>();
  Duplicate(b.AllocTensor<float>(), 0.0f, 25600);
}
TEST(Queue, OverflowNamesTheLargestThatFits) {
  const LaunchReport report = run<overflow>({});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1101");
  EXPECT_THAT(
      report.faults[0].message,
      HasSubstr("2 x 102400 bytes at byte 1024 of UB overflow it: 196608 bytes, 1024 in use"));
  EXPECT_THAT(report.faults[0].action, HasSubstr("at most 97792 bytes per buffer are left"));
}

void no_memory(void* const*) {
  TPipe pipe;
  TBuf<TPosition::GM> buffer;
  pipe.InitBuffer(buffer, 64);
}
TEST(Queue, PositionWithoutMemory) { expect_fault<no_memory>("EK1110", "no on-chip memory"); }

void many_buffers(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[65];
  for (auto& buffer : buffers) pipe.InitBuffer(buffer, 32);
}
TEST(Queue, SixtyFourBuffers) { expect_fault<many_buffers>("EK1111", "at most 64 buffers"); }

void no_buffer(void* const*) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 0, 64);
}
TEST(Queue, AtLeastOneBuffer) { expect_fault<no_buffer>("EK1112", "must not be zero"); }

// As published kernels make them on cores without work.
void unused_buffers_of_no_bytes(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> empty, full;
  TQue<TPosition::VECIN, 2> queue;
  pipe.InitBuffer(empty, 0);
  pipe.InitBuffer(queue, 2, 0);
  pipe.InitBuffer(full, 64);
  if (empty.Get<float>().GetSize() != 0) return;
  LocalTensor<float> room = full.Get<float>();
  Duplicate(room, 1.0f, 16);
}
TEST(Queue, BuffersOfNoBytesMayLie) { EXPECT_TRUE(run<unused_buffers_of_no_bytes>({}).ok()); }

void used_buffer_of_no_bytes(void* const*) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> empty, full;
  pipe.InitBuffer(empty, 0);
  pipe.InitBuffer(full, 64);
  LocalTensor<float> room = empty.Get<float>();
  Duplicate(room, 1.0f, 16);
}
TEST(Queue, BuffersOfNoBytesHaveNoBytes) {
  expect_fault<used_buffer_of_no_bytes>("EK1002", "its tensor has 0");
}

void shared_pool(void* const*) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> a, b;
  pipe.InitBufPool(a, 1024);
  pipe.InitBufPool(b, 2048, a);
}
TEST(Queue, SharedPoolTooLong) { expect_fault<shared_pool>("EK1113", "longer than the pool"); }

void small_pool(void* const*) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool;
  TBuf<TPosition::VECCALC> a, b;
  pipe.InitBufPool(pool, 96);
  pool.InitBuffer(a, 64);
  pool.InitBuffer(b, 64);
}
TEST(Queue, PoolTooSmall) { expect_fault<small_pool>("EK1115", "the pool is too small"); }

void event_ids(void* const* args) {
  auto* ids = static_cast<int32_t*>(args[0]);
  TPipe pipe;
  ids[0] = pipe.AllocEventID<HardEvent::MTE2_V>();
  ids[1] = pipe.AllocEventID<HardEvent::MTE2_V>();
  ids[2] = pipe.FetchEventID<HardEvent::MTE2_V>();
  pipe.ReleaseEventID<HardEvent::MTE2_V>(ids[0]);
  ids[3] = pipe.FetchEventID(HardEvent::MTE2_V);
  ids[4] = pipe.FetchEventID(HardEvent::V_MTE3);
}
TEST(Queue, EventIds) {
  std::vector<int32_t> ids(5, -1);
  ASSERT_TRUE(run<event_ids>({ids.data()}).ok());
  EXPECT_EQ(ids, (std::vector<int32_t>{0, 1, 2, 0, 0}));
}

void all_event_ids(void* const*) {
  TPipe pipe;
  for (int i = 0; i < 9; ++i) pipe.AllocEventID<HardEvent::S_V>();
}
TEST(Queue, EventIdsRunOut) { expect_fault<all_event_ids>("EK1114", "all 8 ids"); }

void allocator_full(void* const*) {
  LocalMemAllocator<> allocator;
  allocator.Alloc<float>(40000);
  allocator.Alloc<float>(40000);
}
TEST(Queue, AllocatorRunsOut) { expect_fault<allocator_full>("EK1116", "the memory is used up"); }

void rest_of_ub(void* const* args) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1000);
  LocalTensor<float> rest;
  PopStackBuffer<float, TPosition::LCM>(rest);
  static_cast<uint32_t*>(args[0])[0] = rest.address_.bufferAddr;
  static_cast<uint32_t*>(args[0])[1] = rest.GetSize();
}
TEST(Queue, RestOfUb) {
  std::vector<uint32_t> got(2);
  ASSERT_TRUE(run<rest_of_ub>({got.data()}).ok());
  EXPECT_EQ(got, (std::vector<uint32_t>{1024, (196608 - 1024) / 4}));
}

void trap(void* const*) { Trap(); }
TEST(Queue, TrapEndsTheBlock) { expect_fault<trap>("EK1601", "the kernel gave up"); }

void index_behind(void* const*) {
  LocalTensor<float> tile(TPosition::VECIN, 0, 8);
  tile.SetValue(8, 1.0f);
}
TEST(Queue, IndexBehindTheTensor) {
  expect_fault<index_behind>("EK1007", "SetValue: index 8 is outside the tensor of 8");
}

void few_take_part(void* const* args) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(args[0]));
  SyncAll(gm, LocalTensor<int32_t>(), 2);
}
TEST(Queue, SoftSyncOfSomeBlocks) {
  std::vector<int32_t> gm(8);
  const LaunchReport report = run<few_take_part>({gm.data()});
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1503");
}

}  // namespace
}  // namespace opkit::core::test
