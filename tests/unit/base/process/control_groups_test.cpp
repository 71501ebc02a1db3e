#include "opkit/base/process/control_groups.h"

#include <gtest/gtest.h>

#include <map>

namespace opkit {
namespace {

using Files = std::map<std::string, std::string>;

ControlGroups groups(const char* said, const char* mounts, const Files& files) {
  return {said, mounts, [files](const std::filesystem::path& file) -> std::optional<std::string> {
            const auto found = files.find(file.string());
            return found == files.end() ? std::nullopt : std::optional(found->second);
          }};
}

constexpr const char* kSecond =
    "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char* kFirst =
    "31 25 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
    "32 25 0:28 /docker/abc /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n"
    "33 25 0:29 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n";

TEST(ControlGroups, TheLeastOnTheWayUpCounts) {
  const auto job = groups("0::/batch/job_7\n", kSecond,
                          {{"/sys/fs/cgroup/batch/job_7/memory.max", "max\n"},
                           {"/sys/fs/cgroup/batch/memory.max", "536870912\n"},
                           {"/sys/fs/cgroup/memory.max", "1073741824\n"},
                           {"/sys/fs/cgroup/batch/job_7/pids.max", "20\n"}});
  ASSERT_TRUE(job.memory());
  EXPECT_EQ(job.memory()->most, 536870912u);
  EXPECT_EQ(job.memory()->group, "/batch");
  ASSERT_TRUE(job.processes());
  EXPECT_EQ(job.processes()->most, 20u);
  EXPECT_EQ(job.processes()->group, "/batch/job_7");
}

TEST(ControlGroups, OfVersionOneAndOfAContainerAreRead) {
  const auto in_container =
      groups("5:pids:/\n4:memory:/docker/abc/inner\n2:cpu,cpuacct:/docker/abc\n0::/\n", kFirst,
             {{"/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "9223372036854771712\n"},
              {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"},
              {"/sys/fs/cgroup/pids/pids.max", "max\n"}});
  ASSERT_TRUE(in_container.memory());
  EXPECT_EQ(in_container.memory()->most, 268435456u);
  EXPECT_FALSE(in_container.processes());
}

TEST(ControlGroups, OddTextsLimitNothing) {
  for (const char* odd : {"", "\n", "nonsense", "0::", "4:memory", "0::/../outside\n"}) {
    for (const char* mounts : {"", "x y z\n", "1 2 3 4 5 6\n", kSecond, kFirst})
      EXPECT_FALSE(groups(odd, mounts, {}).memory()) << odd << mounts;
  }
  const auto of_this = ControlGroups::of_this_process().memory();
  EXPECT_TRUE(!of_this || of_this->most > 0);
}

}  // namespace
}  // namespace opkit
