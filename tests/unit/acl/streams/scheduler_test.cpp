// Every scheduler keeps the orders of queues and moments, and nothing else is sure.
#include "opkit/acl/streams/scheduler.h"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <string>
#include <thread>

#include "opkit/acl/base/error.h"

namespace opkit::acl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using namespace std::chrono_literals;

using QueuePtr = std::shared_ptr<TaskQueue>;

Task doing(std::function<void()> work) {
  Task task;
  task.work = [work = std::move(work)] {
    work();
    return aclError{ACL_SUCCESS};
  };
  return task;
}

Task failing(aclError code, const char* text) {
  Task task;
  task.work = [code, text] { return fail(code, "%s", text); };
  return task;
}

Scheduler::Deadline in(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

// 0: immediate; -1: concurrent; others: seeds.
class EveryScheduler : public ::testing::TestWithParam<int> {
 protected:
  static std::unique_ptr<Scheduler> make() {
    if (GetParam() == 0) return make_immediate_scheduler();
    if (GetParam() == -1) return make_concurrent_scheduler();
    return make_seeded_scheduler(static_cast<uint64_t>(GetParam()));
  }
  std::unique_ptr<Scheduler> scheduler_ = make();
};

// When a task began and ended, on one clock of whole numbers.
struct Ran {
  int begin = 0, end = 0;
};

TEST_P(EveryScheduler, KeepsQueuesAndMoments) {
  constexpr size_t kQueues = 16, kTasks = 1500;
  std::mt19937 random(static_cast<unsigned>(GetParam()) + 100u);
  std::vector<QueuePtr> queues(kQueues);
  for (QueuePtr& queue : queues) queue = std::make_shared<TaskQueue>();
  std::vector<Ran> ran(kTasks);
  std::vector<std::shared_ptr<Moment>> marks(kTasks);
  std::vector<std::pair<size_t, size_t>> orders;  // the first ends before the second begins
  std::vector<size_t> last(kQueues, kTasks);
  std::atomic<int> clock{1};
  for (size_t i = 0; i < kTasks; ++i) {
    const size_t queue = random() % kQueues;
    Task task = doing([&, i] {
      ran[i].begin = clock++;
      ran[i].end = clock++;
    });
    task.marks = marks[i] = std::make_shared<Moment>();
    if (last[queue] != kTasks) orders.emplace_back(last[queue], i);
    if (i > 0 && random() % 3 == 0) {
      const size_t other = random() % i;
      task.after = marks[other];
      orders.emplace_back(other, i);
    }
    last[queue] = i;
    scheduler_->submit(queues[queue], std::move(task));
  }
  ASSERT_TRUE(scheduler_->wait_for_all());
  for (const auto& [first, second] : orders)
    ASSERT_LT(ran[first].end, ran[second].begin) << first << " before " << second;
  for (size_t i = 0; i < kTasks; ++i) ASSERT_TRUE(marks[i]->passed() && ran[i].end != 0) << i;
  for (const QueuePtr& queue : queues) EXPECT_TRUE(scheduler_->idle(queue));
  EXPECT_EQ(scheduler_->oldest(), scheduler_->newest());
}

TEST_P(EveryScheduler, HoldsAQueueUntilTheHostLetsItGo) {
  const auto queue = std::make_shared<TaskQueue>(), other = std::make_shared<TaskQueue>();
  std::atomic<int> done{0};
  Task call = doing([&] { done = 1; });
  call.calls_back = true;
  const auto returned = call.holds = std::make_shared<Moment>();
  scheduler_->submit(queue, std::move(call));
  Task record;  // no work: the stream must get here by itself when it goes on
  const auto moment = record.marks = std::make_shared<Moment>();
  scheduler_->submit(queue, std::move(record));
  EXPECT_FALSE(scheduler_->wait(queue, in(5ms)));
  while (GetParam() == -1 && done == 0) std::this_thread::yield();
  EXPECT_FALSE(moment->passed());
  EXPECT_EQ(done, 1);
  scheduler_->submit(other, doing([&] { done = 2; }));
  EXPECT_TRUE(scheduler_->wait(other));
  EXPECT_EQ(done, 2) << "other queues go on";
  std::thread host([&] { scheduler_->pass(*returned); });
  EXPECT_TRUE(scheduler_->wait(*moment));
  EXPECT_TRUE(scheduler_->wait(queue));
  host.join();
}

TEST_P(EveryScheduler, KeepsTheFirstFailureOfAQueue) {
  const auto good = std::make_shared<TaskQueue>(), bad = std::make_shared<TaskQueue>();
  std::atomic<int> later{0};
  scheduler_->submit(bad, failing(507015, "the first"));
  scheduler_->submit(bad, failing(507013, "the second"));
  scheduler_->submit(bad, doing([&] { ++later; }));
  scheduler_->submit(good, doing([&] { ++later; }));
  ASSERT_TRUE(scheduler_->wait_for_all());
  EXPECT_EQ(later, 2) << "work behind a failure is done";
  EXPECT_EQ(scheduler_->failure(*bad).code, 507015);
  EXPECT_EQ(scheduler_->failure(*bad).text, "the first");
  EXPECT_EQ(scheduler_->failure(*good).code, ACL_SUCCESS);
  EXPECT_EQ(aclGetRecentErrMsg(), nullptr) << "the text is the queue's";
  scheduler_->forget_failure(*bad);
  EXPECT_EQ(scheduler_->failure(*bad).code, ACL_SUCCESS);
}

TEST_P(EveryScheduler, GivesAWaitUpWhenItsTimeIsOver) {
  if (GetParam() == 0) GTEST_SKIP() << "what comes behind the wait waits in submit()";
  const auto queue = std::make_shared<TaskQueue>();
  const auto never = std::make_shared<Moment>();
  Task wait;
  wait.after = never;
  wait.patience = 2ms;
  bool done = false;
  scheduler_->submit(queue, std::move(wait));
  scheduler_->submit(queue, doing([&] { done = true; }));
  EXPECT_TRUE(scheduler_->wait(queue));
  EXPECT_TRUE(done);
  EXPECT_EQ(scheduler_->failure(*queue).code, ACL_ERROR_RT_TASK_TIMEOUT);
  EXPECT_THAT(scheduler_->failure(*queue).text, ::testing::HasSubstr("aclrtSetOpWaitTimeout"));
  scheduler_->pass(*never);
}

TEST_P(EveryScheduler, StopsBehindAFailureWhereItIsAskedTo) {
  const auto queue = std::make_shared<TaskQueue>(), other = std::make_shared<TaskQueue>();
  int done = 0;
  const auto mark = std::make_shared<Moment>();
  scheduler_->stop_on_failure(true);
  scheduler_->submit(queue, doing([&] { ++done; }));
  scheduler_->submit(queue, failing(507015, "the first"));
  Task skipped = doing([&] { done = 100; });
  skipped.marks = mark;
  scheduler_->submit(queue, std::move(skipped));
  EXPECT_TRUE(scheduler_->wait(queue));
  EXPECT_TRUE(scheduler_->wait(*mark)) << "nobody waits for ever";
  EXPECT_EQ(done, 1);
  scheduler_->submit(other, doing([&] { ++done; }));
  EXPECT_TRUE(scheduler_->wait(other));
  EXPECT_EQ(done, 2);
  scheduler_->stop_on_failure(false);
  scheduler_->submit(queue, doing([&] { ++done; }));
  EXPECT_TRUE(scheduler_->wait(queue));
  EXPECT_EQ(done, 3);
}

TEST_P(EveryScheduler, DiscardsWhatHasNotBegun) {
  const auto queue = std::make_shared<TaskQueue>();
  const auto gate = std::make_shared<Moment>(), mark = std::make_shared<Moment>();
  Task waiting;
  waiting.after = gate;
  scheduler_->submit(queue, std::move(waiting));
  Task marked;
  marked.marks = mark;
  scheduler_->submit(queue, std::move(marked));
  EXPECT_FALSE(scheduler_->idle(queue));
  EXPECT_LT(scheduler_->oldest(), scheduler_->newest());
  scheduler_->discard(queue);
  EXPECT_TRUE(scheduler_->idle(queue));
  EXPECT_TRUE(mark->passed()) << "nobody waits for ever";
  bool ran = false;
  scheduler_->submit(queue, doing([&] { ran = true; }));
  EXPECT_TRUE(scheduler_->wait(queue));
  EXPECT_TRUE(ran);
}

TEST_P(EveryScheduler, TakesNothingWhenItIsClosed) {
  const auto queue = std::make_shared<TaskQueue>();
  Task waiting;
  waiting.after = std::make_shared<Moment>();
  scheduler_->submit(queue, std::move(waiting));
  EXPECT_EQ(scheduler_->close(), 1u);
  scheduler_->submit(queue, doing([] { FAIL(); }));
  EXPECT_TRUE(scheduler_->wait_for_all());
}

TEST_P(EveryScheduler, ServesManyThreadsOfTheHost) {
  constexpr int kThreads = 6, kTasks = 300;
  const auto shared = std::make_shared<TaskQueue>();
  int unguarded = 0;  // the queue alone keeps its tasks apart
  std::vector<int> own(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const auto queue = std::make_shared<TaskQueue>();
      for (int i = 0; i < kTasks; ++i) {
        scheduler_->submit(shared, doing([&] { ++unguarded; }));
        scheduler_->submit(queue, doing([&own, t] { ++own[static_cast<size_t>(t)]; }));
        if (i % 50 == 0) {
          scheduler_->wait(queue);
          EXPECT_EQ(own[static_cast<size_t>(t)], i + 1);
        }
        if (i % 70 == 0) scheduler_->wait(shared, in(1ms));
      }
      scheduler_->wait(queue);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(scheduler_->wait(shared));
  EXPECT_EQ(unguarded, kThreads * kTasks);
  EXPECT_THAT(own, ::testing::Each(kTasks));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryScheduler, ::testing::Values(0, -1, 1, 2, 3, 4, 5, 77));

// Two tasks that meet end only when they run at once.
TEST(ConcurrentScheduler, RunsQueuesAtOnce) {
  const auto scheduler = make_concurrent_scheduler();
  std::atomic<int> there{0};
  const auto meet = [&] {
    ++there;
    while (there < 2) std::this_thread::yield();
  };
  const auto a = std::make_shared<TaskQueue>(), b = std::make_shared<TaskQueue>();
  scheduler->submit(a, doing(meet));
  scheduler->submit(b, doing(meet));
  EXPECT_TRUE(scheduler->wait_for_all());
  EXPECT_EQ(there, 2);
}

TEST(ConcurrentScheduler, WorksWithoutSomebodyWhoWaits) {
  const auto scheduler = make_concurrent_scheduler();
  std::atomic<bool> done{false};
  scheduler->submit(std::make_shared<TaskQueue>(), doing([&] { done = true; }));
  while (!done) std::this_thread::yield();
}

// Returns what three queues without an order between them do, as a text.
std::string order_under(uint64_t seed) {
  const auto scheduler = make_seeded_scheduler(seed);
  std::vector<QueuePtr> queues(3);
  for (QueuePtr& queue : queues) queue = std::make_shared<TaskQueue>();
  std::string order;
  for (int i = 0; i < 5; ++i) {
    for (size_t queue = 0; queue < queues.size(); ++queue)
      scheduler->submit(queues[queue], doing([&order, queue] { order += "abc"[queue]; }));
  }
  EXPECT_TRUE(scheduler->wait_for_all());
  return order;
}

// Small work that is waited for leaves a thread on the watch; what comes next without a wait is
// done by it, and by others beside it.
TEST(ConcurrentScheduler, WorksOnWhatNobodyWaitsForAfterMuchThatWasWaitedFor) {
  const std::unique_ptr<Scheduler> scheduler = make_concurrent_scheduler();
  const auto first = std::make_shared<TaskQueue>(), second = std::make_shared<TaskQueue>();
  int done = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 100; ++i) {
      scheduler->submit(first, doing([&] { ++done; }));
      scheduler->wait(first);
    }
    std::atomic<int> inside{0};
    const auto meet = [&] {
      for (++inside; inside < 2;) std::this_thread::yield();
    };
    scheduler->submit(first, doing(meet));
    scheduler->submit(second, doing(meet));
    while (!scheduler->idle(first) || !scheduler->idle(second)) std::this_thread::yield();
  }
  EXPECT_EQ(done, 2000);
}

TEST(SeededScheduler, GivesTheSameOrderForTheSameSeedOnly) {
  std::set<std::string> orders;
  for (uint64_t seed = 1; seed <= 64; ++seed) {
    const std::string order = order_under(seed);
    EXPECT_EQ(order, order_under(seed)) << seed;
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 48u);
}

// Every order of two writers is found, and only the right one when a moment says it.
std::set<int> last_values(bool ordered) {
  std::set<int> found;
  for (uint64_t seed = 1; seed <= 32; ++seed) {
    const auto scheduler = make_seeded_scheduler(seed);
    const auto a = std::make_shared<TaskQueue>(), b = std::make_shared<TaskQueue>();
    int value = 0;
    Task first = doing([&] { value = 1; }), second = doing([&] { value = 2; });
    first.marks = std::make_shared<Moment>();
    if (ordered) second.after = first.marks;
    scheduler->submit(a, std::move(first));
    scheduler->submit(b, std::move(second));
    EXPECT_TRUE(scheduler->wait_for_all());
    found.insert(value);
  }
  return found;
}

TEST(SeededScheduler, ShowsAMissingOrder) {
  EXPECT_THAT(last_values(false), ElementsAre(1, 2));
  EXPECT_THAT(last_values(true), ElementsAre(2));
}

}  // namespace
}  // namespace opkit::acl
