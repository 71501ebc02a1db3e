#include "opkit/isolation/shared_processor.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "opkit/isolation/mailbox.h"

namespace opkit::isolation {
namespace {

using std::chrono::microseconds;

TEST(Company, IsForShortLaunchesOnOneThread) {
  const Company large{1, 1 << 20, microseconds(1), microseconds(80)};
  EXPECT_TRUE(large.wanted());
  Company other = large;
  other.threads = 2;
  EXPECT_FALSE(other.wanted());
  other.threads = 0;  // one per core
  EXPECT_FALSE(other.wanted());
  other = large;
  other.took = microseconds(0);
  EXPECT_FALSE(other.wanted()) << "nobody knows how long the plan takes";
  other.took = microseconds(1000);
  EXPECT_FALSE(other.wanted());
}

TEST(Company, IsForFewBytesWhereTheWorkerSleeps) {
  EXPECT_FALSE((Company{1, 1 << 10, microseconds(5), microseconds(10)}).wanted());
  EXPECT_TRUE((Company{1, 1 << 10, microseconds(500), microseconds(10)}).wanted());
}

cpu_set_t allowed(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(::sched_getaffinity(process, sizeof set, &set), 0);
  return set;
}

// A process that waits to be ended.
class SharedProcessorTest : public testing::Test {
 protected:
  void SetUp() override {
    before_ = allowed(0);
    if (CPU_COUNT(&before_) < 2) GTEST_SKIP() << "this host has one processor";
    worker_ = ::fork();
    if (worker_ == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  void TearDown() override {
    if (worker_ <= 0) return;
    ::kill(worker_, SIGKILL);
    ::waitpid(worker_, nullptr, 0);
  }

  cpu_set_t before_;
  pid_t worker_ = 0;
};

TEST_F(SharedProcessorTest, KeepsBothThereWhileTheyWait) {
  SharedProcessor processor;
  processor.enter(worker_);
  const cpu_set_t host = allowed(0), worker = allowed(worker_);
  EXPECT_EQ(CPU_COUNT(&host), 1);
  EXPECT_TRUE(CPU_EQUAL(&host, &worker));
  processor.leave();
  const cpu_set_t left = allowed(0), waits = allowed(worker_);
  EXPECT_TRUE(CPU_EQUAL(&left, &before_));
  EXPECT_TRUE(CPU_EQUAL(&waits, &worker)) << "the next call finds the worker there";
  processor.part(worker_);
  const cpu_set_t parted = allowed(worker_);
  EXPECT_TRUE(CPU_EQUAL(&parted, &before_));
}

TEST_F(SharedProcessorTest, FollowsTheCallingThread) {
  SharedProcessor processor;
  for (int number = 0; number < CPU_SETSIZE; ++number) {
    if (!CPU_ISSET(number, &before_)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(number, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    processor.enter(worker_);
    processor.leave();
    const cpu_set_t worker = allowed(worker_);
    EXPECT_TRUE(CPU_EQUAL(&worker, &one));
  }
  ASSERT_EQ(::sched_setaffinity(0, sizeof before_, &before_), 0);
}

TEST_F(SharedProcessorTest, OfAWorkerThatIsGoneChangesNothing) {
  ::kill(worker_, SIGKILL);
  ::waitpid(worker_, nullptr, 0);
  SharedProcessor processor;
  processor.enter(worker_);
  processor.leave();
  processor.part(worker_);
  worker_ = 0;
  const cpu_set_t left = allowed(0);
  EXPECT_TRUE(CPU_EQUAL(&left, &before_));
}

TEST(Mailbox, TellsWhenBothWaitOnOneProcessor) {
  const cpu_set_t before = allowed(0);
  cpu_set_t one;
  CPU_ZERO(&one);
  const int here = ::sched_getcpu();
  CPU_SET(here, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  std::atomic<int> mine{-1}, other{-1};
  EXPECT_FALSE(meet(mine, other)) << "nobody knows where the other one is";
  EXPECT_EQ(mine.load(), here);
  other = here;
  EXPECT_TRUE(meet(mine, other));
  other = here + 1;
  EXPECT_FALSE(meet(mine, other));
  ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
}

}  // namespace
}  // namespace opkit::isolation
