// Tasks that fail tell the program's callback, under every scheduler.
#include "opkit/acl/streams/exception.h"
#include "opkit/acl/base/faults.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "acl/acl_op_compiler.h"
#include "tests/unit/acl/op_versions.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

std::vector<aclrtExceptionInfo> told;  // holds what was told of one task at a time

void tell(aclrtExceptionInfo* info) {
  told.push_back({aclrtGetTaskIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
                  aclrtGetThreadIdFromExceptionInfo(info), aclrtGetDeviceIdFromExceptionInfo(info),
                  aclrtGetErrorCodeFromExceptionInfo(info)});
  aclrtSetDevice(1);  // fails, and its text is not the program's
}

class ExceptionsOf : public OpVersions, public ::testing::WithParamInterface<int> {
 protected:
  void SetUp() override {
    OpVersions::SetUp();
    use(GetParam());
    told.clear();
    ASSERT_EQ(aclrtSetExceptionInfoCallback(tell), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtSetExceptionInfoCallback(nullptr);
    aclrtDestroyStream(stream_);
    OpVersions::TearDown();
    use(-1);
    faults().forget();
  }
  std::shared_ptr<TaskQueue> queue() const { return the_device().find(stream_)->queue; }
  void submit_wrong() {
    Task wrong;
    wrong.work = [] { return fail(ACL_ERROR_RT_AICORE_EXCEPTION, "a kernel was wrong"); };
    the_scheduler().submit(queue(), std::move(wrong));
  }
  uint32_t stream_id() const {
    int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream_, &id), ACL_SUCCESS);
    return static_cast<uint32_t>(id);
  }
  static uint32_t last_task() {
    uint32_t task = 0;
    EXPECT_EQ(aclrtGetThreadLastTaskId(&task), ACL_SUCCESS) << said();
    return task;
  }

  aclrtStream stream_ = nullptr;
};

TEST_P(ExceptionsOf, SayWhichTaskItWas) {
  submit_wrong();
  const uint32_t task = last_task();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_THAT(said(), HasSubstr("a kernel was wrong"));
  ASSERT_EQ(told.size(), 1u) << "before the wait was over";
  EXPECT_EQ(told[0].task, task);
  EXPECT_EQ(told[0].stream, stream_id());
  EXPECT_EQ(told[0].thread, static_cast<uint32_t>(gettid())) << "that submitted it";
  EXPECT_EQ(told[0].device, 0u);
  EXPECT_EQ(told[0].code, static_cast<uint32_t>(ACL_ERROR_RT_AICORE_EXCEPTION));
}

TEST_P(ExceptionsOf, EveryTaskThatFailsIsTold) {
  submit_wrong();
  const uint32_t first = last_task();
  uint32_t second = 0;
  std::thread([&] {
    submit_wrong();
    second = last_task();
  }).join();
  aclrtSynchronizeStream(stream_);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0].task, first);
  EXPECT_EQ(told[1].task, second);
  EXPECT_NE(told[1].thread, told[0].thread);
}

TEST_P(ExceptionsOf, NobodyIsToldOfWhatGoesWellOrWhenNobodyAsks) {
  Task right;
  right.work = [] { return aclError{ACL_SUCCESS}; };
  the_scheduler().submit(queue(), std::move(right));
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetExceptionInfoCallback(nullptr), ACL_SUCCESS);
  submit_wrong();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_TRUE(told.empty());
}

TEST_P(ExceptionsOf, AnOperatorThatWasWrongIsDescribed) {
  install({.version = "1.2.0", .plugin = "faults"});
  void *x = nullptr, *y = nullptr;
  ASSERT_EQ(aclrtMalloc(&x, 32, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&y, 32, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemset(x, 32, 0, 32), ACL_SUCCESS);
  const int64_t dims[] = {8};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  aclDataBuffer *const from = aclCreateDataBuffer(x, 32), *const to = aclCreateDataBuffer(y, 32);
  testing::internal::CaptureStderr();  // the kernel's faults
  ASSERT_EQ(aclopCompileAndExecute("AddRelu", 1, &desc, &from, 1, &desc, &to, nullptr,
                                   ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream_),
            ACL_SUCCESS)
      << said();
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICORE_EXCEPTION);
  testing::internal::GetCapturedStderr();
  ASSERT_EQ(told.size(), 1u);
  char name[256] = {};
  aclTensorDesc *inputs = nullptr, *outputs = nullptr;
  size_t input_count = 0, output_count = 0;
  const auto ask = [&](uint32_t task, size_t length) {
    return aclmdlCreateAndGetOpDesc(0, told[0].stream, task, name, length, &inputs, &input_count,
                                    &outputs, &output_count);
  };
  EXPECT_EQ(ask(told[0].task, 7), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("has 7 bytes and an end, not 7"));
  EXPECT_EQ(ask(told[0].task + 1, 256), ACL_ERROR_FAILURE);
  EXPECT_THAT(said(), HasSubstr("failed at no operator"));
  ASSERT_EQ(ask(told[0].task, 256), ACL_SUCCESS) << said();
  EXPECT_STREQ(name, "AddRelu");
  EXPECT_EQ(input_count, 1u);
  EXPECT_EQ(output_count, 1u);
  EXPECT_EQ(aclGetTensorDescByIndex(inputs, 0), inputs);
  EXPECT_EQ(aclGetTensorDescByIndex(inputs, 1), nullptr);
  EXPECT_THAT(said(), HasSubstr("holds no description number 1"));
  EXPECT_EQ(aclGetTensorDescAddress(inputs), x);
  EXPECT_EQ(aclGetTensorDescAddress(outputs), y);
  EXPECT_EQ(aclGetTensorDescType(inputs), ACL_FLOAT);
  EXPECT_EQ(aclGetTensorDescElementCount(outputs), 8u);
  EXPECT_STREQ(aclGetTensorDescName(inputs), "x");
  aclDestroyTensorDesc(inputs);
  aclDestroyTensorDesc(outputs);
  EXPECT_EQ(aclGetTensorDescAddress(inputs), nullptr);
  aclDestroyTensorDesc(desc);
  for (aclDataBuffer* buffer : {from, to}) aclDestroyDataBuffer(buffer);
  for (void* memory : {x, y}) aclrtFree(memory);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, ExceptionsOf, ::testing::Values(0, -1, 7));

TEST(Exceptions, NoInfoIsNobodys) {
  EXPECT_EQ(aclrtGetTaskIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetStreamIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetThreadIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetDeviceIdFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(nullptr), 0xFFFFFFFFu);
  std::thread([] {
    uint32_t task = 0;
    EXPECT_EQ(aclrtGetThreadLastTaskId(&task), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_THAT(said(), HasSubstr("has given no stream a task"));
  }).join();
}

TEST(Exceptions, TheLatestOperatorsAreKnown) {
  Exceptions exceptions;
  for (uint32_t task = 0; task < 100; ++task) {
    Exceptions::begin();
    Exceptions::at({"op" + std::to_string(task), {}, {}});
    Exceptions::named("node" + std::to_string(task));
    exceptions.tell({task, 1, 0, 0, 1});
  }
  EXPECT_FALSE(exceptions.find(1, 35));
  ASSERT_TRUE(exceptions.find(1, 36));
  EXPECT_EQ(exceptions.find(1, 99)->name, "node99");
  EXPECT_FALSE(exceptions.find(2, 99));
  Exceptions::begin();
  exceptions.tell({200, 1, 0, 0, 1});
  EXPECT_FALSE(exceptions.find(1, 200)) << "it failed at none";
}

// How long an operator may take, in a process that runs in Timed mode alone.
class OpTime : public OpVersions {
 protected:
  [[noreturn]] static void run_and_tell() {
    ::setenv("OPKIT_MODE", "timed", 1);
    Caller any, limited, again;
    const float before = any.call();
    the_device().allow(std::chrono::nanoseconds(100));
    const float late = limited.call();
    const std::string text = said();
    aclrtSetOpExecuteTimeOut(100);
    std::fprintf(stderr, "any %g, 0.1 us: %g (%s), 100 s: %g\n", before, late, text.c_str(),
                 again.call());
    std::_Exit(0);
  }
};

TEST_F(OpTime, OfAKernelIsJudgedInTimedMode) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  install({.plugin = "adds_1"});
  EXPECT_EXIT(run_and_tell(), testing::ExitedWithCode(0),
              "its modelled time of [0-9.]+ us is more than the 0.100 us that(.|\n)*any 1, 0.1 us: "
              "-1 \\(.*507014: kernel AddRelu took longer(.|\n)*100 s: 1");
}

// Programs whose main returns 0 and who looked at nothing.
class EndsOfPrograms : public OpVersions {
 protected:
  [[noreturn]] static void end_behind_a_kernel() {
    Caller caller(1);
    opkit_nn_run("AddRelu", nullptr, 0, caller.plan(), nullptr);
    std::exit(0);
  }
  // The call gives the kernel's code. asks: for its text. reads: what the device computed.
  [[noreturn]] static void end_behind_a_code(bool asks, bool reads) {
    char bytes[32] = {};
    void* memory = nullptr;
    const float answer = Caller(1).call();
    if (asks) said();
    aclrtMalloc(&memory, sizeof bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    if (reads) aclrtMemcpy(bytes, sizeof bytes, memory, sizeof bytes, ACL_MEMCPY_DEVICE_TO_HOST);
    std::exit(answer == -1 ? 0 : 5);
  }
  [[noreturn]] static void end_before_a_copy() {
    aclrtStream stream = nullptr;
    void* memory = nullptr;
    aclrtCreateStream(&stream);
    aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    const auto gate = std::make_shared<Moment>();
    Task held;
    held.after = gate;
    Scheduler& scheduler = the_scheduler();
    scheduler.submit(the_device().find(stream)->queue, std::move(held));
    aclrtMemsetAsync(memory, 64, 1, 64, stream);
    aclrtFree(memory);
    scheduler.pass(*gate);
    std::exit(0);
  }
};

TEST_F(EndsOfPrograms, TellTheFirstFailure) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  install({.version = "1.2.0", .plugin = "faults"});
  EXPECT_EXIT(
      end_behind_a_kernel(), testing::ExitedWithCode(1),
      "opkit: error 507015: kernel AddRelu failed \\(see stderr\\)\nopkit: a kernel failed; "
      "the program ends with exit code 1");
  EXPECT_EXIT(end_before_a_copy(), testing::ExitedWithCode(1),
              "opkit: error 507013: a copy of 64 bytes found [^\n]*\nopkit: a task failed; the "
              "program ends with exit code 1");
}

// Who was given the code of a failure deals with it, unless it goes on with the results.
TEST_F(EndsOfPrograms, AreThePrograms) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  install({.version = "1.2.0", .plugin = "faults"});
  EXPECT_EXIT(end_behind_a_code(false, false), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(end_behind_a_code(true, true), testing::ExitedWithCode(0), "");
}

TEST(FaultsOfPrograms, AreTheirsWhenTheyWereTold) {
  DeviceFaults faults;
  fail(ACL_ERROR_RT_AICORE_EXCEPTION, "a kernel was wrong");
  EXPECT_EQ(faults.keep_kernel(507015), 507015);
  EXPECT_THAT(faults.report(), HasSubstr("507015: a kernel was wrong\nopkit: a kernel failed"));
  EXPECT_EQ(faults.tell(507015), 507015);
  EXPECT_EQ(faults.report(), "");
  faults.read_results();
  EXPECT_THAT(faults.report(), HasSubstr("507015")) << "it went on as if nothing had failed";
  faults.tell(507015);
  faults.accept();
  faults.read_results();
  EXPECT_EQ(faults.report(), "") << "it asked, or gave up what had failed";
  faults.keep_task(507013);
  EXPECT_NE(faults.report(), "") << "another one, of which it knows nothing";
}

TEST(OpTimes, AreCountedAndBounded) {
  const EmulatedDevice& device = the_device();
  uint64_t actual = 1;
  EXPECT_EQ(aclrtSetOpExecuteTimeOut(3), ACL_SUCCESS);
  EXPECT_EQ(device.allowed(), std::chrono::seconds(3));
  EXPECT_EQ(aclrtSetOpExecuteTimeOutWithMs(20), ACL_SUCCESS);
  EXPECT_EQ(device.allowed(), std::chrono::milliseconds(20));
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(7, &actual), ACL_SUCCESS);
  EXPECT_EQ(device.allowed(), std::chrono::microseconds(7));
  EXPECT_EQ(actual, 7u);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(0, &actual), ACL_SUCCESS);
  EXPECT_EQ(device.allowed().count(), 0) << "any";
  EXPECT_EQ(actual, UINT64_MAX);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(1, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtSetOpExecuteTimeOutV2(UINT64_MAX, &actual), ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace opkit::acl
