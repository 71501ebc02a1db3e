// In the steady state a launch allocates nothing: neither the engine nor the kernel side; and a
// launch that failed leaves nothing allocated.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "tests/unit/core/kernel_run.h"

namespace {
std::atomic<long> allocations{0}, releases{0};

void release(void* memory) noexcept {
  if (memory != nullptr) releases.fetch_add(1, std::memory_order_relaxed);
  std::free(memory);
}
}  // namespace

// Inlined into a caller, malloc and delete would look like a pair that does not belong together.
[[gnu::noinline]] void* operator new(size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { release(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { release(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  release(memory);
}

namespace opkit::core {
namespace {

using namespace AscendC;

#if defined(__SANITIZE_THREAD__)  // under which each takes a millisecond
constexpr int kFaults = 1000;
#else
constexpr int kFaults = 100000;
#endif
constexpr uint32_t kTile = 1024, kTiles = 4;  // elements; tiles per block

// Queues, copies, a chain of vector instructions, a flag.
void add_relu(void* const* args) {
  const uint32_t start = static_cast<uint32_t>(GetBlockIdx()) * kTile * kTiles;
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + start, kTile * kTiles);
  z.SetGlobalBuffer(static_cast<float*>(args[1]) + start, kTile * kTiles);
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, kTile * sizeof(float));
  pipe.InitBuffer(out, 2, kTile * sizeof(float));
  for (uint32_t i = 0; i < kTiles; ++i) {
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, x[i * kTile], kTile);
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    Relu(b, b, kTile);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<float>();
    DataCopy(z[i * kTile], b, kTile);
    out.FreeTensor(b);
  }
}

void meet(void* const*) { SyncAll(); }

class SteadyState : public testing::TestWithParam<unsigned> {
 protected:
  // Allocations of the later of many launches; the first ones may fill pools.
  long allocations_of(opk_kernel_fn body, void* const* args) {
    const opk_soc_v1 soc = test::soc_910b();
    Machine machine(soc, GetParam());
    opk_kernel_v1 kernel{};
    kernel.struct_size = sizeof kernel;
    kernel.task_type = OPK_TASK_AIV_ONLY;
    kernel.aiv = body;
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = kBlocks;
    request.args = args;
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(machine.launch(request).ok());
    const long before = allocations.load();
    for (int i = 0; i < 50; ++i) machine.launch(request);
    return allocations.load() - before;
  }

  static constexpr uint32_t kBlocks = 48;
};

TEST_P(SteadyState, AVectorKernelAllocatesNothing) {
  std::vector<float> x(kBlocks * kTile * kTiles, -3.0f), z(x.size());
  void* const args[] = {x.data(), z.data()};
  EXPECT_EQ(allocations_of(test::entry<add_relu>, args), 0);
  EXPECT_EQ(z.front(), 0.0f);
}

TEST(SteadyStateWaiting, BlocksThatMeetAllocateNothingOnOneThread) {
  const opk_soc_v1 soc = test::soc_910b();
  Machine machine(soc, 1);
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.aiv = test::entry<meet>;
  LaunchRequest request;
  request.kernel = &kernel;
  request.block_dim = 48;
  void* const args[] = {nullptr};
  request.args = args;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(machine.launch(request).ok());
  const long before = allocations.load();
  for (int i = 0; i < 5; ++i) machine.launch(request);
  EXPECT_EQ(allocations.load() - before, 0);
}

// A kernel ends where it fails: what it has of the heap, which the chip lacks, would stay.
void takes_more_than_ub(void* const*) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, kTile * sizeof(float));
  out.EnQue(out.AllocTensor<float>());
  TBuf<TPosition::VECCALC> behind;
  pipe.InitBuffer(behind, 1 << 18);
  Duplicate(behind.Get<float>()[(1 << 16) - 8], 0.0f, 8);
}

void starts_between_blocks(void* const* args) {
  LocalTensor<float> tile(TPosition::VECCALC, 0, kTile);
  GlobalTensor<float> x;
  x.SetGlobalBuffer(static_cast<float*>(args[0]), kTile);
  DataCopy(tile[1], x, 8);
}

void waits_for_nobody(void* const*) {
  if (GetBlockIdx() != 0) SyncAll();
}

class Faults : public testing::TestWithParam<opk_kernel_fn> {};

TEST_P(Faults, LeaveNothingBehind) {
  const opk_soc_v1 soc = test::soc_910b();
  for (const unsigned threads : {1u, 2u}) {
    Machine machine(soc, threads);
    opk_kernel_v1 kernel{};
    kernel.struct_size = sizeof kernel;
    kernel.task_type = OPK_TASK_AIV_ONLY;
    kernel.aiv = GetParam();
    LaunchRequest request;
    request.kernel = &kernel;
    request.block_dim = 2;
    void* const args[] = {nullptr};
    request.args = args;
    const auto fail = [&](int times) {
      for (int i = 0; i < times; ++i) ASSERT_FALSE(machine.launch(request).ok());
    };
    fail(1000);
    const long before = allocations.load() - releases.load();
    fail(kFaults);
    // A thread that has not met every kind of work yet may still fill its pool.
    EXPECT_LE(allocations.load() - releases.load(), before + 8) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Faults,
                         testing::Values(test::entry<takes_more_than_ub>,
                                         test::entry<starts_between_blocks>,
                                         test::entry<waits_for_nobody>));
INSTANTIATE_TEST_SUITE_P(Threads, SteadyState, testing::Values(1u, 2u));

}  // namespace
}  // namespace opkit::core
