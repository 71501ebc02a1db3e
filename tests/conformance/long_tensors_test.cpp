// Tensors of 2^31 elements and more: every index and offset has 64 bits. Most of their pages are
// never touched, so that they take addresses and no memory.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint64_t kLength = (uint64_t{1} << 32) + 64;  // halves: 8 GiB and more
constexpr uint64_t kPlaces[] = {0, (uint64_t{1} << 31) - 32, (uint64_t{1} << 31),
                                (uint64_t{1} << 32) - 32, kLength - 64};

class Addresses {
 public:
  explicit Addresses(uint64_t bytes) : bytes_(bytes) {
    base_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Addresses() { ::munmap(base_, bytes_); }
  Addresses(const Addresses&) = delete;
  Addresses& operator=(const Addresses&) = delete;
  bool there() const { return base_ != MAP_FAILED; }
  half* data() const { return static_cast<half*>(base_); }

 private:
  void* base_;
  uint64_t bytes_;
};

// z = x + x at each of the places.
void doubles_at(void* const* args) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> memory;
  pipe.InitBuffer(memory, 256);
  GlobalTensor<half> x, z;
  x.SetGlobalBuffer(static_cast<half*>(args[0]), kLength);
  z.SetGlobalBuffer(static_cast<half*>(args[1]), kLength);
  LocalTensor<half> t = memory.Get<half>();
  for (const uint64_t at : kPlaces) {
    DataCopy(t, x[at], 64);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(t, t, t, 64);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(z[at], t, 64);
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
  }
}

// By the scalar unit, by padded copies and by additions in GM.
void other_ways(void* const* args) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> memory;
  pipe.InitBuffer(memory, 256);
  GlobalTensor<half> x, z;
  x.SetGlobalBuffer(static_cast<half*>(args[0]), kLength);
  z.SetGlobalBuffer(static_cast<half*>(args[1]), kLength);
  LocalTensor<half> t = memory.Get<half>();
  constexpr uint64_t kFar = kLength - 64;
  DataCopyPad(t, x[kFar + 3], DataCopyExtParams(1, 10, 0, 0, 0), DataCopyPadExtParams<half>());
  SetFlag<HardEvent::MTE2_MTE3>(0);
  WaitFlag<HardEvent::MTE2_MTE3>(0);
  DataCopyPad(z[kFar + 5], t, DataCopyExtParams(1, 10, 0, 0, 0));
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<half>();
  DataCopyPad(z[kFar + 5], t, DataCopyExtParams(1, 10, 0, 0, 0));
  SetAtomicNone();
  z.SetValue(kFar + 20, x.GetValue(kFar + 3));
}

LaunchSetup setup_of(const Addresses& x, const Addresses& z) {
  LaunchSetup setup;
  setup.gm = {{reinterpret_cast<uint8_t*>(x.data()), kLength * 2, "x", false},
              {reinterpret_cast<uint8_t*>(z.data()), kLength * 2, "z", true}};
  return setup;
}

TEST(LongTensors, CopiesReachTheirEnds) {
  const Addresses x(kLength * 2), z(kLength * 2);
  if (!x.there() || !z.there()) GTEST_SKIP() << "this host gives no 16 GiB of addresses";
  for (uint64_t p = 0; p < std::size(kPlaces); ++p)
    for (uint64_t i = 0; i < 64; ++i)
      x.data()[kPlaces[p] + i] = half(static_cast<float>((kPlaces[p] + i) % 1000));
  const LaunchReport report = run<doubles_at>({x.data(), z.data()}, setup_of(x, z));
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  for (const uint64_t at : kPlaces)
    for (uint64_t i = 0; i < 64; ++i)
      ASSERT_EQ(z.data()[at + i], half(2 * static_cast<float>((at + i) % 1000))) << at + i;
  // What 32 bits would have named instead is as before.
  EXPECT_EQ(z.data()[100], half(0.0f));
}

TEST(LongTensors, ScalarsPaddedCopiesAndAdditionsReachThem) {
  const Addresses x(kLength * 2), z(kLength * 2);
  if (!x.there() || !z.there()) GTEST_SKIP() << "this host gives no 16 GiB of addresses";
  constexpr uint64_t kFar = kLength - 64;
  for (uint64_t i = 0; i < 64; ++i) x.data()[kFar + i] = half(static_cast<float>(i + 1));
  const LaunchReport report = run<other_ways>({x.data(), z.data()}, setup_of(x, z));
  ASSERT_TRUE(report.ok()) << report.faults[0].message;
  for (uint64_t i = 0; i < 5; ++i)
    EXPECT_EQ(z.data()[kFar + 5 + i], half(2 * static_cast<float>(i + 4)));
  EXPECT_EQ(z.data()[kFar + 20], half(4.0f));
}

// One element behind the end is refused, wherever 32 bits would put it.
void reads_behind(void* const* args) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> memory;
  pipe.InitBuffer(memory, 1 << 16);
  GlobalTensor<half> x;
  x.SetGlobalBuffer(static_cast<half*>(args[0]), kLength);
  DataCopy(memory.Get<half>(), x[kLength - 16], 1 << 15);
}
TEST(LongTensors, TheirEndIsTheirEnd) {
  const Addresses x(kLength * 2), z(64);
  if (!x.there()) GTEST_SKIP() << "this host gives no 8 GiB of addresses";
  const LaunchReport report = run<reads_behind>({x.data(), z.data()}, setup_of(x, z));
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1004") << report.faults[0].message;
}

}  // namespace
}  // namespace opkit::core::test
