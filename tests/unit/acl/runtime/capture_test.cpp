// Work that streams are given while they are captured, and what executes it, under every scheduler.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/graph.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr size_t kBytes = 64;
constexpr auto kGlobal = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
constexpr auto kThreadLocal = ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
constexpr auto kRelaxed = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;

// 0: immediate; -1: concurrent; others: seeds.
class Captured : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    use(GetParam());
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    for (aclrtStream& stream : streams_) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    for (aclrtEvent& event : events_)
      ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&device_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMallocHost(&pinned_, kBytes), ACL_SUCCESS);
  }
  void TearDown() override {
    aclmdlRI dropped = nullptr;
    for (aclrtStream stream : streams_) aclmdlRICaptureEnd(stream, &dropped);
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
    for (aclrtStream stream : streams_) EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
    for (aclrtEvent event : events_) EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
    aclrtFree(device_);
    aclrtFreeHost(pinned_);
    faults().forget();
    use(-1);
  }

  static void give(aclrtStream stream, std::function<void()> act,
                   TaskKind kind = TaskKind::kKernel) {
    EXPECT_EQ(give_work(
                  stream,
                  [act = std::move(act)] {
                    act();
                    return aclError{ACL_SUCCESS};
                  },
                  kind),
              ACL_SUCCESS);
  }
  static aclError give_work(aclrtStream stream, std::function<aclError()> work,
                            TaskKind kind = TaskKind::kKernel) {
    return submit(stream, [&](Task& task) {
      task.kind = kind;
      task.work = std::move(work);
      return aclError{ACL_SUCCESS};
    });
  }
  void begin(aclmdlRICaptureMode mode = kGlobal) {
    ASSERT_EQ(aclmdlRICaptureBegin(streams_[0], mode), ACL_SUCCESS);
  }
  aclmdlRI end() {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(streams_[0], &model), ACL_SUCCESS) << said();
    return model;
  }
  // `to` waits for what `from` has been given.
  void link(size_t event, size_t from, size_t to) {
    ASSERT_EQ(aclrtRecordEvent(events_[event], streams_[from]), ACL_SUCCESS);
    ASSERT_EQ(aclrtStreamWaitEvent(streams_[to], events_[event]), ACL_SUCCESS);
  }
  aclmdlRICaptureStatus status(size_t stream) {
    aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureGetInfo(streams_[stream], &status, &model), ACL_SUCCESS);
    EXPECT_EQ(model != nullptr, status != ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    return status;
  }
  void execute(aclmdlRI model, size_t stream = 0) {
    ASSERT_EQ(aclmdlRIExecuteAsync(model, streams_[stream]), ACL_SUCCESS) << said();
  }
  void synchronize(size_t stream = 0) {
    ASSERT_EQ(aclrtSynchronizeStream(streams_[stream]), ACL_SUCCESS) << said();
  }
  // The capture ends with this code, and nothing is left of it.
  void expect_end(aclError code, const char* text) {
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(streams_[0], &model), code);
    EXPECT_THAT(said(), HasSubstr(text));
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(status(i), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    EXPECT_EQ(graphs().size(), 0u);
  }

  aclrtStream streams_[4] = {};
  aclrtEvent events_[6] = {};
  void *device_ = nullptr, *pinned_ = nullptr;
};

TEST_P(Captured, WorkRunsWhenItIsExecutedAndAsOften) {
  auto* const host = static_cast<char*>(pinned_);
  begin();
  EXPECT_EQ(status(0), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  int ran = 0;
  ASSERT_EQ(aclrtMemcpyAsync(device_, 1, host, 1, ACL_MEMCPY_HOST_TO_DEVICE, streams_[0]),
            ACL_SUCCESS);
  give(streams_[0], [&] { ++*static_cast<char*>(device_), ++ran; });
  ASSERT_EQ(aclrtMemcpyAsync(host + 1, 1, device_, 1, ACL_MEMCPY_DEVICE_TO_HOST, streams_[0]),
            ACL_SUCCESS);
  const aclmdlRI model = end();
  EXPECT_EQ(status(0), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(ran, 0) << "capture does nothing";
  for (int i = 0; i < 100; ++i) {
    host[0] = static_cast<char>(i);
    execute(model, i % 2);
    synchronize(i % 2);
    ASSERT_EQ(host[1], i + 1);
  }
  host[0] = 'a';
  ASSERT_EQ(aclmdlRIExecute(model, -1), ACL_SUCCESS);
  EXPECT_EQ(host[1], 'b');
  EXPECT_EQ(ran, 101);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, EventsDrawStreamsInAndOrderEveryExecution) {
  std::vector<int> order(5, 0);
  int now = 0, before = 0;
  bool right = true;
  const auto stamp = [&](size_t i, std::vector<size_t> after) {
    return [&, i, after] {
      for (const size_t other : after) right &= order[other] > before;
      order[i] = ++now;
    };
  };
  begin();
  give(streams_[0], stamp(0, {}));
  link(0, 0, 1);
  EXPECT_EQ(status(1), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  give(streams_[1], stamp(1, {0}));
  link(1, 1, 2);  // drawn in by a stream that was drawn in
  give(streams_[2], stamp(2, {1}));
  link(2, 2, 1);
  give(streams_[1], stamp(3, {2}));
  link(3, 1, 0);
  give(streams_[0], stamp(4, {3}));
  const aclmdlRI model = end();
  for (int i = 0; i < 200; ++i) {
    execute(model, i % 4);
    if (i % 3 == 0) synchronize(i % 4);
  }
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_TRUE(right);
  EXPECT_EQ(now, 1000);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, ForksRunBetweenWhatIsBeforeAndBehindThem) {
  std::atomic<int> begun{0}, done{0}, wrong{0};
  begin();
  give(streams_[0], [&] { begun = done.load(); });
  link(0, 0, 1);
  ASSERT_EQ(aclrtStreamWaitEvent(streams_[2], events_[0]), ACL_SUCCESS);
  for (size_t stream : {1u, 2u}) {
    for (int i = 0; i < 3; ++i) give(streams_[stream], [&] { ++done; });
  }
  link(1, 1, 0);
  link(2, 2, 0);
  give(streams_[0], [&] { wrong += done != begun + 6; });
  const aclmdlRI model = end();
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) execute(model, thread);
      synchronize(thread);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0) << "one execution begins when the one before has ended";
  EXPECT_EQ(done, 1200);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, OtherWorkOfTheStreamStaysOutsideAnExecution) {
  int inside = 0, outside = 0;
  begin();
  give(streams_[0], [&] { inside = outside; });
  give(streams_[0], [&] { EXPECT_EQ(inside, outside); });
  const aclmdlRI model = end();
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) give(streams_[0], [&] { ++outside; });
  });
  for (int i = 0; i < 100; ++i) execute(model);
  other.join();
  synchronize();
  EXPECT_EQ(outside, 100);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, FailuresAreTheStreamsThatExecutes) {
  bool fails = false;
  begin();
  link(0, 0, 1);
  ASSERT_EQ(give_work(streams_[1],
                      [&] {
                        return fails ? fail(ACL_ERROR_RT_SYS_DMA, "of a branch")
                                     : aclError{ACL_SUCCESS};
                      }),
            ACL_SUCCESS);
  link(1, 1, 0);
  const aclmdlRI model = end();
  execute(model, 2);
  synchronize(2);
  fails = true;
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_SYS_DMA);
  EXPECT_THAT(said(), HasSubstr("of a branch"));
  execute(model, 2);
  EXPECT_EQ(aclrtSynchronizeStream(streams_[2]), ACL_ERROR_RT_SYS_DMA);
  EXPECT_THAT(said(), HasSubstr("of a branch"));
  synchronize(1);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, FreedMemoryIsNamedByEachExecution) {
  void* early = nullptr;
  ASSERT_EQ(aclrtMalloc(&early, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  begin();
  ASSERT_EQ(aclrtMemsetAsync(early, kBytes, 1, kBytes, streams_[0]), ACL_SUCCESS);
  const aclmdlRI model = end();
  ASSERT_EQ(aclrtFree(early), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_SYS_DMA);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, TheModeSaysWhoMayCopy) {
  std::vector<char> host(kBytes);
  const auto copy = [&] {
    return aclrtMemcpy(device_, kBytes, host.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
  };
  const auto exchange = [](aclmdlRICaptureMode mode) {
    EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), ACL_SUCCESS);
    return mode;
  };
  const auto elsewhere = [&](aclmdlRICaptureMode mode) {
    aclError code = ACL_SUCCESS;
    std::thread([&] {
      exchange(mode);
      code = copy();
    }).join();
    return code;
  };
  // Allowed first: a call that is not spoils the capture.
  const auto expect = [&](aclmdlRICaptureMode mode, std::vector<aclmdlRICaptureMode> allowed_here,
                          std::vector<aclmdlRICaptureMode> allowed_elsewhere) {
    for (const auto thread_mode : {kRelaxed, kThreadLocal, kGlobal}) {
      for (const bool here : {true, false}) {
        const auto& allowed = here ? allowed_here : allowed_elsewhere;
        const bool may = std::count(allowed.begin(), allowed.end(), thread_mode) != 0;
        begin(mode);
        const aclmdlRICaptureMode old = here ? exchange(thread_mode) : kGlobal;
        EXPECT_EQ(here ? copy() : elsewhere(thread_mode),
                  may ? ACL_SUCCESS : ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT)
            << mode << " " << thread_mode << " " << here;
        if (here) exchange(old);
        EXPECT_EQ(status(0), may ? ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE
                                 : ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
        if (may) {
          EXPECT_EQ(aclmdlRIDestroy(end()), ACL_SUCCESS);
        } else {
          expect_end(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "aclrtMemcpy");
        }
      }
    }
  };
  expect(kGlobal, {kRelaxed}, {kRelaxed, kThreadLocal});
  expect(kThreadLocal, {kRelaxed}, {kRelaxed, kThreadLocal, kGlobal});
  expect(kRelaxed, {kRelaxed, kThreadLocal, kGlobal}, {kRelaxed, kThreadLocal, kGlobal});
  EXPECT_EQ(copy(), ACL_SUCCESS);
}

TEST_P(Captured, EveryUnsafeCallIsJudged) {
  std::vector<char> host(kBytes);
  const std::vector<std::function<aclError()>> calls = {
      [&] { return aclrtMemset(device_, kBytes, 0, kBytes); },
      [&] { return aclrtMemcpy2d(device_, 8, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE); },
      [&] {
        return aclrtMemcpyAsync(device_, 8, host.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE, streams_[0]);
      },
      [&] {
        return aclrtMemcpy2dAsync(device_, 8, host.data(), 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE,
                                  streams_[1]);
      }};
  for (const auto& call : calls) {
    EXPECT_EQ(call(), ACL_SUCCESS);
    begin();
    EXPECT_EQ(call(), ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
    EXPECT_THAT(said(), HasSubstr("aclmdlRICaptureThreadExchangeMode"));
    EXPECT_EQ(give_work(streams_[0], {}), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
    expect_end(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "the capture failed");
  }
  // Where it is allowed, the copy is captured: host memory is read when it is executed.
  begin(kRelaxed);
  ASSERT_EQ(aclrtMemcpyAsync(device_, 1, host.data(), 1, ACL_MEMCPY_HOST_TO_DEVICE, streams_[0]),
            ACL_SUCCESS);
  const aclmdlRI model = end();
  host[0] = 'x';
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(device_), 'x');
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, TheDefaultStreamHasNoPart) {
  EXPECT_EQ(aclmdlRICaptureBegin(nullptr, kGlobal), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  begin();
  EXPECT_EQ(aclrtMemsetAsync(device_, 1, 1, 1, nullptr), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  EXPECT_THAT(said(), HasSubstr("use another stream"));
  ASSERT_EQ(aclrtRecordEvent(events_[0], streams_[0]), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(nullptr, events_[0]), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(aclrtRecordEvent(events_[1], nullptr), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  const aclmdlRI model = end();
  EXPECT_EQ(aclmdlRIExecuteAsync(model, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, CapturedStreamsAndEventsCannotBeWaitedForAskedOrDestroyed) {
  begin();
  link(0, 0, 1);
  aclrtStreamStatus busy;
  aclrtEventRecordedStatus recorded;
  aclrtEventWaitStatus waited;
  float ms = 0;
  uint64_t time = 0;
  for (aclrtStream stream : {streams_[0], streams_[1]}) {
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_THAT(said(), HasSubstr("aclmdlRICaptureEnd"));
    EXPECT_EQ(aclrtStreamQuery(stream, &busy), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclrtStreamAbort(stream), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_ERROR_RT_STREAM_CAPTURED);
    EXPECT_EQ(aclmdlRICaptureBegin(stream, kGlobal), ACL_ERROR_RT_STREAM_CAPTURED);
  }
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeEvent(events_[0]), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtQueryEventStatus(events_[0], &recorded), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtEventElapsedTime(&ms, events_[0], events_[0]), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtEventGetTimestamp(events_[0], &time), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtRecordEvent(events_[0], streams_[2]), ACL_ERROR_RT_EVENT_CAPTURED);
  aclrtEvent resettable = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&resettable), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(resettable, streams_[0]), ACL_SUCCESS);
  EXPECT_EQ(aclrtQueryEventWaitStatus(resettable, &waited), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtResetEvent(resettable, streams_[2]), ACL_ERROR_RT_EVENT_CAPTURED);
  EXPECT_EQ(aclrtResetEvent(resettable, streams_[1]), ACL_SUCCESS) << "a stream of the capture";
  EXPECT_EQ(aclrtStreamWaitEvent(streams_[1], resettable), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  EXPECT_EQ(aclrtSubscribeReport(1, streams_[0]), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_NO_BLOCK, streams_[0]),
            ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtUnSubscribeReport(1, streams_[0]), ACL_SUCCESS);
  // Streams that are not captured work as ever, and nothing of this spoiled the capture.
  EXPECT_EQ(aclrtMemsetAsync(device_, 1, 7, 1, streams_[3]), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(streams_[3]), ACL_SUCCESS);
  EXPECT_EQ(*static_cast<char*>(device_), 7);
  link(1, 1, 0);
  EXPECT_EQ(aclmdlRIDestroy(end()), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(events_[0]), ACL_SUCCESS) << "it was never recorded";
  EXPECT_EQ(aclrtDestroyEvent(resettable), ACL_SUCCESS);
}

TEST_P(Captured, StreamsThatDoNotComeBackAreTold) {
  begin();
  link(0, 0, 1);
  expect_end(ACL_ERROR_RT_STREAM_UNJOINED, "let the first stream wait");
  begin();
  link(0, 0, 1);
  link(1, 1, 0);
  give(streams_[1], [] {});
  expect_end(ACL_ERROR_RT_STREAM_UNJOINED, "record an event");
  begin();
  link(0, 0, 1);
  link(1, 1, 2);
  link(2, 1, 0);  // 2 never comes back
  expect_end(ACL_ERROR_RT_STREAM_UNJOINED, "record an event");
  begin();
  link(0, 0, 1);
  link(1, 1, 0);
  ASSERT_EQ(aclrtRecordEvent(events_[2], streams_[0]), ACL_SUCCESS);  // nobody need wait
  EXPECT_EQ(aclmdlRIDestroy(end()), ACL_SUCCESS);
}

TEST_P(Captured, EventsOfOthersAreTold) {
  ASSERT_EQ(aclrtRecordEvent(events_[0], streams_[3]), ACL_SUCCESS);
  begin();
  EXPECT_EQ(aclrtStreamWaitEvent(streams_[0], events_[0]), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  EXPECT_THAT(said(), HasSubstr("aclrtRecordEvent"));
  EXPECT_EQ(aclrtStreamWaitEvent(streams_[0], events_[1]), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  ASSERT_EQ(aclrtRecordEvent(events_[2], streams_[0]), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRICaptureBegin(streams_[1], kGlobal), ACL_SUCCESS) << "two at once";
  EXPECT_EQ(aclrtStreamWaitEvent(streams_[1], events_[2]), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  EXPECT_EQ(aclrtRecordEvent(events_[2], streams_[1]), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  aclmdlRI other = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(streams_[1], &other), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIDestroy(other), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIDestroy(end()), ACL_SUCCESS);
}

TEST_P(Captured, EndsWhereItBegan) {
  aclmdlRI model = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(streams_[0], &model), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_THAT(said(), HasSubstr("aclmdlRICaptureBegin"));
  EXPECT_EQ(aclmdlRICaptureEnd(nullptr, &model), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(aclmdlRICaptureEnd(&model, &model), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclmdlRICaptureEnd(streams_[0], nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureBegin(&model, kGlobal), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclmdlRICaptureBegin(streams_[0], static_cast<aclmdlRICaptureMode>(3)),
            ACL_ERROR_INVALID_PARAM);
  begin();
  link(0, 0, 1);
  EXPECT_EQ(aclmdlRICaptureEnd(streams_[1], &model), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
  link(1, 1, 0);
  std::thread([&] {
    EXPECT_EQ(aclmdlRICaptureEnd(streams_[0], &model), ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD);
    EXPECT_THAT(said(), HasSubstr("ACL_MODEL_RI_CAPTURE_MODE_RELAXED"));
  }).join();
  EXPECT_EQ(aclmdlRIDestroy(end()), ACL_SUCCESS) << "none of this ended it";
  begin(kRelaxed);
  std::thread([&] { model = end(); }).join();
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

TEST_P(Captured, GraphsThatCannotBeExecutedOrDestroyed) {
  begin();
  aclmdlRICaptureStatus status;
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureGetInfo(streams_[0], &status, &model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, streams_[1]), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRIExecute(model, -1), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_CAPTURED);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, streams_[0]), ACL_ERROR_RT_STREAM_CAPTURED);
  std::atomic<bool> go{GetParam() != -1};  // others run it inside a call of this thread
  give(streams_[0], [&] {
    while (!go) std::this_thread::yield();
  });
  ASSERT_EQ(end(), model);
  execute(model);
  if (GetParam() == -1) {
    EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_RUNNING);
    EXPECT_THAT(said(), HasSubstr("aclrtSynchronizeStream"));
    EXPECT_EQ(aclmdlRIExecute(model, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  }
  go = true;
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecute(model, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, &go), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, streams_[0]), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlRIExecute(nullptr, -1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureGetInfo(streams_[0], nullptr, &model), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_P(Captured, TasksArePrinted) {
  const std::string path =
      ::testing::TempDir() + "captured_" + std::to_string(GetParam()) + ".json";
  begin();
  aclmdlRICaptureStatus status;
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureGetInfo(streams_[0], &status, &model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIDebugPrint(model), ACL_ERROR_RT_MODEL_CAPTURED);
  give(streams_[0], [] {});
  link(0, 0, 1);
  give(
      streams_[1], [] {}, TaskKind::kOperator);
  link(1, 1, 0);
  ASSERT_EQ(end(), model);
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(aclmdlRIDebugPrint(model), ACL_SUCCESS);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "device 0, stream 0, task 0: kernel\n"
            "device 0, stream 0, task 1: event record\n"
            "device 0, stream 1, task 2: event wait, after task 1\n"
            "device 0, stream 1, task 3: operator\n"
            "device 0, stream 1, task 4: event record\n"
            "device 0, stream 0, task 5: event wait, after task 4\n");
  ASSERT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), 0), ACL_SUCCESS) << said();
  std::ifstream file(path);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(text, HasSubstr("{\"ph\":\"X\",\"name\":\"event wait\",\"pid\":0,\"tid\":0,\"ts\":5,"
                              "\"dur\":1,\"args\":{\"task_id\":5,\"after\":4}}"));
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, "/nowhere/x.json", 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("/nowhere/x.json"));
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIDebugJsonPrint(model, path.c_str(), 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIDebugPrint(model), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_P(Captured, GroupsOfTasksAreReplaced) {
  std::string did;
  const auto write = [&](char c) { return [&did, c] { did += c; }; };
  begin();
  give(streams_[0], write('a'));
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(streams_[0]), ACL_SUCCESS);
  give(streams_[0], write('b'));
  give(streams_[0], write('c'), TaskKind::kOperator);
  aclrtTaskGrp group = nullptr;
  ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(streams_[0], &group), ACL_SUCCESS);
  give(streams_[0], write('d'));
  const aclmdlRI model = end();
  execute(model);
  synchronize();
  EXPECT_EQ(did, "abcd");
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[1], group), ACL_SUCCESS);
  give(streams_[1], write('x'));
  give(streams_[1], write('y'), TaskKind::kOperator);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(streams_[1]), ACL_SUCCESS);
  synchronize(1);
  EXPECT_EQ(did, "abcd") << "an update does nothing";
  execute(model);
  synchronize();
  EXPECT_EQ(did, "abcdaxyd");
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[1], group), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_P(Captured, GroupsThatAreNotRightAreTold) {
  aclrtTaskGrp group = nullptr;
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(streams_[0]), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(streams_[0], &group), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  begin();
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(streams_[0], &group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(streams_[0], nullptr), ACL_ERROR_INVALID_PARAM);
  link(0, 0, 1);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(streams_[0]), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(streams_[0]), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclrtMemsetAsync(device_, 1, 1, 1, streams_[0]), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(aclrtRecordEvent(events_[1], streams_[0]), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(give_work(streams_[1], {}), ACL_ERROR_STREAM_TASK_GROUP_INTR);
  EXPECT_THAT(said(), HasSubstr("aclmdlRICaptureTaskGrpEnd"));
  expect_end(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "aclmdlRICaptureTaskGrpEnd");

  begin();
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(streams_[0]), ACL_SUCCESS);
  give(streams_[0], [] {});
  ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(streams_[0], &group), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[0], group), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[1], group), ACL_ERROR_RT_INVALID_HANDLE);
  const aclmdlRI model = end();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[1], nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(streams_[1]), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[1], group), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[2], group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRICaptureBegin(streams_[1], kGlobal), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclrtRecordEvent(events_[1], streams_[1]), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRIExecuteAsync(model, streams_[1]), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(give_work(streams_[1], {}, TaskKind::kOperator), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(streams_[1]), ACL_ERROR_RT_PARAM_INVALID) << "too few";
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(streams_[1]), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(streams_[1], group), ACL_SUCCESS);
  give(streams_[1], [] {});
  EXPECT_EQ(give_work(streams_[1], {}), ACL_ERROR_RT_PARAM_INVALID) << "too many";
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(streams_[1]), ACL_SUCCESS);
  synchronize(1);
  EXPECT_EQ(aclmdlRIDestroy(model), ACL_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Captured, ::testing::Values(0, -1, 1, 2, 3, 4, 5, 77));

}  // namespace
}  // namespace opkit::acl
