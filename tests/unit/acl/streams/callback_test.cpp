// Callbacks keep a stream's order, on the thread that serves it.
#include "opkit/acl/streams/callback.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

class CallbackTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    server_ = std::thread([this] {
      id_ = this_thread_id();
      while (!stop_) {
        if (aclrtProcessReport(5) != ACL_SUCCESS) std::this_thread::yield();
      }
    });
    while (id_ == 0) std::this_thread::yield();
  }
  void TearDown() override {
    stop_ = true;
    server_.join();
    aclrtDestroyStreamForce(stream_);
    aclrtResetDevice(0);
  }

  aclrtStream stream_ = nullptr;
  std::atomic<uint64_t> id_{0};
  std::atomic<bool> stop_{false};
  std::thread server_;
};

struct Copy {
  void* device;
  int host = 0;
};

// What the stream has copied so far.
void look(void* data) {
  auto& copy = *static_cast<Copy*>(data);
  aclrtMemcpy(&copy.host, sizeof(int), copy.device, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST);
}

TEST_F(CallbackTest, LaterWorkWaitsForABlockingOne) {
  ASSERT_EQ(aclrtSubscribeReport(id_, stream_), ACL_SUCCESS);
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, sizeof(int), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::vector<Copy> seen(100, {memory});
  for (int i = 0; i < 100; ++i) {
    const int value = i + 1;
    ASSERT_EQ(aclrtMemcpyAsync(memory, sizeof(int), &value, sizeof(int), ACL_MEMCPY_HOST_TO_DEVICE,
                               stream_),
              ACL_SUCCESS);
    ASSERT_EQ(aclrtLaunchCallback(look, &seen[static_cast<size_t>(i)], ACL_CALLBACK_BLOCK, stream_),
              ACL_SUCCESS);
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)].host, i + 1);
  EXPECT_EQ(aclrtUnSubscribeReport(id_, stream_), ACL_SUCCESS);
  aclrtFree(memory);
}

void count(void* data) { ++*static_cast<std::atomic<int>*>(data); }

TEST_F(CallbackTest, ThoseThatAreDueAreCalledBeforeTheSubscriptionEnds) {
  ASSERT_EQ(aclrtSubscribeReport(id_, stream_), ACL_SUCCESS);
  std::atomic<int> calls{0};
  for (int i = 0; i < 20; ++i)
    ASSERT_EQ(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_NO_BLOCK, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(id_, stream_), ACL_SUCCESS);
  EXPECT_EQ(calls, 20);
}

TEST_F(CallbackTest, AThreadCannotLeaveWhatIsDue) {
  const uint64_t here = this_thread_id();
  ASSERT_EQ(aclrtSubscribeReport(here, stream_), ACL_SUCCESS);
  std::atomic<int> calls{0};
  ASSERT_EQ(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_NO_BLOCK, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(here, stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_THAT(said(), HasSubstr("1 of them"));
  EXPECT_EQ(aclrtProcessReport(1), ACL_SUCCESS);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(aclrtUnSubscribeReport(here, stream_), ACL_SUCCESS);
}

TEST_F(CallbackTest, OneWithoutAServerIsRefused) {
  EXPECT_EQ(aclrtLaunchCallback(look, nullptr, ACL_CALLBACK_BLOCK, stream_),
            ACL_ERROR_RT_STREAM_NO_CB_REG);
  EXPECT_THAT(said(), HasSubstr("aclrtSubscribeReport"));
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSubscribeReport(id_, &id_), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtSubscribeReport(id_, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSubscribeReport(id_ + 1, stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtUnSubscribeReport(id_ + 1, stream_), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_THREAD_SUBSCRIBE) << "this thread serves nothing";
  EXPECT_EQ(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CallbackTest, ATimeoutNamesTheWait) {
  const uint64_t here = this_thread_id();
  ASSERT_EQ(aclrtSubscribeReport(here, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
  std::atomic<int> calls{0};
  ASSERT_EQ(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_BLOCK, stream_), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  ASSERT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("would wait for itself"));
  std::thread([&] {
    EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  }).join();
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(aclrtUnSubscribeReport(here, stream_), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtProcessReport(-1), ACL_SUCCESS);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
}

TEST_F(CallbackTest, OneOfADestroyedStreamIsNeverCalled) {
  const uint64_t here = this_thread_id();
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  ASSERT_EQ(aclrtSubscribeReport(here, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSubscribeReport(here, other), ACL_SUCCESS);
  std::atomic<int> calls{0};
  ASSERT_EQ(aclrtLaunchCallback(count, &calls, ACL_CALLBACK_NO_BLOCK, other), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(other), ACL_SUCCESS) << "it does not wait for these";
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace opkit::acl
