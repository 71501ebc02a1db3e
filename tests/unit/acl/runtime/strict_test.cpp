// OPKIT_STRICT: what the device refuses or leaves to chance is an error. Each case is a process of
// its own, because the environment is read once.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

aclrtStream the_stream = nullptr;
void *the_memory = nullptr, *the_pinned = nullptr;

void begin(const char* name, const char* value) {
  setenv(name, value, 1);
  if (aclrtSetDevice(0) || aclrtCreateStream(&the_stream) ||
      aclrtMalloc(&the_memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) || aclrtMallocHost(&the_pinned, 64))
    std::_Exit(3);
}

// What calls of a thread say that chose no context, and then of one that did.
[[noreturn]] void tell_of_threads(const char* name, const char* value) {
  begin(name, value);
  aclrtContext context = nullptr;
  aclrtGetCurrentContext(&context);
  const auto calls = [&] {
    void* memory = nullptr;
    aclrtStream other = nullptr;
    aclrtContext found = nullptr;
    int number = -1;
    std::string text;
    for (const aclError code :
         {aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), aclrtCreateStream(&other),
          aclrtGetCurrentContext(&found), aclrtGetDevice(&number),
          aclrtMemcpy(the_pinned, 64, the_memory, 64, ACL_MEMCPY_DEVICE_TO_HOST),
          aclrtMemsetAsync(the_memory, 64, 1, 64, the_stream), aclrtSynchronizeStream(the_stream),
          aclrtSynchronizeDevice()})
      text += std::to_string(code) + " ";
    return text;
  };
  std::string without, with;
  std::thread([&] {
    without = calls();
    aclrtSetCurrentContext(context);
    with = calls();
  }).join();
  std::fprintf(stderr, "without %s; with %s; %s\n", without.c_str(), with.c_str(), calls().c_str());
  std::_Exit(0);
}

constexpr const char* kAllRefused =
    "without 107002 107002 107002 107002 107002 107002 107002 107002 ; with 0 0 0 0 0 0 0 0 ; "
    "0 0 0 0 0 0 0 0";

TEST(StrictDeathTest, ThreadsNeedAContext) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(tell_of_threads("OPKIT_STRICT", "1"), testing::ExitedWithCode(0), kAllRefused);
  EXPECT_EXIT(tell_of_threads("OPKIT_MODE", "checked"), testing::ExitedWithCode(0), kAllRefused);
  EXPECT_EXIT(tell_of_threads("OPKIT_STRICT", "0"), testing::ExitedWithCode(0),
              "without 0 0 0 0 0 0 0 0 ; with 0 0");
}

// Frees pinned memory of a copy; waits: for the stream first.
[[noreturn]] void free_behind_a_copy(const char* streams, bool waits) {
  setenv("OPKIT_STREAMS", streams, 1);
  begin("OPKIT_STRICT", "1");
  aclrtMemcpyAsync(the_memory, 64, the_pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, the_stream);
  if (waits) aclrtSynchronizeStream(the_stream);
  const aclError code = aclrtFreeHost(the_pinned);
  const std::string text = said();
  std::fprintf(stderr, "free %d: %s\n", code, text.c_str());
  std::exit(0);
}

TEST(StrictDeathTest, PinnedMemoryOutlivesItsCopy) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const char* streams : {"concurrent", "immediate", "1", "2", "3"}) {
    EXPECT_EXIT(free_behind_a_copy(streams, false), testing::ExitedWithCode(1),
                "free 107000: .*an asynchronous copy of 64 bytes uses it, and nobody has waited");
    EXPECT_EXIT(free_behind_a_copy(streams, true), testing::ExitedWithCode(0), "free 0: ");
  }
}

// A host function may have told the program that the copy is done.
[[noreturn]] void free_behind_a_host_function() {
  setenv("OPKIT_STREAMS", "immediate", 1);
  begin("OPKIT_STRICT", "1");
  aclrtMemcpyAsync(the_memory, 64, the_pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, the_stream);
  aclrtLaunchHostFunc(
      the_stream, [](void*) {}, nullptr);
  std::_Exit(aclrtFreeHost(the_pinned));
}

TEST(StrictDeathTest, WhoIsCalledBackMayFree) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(free_behind_a_host_function(), testing::ExitedWithCode(0), "");
}

TEST(StrictDeathTest, TheSwitchIsOneOrZero) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(tell_of_threads("OPKIT_STRICT", "yes"), testing::ExitedWithCode(1),
              "OPK-LAUNCH-012: OPKIT_STRICT is 'yes'");
}

// Without the mode: when the copy comes too late, it fails as for device memory.
[[noreturn]] void copy_behind_a_free() {
  begin("OPKIT_STRICT", "0");
  const auto gate = std::make_shared<Moment>();
  Task held;
  held.after = gate;
  Scheduler& scheduler = the_scheduler();
  scheduler.submit(the_device().find(the_stream)->queue, std::move(held));
  aclrtMemcpyAsync(the_memory, 64, the_pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, the_stream);
  aclrtFreeHost(the_pinned);
  scheduler.pass(*gate);
  const aclError code = aclrtSynchronizeStream(the_stream);
  const std::string text = said();
  std::fprintf(stderr, "%d: %s\n", code, text.c_str());
  std::_Exit(0);
}

TEST(StrictDeathTest, ACopyOfFreedPinnedMemoryFails) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(copy_behind_a_free(), testing::ExitedWithCode(0),
              "507013: .*pinned host memory at .* was freed before it ran");
}

}  // namespace
}  // namespace opkit::acl
