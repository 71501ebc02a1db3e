// Processes of this machine: answers come whole, and what ends a process costs its job alone.
#include "opkit/spread/local_crew.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace opkit::spread {
namespace {

TEST(LocalCrew, AnswersCrossWhole) {
  LocalCrew crew(3, [](size_t job) { return std::string(job * 100000, 'a') + "\x04\n"; });
  const auto ends = work_off(9, crew);
  for (size_t job = 0; job < ends.size(); ++job)
    EXPECT_EQ(ends[job].answer, std::string(job * 100000, 'a') + "\x04\n");
}

TEST(LocalCrew, AKilledProcessIsReplaced) {
  const auto mark = std::filesystem::path(testing::TempDir()) / "killed_once";
  std::filesystem::remove(mark);
  LocalCrew crew(2, [&](size_t job) {
    if (job == 1 && !std::filesystem::exists(mark)) {
      std::ofstream(mark) << "x";
      kill(getpid(), SIGKILL);
    }
    return std::to_string(job);
  });
  const auto ends = work_off(4, crew);
  for (size_t job = 0; job < ends.size(); ++job) EXPECT_EQ(ends[job].answer, std::to_string(job));
}

TEST(LocalCrew, AProcessThatAlwaysEndsIsSaid) {
  LocalCrew crew(1, [](size_t job) -> std::string {
    if (job == 0) _exit(3);
    return "fine";
  });
  const auto ends = work_off(2, crew);
  ASSERT_TRUE(ends[0].error);
  EXPECT_NE(ends[0].error->message.find("ended with code 3"), std::string::npos);
  EXPECT_EQ(ends[1].answer, "fine");
}

}  // namespace
}  // namespace opkit::spread
