// What aclprof collects of streams, copies and the program's own ranges.
#include <gmock/gmock.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <thread>

#include "acl/acl_prof.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/streams/stream.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Profiling : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    folder_ = fs::temp_directory_path() / ("opkit_profile_test_" + std::to_string(getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override {
    aclrtResetDevice(0);
    fs::remove_all(folder_);
  }

  aclError begin() { return aclprofInit(folder_.c_str(), folder_.string().size()); }
  static aclprofConfig* config(uint64_t types) {
    uint32_t device = 0;
    return aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, types);
  }
  json trace(int number) const {
    return json::parse(
        std::ifstream(folder_ / ("PROF_00000" + std::to_string(number)) / "msprof.json"));
  }
  static std::vector<json> events(const json& trace, const std::string& category) {
    std::vector<json> found;
    for (const json& event : trace["traceEvents"]) {
      if (event.value("cat", "") == category) found.push_back(event);
    }
    return found;
  }
  static std::string row_of(const json& trace, const json& event) {
    for (const json& one : trace["traceEvents"]) {
      if (one["name"] == "thread_name" && one["tid"] == event["tid"]) return one["args"]["name"];
    }
    return "";
  }

  fs::path folder_;
};

void* stamp_named(const char* name) {
  void* const stamp = aclprofCreateStamp();
  aclprofSetStampTraceMessage(stamp, name, static_cast<uint32_t>(std::strlen(name)));
  return stamp;
}

TEST_F(Profiling, RangesAndMarksLandInTheTrace) {
  aclprofConfig* const all = config(ACL_PROF_MSPROFTX | ACL_PROF_L2CACHE);
  ASSERT_EQ(begin(), ACL_SUCCESS);
  void *const outer = stamp_named("outer"), *const inner = stamp_named("inner");
  EXPECT_EQ(aclprofMark(outer), ACL_SUCCESS) << "before aclprofStart: not collected";
  ASSERT_EQ(aclprofStart(all), ACL_SUCCESS);
  EXPECT_EQ(aclprofSetCategoryName(7, "decode"), ACL_SUCCESS);
  EXPECT_EQ(aclprofSetStampCategory(inner, 7), ACL_SUCCESS);
  uint32_t range = 0;
  EXPECT_EQ(aclprofRangeStart(inner, &range), ACL_SUCCESS);
  EXPECT_EQ(aclprofPush(outer), ACL_SUCCESS);
  EXPECT_EQ(aclprofPush(inner), ACL_SUCCESS);
  EXPECT_EQ(aclprofMark(outer), ACL_SUCCESS);
  EXPECT_EQ(aclprofPop(), ACL_SUCCESS);
  EXPECT_EQ(aclprofPop(), ACL_SUCCESS);
  std::thread([&] { EXPECT_EQ(aclprofRangeStop(range), ACL_SUCCESS); }).join();
  ASSERT_EQ(aclprofStop(all), ACL_SUCCESS);
  EXPECT_EQ(aclprofMark(outer), ACL_SUCCESS) << "after aclprofStop: not collected";
  ASSERT_EQ(aclprofFinalize(), ACL_SUCCESS);

  const json written = trace(1);
  const std::vector<json> own = events(written, "msproftx");
  ASSERT_EQ(own.size(), 4u);
  EXPECT_EQ(own[0]["name"], "outer");
  EXPECT_EQ(own[0]["ph"], "i");
  EXPECT_EQ(own[1]["name"], "inner");
  EXPECT_EQ(own[1]["args"]["category"], "decode");
  EXPECT_EQ(own[2]["name"], "outer");
  EXPECT_EQ(own[3]["name"], "inner");
  for (const json& event : own) EXPECT_EQ(row_of(written, event), "thread 1");
  const double from = own[2]["ts"], inner_from = own[1]["ts"];
  EXPECT_LE(from, inner_from);
  EXPECT_GE(from + own[2]["dur"].get<double>(), inner_from + own[1]["dur"].get<double>());
  EXPECT_THAT(written["otherData"]["not_collected"], ElementsAre("ACL_PROF_L2CACHE"));
  for (void* stamp : {outer, inner}) aclprofDestroyStamp(stamp);
  EXPECT_EQ(aclprofDestroyConfig(all), ACL_SUCCESS);
}

TEST_F(Profiling, CopiesAndMarksAreInTheRowsOfTheirStreams) {
  aclprofConfig* const some = config(ACL_PROF_ACL_API | ACL_PROF_MSPROFTX);
  aclrtStream streams[2] = {};
  void *device = nullptr, *host = nullptr;
  for (aclrtStream& stream : streams) ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMallocHost(&host, 64), ACL_SUCCESS);
  ASSERT_EQ(begin(), ACL_SUCCESS);
  ASSERT_EQ(aclprofStart(some), ACL_SUCCESS);
  for (aclrtStream stream : streams) {
    EXPECT_EQ(aclrtMemcpyAsync(device, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream),
              ACL_SUCCESS);
    EXPECT_EQ(aclprofMarkEx("copied", 6, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  }
  EXPECT_EQ(aclrtMemcpy(host, 64, device, 32, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  ASSERT_EQ(aclprofStop(some), ACL_SUCCESS);
  ASSERT_EQ(aclprofFinalize(), ACL_SUCCESS);

  const json written = trace(1);
  const std::vector<json> copies = events(written, "copy"), marks = events(written, "msproftx");
  ASSERT_EQ(copies.size(), 3u);
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(copies[0]["name"], "copy host to device, 64 bytes");
  EXPECT_EQ(copies[2]["name"], "copy device to host, 32 bytes");
  EXPECT_EQ(row_of(written, copies[0]), "stream 1");
  EXPECT_EQ(row_of(written, copies[1]), "stream 2");
  EXPECT_EQ(row_of(written, copies[2]), "thread 1");
  for (int i : {0, 1}) EXPECT_EQ(row_of(written, marks[i]), row_of(written, copies[i]));
  for (aclrtStream stream : streams) aclrtDestroyStream(stream);
  aclrtFree(device);
  aclrtFreeHost(host);
  aclprofDestroyConfig(some);
}

TEST_F(Profiling, EverySessionHasItsFolder) {
  for (int session = 1; session <= 2; ++session) {
    ASSERT_EQ(begin(), ACL_SUCCESS);
    ASSERT_EQ(aclprofFinalize(), ACL_SUCCESS);
    EXPECT_TRUE(events(trace(session), "msproftx").empty());
  }
}

TEST_F(Profiling, WrongCallsAreNamed) {
  aclprofConfig *const some = config(ACL_PROF_MSPROFTX), *const other = config(ACL_PROF_ACL_API);
  EXPECT_EQ(aclprofStart(some), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_THAT(said(), HasSubstr("call aclprofInit first"));
  EXPECT_EQ(aclprofFinalize(), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofInit(nullptr, 3), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofInit("/tmp", 3), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofInit("/dev/null/x", 11), ACL_ERROR_INVALID_FILE);
  EXPECT_THAT(said(), HasSubstr("/dev/null/x cannot be made"));
  ASSERT_EQ(begin(), ACL_SUCCESS);
  EXPECT_EQ(begin(), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_EQ(aclprofStop(some), ACL_ERROR_PROF_NOT_RUN);
  EXPECT_EQ(aclprofStart(nullptr), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclprofStart(some), ACL_SUCCESS);
  EXPECT_EQ(aclprofStart(some), ACL_ERROR_PROF_ALREADY_RUN);
  EXPECT_EQ(aclprofStop(other), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("types 0x1, aclprofStart had 0x80"));
  ASSERT_EQ(aclprofFinalize(), ACL_SUCCESS) << "ends what was started";
  uint32_t devices[] = {0, 1}, range = 0;
  EXPECT_EQ(aclprofCreateConfig(devices, 2, ACL_AICORE_NONE, nullptr, 1), nullptr);
  EXPECT_THAT(said(), HasSubstr("device 1"));
  EXPECT_EQ(config(0x8000), nullptr);
  EXPECT_THAT(said(), HasSubstr("0x8000"));
  EXPECT_EQ(aclprofPop(), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofRangeStop(12345), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclprofMark(&range), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclprofPush(nullptr), ACL_ERROR_INVALID_PARAM);
  for (aclprofConfig* one : {some, other}) EXPECT_EQ(aclprofDestroyConfig(one), ACL_SUCCESS);
  EXPECT_EQ(aclprofStart(some), ACL_ERROR_RT_INVALID_HANDLE) << "destroyed";
}

}  // namespace
}  // namespace opkit::acl
