// In the steady state a launch allocates nothing: neither the engine nor the kernel side.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "tests/unit/core/kernel_run.h"

namespace {
std::atomic<long> allocations{0};
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
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace opkit::core {
namespace {

using namespace AscendC;

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

INSTANTIATE_TEST_SUITE_P(Threads, SteadyState, testing::Values(1u, 2u));

}  // namespace
}  // namespace opkit::core
