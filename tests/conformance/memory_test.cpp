// Pipes, queues and buffers: what is left after a round trip through them, against plain loops.
#include <gmock/gmock.h>

#include "opkit/include/kernel_operator.h"
#include "tests/conformance/blocks.h"
#include "tests/conformance/elementwise.h"
#include "tests/conformance/ramps.h"

namespace conformance {
namespace {

using namespace AscendC;

TEST(Memory, QueuesCarryTiles) {
  const auto after = run_blocks<int32_t>(ramp(1024), [](int32_t* gm) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 2> out;
    pipe.InitBuffer(in, 2, 64 * 4);
    pipe.InitBuffer(out, 2, 64 * 4);
    EXPECT_FALSE(in.HasTensorInQue());
    EXPECT_TRUE(in.HasIdleBuffer());
    for (int tile = 0; tile < 8; ++tile) {
      LocalTensor<int32_t> x = in.AllocTensor<int32_t>();
      EXPECT_EQ(x.GetSize(), 64u);
      DataCopy(x, global(gm + 64 * tile), 64);
      in.EnQue(x);
      EXPECT_TRUE(in.HasTensorInQue() && in.VacantInQue());
      EXPECT_EQ(in.GetTensorCountInQue(), 1);
      LocalTensor<int32_t> a = in.DeQue<int32_t>(), y = out.AllocTensor<int32_t>();
      Adds(y, a, 5, 64);
      out.EnQue(y);
      in.FreeTensor(a);
      LocalTensor<int32_t> r = out.DeQue<int32_t>();
      DataCopy(global(gm + 512 + 64 * tile), r, 64);
      out.FreeTensor(r);
    }
    in.FreeAllEvent();
  });
  EXPECT_EQ(after, expected_halves(1024, [](int32_t x) { return x + 5; }));
}

// Depth 0: the tensor is handed over in place.
TEST(Memory, QueueInPlaceAndBind) {
  const auto after = run_blocks<int32_t>(ramp(256), [](int32_t* gm) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 0> bind;
    pipe.InitBuffer(bind, 1, 64 * 4);
    for (int tile = 0; tile < 2; ++tile) {
      LocalTensor<int32_t> t;
      bind.AllocTensor<int32_t>(t);
      DataCopy(t, global(gm + 64 * tile), 64);
      bind.EnQue(t);
      bind.DeQue<int32_t>(t);
      DataCopy(global(gm + 128 + 64 * tile), t, 64);
      bind.FreeTensor(t);
    }
  });
  EXPECT_EQ(after, expected_halves(256, [](int32_t x) { return x; }));
}

TEST(Memory, QueueConfigurationIsAHint) {
  static constexpr TQueConfig kConfig = {.nd2nz = false, .bufferNumber = 1};
  const auto after = run_blocks<int32_t>(ramp(128), [](int32_t* gm) {
    TPipe pipe;
    TQue<QuePosition::VECIN, 1, &kConfig> in;
    pipe.InitBuffer(in, kConfig.bufferNumber, 64 * 4);
    LocalTensor<int32_t> x = in.AllocTensor<int32_t>();
    DataCopy(x, global(gm), 64);
    in.EnQue(x);
    x = in.DeQue<int32_t>();
    const auto id = GetTPipePtr()->FetchEventID(HardEvent::MTE2_MTE3);
    SetFlag<HardEvent::MTE2_MTE3>(id);
    WaitFlag<HardEvent::MTE2_MTE3>(id);
    DataCopy(global(gm + 64), x, 64);
    in.FreeTensor(x);
  });
  EXPECT_EQ(after, expected_halves(128, [](int32_t x) { return x; }));
}

TEST(Memory, BuffersNameTheirBytes) {
  const auto after = run_blocks<int32_t>(ramp(256), [](int32_t* gm) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    pipe.InitBuffer(first, 100);  // rounded up to 128 bytes
    pipe.InitBuffer(second, 128 * 4);
    EXPECT_EQ(first.Get<int32_t>().GetSize(), 32u);
    LocalTensor<int32_t> whole = second.Get<int32_t>(128);
    EXPECT_EQ(whole.address_.bufferAddr, 128u);
    DataCopy(whole, global(gm), 128);
    PipeBarrier<PIPE_ALL>();
    // The upper half of the buffer, 64 elements from byte 256.
    LocalTensor<int32_t> upper = second.GetWithOffset<int32_t>(64, 256);
    Adds(upper, upper, 1000, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global(gm + 128), whole, 128);
  });
  auto expected = expected_halves(256, [](int32_t x) { return x > 64 ? x + 1000 : x; });
  EXPECT_EQ(after, expected);
}

// Two pools over the same bytes, one after the other.
TEST(Memory, PoolsShareMemory) {
  const auto after = run_blocks<int32_t>(ramp(128), [](int32_t* gm) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC> outer, early, late;
    pipe.InitBufPool(outer, 1024);
    outer.InitBufPool(early, 512);
    pipe.InitBufPool(late, 512, outer);
    TBuf<TPosition::VECCALC> a, b;
    early.InitBuffer(a, 256);
    late.InitBuffer(b, 256);
    EXPECT_EQ(a.Get<int32_t>().address_.bufferAddr, b.Get<int32_t>().address_.bufferAddr);
    DataCopy(a.Get<int32_t>(), global(gm), 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global(gm + 64), b.Get<int32_t>(), 64);
    early.Reset();
    early.InitBuffer(b, 512);
    EXPECT_EQ(b.Get<int32_t>().GetSize(), 128u);
  });
  EXPECT_EQ(after, expected_halves(128, [](int32_t x) { return x; }));
}

// Inside a pool, too: the second part of the outer one serves two stages (page "InitBufPool" of
// TBufPool).
TEST(Memory, PoolsInsideAPoolShareMemory) {
  const auto after = run_blocks<int32_t>(ramp(128), [](int32_t* gm) {
    TPipe pipe;
    TBufPool<TPosition::VECCALC> outer, early, late;
    pipe.InitBufPool(outer, 1024);
    TQue<TPosition::VECIN, 1> first, second, third;
    outer.InitBuffer(first, 1, 512);
    outer.InitBufPool(early, 512);
    outer.InitBufPool(late, 300, early);
    early.InitBuffer(second, 1, 256);
    LocalTensor<int32_t> x = second.AllocTensor<int32_t>();
    EXPECT_EQ(x.address_.bufferAddr, 512u);
    DataCopy(x, global(gm), 64);
    second.EnQue(x);
    x = second.DeQue<int32_t>();
    PipeBarrier<PIPE_ALL>();
    DataCopy(global(gm + 64), x, 64);
    second.FreeTensor(x);
    early.Reset();
    late.InitBuffer(third, 1, 320);
    x = third.AllocTensor<int32_t>();
    EXPECT_EQ(x.address_.bufferAddr, 512u);
    EXPECT_EQ(x.GetSize(), 80u);
    third.FreeTensor(x);
    late.Reset();
    outer.Reset();
    pipe.Reset();
  });
  EXPECT_EQ(after, expected_halves(128, [](int32_t x) { return x; }));
}

// The buffers of a queue lie where the author says, each with its own length.
TEST(Memory, QueueAtChosenAddresses) {
  const auto after = run_blocks<int32_t>(ramp(1024), [](int32_t* gm) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> bind;
    pipe.InitBuffer(bind, Std::make_tuple(4096, 256), Std::make_tuple(64u, 512u),
                    Std::make_tuple(1024, 250));
    const uint32_t starts[] = {4096, 64, 1024}, lengths[] = {64, 128, 64};
    for (int tile = 0; tile < 8; ++tile) {
      LocalTensor<int32_t> t = bind.AllocTensor<int32_t>();
      EXPECT_EQ(t.address_.bufferAddr, starts[tile % 3]);
      EXPECT_EQ(t.GetSize(), lengths[tile % 3]);
      DataCopy(t, global(gm + 64 * tile), 64);
      bind.EnQue(t);
      LocalTensor<int32_t> u = bind.DeQue<int32_t>();
      DataCopy(global(gm + 512 + 64 * tile), u, 64);
      bind.FreeTensor(u);
    }
    LocalTensor<uint8_t> rest;
    PopStackBuffer<uint8_t, TPosition::LCM>(rest);
    EXPECT_EQ(rest.address_.bufferAddr, 4096u + 256u);
    EXPECT_EQ(pipe.GetBaseAddr(static_cast<int8_t>(TPosition::VECCALC)) + 4096,
              reinterpret_cast<uint8_t*>(at<uint8_t>(4096).GetPhyAddr()));
  });
  EXPECT_EQ(after, expected_halves(1024, [](int32_t x) { return x; }));
}

// Two queues and a TBuf that the author's pool cuts; the queues share their memory.
class SharingPool {
 public:
  SharingPool() { Init(); }
  template <typename Queue>
  bool InitBuffer(Queue& queue, uint8_t num, uint32_t len) {
    const TBufHandle handle = GetBufHandle(GetCurBufSize());
    const uint32_t start = GetCurAddr();
    queue.InitStartBufHandle(handle, num, len);
    for (uint8_t i = 0; i < num; ++i) queue.InitBufHandle(this, i, handle, start + i * len, len);
    SetCurBufSize(static_cast<uint8_t>(GetCurBufSize() + num));
    return true;
  }
  template <TPosition pos>
  bool InitBuffer(TBuf<pos>& buffer, uint32_t len) {
    const TBufHandle handle = GetBufHandle(GetCurBufSize());
    buffer.InitStartBufHandle(handle, 1, len);
    buffer.InitBufHandle(this, 0, handle, GetCurAddr() + 1024, len);
    return true;
  }
  EXTERN_IMPL_BUFPOOL(SharingPool, TPosition::VECCALC, 8);
};

TEST(Memory, PoolsOfTheAuthor) {
  const auto after = run_blocks<int32_t>(ramp(512), [](int32_t* gm) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> before, extra;
    pipe.InitBuffer(before, 96);
    SharingPool pool;
    pipe.InitBufPool(pool, 2048);
    EXPECT_EQ(pool.GetCurAddr(), 96u);
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> early, late;
    pool.InitBuffer(early, 2, 256);
    pool.InitBuffer(late, 2, 512);
    pool.InitBuffer(extra, 512);
    EXPECT_EQ(extra.Get<int32_t>().address_.bufferAddr, 96u + 1024u);
    EXPECT_EQ(extra.Get<int32_t>().GetSize(), 128u);
    EXPECT_EQ(pool.GetCurBufSize(), 4u);
    const auto carry = [&](auto& queue, int tile, uint32_t size) {
      LocalTensor<int32_t> t = queue.template AllocTensor<int32_t>();
      EXPECT_EQ(t.GetSize(), size);
      DataCopy(t, global(gm + 64 * tile), 64);
      queue.EnQue(t);
      LocalTensor<int32_t> u = queue.template DeQue<int32_t>();
      DataCopy(global(gm + 256 + 64 * tile), u, 64);
      queue.FreeTensor(u);
    };
    for (int tile = 0; tile < 2; ++tile) carry(early, tile, 64);
    PipeBarrier<PIPE_ALL>();
    for (int tile = 2; tile < 4; ++tile) carry(late, tile, 128);
    pool.Reset();
    EXPECT_EQ(pool.GetCurBufSize(), 0u);
  });
  EXPECT_EQ(after, expected_halves(512, [](int32_t x) { return x; }));
}

TEST(Memory, RefusesBuffersOutsideTheirPool) {
  const auto code = [](const std::function<void()>& body) {
    const auto outcome = run_blocks(std::vector<uint8_t>(64), [&](uint8_t*) { body(); }, {});
    return outcome.faults.empty() ? "" : outcome.faults[0].code + ": " + outcome.faults[0].message;
  };
  using testing::StartsWith;
  EXPECT_THAT(code([] {
                TPipe pipe;
                SharingPool pool;
                pipe.InitBufPool(pool, 256);
                TQue<QuePosition::VECIN, 1> queue;
                pool.InitBuffer(queue, 2, 256);
              }),
              StartsWith("EK1115: InitBufHandle: the buffer does not lie in the pool"));
  EXPECT_THAT(code([] {
                TPipe pipe;
                SharingPool pool;
                pipe.InitBufPool(pool, 1024);
                TQue<QuePosition::VECIN, 1> queue;
                queue.InitStartBufHandle(pool.GetBufHandle(0), 2, 32);
                queue.InitBufHandle(&pool, 1, pool.GetBufHandle(1), pool.GetCurAddr(), 32);
              }),
              StartsWith("EK1120: InitBufHandle: the buffers of a queue are told in order"));
  EXPECT_THAT(code([] {
                TPipe pipe;
                TQue<QuePosition::VECIN, 1> queue;
                pipe.InitBuffer(queue, Std::make_tuple(16, 64));
              }),
              StartsWith("EK1121: InitBuffer: a chosen address is not a multiple of 32"));
  EXPECT_THAT(code([] {
                SharingPool pool;
                pool.GetBufHandle(8);
              }),
              StartsWith("EK1122: GetBufHandle: the index is not below BUFID_SIZE"));
}

template <uint32_t v>
using UIntImm = Std::integral_constant<uint32_t, v>;

// Page "LocalTensor", example 20: place, type and size from a trait.
TEST(Memory, TraitsPlaceTensors) {
  const auto shape = MakeShape(UIntImm<16>{}, UIntImm<4>{}, UIntImm<2>{});
  const auto stride = MakeStride(UIntImm<0>{}, UIntImm<0>{}, UIntImm<0>{});
  const auto trait = MakeTensorTrait<float, TPosition::VECIN>(MakeLayout(shape, stride));
  const auto tensor = LocalTensor<std::remove_const_t<decltype(trait)>>(128);
  EXPECT_EQ(tensor.GetSize(), 128u);
  EXPECT_EQ(tensor.GetPosition(), static_cast<int32_t>(TPosition::VECIN));
  EXPECT_EQ(tensor.address_.bufferAddr, 128u);
  static_assert(std::is_same_v<TTagType, decltype(tensor.GetUserTag())>);
}

TEST(Memory, TraitsOfTensorsCarryTheirElements) {
  using Number = TensorTrait<int32_t>;
  static_assert(sizeof(Number) == 4 && sizeof(TensorTrait<half>) == 2);
  const auto after = run_blocks<int32_t>(ramp(256), [](int32_t* gm) {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 128 * 4);
    LocalTensor<Number> x = queue.AllocTensor<Number>();
    EXPECT_EQ(x.GetSize(), 128u);
    GlobalTensor<Number> in, out;
    in.SetGlobalBuffer(gm, 128);
    out.SetGlobalBuffer(gm + 128, 128);
    DataCopy(x, in, 128);
    queue.EnQue(x);
    LocalTensor<Number> y = queue.DeQue<Number>();
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(y, y, 1, 64);
    Adds(y[64], y[64], 1, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(out, y, 64);
    DataCopy(out[64], y[64], 64);
    queue.FreeTensor(y);
  });
  EXPECT_EQ(after, expected_halves(256, [](int32_t x) { return x + 1; }));
  const auto layout = MakeLayout(MakeShape(10, 20), MakeStride(1, 100));
  auto trait = MakeTensorTrait<float, TPosition::VECIN>(layout);
  EXPECT_EQ(Std::get<1>(trait.GetLayout().GetShape()), 20);
  EXPECT_EQ(Std::get<1>(trait.GetStride()), 100);
  trait.SetLayout(MakeLayout(MakeShape(3, 4), MakeStride(4, 1)));
  EXPECT_EQ(Std::get<0>(trait.GetShape()), 3);
  EXPECT_TRUE(is_tensorTrait<decltype(trait)>::value);
  EXPECT_FALSE(is_tensorTrait<decltype(layout)>::value);
}

TEST(Memory, PipesStartOver) {
  const auto after =
      run_blocks<int32_t>(ramp(4),
                          [](int32_t* gm) {
                            TPipe pipe;
                            TBuf<TPosition::VECCALC> buffer;
                            pipe.InitBuffer(buffer, 64 * 1024);
                            LocalTensor<uint8_t> rest;
                            EXPECT_TRUE((PopStackBuffer<uint8_t, TPosition::LCM>(rest)));
                            gm[0] = static_cast<int32_t>(rest.address_.bufferAddr);
                            gm[1] = static_cast<int32_t>(rest.GetSize() + rest.address_.bufferAddr);
                            GetTPipePtr()->Reset();
                            pipe.InitBuffer(buffer, 128 * 1024);  // would not fit beside the first
                            gm[2] = static_cast<int32_t>(buffer.Get<uint8_t>().address_.bufferAddr);
                            pipe.DestroyWithoutPipeAll();
                            pipe.Destroy();
                            TPipe next;
                            next.Init();
                            next.InitBuffer(buffer, 100 * 1024);
                            gm[3] = GetTPipePtr() == &next;
                          },
                          {.raw = true});
  EXPECT_THAT(after, testing::ElementsAre(64 * 1024, 192 * 1024, 0, 1));
}

TEST(Memory, EventIdsAreReserved) {
  const auto after =
      run_blocks<int32_t>(std::vector<int32_t>(4),
                          [](int32_t* gm) {
                            TPipe pipe;
                            gm[0] = pipe.AllocEventID<HardEvent::V_S>();
                            gm[1] = pipe.FetchEventID(HardEvent::V_S);  // free, but not reserved
                            gm[2] = pipe.AllocEventID<HardEvent::V_S>();
                            pipe.ReleaseEventID<HardEvent::V_S>(gm[0]);
                            gm[3] = pipe.FetchEventID<HardEvent::V_S>();
                          },
                          {.raw = true});
  EXPECT_THAT(after, testing::ElementsAre(0, 1, 1, 0));
}

TEST(Memory, AllocatorWithoutAPipe) {
  const auto after = run_blocks<int32_t>(ramp(128), [](int32_t* gm) {
    InitSocState();
    LocalMemAllocator<Hardware::UB> allocator;
    const auto odd = allocator.Alloc<TPosition::VECCALC, uint8_t>(33);
    EXPECT_EQ(allocator.GetCurAddr(), 64u);
    const auto fixed = allocator.Alloc<TPosition::VECIN, int32_t, 64>();
    EXPECT_EQ(fixed.address_.bufferAddr - odd.address_.bufferAddr, 64u);
    DataCopy(fixed, global(gm), 64);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(global(gm + 64), fixed, 64);
  });
  EXPECT_EQ(after, expected_halves(128, [](int32_t x) { return x; }));
}

// L1 handed over by a queue whose consumer is the cube core.
TEST(Memory, SharedQueueIntoL1) {
  const auto after =
      run_blocks<int32_t>(ramp(128),
                          [](int32_t* gm) {
                            if (detail::core()->kind != OPK_CORE_AIC) return;
                            TPipe pipe;
                            TSCM<TPosition::GM, 1> queue;
                            pipe.InitBuffer(queue, 1, 64 * 4);
                            LocalTensor<int32_t> t = queue.AllocTensor<int32_t>();
                            EXPECT_EQ(t.GetPosition(), static_cast<int32_t>(TPosition::TSCM));
                            DataCopy(t, global(gm), 64);
                            queue.EnQue(t);
                            t = queue.DeQue<int32_t>();
                            gm[64] = t.GetPosition();
                            queue.FreeTensor(t);
                          },
                          {.task_type = OPK_TASK_AIC_ONLY, .raw = true});
  EXPECT_EQ(after[64], static_cast<int32_t>(TPosition::TSCM));
}

TEST(Memory, BuffersOfElementsBelowAByte) {
  const auto after = run_blocks<int32_t>(ramp(64), [](int32_t* gm) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    TQue<QuePosition::VECIN, 1> queue;
    pipe.InitBuffer(buffer, 64);
    pipe.InitBuffer(queue, 1, 128);
    EXPECT_EQ(buffer.Get<int4b_t>().GetSize(), 128u);
    EXPECT_EQ(buffer.Get<int4b_t>(64).GetLength(), 32u);
    const LocalTensor<int4b_t> upper = buffer.GetWithOffset<int4b_t>(64, 32);
    EXPECT_EQ(upper.GetLength(), 32u);
    LocalTensor<int4b_t> x = queue.AllocTensor<int4b_t>();
    EXPECT_EQ(x.GetSize(), 256u);
    // 256 elements: as many bytes as 32 words.
    GlobalTensor<int4b_t> in, out;
    in.SetGlobalBuffer(reinterpret_cast<int4b_t*>(gm), 512);
    out.SetGlobalBuffer(reinterpret_cast<int4b_t*>(gm + 32), 256);
    EXPECT_EQ(in[192].GetPhyAddr(), reinterpret_cast<int4b_t*>(gm + 24));
    EXPECT_EQ(in[192].GetSize(), 320u);
    DataCopy(x, in, 256);
    queue.EnQue(x);
    x = queue.DeQue<int4b_t>();
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(out, x[128], 128);
    DataCopyPad(out[128], x, DataCopyExtParams(1, 64, 0, 0, 0));
    queue.FreeTensor(x);
  });
  auto expected = ramp(64);
  for (size_t i = 0; i < 16; ++i) {
    expected[32 + i] = expected[16 + i];
    expected[48 + i] = expected[i];
  }
  EXPECT_EQ(after, expected);
}

// Spilled to a workspace and read back, in bytes from its start.
TEST(Memory, SpillsIntoAWorkspace) {
  const auto after = run_blocks<int32_t>(ramp(256), [](int32_t* gm) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    pipe.InitBuffer(first, 256);
    pipe.InitBuffer(second, 256);
    LocalTensor<int32_t> a = first.Get<int32_t>(), b = second.Get<int32_t>();
    pipe.InitSpmBuffer(global(gm + 64), 512);
    DataCopy(a, global(gm), 64);
    PipeBarrier<PIPE_ALL>();
    pipe.WriteSpmBuffer(a, 64, 32);
    pipe.WriteSpmBuffer(a, DataCopyParams(2, 1, 1, 0), 320);
    PipeBarrier<PIPE_ALL>();
    pipe.ReadSpmBuffer(b, 64, 32);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global(gm + 192), b, 64);
  });
  auto expected = ramp(256);
  for (size_t i = 0; i < 64; ++i) expected[64 + 8 + i] = expected[192 + i] = expected[i];
  for (size_t i = 0; i < 8; ++i) {
    expected[64 + 80 + i] = expected[i];
    expected[64 + 88 + i] = expected[16 + i];
  }
  EXPECT_EQ(after, expected);
}

}  // namespace
}  // namespace conformance
