// Streams and events with flags, rows, memory of the host, and mapped memory.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

class RuntimeExtras : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }
  void TearDown() override { aclrtResetDevice(0); }
};

TEST_F(RuntimeExtras, StreamsKeepWhatTheyWereMadeWith) {
  aclrtStream stream = nullptr;
  uint32_t priority = 0, flags = 0;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 5, ACL_STREAM_FAST_SYNC), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetFlags(stream, &flags), ACL_SUCCESS);
  EXPECT_EQ(priority, 5u);
  EXPECT_EQ(flags, ACL_STREAM_FAST_SYNC);
  EXPECT_EQ(aclrtStreamGetFlags(stream, nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamGetPriority(stream, &priority), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT | ACL_STREAM_HUGE),
            ACL_ERROR_INVALID_PARAM);
  aclrtStream plain = nullptr;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&plain, 8, ACL_STREAM_HUGE | 64), ACL_SUCCESS)
      << "as one without flags";
  EXPECT_EQ(aclrtStreamGetPriority(plain, &priority), ACL_SUCCESS);
  EXPECT_EQ(priority, 7u) << "the nearest there is";
  EXPECT_EQ(aclrtDestroyStream(plain), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateStreamWithConfig(nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeExtras, StreamsAndEventsHaveNumbers) {
  std::set<int32_t> streams;
  std::set<uint32_t> events;
  int32_t stream_id = -1;
  ASSERT_EQ(aclrtStreamGetId(nullptr, &stream_id), ACL_SUCCESS);
  EXPECT_EQ(stream_id, 0) << "the default stream's";
  streams.insert(stream_id);
  for (int i = 0; i < 3; ++i) {
    aclrtStream stream = nullptr;
    aclrtEvent event = nullptr;
    uint32_t event_id = 0;
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamGetId(stream, &stream_id), ACL_SUCCESS);
    ASSERT_EQ(aclrtGetEventId(event, &event_id), ACL_SUCCESS);
    EXPECT_TRUE(streams.insert(stream_id).second) << stream_id;
    EXPECT_TRUE(events.insert(event_id).second) << event_id;
    EXPECT_EQ(aclrtStreamGetId(stream, nullptr), ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(aclrtGetEventId(event, nullptr), ACL_ERROR_INVALID_PARAM);
    ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    EXPECT_EQ(aclrtStreamGetId(stream, &stream_id), ACL_ERROR_RT_STREAM_CONTEXT);
    EXPECT_EQ(aclrtGetEventId(event, &event_id), ACL_ERROR_RT_INVALID_HANDLE);
  }
}

TEST_F(RuntimeExtras, PointersTellWhoseMemoryTheyAre) {
  std::vector<char> host(64);
  void *device = nullptr, *pinned = nullptr, *shown = nullptr;
  ASSERT_EQ(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&pinned, 64), ACL_SUCCESS);
  const auto place = [](const void* pointer) {
    aclrtPtrAttributes attributes = {};
    EXPECT_EQ(aclrtPointerGetAttributes(pointer, &attributes), ACL_SUCCESS);
    EXPECT_EQ(attributes.location.id, 0u);
    EXPECT_EQ(attributes.pageSize != 0,
              attributes.location.type != ACL_MEM_LOCATION_TYPE_UNREGISTERED);
    return attributes.location.type;
  };
  EXPECT_EQ(place(device), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(place(static_cast<char*>(device) + 63), ACL_MEM_LOCATION_TYPE_DEVICE);
  EXPECT_EQ(place(static_cast<char*>(pinned) + 63), ACL_MEM_LOCATION_TYPE_HOST);
  EXPECT_EQ(place(host.data()), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  ASSERT_EQ(aclrtHostRegister(host.data(), 64, ACL_HOST_REGISTER_MAPPED, &shown), ACL_SUCCESS);
  EXPECT_EQ(place(host.data()), ACL_MEM_LOCATION_TYPE_HOST);
  ASSERT_EQ(aclrtHostUnregister(host.data()), ACL_SUCCESS);
  EXPECT_EQ(place(host.data()), ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  ASSERT_EQ(aclrtFree(device), ACL_SUCCESS);
  EXPECT_EQ(place(device), ACL_MEM_LOCATION_TYPE_UNREGISTERED) << "freed";
  ASSERT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
  aclrtPtrAttributes attributes = {};
  EXPECT_EQ(aclrtPointerGetAttributes(nullptr, &attributes), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtPointerGetAttributes(&attributes, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeExtras, MemoryIsGivenWithAttributes) {
  aclrtMallocAttribute all[2] = {};
  all[0].attr = ACL_RT_MEM_ATTR_MODULE_ID;
  all[0].value.moduleId = 33;
  all[1].attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  aclrtMallocConfig config = {all, 2};
  const auto take = [&](aclrtMallocConfig* how) {
    void* memory = nullptr;
    const aclError code = aclrtMallocWithCfg(&memory, 64, ACL_MEM_TYPE_HIGH_BAND_WIDTH, how);
    EXPECT_EQ(memory != nullptr, code == ACL_SUCCESS);
    if (memory) {
      EXPECT_EQ(aclrtMemset(memory, 64, 1, 64), ACL_SUCCESS);
      EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
    }
    return code;
  };
  EXPECT_EQ(take(&config), ACL_SUCCESS);
  EXPECT_EQ(take(nullptr), ACL_SUCCESS);
  all[1].value.deviceId = 1;
  EXPECT_EQ(take(&config), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_THAT(said(), HasSubstr("there is one device, number 0"));
  all[1].attr = ACL_RT_MEM_ATTR_VA_FLAG;
  EXPECT_EQ(take(&config), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("attribute 3 of device memory"));
  config.attrs = nullptr;
  EXPECT_EQ(take(&config), ACL_ERROR_INVALID_PARAM);
}

TEST_F(RuntimeExtras, MemoryOfEveryPolicyOfTheHeaderIsGiven) {
  const auto take = [](unsigned policy) {
    for (const auto call : {aclrtMalloc, aclrtMallocAlign32, aclrtMallocCached}) {
      void* memory = nullptr;
      EXPECT_EQ(call(&memory, 64, static_cast<aclrtMemMallocPolicy>(policy)), ACL_SUCCESS)
          << policy << ": " << said();
      EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
    }
  };
  for (unsigned pages = ACL_MEM_MALLOC_HUGE_FIRST; pages <= ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
       ++pages) {
    for (const unsigned width : {0, 0x0100, 0x1000}) take(pages | width);
  }
  size_t free = 0, total = 0;
  for (const auto kind : {ACL_DDR_MEM, ACL_HBM_MEM, ACL_DDR_MEM_HUGE, ACL_DDR_MEM_NORMAL,
                          ACL_HBM_MEM_HUGE, ACL_HBM_MEM_NORMAL})
    EXPECT_EQ(aclrtGetMemInfo(kind, &free, &total), ACL_SUCCESS) << said();
}

TEST_F(RuntimeExtras, EventsDoWhatTheirFlagsSay) {
  aclrtEvent order = nullptr, time = nullptr, fixed = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&order, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventWithFlag(&time, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventExWithFlag(&fixed, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  EXPECT_EQ(aclrtCreateEventWithFlag(&fixed, 0), ACL_ERROR_INVALID_PARAM);
  uint64_t first = 0, last = 0;
  EXPECT_EQ(aclrtEventGetTimestamp(time, &first), ACL_ERROR_INVALID_PARAM) << "not recorded";
  for (aclrtEvent event : {order, time, fixed})
    ASSERT_EQ(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(time, &first), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventGetTimestamp(fixed, &last), ACL_SUCCESS);
  EXPECT_LE(first, last);
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, time, fixed), ACL_SUCCESS);
  EXPECT_GE(ms, 0);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, order, fixed), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, order), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, time), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("ACL_EVENT_SYNC"));
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEventWaitStatus(order, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_COMPLETE);
  EXPECT_EQ(aclrtResetEvent(order, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtQueryEventWaitStatus(order, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_COMPLETE) << "the wait in front of the reset is over";
  aclrtEventStatus recorded = ACL_EVENT_STATUS_RESERVED;
  EXPECT_EQ(aclrtQueryEvent(order, &recorded), ACL_SUCCESS);
  EXPECT_EQ(recorded, ACL_EVENT_STATUS_NOT_READY);
  EXPECT_EQ(aclrtQueryEvent(time, &recorded), ACL_SUCCESS);
  EXPECT_EQ(recorded, ACL_EVENT_STATUS_COMPLETE);
  EXPECT_EQ(aclrtQueryEvent(fixed, &recorded), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtResetEvent(fixed, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(fixed, 5), ACL_SUCCESS);
  for (aclrtEvent event : {order, time, fixed}) aclrtDestroyEvent(event);
}

TEST_F(RuntimeExtras, TheDeviceTellsOfItself) {
  int64_t cores = 0, bytes = 0;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &bytes), ACL_SUCCESS);
  const EmulatedDevice& device = the_device();
  EXPECT_EQ(cores, device.soc().vector_core_num);
  EXPECT_EQ(static_cast<uint64_t>(bytes), device.memory().limit());
  EXPECT_EQ(aclrtGetDeviceInfo(1, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores),
            ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICPU_CORE_NUM, &cores),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  int32_t can = 1;
  EXPECT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 0), ACL_SUCCESS);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_F(RuntimeExtras, PinnedMemoryIsSetAsTheDevicesIs) {
  void* pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, 64), ACL_SUCCESS);
  const auto* const bytes = static_cast<const unsigned char*>(pinned);
  EXPECT_EQ(aclrtMemset(pinned, 64, 7, 64), ACL_SUCCESS);
  EXPECT_EQ(std::accumulate(bytes, bytes + 64, 0), 7 * 64);
  EXPECT_EQ(aclrtMemsetAsync(pinned, 64, 9, 32, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(std::accumulate(bytes, bytes + 64, 0), 9 * 32 + 7 * 32);
  EXPECT_EQ(aclrtMemset(pinned, 65, 7, 65), ACL_ERROR_RT_PARAM_INVALID) << "it has 64 bytes";
  EXPECT_EQ(aclrtFreeHost(pinned), ACL_SUCCESS);
}

// In a process that runs on another chip than the others.
[[noreturn]] void tell_of_memory() {
  setenv("OPKIT_SOC", "Ascend310B4", 1);
  size_t free = 0, total = 0;
  int64_t bytes = 0;
  void* memory = nullptr;
  const bool held = aclrtSetDevice(0) == ACL_SUCCESS &&
                    aclrtMalloc(&memory, 4064, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS;
  aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &bytes);
  aclrtGetMemInfo(ACL_DDR_MEM, &free, &total);
  std::fprintf(stderr, "held %d, device %lld, %zu of %zu\n", held, static_cast<long long>(bytes),
               total - free, total);
  std::_Exit(0);
}

TEST(RuntimeExtrasDeathTest, MemoryIsThatOfTheChip) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(tell_of_memory(), testing::ExitedWithCode(0),
              "held 1, device 17179869184, 4096 of 17179869184");
}

TEST(DeviceMemory, OfUnknownSizeHasNoLimit) {
  DeviceMemory memory(0, "a chip");
  void* piece = nullptr;
  ASSERT_EQ(memory.allocate(&piece, 4096, 32), ACL_SUCCESS);
  EXPECT_EQ(memory.reserve(uint64_t{1} << 50), ACL_SUCCESS);
  memory.give_back(uint64_t{1} << 50);
  EXPECT_EQ(memory.release(piece, nullptr), ACL_SUCCESS);
}

TEST_F(RuntimeExtras, RowsGoFromPitchToPitch) {
  std::vector<uint8_t> from(40), back(40, 0xee);
  std::iota(from.begin(), from.end(), uint8_t{0});
  void* device = nullptr;
  ASSERT_EQ(aclrtMallocAlign32(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy2d(device, 16, from.data(), 10, 7, 4, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  ASSERT_EQ(
      aclrtMemcpy2dAsync(back.data(), 8, device, 16, 7, 4, ACL_MEMCPY_DEVICE_TO_HOST, nullptr),
      ACL_SUCCESS);
  for (size_t i = 0; i < 32; ++i)
    EXPECT_EQ(back[i], i % 8 < 7 ? from[i / 8 * 10 + i % 8] : 0xee) << i;
  const auto copy = [&](size_t pitch, size_t width, size_t height) {
    return aclrtMemcpy2d(device, pitch, from.data(), 10, width, height, ACL_MEMCPY_HOST_TO_DEVICE);
  };
  EXPECT_EQ(copy(6, 7, 4), ACL_ERROR_INVALID_PARAM) << "wider than the pitch";
  EXPECT_EQ(copy(16, 0, 4), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(copy(16, 7, SIZE_MAX), ACL_ERROR_INVALID_PARAM) << "cannot be counted";
  EXPECT_EQ(copy(20, 7, 4), ACL_ERROR_RT_PARAM_INVALID) << "behind the memory";
  EXPECT_THAT(said(), HasSubstr("67 bytes is no device memory"));
  aclrtFree(device);
}

// Pages "aclrtMemcpyAsync", "aclrtMemcpy2d" and "aclrtMemcpy2dAsync".
TEST_F(RuntimeExtras, CopiesAreOfTheKindsThatTheirPagesName) {
  char from[8] = {}, to[8] = {};
  void* device = nullptr;
  const size_t most = size_t{5} << 20;
  ASSERT_EQ(aclrtMalloc(&device, most + 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(to, 8, from, 8, ACL_MEMCPY_HOST_TO_HOST, nullptr),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("call aclrtMemcpy or memcpy"));
  EXPECT_EQ(aclrtMemcpy(to, 8, from, 8, ACL_MEMCPY_HOST_TO_HOST), ACL_SUCCESS);
  const auto inside = ACL_MEMCPY_DEVICE_TO_DEVICE;
  EXPECT_EQ(aclrtMemcpy2d(to, 4, from, 4, 4, 2, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(device, 4, device, 4, 4, 2, inside), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("ACL_MEMCPY_DEVICE_TO_DEVICE for aclrtMemcpy2dAsync"));
  EXPECT_EQ(aclrtMemcpy2dAsync(device, 4, device, 4, 4, 2, inside, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2dAsync(to, 4, from, 4, 4, 2, ACL_MEMCPY_HOST_TO_HOST, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2dAsync(device, 4, from, 4, 4, 2, ACL_MEMCPY_DEFAULT, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2dAsync(device, 5000000, device, 5000000, 5000000, 1, inside, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2dAsync(device, 5000001, device, 5000001, 5000001, 1, inside, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2dAsync(device, 1, device, 1, 1, most, inside, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpy2dAsync(device, 1, device, 1, 1, most + 1, inside, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("5242880 rows of 5000000 bytes are possible"));
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

TEST_F(RuntimeExtras, RegisteredHostMemoryIsOnBothSides) {
  std::vector<char> host(100, 'a');
  void* device = nullptr;
  ASSERT_EQ(aclrtHostRegister(host.data(), 100, ACL_HOST_REGISTER_MAPPED, &device), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(device, 100, 'b', 100), ACL_SUCCESS) << "as the device's";
  EXPECT_EQ(host[99], 'b');
  char other = 'c';
  EXPECT_EQ(aclrtMemcpy(host.data(), 100, &other, 1, ACL_MEMCPY_HOST_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostRegister(host.data() + 10, 9, ACL_HOST_REGISTER_MAPPED, &device),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(host.data()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("aclrtHostUnregister"));
  EXPECT_EQ(aclrtHostUnregister(host.data()), ACL_SUCCESS);
  EXPECT_EQ(aclrtHostUnregister(host.data()), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemset(host.data(), 100, 0, 100), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(RuntimeExtras, MemoryIsMappedWhereAddressesAreReserved) {
  aclrtPhysicalMemProp prop = {};
  prop.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  size_t unit = 0;
  ASSERT_EQ(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &unit),
            ACL_SUCCESS);
  void* base = nullptr;
  aclrtDrvMemHandle one = nullptr, two = nullptr;
  const uint64_t used = the_device().memory().in_use();
  ASSERT_EQ(aclrtReserveMemAddress(&base, 2 * unit, 0, nullptr, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMallocPhysical(&one, unit + 1, &prop, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtMallocPhysical(&one, unit, &prop, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocPhysical(&two, unit, &prop, 0), ACL_SUCCESS);
  EXPECT_EQ(the_device().memory().in_use(), used + 2 * unit);
  char* const at = static_cast<char*>(base);
  EXPECT_EQ(aclrtMemset(at, 1, 0, 1), ACL_ERROR_RT_PARAM_INVALID) << "no memory is there";
  ASSERT_EQ(aclrtMapMem(at, unit, 0, one, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMapMem(at, unit, 0, two, 0), ACL_ERROR_RT_PARAM_INVALID) << "taken";
  EXPECT_EQ(aclrtMapMem(at + unit, unit, 0, one, 0), ACL_ERROR_RT_PARAM_INVALID) << "twice";
  ASSERT_EQ(aclrtMapMem(at + unit, unit, 0, two, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemset(at + unit, unit, 7, unit), ACL_SUCCESS);
  EXPECT_EQ(at[unit], 7);
  EXPECT_EQ(static_cast<uint8_t>(at[0]), 0xff) << "fresh memory is poisoned";
  EXPECT_EQ(aclrtFree(at), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFreePhysical(one), ACL_ERROR_RT_PARAM_INVALID) << "mapped";
  EXPECT_EQ(aclrtReleaseMemAddress(base), ACL_ERROR_RT_PARAM_INVALID) << "in use";
  ASSERT_EQ(aclrtUnmapMem(at + unit), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnmapMem(at + unit), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtUnmapMem(at), ACL_SUCCESS);
  ASSERT_EQ(aclrtMapMem(at, unit, 0, two, 0), ACL_SUCCESS);
  EXPECT_EQ(at[0], 7) << "memory keeps its bytes at another address";
  ASSERT_EQ(aclrtUnmapMem(at), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(one), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreePhysical(one), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtFreePhysical(two), ACL_SUCCESS);
  EXPECT_EQ(the_device().memory().in_use(), used);
  EXPECT_EQ(aclrtReleaseMemAddress(base), ACL_SUCCESS);
  EXPECT_EQ(aclrtReleaseMemAddress(base), ACL_ERROR_RT_PARAM_INVALID);
}

// Pages "aclrtResetDevice" and "aclrtResetDeviceForce".
TEST_F(RuntimeExtras, TheDeviceIsResetAsOftenAsItWasSet) {
  int32_t device = -1;
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS) << "SetUp did, too";
  std::thread([] { EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS); }).join();
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS) << "it is set once more";
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_THAT(said(), HasSubstr("was reset as often"));
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_ERROR_RT_CONTEXT_NULL);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_NULL) << "it counts for all";
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
}

TEST_F(RuntimeExtras, AResetEndsWhatWentWrong) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  Task wrong;
  wrong.work = [] { return fail(ACL_ERROR_RT_AICORE_EXCEPTION, "a kernel was wrong"); };
  the_scheduler().submit(the_device().find(stream)->queue, std::move(wrong));
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION) << "it stays";
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_AICORE_EXCEPTION);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  aclrtDestroyStream(stream);
}

}  // namespace
}  // namespace opkit::acl
