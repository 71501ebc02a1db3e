// Devices, streams and memory are objects: two devices share nothing.
#include "opkit/acl/device/device.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "opkit/soc/soc_spec.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

const opk_soc_v1& chip(const std::string& name) {
  static const opk_soc_v1 soc = to_abi(*find_soc(name)->spec);
  return soc;
}

std::string last_message() {
  const char* text = aclGetRecentErrMsg();
  return text ? text : "";
}

opk_kernel_v1 kernel_of(opk_kernel_fn body) {
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.column = OPK_ANY_COLUMN;
  kernel.tiling_key = OPK_ANY_TILING_KEY;
  kernel.name = "test";
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.arg_count = 1;
  kernel.aiv = body;
  return kernel;
}

void count_up(opk_core* core, void* const* args) { ++static_cast<int*>(args[0])[core->block_idx]; }

void refuse(opk_core* core, void* const*) { core->isa->fault(core, "EK9999", "wrong; mend it"); }

TEST(EmulatedDevice, TwoDevicesHaveMemoryOfTheirOwn) {
  EmulatedDevice a(chip("Ascend910B1")), b(chip("Ascend910B2"));
  void* memory = nullptr;
  ASSERT_EQ(a.memory().allocate(&memory, 1000, 32), ACL_SUCCESS);
  EXPECT_TRUE(a.memory().holds(memory, 1000));
  EXPECT_EQ(a.memory().in_use(), 1024u + 32);
  EXPECT_FALSE(b.memory().touches(memory));
  EXPECT_EQ(b.memory().in_use(), 0u);
  EXPECT_EQ(b.memory().release(memory, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(last_message(), HasSubstr("no device memory that is alive lies there"));
  EXPECT_EQ(a.memory().release(memory, nullptr), ACL_SUCCESS);
  EXPECT_TRUE(a.memory().pieces().empty());
}

TEST(EmulatedDevice, AStreamBelongsToItsDevice) {
  EmulatedDevice a(chip("Ascend910B1")), b(chip("Ascend910B1"));
  Stream* const stream = a.streams().add(std::make_unique<Stream>());
  EXPECT_EQ(a.find(stream), stream);
  EXPECT_EQ(b.find(stream), nullptr);
  EXPECT_NE(a.find(nullptr), b.find(nullptr)) << "each has a default stream";
  EXPECT_EQ(b.streams().destroy(stream), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(last_message(), HasSubstr("is no stream, or it was destroyed"));
  EXPECT_EQ(a.streams().destroy(stream), ACL_SUCCESS);
  EXPECT_EQ(a.find(stream), nullptr);
  EXPECT_EQ(a.streams().destroy(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(EmulatedDevice, RunsKernels) {
  EmulatedDevice device(chip("Ascend910B1"));
  int ran[4] = {};
  EXPECT_TRUE(device.run(kernel_of(count_up), 4, {ran, {}}, 0));
  EXPECT_THAT(ran, testing::Each(1));
}

TEST(EmulatedDevice, SaysWhenAKernelWasWrong) {
  EmulatedDevice device(chip("Ascend910B1"));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(device.run(kernel_of(refuse), 1, {}, 0));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("EK9999"));
}

// Kernels of two threads that meet end only when they run at once.
TEST(EmulatedDevice, RunsKernelsOfTwoThreadsAtOnce) {
  EmulatedDevice device(chip("Ascend910B1"));
  static std::atomic<int> there;
  there = 0;
  const auto meet = [](opk_core*, void* const*) {
    ++there;
    while (there < 2) std::this_thread::yield();
  };
  std::thread other([&] { EXPECT_TRUE(device.run(kernel_of(meet), 1, {}, 0)); });
  EXPECT_TRUE(device.run(kernel_of(meet), 1, {}, 0));
  other.join();
}

TEST(DeviceMemory, IsLimitedAndPoisoned) {
  DeviceMemory memory(4096, "Chip");
  void* piece = nullptr;
  ASSERT_EQ(memory.allocate(&piece, 64, 0), ACL_SUCCESS);
  EXPECT_EQ(static_cast<unsigned char*>(piece)[63], 0xff);
  EXPECT_THAT(memory.about(static_cast<char*>(piece) + 8),
              HasSubstr("it lies 8 bytes into device memory of 64 bytes"));
  void* more = nullptr;
  EXPECT_EQ(memory.allocate(&more, 8192, 0), ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_THAT(last_message(), HasSubstr("do not fit: Chip has 4096, 64 are in use"));
  EXPECT_EQ(memory.release(piece, nullptr), ACL_SUCCESS);
}

TEST(PinnedMemory, KnowsItsOwn) {
  PinnedMemory memory;
  void* piece = nullptr;
  ASSERT_EQ(memory.allocate(&piece, 10), ACL_SUCCESS);
  EXPECT_TRUE(memory.owns(piece));
  EXPECT_TRUE(memory.holds(static_cast<char*>(piece) + 4, 6));
  EXPECT_FALSE(memory.holds(static_cast<char*>(piece) + 4, 7));
  EXPECT_EQ(memory.release(piece), ACL_SUCCESS);
  EXPECT_EQ(memory.release(piece), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace opkit::acl
