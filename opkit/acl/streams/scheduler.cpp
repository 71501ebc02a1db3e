#include "opkit/acl/streams/scheduler.h"

#include <unistd.h>

#include <algorithm>

#include "opkit/acl/base/error.h"
#include "opkit/acl/streams/exception.h"
#include "opkit/acl/streams/on_queue.h"

namespace opkit::acl {
namespace {

thread_local uint64_t last_number = 0;

TaskFailure run(const std::function<aclError()>& work) {
  TaskFailure failure{work(), {}};
  if (failure.code != ACL_SUCCESS) failure.text = take_text();
  return failure;
}

bool is_late(const Task& task) {
  return task.patience.count() != 0 && std::chrono::steady_clock::now() >= task.due;
}

TaskFailure gave_up(const Task& task) {
  return {ACL_ERROR_RT_TASK_TIMEOUT, "a wait for an event took more than the " +
                                         std::to_string(task.patience.count()) +
                                         " ms that aclrtSetOpWaitTimeout or its own limit allows"};
}

// Returns the first moment at which a wait is given up; nothing: none is.
Scheduler::Deadline first_due(const std::vector<std::shared_ptr<TaskQueue>>& busy) {
  Scheduler::Deadline due;
  for (const auto& queue : busy) {
    const Task& first = queue->tasks.front();
    if (queue->running || first.patience.count() == 0) continue;
    if (!due || first.due < *due) due = first.due;
  }
  return due;
}

}  // namespace

bool Scheduler::ready(const TaskQueue& queue) {
  if (queue.tasks.empty() || queue.running) return false;
  const Task& first = queue.tasks.front();
  return !first.after || first.after->passed() || is_late(first);
}

// The first task of the queue changed.
void Scheduler::start_patience(TaskQueue& queue) {
  if (queue.tasks.empty() || queue.tasks.front().patience.count() == 0) return;
  Task& first = queue.tasks.front();
  first.due = std::chrono::steady_clock::now() + first.patience;
}

bool Scheduler::skips(const TaskQueue& queue) const {
  return stop_on_failure_ && queue.failure.code != ACL_SUCCESS && !queue.tasks.front().calls_back;
}

void Scheduler::submit(const std::shared_ptr<TaskQueue>& queue, Task task) {
  Guard guard(mutex_);
  if (closed_) return;
  const Added what = push(queue, std::move(task));
  added(guard, *queue, what);
}

void Scheduler::submit(Batch batch) {
  Guard guard(mutex_);
  if (closed_) return;
  std::vector<Added> what;
  for (auto& [queue, task] : batch) what.push_back(push(queue, std::move(task)));
  for (size_t i = 0; i < batch.size(); ++i) added(guard, *batch[i].first, what[i]);
}

Scheduler::Added Scheduler::push(const std::shared_ptr<TaskQueue>& queue, Task task) {
  if (queue->tasks.empty()) busy_.push_back(queue);
  task.thread = system_thread_id();
  last_number = next_number_;
  const Added what{task.work != nullptr, task.calls_back, queue->submitted + 1};
  const std::shared_ptr<Moment> holds = std::move(task.holds);
  append(*queue, std::move(task));
  if (holds) append(*queue, {.work = {}, .after = holds, .marks = {}, .holds = {}});
  return what;
}

void Scheduler::append(TaskQueue& queue, Task task) {
  task.number = next_number_++;
  queue.tasks.push_back(std::move(task));
  ++queue.submitted;
  if (queue.tasks.size() == 1) start_patience(queue);
}

void Scheduler::run_first(Guard& guard, TaskQueue& queue) {
  const Task& first = queue.tasks.front();
  std::function<aclError()> work = std::move(queue.tasks.front().work);
  queue.running = true;
  TaskFailure failure;
  if (first.after && !first.after->passed()) failure = gave_up(first);
  if (failure.code != ACL_SUCCESS || (work && !skips(queue))) {
    aclrtExceptionInfo info;
    info.task = task_id(first.number);
    info.stream = static_cast<uint32_t>(queue.stream);
    info.thread = first.thread;
    guard.unlock();
    const OnQueue here(queue);
    Exceptions::begin();
    const bool calls_back = first.calls_back;
    if (failure.code == ACL_SUCCESS) failure = run(work);
    if (calls_back) ++looks_;
    info.code = static_cast<uint32_t>(failure.code);
    if (failure.code != ACL_SUCCESS) exceptions().tell(info);
    work = nullptr;  // what it held goes without the lock, too
    guard.lock();
  }
  queue.running = false;
  const bool others = queue.tasks.front().marks != nullptr;
  finish_first(queue, std::move(failure));
  if (sleepers_ != 0) changed_.notify_all();
  if (others) freed(guard);
}

void Scheduler::finish_first(TaskQueue& queue, TaskFailure failure) {
  if (queue.tasks.front().marks) queue.tasks.front().marks->pass(std::chrono::steady_clock::now());
  if (queue.failure.code == ACL_SUCCESS) queue.failure = std::move(failure);
  queue.tasks.pop_front();
  ++queue.done;
  if (queue.tasks.empty()) leave(queue);
  start_patience(queue);
}

void Scheduler::leave(TaskQueue& queue) {
  const auto found = std::find_if(busy_.begin(), busy_.end(),
                                  [&](const auto& one) { return one.get() == &queue; });
  if (found != busy_.end()) busy_.erase(found);
}

bool Scheduler::sleep(Guard& guard, const Deadline& deadline) {
  Deadline until = first_due(busy_);
  if (deadline && (!until || *deadline < *until)) until = deadline;
  ++sleepers_;
  if (until) {
    changed_.wait_until(guard, *until);
  } else {
    changed_.wait(guard);
  }
  --sleepers_;
  return !deadline || std::chrono::steady_clock::now() < *deadline;
}

bool Scheduler::wait(const std::shared_ptr<TaskQueue>& queue, Deadline deadline) {
  ++looks_;
  Guard guard(mutex_);
  const uint64_t last = queue->submitted;
  return wait_until(
      guard, [&] { return queue->done >= last; }, queue.get(), deadline);
}

bool Scheduler::wait(const Moment& moment, Deadline deadline) {
  ++looks_;
  if (moment.passed()) return true;
  Guard guard(mutex_);
  return wait_until(
      guard, [&] { return moment.passed(); }, nullptr, deadline);
}

bool Scheduler::wait_for_all(Deadline deadline) {
  ++looks_;
  Guard guard(mutex_);
  std::vector<std::pair<std::shared_ptr<TaskQueue>, uint64_t>> all;
  for (const auto& queue : busy_) all.emplace_back(queue, queue->submitted);
  return std::all_of(all.begin(), all.end(), [&](const auto& one) {
    const auto reached = [&] { return one.first->done >= one.second; };
    return wait_until(guard, reached, one.first.get(), deadline);
  });
}

void Scheduler::pass(Moment& moment) {
  ++looks_;
  Guard guard(mutex_);
  moment.pass(std::chrono::steady_clock::now());
  changed_.notify_all();
  freed(guard);
}

void Scheduler::discard(const std::shared_ptr<TaskQueue>& queue) {
  Guard guard(mutex_);
  ++queue->discards;
  while (queue->tasks.size() > (queue->running ? 1 : 0)) {
    Task task = std::move(queue->tasks.back());
    queue->tasks.pop_back();
    ++queue->done;
    if (task.marks) task.marks->pass(std::chrono::steady_clock::now());
    // What the task held may ask for the runtime's lock when it goes.
    guard.unlock();
    task = {};
    guard.lock();
  }
  if (queue->tasks.empty()) leave(*queue);
  changed_.notify_all();
  freed(guard);
  while (queue->running) sleep(guard, {});
}

void Scheduler::drain() {
  Guard guard(mutex_);
  while (true) {
    const auto able = [](const auto& queue) { return queue->running || ready(*queue); };
    const auto found = std::find_if(busy_.begin(), busy_.end(), able);
    if (found == busy_.end()) return;
    const std::shared_ptr<TaskQueue> queue = *found;
    const uint64_t before = queue->done;
    wait_until(guard, [&] { return queue->done > before; }, queue.get(), {});
  }
}

size_t Scheduler::unfinished() {
  const Guard guard(mutex_);
  size_t count = 0;
  for (const auto& queue : busy_) count += queue->tasks.size();
  return count;
}

size_t Scheduler::close() {
  size_t count = 0;
  std::vector<std::shared_ptr<TaskQueue>> queues;
  {
    const Guard guard(mutex_);
    closed_ = true;
    queues = busy_;
    for (const auto& queue : queues) count += queue->tasks.size();
  }
  for (const auto& queue : queues) discard(queue);
  return count;
}

bool Scheduler::idle(const std::shared_ptr<TaskQueue>& queue) {
  const Guard guard(mutex_);
  return queue->tasks.empty();
}

uint64_t Scheduler::discards(const TaskQueue& queue) {
  const Guard guard(mutex_);
  return queue.discards;
}

TaskFailure Scheduler::failure(const TaskQueue& queue) {
  const Guard guard(mutex_);
  return queue.failure;
}

void Scheduler::forget_failure(TaskQueue& queue) {
  const Guard guard(mutex_);
  queue.failure = {};
}

void Scheduler::asked() {
  ++looks_;
  Guard guard(mutex_);
  on_asked(guard);
}

uint64_t Scheduler::take_number() {
  const Guard guard(mutex_);
  return next_number_++;
}

uint64_t last_number_here() { return last_number; }

uint32_t system_thread_id() {
  thread_local const auto id = static_cast<uint32_t>(gettid());
  return id;
}

uint64_t Scheduler::newest() {
  const Guard guard(mutex_);
  return next_number_;
}

uint64_t Scheduler::oldest() {
  const Guard guard(mutex_);
  uint64_t oldest = next_number_;
  for (const auto& queue : busy_) oldest = std::min(oldest, queue->tasks.front().number);
  return oldest;
}

}  // namespace opkit::acl
