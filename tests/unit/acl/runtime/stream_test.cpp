// Streams and events as programs use them, under every scheduler.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kStreamBytes = 64;

// 0: immediate; -1: concurrent; others: seeds.
class Streams : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    use(GetParam());
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&device_, kStreamBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&pinned_, kStreamBytes), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtDestroyStreamForce(stream_);
    aclrtFree(device_);
    aclrtFreeHost(pinned_);
    aclrtResetDevice(0);
    use(-1);
  }
  // Holds the stream up until let_go().
  void hold() {
    gate_ = std::make_shared<Moment>();
    Task task;
    task.after = gate_;
    the_scheduler().submit(queue(), std::move(task));
  }
  void let_go() { the_scheduler().pass(*gate_); }
  std::shared_ptr<TaskQueue> queue() const { return the_device().find(stream_)->queue; }
  static bool plain() { return GetParam() == 0; }

  aclrtStream stream_ = nullptr;
  void *device_ = nullptr, *pinned_ = nullptr;
  std::shared_ptr<Moment> gate_;
};

TEST_P(Streams, PinnedMemoryIsReadWhenTheCopyRuns) {
  if (plain()) GTEST_SKIP() << "a copy behind held work waits in the call";
  auto* const host = static_cast<char*>(pinned_);
  host[0] = 'a';
  hold();
  ASSERT_EQ(aclrtMemcpyAsync(device_, 1, host, 1, ACL_MEMCPY_HOST_TO_DEVICE, stream_), ACL_SUCCESS);
  host[0] = 'b';
  let_go();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(device_), 'b');
}

TEST_P(Streams, OtherHostMemoryIsDoneWithWhenTheCallReturns) {
  char host = 'a', back = 0;
  ASSERT_EQ(aclrtMemcpyAsync(device_, 1, &host, 1, ACL_MEMCPY_HOST_TO_DEVICE, stream_),
            ACL_SUCCESS);
  host = 'b';
  ASSERT_EQ(aclrtMemcpyAsync(&back, 1, device_, 1, ACL_MEMCPY_DEVICE_TO_HOST, stream_),
            ACL_SUCCESS);
  EXPECT_EQ(back, 'a');
}

TEST_P(Streams, SayThatTheyAreBusy) {
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  ASSERT_EQ(aclrtQueryEventStatus(event, &recorded), ACL_SUCCESS);
  EXPECT_EQ(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  hold();
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
  ASSERT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  ASSERT_EQ(aclrtQueryEventStatus(event, &recorded), ACL_SUCCESS);
  EXPECT_EQ(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  float ms = 0;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_EVENT_NOT_COMPLETE);
  EXPECT_THAT(said(), HasSubstr("aclrtSynchronizeEvent"));
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream_, 2), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeEventWithTimeout(event, 2), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtSynchronizeDeviceWithTimeout(2), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  let_go();
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_SUCCESS);
  EXPECT_EQ(ms, 0);
  // A program that asks until it is done comes to an end.
  while (status != ACL_STREAM_STATUS_COMPLETE)
    ASSERT_EQ(aclrtStreamQuery(stream_, &status), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_P(Streams, AWaitIsForTheLatestRecord) {
  aclrtEvent event = nullptr;
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE) << "there is nothing to wait for";
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  hold();
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS) << "a later record does not count";
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS) << "the wait stays";
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(other, 2), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  let_go();
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_P(Streams, MemoryIsFreedBehindWhatUsesIt) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, kStreamBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(memory, kStreamBytes, 3, kStreamBytes, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpyAsync(pinned_, kStreamBytes, memory, kStreamBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                             stream_),
            ACL_SUCCESS);
  ASSERT_EQ(aclrtFreeWithDevSync(memory), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(pinned_), 3) << "it waited";
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtFreeWithDevSync(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_NE(aclrtFreeWithDevSync(memory), ACL_SUCCESS) << "it is gone";
}

// Pages "aclrtQueryEventWaitStatus" and "aclrtResetEvent": the waits count, not the record.
TEST_P(Streams, AnEventSaysWhetherItsWaitsAreOver) {
  aclrtEvent event = nullptr;
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  hold();
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetEvent(event, other), ACL_SUCCESS);
  aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_RESERVED;
  ASSERT_EQ(aclrtQueryEventWaitStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_WAIT_STATUS_NOT_READY);
  let_go();
  // A program that asks until they are comes to an end.
  while (status != ACL_EVENT_WAIT_STATUS_COMPLETE)
    ASSERT_EQ(aclrtQueryEventWaitStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

// Page "aclrtLaunchHostFunc".
TEST_P(Streams, AFunctionOfTheHostIsCalledInTheirOrder) {
  struct Look {
    const char* from;
    char seen;
  } look{static_cast<char*>(device_), 0};
  const aclrtHostFunc see = [](void* data) {
    auto* const into = static_cast<Look*>(data);
    into->seen = *into->from;
  };
  ASSERT_EQ(aclrtMemsetAsync(device_, 1, 3, 1, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtLaunchHostFunc(stream_, see, &look), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemsetAsync(device_, 1, 4, 1, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(look.seen, 3);
  EXPECT_EQ(aclrtLaunchHostFunc(stream_, nullptr, &look), ACL_ERROR_INVALID_PARAM);
}

TEST_P(Streams, AWaitIsGivenUpWhenTheProgramSaysSo) {
  if (GetParam() != -1) GTEST_SKIP() << "schedulers are compared elsewhere; this takes a second";
  aclrtEvent event = nullptr;
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  hold();
  ASSERT_EQ(aclrtRecordEvent(event, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetOpWaitTimeout(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetOpWaitTimeout(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_THAT(said(), HasSubstr("1000 ms"));
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  // Page "aclrtStreamWaitEventWithTimeout": the same for one wait.
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEventWithTimeout(other, event, -1), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtStreamWaitEventWithTimeout(other, event, 1), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_TASK_TIMEOUT);
  let_go();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_P(Streams, StopBehindAFailureWhenTheProgramSaysSo) {
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetStreamFailureMode(device_, ACL_STOP_ON_FAILURE), ACL_ERROR_RT_STREAM_CONTEXT);
  ASSERT_EQ(aclrtSetStreamFailureMode(stream_, ACL_STOP_ON_FAILURE), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream_, ACL_CONTINUE_ON_FAILURE),
            ACL_ERROR_RT_PARAM_INVALID);
  aclrtStream other = nullptr;  // the mode is that of all
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  Task bad;
  bad.work = [] { return fail(ACL_ERROR_RT_SYS_DMA, "a wrong copy"); };
  const auto on = the_device().find(other)->queue;
  the_scheduler().submit(on, std::move(bad));
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_SYS_DMA);
  EXPECT_EQ(aclrtMemsetAsync(device_, 1, 1, 1, other), ACL_ERROR_RT_SYS_DMA);
  EXPECT_THAT(said(), HasSubstr("has stopped (ACL_STOP_ON_FAILURE): a wrong copy"));
  EXPECT_EQ(aclrtMemsetAsync(device_, 1, 1, 1, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtMemsetAsync(device_, 1, 1, 1, other), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_P(Streams, ADestroyedOneHasDoneItsWork) {
  aclrtStream other = nullptr;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  for (int value = 0; value < 50; ++value)
    ASSERT_EQ(aclrtMemsetAsync(device_, kStreamBytes, value, kStreamBytes, other), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(device_), 49);
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_ERROR_RT_STREAM_CONTEXT);
}

// Page "aclrtStreamAbort": who waits for the stream meanwhile is told.
TEST_P(Streams, WhoWaitsForAnAbortedOneHearsOfIt) {
  if (GetParam() != -1) GTEST_SKIP() << "schedulers are compared elsewhere";
  hold();
  std::atomic<aclError> code{ACL_SUCCESS};
  std::thread waits([&] { code = aclrtSynchronizeStream(stream_); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  waits.join();
  EXPECT_EQ(code, ACL_ERROR_RT_STREAM_ABORT);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << "it lives on";
}

TEST_P(Streams, AnAbortedOneLosesWhatItHasNotBegun) {
  if (plain()) GTEST_SKIP() << "work behind held work waits in the call";
  ASSERT_EQ(aclrtMemset(device_, kStreamBytes, 1, kStreamBytes), ACL_SUCCESS);
  hold();
  ASSERT_EQ(aclrtMemsetAsync(device_, kStreamBytes, 2, kStreamBytes, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamAbort(stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(device_), 1);
  EXPECT_EQ(aclrtStreamAbort(device_), ACL_ERROR_RT_STREAM_CONTEXT);
}

// aclrtFree waits for nobody: who frees too early hears of it, and the host's pages are still
// there.
TEST_P(Streams, MemoryFreedTooEarlyIsReported) {
  if (plain()) GTEST_SKIP() << "a copy behind held work waits in the call";
  void* early = nullptr;
  ASSERT_EQ(aclrtMalloc(&early, kStreamBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  hold();
  ASSERT_EQ(aclrtMemsetAsync(early, kStreamBytes, 1, kStreamBytes, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(early), ACL_SUCCESS);
  let_go();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_SYS_DMA);
  EXPECT_THAT(said(), HasSubstr("synchronize the stream before aclrtFree"));
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_SYS_DMA) << "it stays";
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  faults().forget();
}

// A producer writes, a consumer copies; what comes out, with and without the event.
std::set<int> seen_under_seeds(bool waits) {
  std::set<int> seen;
  for (int seed = 1; seed <= 24; ++seed) {
    use(seed);
    aclrtSetDevice(0);
    aclrtStream producer = nullptr, consumer = nullptr;
    aclrtEvent event = nullptr;
    void *from = nullptr, *to = nullptr;
    aclrtCreateStream(&producer);
    aclrtCreateStream(&consumer);
    aclrtCreateEvent(&event);
    aclrtMalloc(&from, 1, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&to, 1, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(from, 1, 1, 1);
    aclrtMemsetAsync(from, 1, 2, 1, producer);
    aclrtRecordEvent(event, producer);
    if (waits) aclrtStreamWaitEvent(consumer, event);
    aclrtMemcpyAsync(to, 1, from, 1, ACL_MEMCPY_DEVICE_TO_DEVICE, consumer);
    EXPECT_EQ(aclrtSynchronizeStream(consumer), ACL_SUCCESS);
    seen.insert(*static_cast<char*>(to));
    aclrtDestroyStream(producer);
    aclrtDestroyStream(consumer);
    aclrtDestroyEvent(event);
    aclrtFree(from);
    aclrtFree(to);
    aclrtResetDevice(0);
  }
  use(-1);
  return seen;
}

TEST(SeededStreams, ShowAForgottenWait) {
  EXPECT_THAT(seen_under_seeds(false), ElementsAre(1, 2));
  EXPECT_THAT(seen_under_seeds(true), ElementsAre(2));
}

// A program by chance: streams that change buffers, with a wait wherever two streams meet.
class Work {
 public:
  explicit Work(unsigned seed) : random_(seed) {
    for (aclrtStream& stream : streams_) aclrtCreateStream(&stream);
    for (void*& buffer : buffers_) {
      aclrtMalloc(&buffer, kStreamBytes, ACL_MEM_MALLOC_HUGE_FIRST);
      aclrtMemset(buffer, kStreamBytes, 0, kStreamBytes);
    }
  }
  ~Work() {
    for (aclrtStream stream : streams_) aclrtDestroyStream(stream);
    for (aclrtEvent event : events_) aclrtDestroyEvent(event);
    for (void* buffer : buffers_) aclrtFree(buffer);
  }

  std::vector<std::string> run(int steps) {
    for (int i = 0; i < steps; ++i) step();
    EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
    std::vector<std::string> bytes;
    for (void* buffer : buffers_) bytes.emplace_back(static_cast<char*>(buffer), kStreamBytes);
    return bytes;
  }

 private:
  static constexpr size_t kStreams = 16, kBuffers = 12;

  void step() {
    const size_t from = random_() % kBuffers, to = random_() % kBuffers;
    const aclrtStream stream = streams_[random_() % kStreams];
    wait_for(stream, from);
    wait_for(stream, to);
    const size_t count = 1 + random_() % (kStreamBytes - 1),
                 offset = random_() % (kStreamBytes - count);
    auto* const target = static_cast<char*>(buffers_[to]) + offset;
    if (from == to) {
      aclrtMemsetAsync(target, count, static_cast<int>(random_() % 256), count, stream);
    } else {
      aclrtMemcpyAsync(target, count, buffers_[from], count, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
    }
    aclrtEvent event = nullptr;
    ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
    ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
    events_.push_back(event);
    last_[from] = last_[to] = event;
  }
  void wait_for(aclrtStream stream, size_t buffer) {
    if (!last_[buffer]) return;
    ASSERT_EQ(aclrtStreamWaitEvent(stream, last_[buffer]), ACL_SUCCESS);
  }

  std::mt19937 random_;
  std::vector<aclrtStream> streams_ = std::vector<aclrtStream>(kStreams);
  std::vector<void*> buffers_ = std::vector<void*>(kBuffers);
  std::vector<aclrtEvent> events_, last_ = std::vector<aclrtEvent>(kBuffers);
};

std::vector<std::string> result_of(int scheduler, unsigned program) {
  use(scheduler);
  aclrtSetDevice(0);
  std::vector<std::string> bytes = Work(program).run(400);
  aclrtResetDevice(0);
  use(-1);
  return bytes;
}

TEST_P(Streams, ARightProgramGivesWhatThePlainestSchedulerGives) {
  for (unsigned program = 1; program <= 3; ++program)
    EXPECT_EQ(result_of(GetParam(), program), result_of(0, program)) << program;
}

TEST_P(Streams, ThreadsOfTheHostUseThemAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      aclrtStream stream = nullptr;
      void* memory = nullptr;
      for (int i = 0; i < 40; ++i) {
        ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
        ASSERT_EQ(aclrtMalloc(&memory, kStreamBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
        char back = 0;
        ASSERT_EQ(aclrtMemsetAsync(memory, kStreamBytes, t, kStreamBytes, stream), ACL_SUCCESS);
        ASSERT_EQ(aclrtMemcpyAsync(&back, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST, stream),
                  ACL_SUCCESS);
        ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
        EXPECT_EQ(back, t);
        ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
        ASSERT_EQ(aclrtFree(memory), ACL_SUCCESS);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Streams, ::testing::Values(0, -1, 1, 2, 3, 4, 5, 6));

}  // namespace
}  // namespace opkit::acl
