// Lists of jobs on made-up crews: every job is done once, whoever dies, and nobody idles while
// there is work.
#include "opkit/spread/hand_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <queue>

namespace opkit::spread {
namespace {

using ::testing::_;
using ::testing::InSequence;
using ::testing::Return;
using Kind = CrewEvent::Kind;

class MockCrew : public Crew {
 public:
  MOCK_METHOD(size_t, size, (), (const, override));
  MOCK_METHOD(void, give, (size_t worker, size_t job), (override));
  MOCK_METHOD(CrewEvent, wait, (), (override));
};

TEST(WorkOff, AJobWhoseProcessIsKilledIsDoneAgain) {
  MockCrew crew;
  EXPECT_CALL(crew, size).WillRepeatedly(Return(2));
  InSequence order;
  EXPECT_CALL(crew, give(0, 0));
  EXPECT_CALL(crew, give(1, 1));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{1, Kind::kLost, "killed by signal 9"}));
  EXPECT_CALL(crew, give(1, 1));  // what it had, before others
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{1, Kind::kAnswer, "b"}));
  EXPECT_CALL(crew, give(1, 2));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{1, Kind::kAnswer, "c"}));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{0, Kind::kAnswer, "a"}));
  const auto ends = work_off(3, crew);
  EXPECT_EQ(ends[0].answer, "a");
  EXPECT_EQ(ends[1].answer, "b");
  EXPECT_EQ(ends[2].answer, "c");
}

TEST(WorkOff, AWorkerThatGoesLosesOnlyItsJob) {
  MockCrew crew;
  EXPECT_CALL(crew, size).WillRepeatedly(Return(2));
  InSequence order;
  EXPECT_CALL(crew, give(0, 0));
  EXPECT_CALL(crew, give(1, 1));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{0, Kind::kGone, "rank 0 is gone"}));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{1, Kind::kAnswer, "b"}));
  EXPECT_CALL(crew, give(1, 0));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{1, Kind::kAnswer, "a"}));
  const auto ends = work_off(2, crew);
  EXPECT_EQ(ends[0].answer, "a");
  EXPECT_EQ(ends[1].answer, "b");
}

TEST(WorkOff, WhatKillsEveryProcessIsAnError) {
  MockCrew crew;
  EXPECT_CALL(crew, size).WillRepeatedly(Return(1));
  EXPECT_CALL(crew, give(0, 0)).Times(3);
  EXPECT_CALL(crew, wait)
      .Times(3)
      .WillRepeatedly(Return(CrewEvent{0, Kind::kLost, "killed by signal 11"}));
  const auto ends = work_off(1, crew);
  ASSERT_TRUE(ends[0].error);
  EXPECT_EQ(ends[0].error->code, "OPK-SPREAD-001");
  EXPECT_THAT(ends[0].error->message, ::testing::HasSubstr("killed by signal 11"));
}

TEST(WorkOff, JobsThatNobodyIsLeftForHaveNoEnd) {
  MockCrew crew;
  EXPECT_CALL(crew, size).WillRepeatedly(Return(1));
  EXPECT_CALL(crew, give(0, 0));
  EXPECT_CALL(crew, wait).WillOnce(Return(CrewEvent{0, Kind::kGone, "gone"}));
  const auto ends = work_off(2, crew);
  EXPECT_FALSE(ends[0].answer || ends[0].error);
  EXPECT_FALSE(ends[1].answer || ends[1].error);
}

// Workers whose jobs take made-up times on a made-up clock.
class TimedCrew : public Crew {
 public:
  TimedCrew(size_t workers, std::vector<double> seconds)
      : workers_(workers), seconds_(std::move(seconds)) {}

  size_t size() const override { return workers_; }
  void give(size_t worker, size_t job) override { ends_.push({now + seconds_[job], worker, job}); }
  CrewEvent wait() override {
    const End end = ends_.top();
    ends_.pop();
    now = end.at;
    const bool dies = dying.count(end.job) > 0 && dying[end.job]-- > 0;
    return {end.worker, dies ? Kind::kLost : Kind::kAnswer, std::to_string(end.job)};
  }
  double now = 0;
  std::map<size_t, int> dying;  // jobs, and how often their process is killed at the end

 private:
  struct End {
    double at;
    size_t worker, job;
    bool operator<(const End& other) const { return at > other.at; }
  };
  size_t workers_;
  std::vector<double> seconds_;
  std::priority_queue<End> ends_;
};

// Makes times as of kernels: a few long ones, then many short ones; the heaviest first.
std::vector<double> times_of(size_t jobs) {
  std::vector<double> seconds;
  for (size_t job = 0; job < jobs; ++job) seconds.push_back(40.0 / static_cast<double>(job + 8));
  return seconds;
}

TEST(WorkOff, EightRanksAreNineTenthsBusy) {
  const std::vector<double> seconds = times_of(100);
  double sum = 0;
  for (const double one : seconds) sum += one;
  for (const bool with_losses : {false, true}) {
    TimedCrew crew(8, seconds);
    if (with_losses) crew.dying = {{40, 1}, {70, 2}};
    const auto ends = work_off(seconds.size(), crew);
    for (size_t job = 0; job < ends.size(); ++job) EXPECT_EQ(ends[job].answer, std::to_string(job));
    EXPECT_GE(sum / (8 * crew.now), 0.9) << with_losses;
  }
}

TEST(WorkOff, BeginsNothingWhenItMayNot) {
  TimedCrew crew(2, times_of(10));
  size_t begun = 0;
  WorkOffOptions options;
  options.may_begin = [&] { return begun++ < 4; };
  const auto ends = work_off(10, crew, options);
  size_t done = 0;
  for (const JobEnd& end : ends) done += end.answer ? 1 : 0;
  EXPECT_EQ(done, 4u);
}

}  // namespace
}  // namespace opkit::spread
