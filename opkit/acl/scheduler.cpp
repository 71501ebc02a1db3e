#include "opkit/acl/scheduler.h"

#include <algorithm>

#include "opkit/acl/error.h"

namespace opkit::acl {
namespace {

Failure run(const std::function<aclError()>& work) {
  Failure failure{work(), {}};
  if (failure.code != ACL_SUCCESS) failure.text = take_text();
  return failure;
}

}  // namespace

bool Scheduler::ready(const TaskQueue& queue) {
  if (queue.tasks.empty() || queue.running) return false;
  const Task& first = queue.tasks.front();
  return !first.after || first.after->passed();
}

void Scheduler::submit(const std::shared_ptr<TaskQueue>& queue, Task task) {
  Guard guard(mutex_);
  if (closed_) return;
  if (queue->tasks.empty()) busy_.push_back(queue);
  const Added what{task.work != nullptr, task.calls_back, queue->submitted + 1};
  const std::shared_ptr<Moment> holds = std::move(task.holds);
  push(*queue, std::move(task));
  if (holds) push(*queue, {.work = {}, .after = holds, .marks = {}, .holds = {}});
  added(guard, *queue, what);
}

void Scheduler::push(TaskQueue& queue, Task task) {
  task.number = next_number_++;
  queue.tasks.push_back(std::move(task));
  ++queue.submitted;
}

void Scheduler::run_first(Guard& guard, TaskQueue& queue) {
  std::function<aclError()> work = std::move(queue.tasks.front().work);
  queue.running = true;
  Failure failure;
  if (work) {
    guard.unlock();
    failure = run(work);
    work = nullptr;  // what it held goes without the lock, too
    guard.lock();
  }
  queue.running = false;
  const bool others = queue.tasks.front().marks != nullptr;
  finish_first(queue, std::move(failure));
  if (sleepers_ != 0) changed_.notify_all();
  if (others) freed(guard);
}

void Scheduler::finish_first(TaskQueue& queue, Failure failure) {
  if (queue.tasks.front().marks) queue.tasks.front().marks->pass(std::chrono::steady_clock::now());
  if (queue.failure.code == ACL_SUCCESS) queue.failure = std::move(failure);
  queue.tasks.pop_front();
  ++queue.done;
  if (queue.tasks.empty()) leave(queue);
}

void Scheduler::leave(TaskQueue& queue) {
  const auto found = std::find_if(busy_.begin(), busy_.end(),
                                  [&](const auto& one) { return one.get() == &queue; });
  if (found != busy_.end()) busy_.erase(found);
}

bool Scheduler::sleep(Guard& guard, const Deadline& deadline) {
  ++sleepers_;
  bool in_time = true;
  if (deadline) {
    in_time = changed_.wait_until(guard, *deadline) == std::cv_status::no_timeout;
  } else {
    changed_.wait(guard);
  }
  --sleepers_;
  return in_time;
}

bool Scheduler::wait(const std::shared_ptr<TaskQueue>& queue, Deadline deadline) {
  Guard guard(mutex_);
  const uint64_t last = queue->submitted;
  return wait_until(
      guard, [&] { return queue->done >= last; }, queue.get(), deadline);
}

bool Scheduler::wait(const Moment& moment, Deadline deadline) {
  if (moment.passed()) return true;
  Guard guard(mutex_);
  return wait_until(
      guard, [&] { return moment.passed(); }, nullptr, deadline);
}

bool Scheduler::wait_for_all(Deadline deadline) {
  Guard guard(mutex_);
  std::vector<std::pair<std::shared_ptr<TaskQueue>, uint64_t>> all;
  for (const auto& queue : busy_) all.emplace_back(queue, queue->submitted);
  return std::all_of(all.begin(), all.end(), [&](const auto& one) {
    const auto reached = [&] { return one.first->done >= one.second; };
    return wait_until(guard, reached, one.first.get(), deadline);
  });
}

void Scheduler::pass(Moment& moment) {
  Guard guard(mutex_);
  moment.pass(std::chrono::steady_clock::now());
  changed_.notify_all();
  freed(guard);
}

void Scheduler::discard(const std::shared_ptr<TaskQueue>& queue) {
  Guard guard(mutex_);
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

Failure Scheduler::failure(const TaskQueue& queue) {
  const Guard guard(mutex_);
  return queue.failure;
}

void Scheduler::forget_failure(TaskQueue& queue) {
  const Guard guard(mutex_);
  queue.failure = {};
}

void Scheduler::asked() {
  Guard guard(mutex_);
  on_asked(guard);
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
