// What programs do wrong with devices, contexts, memory, streams and events: every misuse has a
// code of the vendor's and a text that says what to do. Those of models, single operators and aclnn
// calls are in tests/e2e/programs; a forgotten wait is shown by seeds (stream_test.cpp).
#include <gmock/gmock.h>

#include <array>
#include <thread>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

class Misuses : public ::testing::Test {
 protected:
  static constexpr size_t kRoom = 64;

  void SetUp() override {
    use(-1);
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateEvent(&event_), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&device_, kRoom, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&pinned_, kRoom), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtDestroyStreamForce(stream_);
    aclrtDestroyEvent(event_);
    aclrtFree(device_);
    aclrtFreeHost(pinned_);
    aclrtResetDevice(0);
    use(-1);
  }
  // The call was made while the arguments were worked out.
  static void expect(const char* what, aclError answered, aclError code, const char* cure) {
    const std::string text = said();
    EXPECT_EQ(answered, code) << what << ": " << text;
    EXPECT_THAT(text, HasSubstr(cure)) << what;
  }
  template <typename Handle>
  static Handle gone(aclError (*create)(Handle*), aclError (*destroy)(Handle)) {
    Handle handle = nullptr;
    EXPECT_EQ(create(&handle), ACL_SUCCESS);
    EXPECT_EQ(destroy(handle), ACL_SUCCESS);
    return handle;
  }
  static aclrtStream gone_stream() { return gone(aclrtCreateStream, aclrtDestroyStream); }
  static aclrtEvent gone_event() { return gone(aclrtCreateEvent, aclrtDestroyEvent); }
  void* gone_memory() const {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, kRoom, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
    return memory;
  }

  std::array<char, kRoom> host_ = {};
  aclrtStream stream_ = nullptr;
  aclrtEvent event_ = nullptr;
  void *device_ = nullptr, *pinned_ = nullptr;
};

constexpr const char* kSetDevice = "call aclrtSetDevice first";
constexpr const char* kCreateOne = "create one, and destroy it behind its last use";
constexpr const char* kFreeOnce = "free memory once, by the address that it was given with";
constexpr const char* kDeviceMemory = "hand in memory of aclrtMalloc that is alive and has these";

TEST_F(Misuses, OfTheBeginningAndTheEnd) {
  expect("end first", aclFinalize(), ACL_ERROR_UNINITIALIZE, "call aclInit first");
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  expect("twice", aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE, "call it once");
  expect("other device", aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID, "number 0");
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  int32_t device = 0;
  expect("memory", aclrtMalloc(&memory, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_RT_CONTEXT_NULL,
         kSetDevice);
  expect("host memory", aclrtMallocHost(&memory, 1), ACL_ERROR_RT_CONTEXT_NULL, kSetDevice);
  expect("stream", aclrtCreateStream(&memory), ACL_ERROR_RT_CONTEXT_NULL, kSetDevice);
  expect("event", aclrtCreateEvent(&memory), ACL_ERROR_RT_CONTEXT_NULL, kSetDevice);
  expect("which", aclrtGetDevice(&device), ACL_ERROR_RT_CONTEXT_NULL, "call aclrtSetDevice");
  testing::internal::CaptureStderr();  // the leaks of this test
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  testing::internal::GetCapturedStderr();
}

TEST_F(Misuses, OfContexts) {
  aclrtContext own = nullptr, other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&own), ACL_SUCCESS) << "that of aclrtSetDevice";
  expect("no place", aclrtCreateContext(nullptr, 0), ACL_ERROR_INVALID_PARAM, "the address of");
  expect("own", aclrtDestroyContext(own), ACL_ERROR_RT_PARAM_INVALID, "call aclrtResetDevice");
  expect("null", aclrtSetCurrentContext(nullptr), ACL_ERROR_INVALID_PARAM, kCreateOne);
  ASSERT_EQ(aclrtCreateContext(&other, 0), ACL_SUCCESS);
  aclrtStream others = nullptr;
  ASSERT_EQ(aclrtCreateStream(&others), ACL_SUCCESS);
  expect("other context", aclrtSynchronizeStream(stream_), ACL_ERROR_RT_STREAM_CONTEXT,
         "call aclrtSetCurrentContext with that context first");
  expect("work in another", aclrtRecordEvent(event_, stream_), ACL_ERROR_RT_STREAM_CONTEXT,
         "call aclrtSetCurrentContext with that context first");
  ASSERT_EQ(aclrtSetCurrentContext(own), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  std::thread([&] { EXPECT_EQ(aclrtSynchronizeStream(others), ACL_SUCCESS); }).join();
  ASSERT_EQ(aclrtDestroyContext(other), ACL_SUCCESS);
  expect("gone", aclrtSetCurrentContext(other), ACL_ERROR_RT_INVALID_HANDLE, kCreateOne);
  expect("twice", aclrtDestroyContext(other), ACL_ERROR_RT_INVALID_HANDLE, kCreateOne);
  expect("its stream", aclrtSynchronizeStream(others), ACL_ERROR_RT_STREAM_CONTEXT,
         "destroy a context behind what was made in it");
  EXPECT_EQ(aclrtDestroyStream(others), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  expect("none", aclrtGetCurrentContext(&own), ACL_ERROR_RT_CONTEXT_NULL,
         "call aclrtSetDevice or aclrtSetCurrentContext first");
}

TEST_F(Misuses, OfMemory) {
  const aclrtMemMallocPolicy any = ACL_MEM_MALLOC_HUGE_FIRST;
  void* memory = nullptr;
  expect("no place", aclrtMalloc(nullptr, 1, any), ACL_ERROR_INVALID_PARAM, "wants a place");
  expect("nothing", aclrtMalloc(&memory, 0, any), ACL_ERROR_INVALID_PARAM, "a size above 0");
  expect("too much", aclrtMalloc(&memory, size_t{1} << 60, any), ACL_ERROR_RT_MEMORY_ALLOCATION,
         "free what is not needed, or ask for less");
  expect("null", aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM, "free what aclrtMalloc gave, once");
  expect("twice", aclrtFree(gone_memory()), ACL_ERROR_RT_PARAM_INVALID, kFreeOnce);
  expect("a part", aclrtFree(static_cast<char*>(device_) + 8), ACL_ERROR_RT_PARAM_INVALID,
         "it lies 8 bytes into device memory of 64 bytes; free memory once");
  expect("host", aclrtFree(host_.data()), ACL_ERROR_RT_PARAM_INVALID, kFreeOnce);
  expect("pinned", aclrtFree(pinned_), ACL_ERROR_RT_PARAM_INVALID, "call aclrtFreeHost");
  expect("not pinned", aclrtFreeHost(device_), ACL_ERROR_RT_PARAM_INVALID, "free what that gave");
  expect("null host", aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM, "aclrtMallocHost gave");
  expect("not registered", aclrtHostUnregister(host_.data()), ACL_ERROR_RT_PARAM_INVALID,
         "with the address that was handed in");
}

TEST_F(Misuses, OfKindsOfMemory) {
  const auto none = static_cast<aclrtMemMallocPolicy>(99);
  const char* const take = "policy 99, which is none of aclrtMemMallocPolicy; take ACL_MEM_MALLOC";
  void* memory = nullptr;
  size_t bytes = 0;
  expect("policy", aclrtMalloc(&memory, 1, none), ACL_ERROR_INVALID_PARAM, take);
  expect("aligned", aclrtMallocAlign32(&memory, 1, none), ACL_ERROR_INVALID_PARAM, take);
  expect("cached", aclrtMallocCached(&memory, 1, none), ACL_ERROR_INVALID_PARAM, take);
  expect("by attributes", aclrtMallocWithCfg(&memory, 1, none, nullptr), ACL_ERROR_INVALID_PARAM,
         take);
  EXPECT_EQ(memory, nullptr);
  expect("whose size", aclrtGetMemInfo(static_cast<aclrtMemAttr>(77), &bytes, &bytes),
         ACL_ERROR_INVALID_PARAM, "memory 77, which is none of aclrtMemAttr; take ACL_HBM_MEM");
}

TEST_F(Misuses, OfCopies) {
  char* const host = host_.data();
  const auto in = ACL_MEMCPY_HOST_TO_DEVICE, out = ACL_MEMCPY_DEVICE_TO_HOST;
  const char* const counts = "pointers must not be null, the count must be 1 to destMax";
  expect("null", aclrtMemcpy(nullptr, 8, host, 8, in), ACL_ERROR_INVALID_PARAM, counts);
  expect("too much", aclrtMemcpy(device_, 8, host, 9, in), ACL_ERROR_INVALID_PARAM, counts);
  expect("nothing", aclrtMemcpy(device_, 8, host, 0, in), ACL_ERROR_INVALID_PARAM, counts);
  expect("kind", aclrtMemcpy(device_, 8, host, 8, static_cast<aclrtMemcpyKind>(9)),
         ACL_ERROR_INVALID_PARAM, "the kind 0 to 4");
  expect("host to host", aclrtMemcpy(host, 8, host, 8, out), ACL_ERROR_RT_PARAM_INVALID,
         kDeviceMemory);
  expect("other way", aclrtMemcpy(host, 8, device_, 8, ACL_MEMCPY_HOST_TO_HOST),
         ACL_ERROR_RT_PARAM_INVALID, "choose another kind");
  expect("past the end", aclrtMemcpy(device_, 999, host, 97, in), ACL_ERROR_RT_PARAM_INVALID,
         kDeviceMemory);
  expect("freed", aclrtMemcpy(gone_memory(), 8, host, 8, in), ACL_ERROR_RT_PARAM_INVALID,
         kDeviceMemory);
  expect("freed, later", aclrtMemcpyAsync(gone_memory(), 8, pinned_, 8, in, stream_),
         ACL_ERROR_RT_PARAM_INVALID, kDeviceMemory);
  expect("set host", aclrtMemset(host, 8, 0, 8), ACL_ERROR_RT_PARAM_INVALID, kDeviceMemory);
  expect("set null", aclrtMemset(nullptr, 8, 0, 8), ACL_ERROR_INVALID_PARAM, "must not be null");
  expect("set too much", aclrtMemset(device_, 8, 0, 9), ACL_ERROR_INVALID_PARAM, "be 1 to 8");
  expect("rows", aclrtMemcpy2d(device_, 8, host, 8, 9, 2, in), ACL_ERROR_INVALID_PARAM,
         "the width at most each pitch");
}

TEST_F(Misuses, OfStreamsAndEvents) {
  aclrtStream none = nullptr;
  const auto kinds = ACL_MEMCPY_HOST_TO_DEVICE;
  expect("gone", aclrtSynchronizeStream(gone_stream()), ACL_ERROR_RT_STREAM_CONTEXT, kCreateOne);
  expect("gone, used", aclrtMemcpyAsync(device_, 8, pinned_, 8, kinds, gone_stream()),
         ACL_ERROR_RT_STREAM_CONTEXT, kCreateOne);
  expect("twice", aclrtDestroyStream(gone_stream()), ACL_ERROR_RT_INVALID_HANDLE, kCreateOne);
  expect("no place", aclrtCreateStream(nullptr), ACL_ERROR_INVALID_PARAM, "the address of");
  expect("flag", aclrtCreateStreamWithConfig(&none, 0, ACL_STREAM_PERSISTENT),
         ACL_ERROR_INVALID_PARAM, "not possible here are ACL_STREAM_PERSISTENT");
  expect("time", aclrtSynchronizeStreamWithTimeout(stream_, -2), ACL_ERROR_RT_PARAM_INVALID,
         "-1 is none");
  expect("gone event", aclrtRecordEvent(gone_event(), stream_), ACL_ERROR_RT_INVALID_HANDLE,
         kCreateOne);
  expect("gone awaited", aclrtStreamWaitEvent(stream_, gone_event()), ACL_ERROR_RT_INVALID_HANDLE,
         kCreateOne);
  expect("gone stream", aclrtRecordEvent(event_, gone_stream()), ACL_ERROR_RT_STREAM_CONTEXT,
         kCreateOne);
  expect("no server", aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream_),
         ACL_ERROR_RT_STREAM_NO_CB_REG, "aclrtSubscribeReport");
  float ms = 0;
  expect("no record", aclrtEventElapsedTime(&ms, event_, event_), ACL_ERROR_INVALID_PARAM,
         "call aclrtRecordEvent first");
  aclrtEvent timer = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&timer, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  expect("no order", aclrtStreamWaitEvent(stream_, timer), ACL_ERROR_RT_PARAM_INVALID,
         "create it with that flag");
  EXPECT_EQ(aclrtDestroyEvent(timer), ACL_SUCCESS);
}

// What is read or given back before somebody waited.
TEST_F(Misuses, OfWorkThatIsNotDone) {
  const auto gate = std::make_shared<Moment>();
  Task held;
  held.after = gate;
  Scheduler& scheduler = the_scheduler();
  scheduler.submit(the_device().find(stream_)->queue, std::move(held));
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, kRoom, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(memory, kRoom, 1, kRoom, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event_, stream_), ACL_SUCCESS);
  float ms = 0;
  expect("time too early", aclrtEventElapsedTime(&ms, event_, event_),
         ACL_ERROR_RT_EVENT_NOT_COMPLETE, "call aclrtSynchronizeEvent");
  ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
  scheduler.pass(*gate);
  expect("freed too early", aclrtSynchronizeStream(stream_), ACL_ERROR_RT_SYS_DMA,
         "synchronize the stream before aclrtFree");
  faults().forget();
}

TEST_F(Misuses, OfMappedMemory) {
  constexpr size_t kPage = size_t{2} << 20;
  const aclrtPhysicalMemProp prop = {ACL_MEM_HANDLE_TYPE_NONE,
                                     ACL_MEM_ALLOCATION_TYPE_PINNED,
                                     ACL_HBM_MEM_HUGE,
                                     {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                     0};
  void* at = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  expect("size", aclrtReserveMemAddress(&at, 100, 0, nullptr, 0), ACL_ERROR_RT_PARAM_INVALID,
         "it wants a multiple of 2 MiB");
  ASSERT_EQ(aclrtReserveMemAddress(&at, kPage, 0, nullptr, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocPhysical(&handle, kPage, &prop, 0), ACL_SUCCESS);
  expect("half", aclrtMapMem(at, kPage / 2, 0, handle, 0), ACL_ERROR_RT_PARAM_INVALID,
         "the physical memory has 2097152 bytes");
  ASSERT_EQ(aclrtMapMem(at, kPage, 0, handle, 0), ACL_SUCCESS);
  const char* const first = "call aclrtUnmapMem first";
  expect("freed in use", aclrtFreePhysical(handle), ACL_ERROR_RT_PARAM_INVALID, first);
  expect("released in use", aclrtReleaseMemAddress(at), ACL_ERROR_RT_PARAM_INVALID, first);
  ASSERT_EQ(aclrtUnmapMem(at), ACL_SUCCESS);
  expect("unmapped twice", aclrtUnmapMem(at), ACL_ERROR_RT_PARAM_INVALID, "is mapped there");
  ASSERT_EQ(aclrtFreePhysical(handle), ACL_SUCCESS);
  ASSERT_EQ(aclrtReleaseMemAddress(at), ACL_SUCCESS);
}

}  // namespace
}  // namespace opkit::acl
