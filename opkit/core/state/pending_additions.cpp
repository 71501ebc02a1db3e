#include "opkit/core/state/pending_additions.h"

#include <algorithm>

namespace opkit::core {
namespace {

void happen_in_order(std::vector<Addition>& due) {
  std::sort(due.begin(), due.end());
  for (const Addition& addition : due) addition.happen();
  due.clear();
}

}  // namespace

void PendingAdditions::reset() {
  released_.clear();
  kept_.clear();
  any_.store(false, std::memory_order_relaxed);
}

void PendingAdditions::release(uint32_t seat, AtomicLog& own) {
  std::lock_guard lock(mutex_);
  released_.push_back({seat, own.hand_over()});
  any_.store(true, std::memory_order_release);
}

void PendingAdditions::keep(uint32_t seat, AtomicLog& own) {
  std::lock_guard lock(mutex_);
  kept_.push_back({seat, own.hand_over()});
}

void PendingAdditions::happen(const uint8_t* gm, uint64_t bytes, uint32_t seat, AtomicLog& own) {
  const uint8_t* end = gm + bytes;
  std::lock_guard lock(mutex_);
  for (Log& l : released_) {
    if (l.log.may_touch(gm, end)) l.log.take(gm, end, l.seat, &due_);
  }
  if (own.may_touch(gm, end)) own.take(gm, end, seat, &due_);
  happen_in_order(due_);
  std::erase_if(released_, [](const Log& l) { return l.log.empty(); });
  if (released_.empty()) any_.store(false, std::memory_order_release);
}

void PendingAdditions::happen_released() {
  std::lock_guard lock(mutex_);
  for (Log& l : released_) l.log.take_all(l.seat, &due_);
  happen_in_order(due_);
  released_.clear();
  any_.store(false, std::memory_order_release);
}

void PendingAdditions::happen_all() {
  for (std::vector<Log>* logs : {&released_, &kept_}) {
    for (Log& l : *logs) l.log.take_all(l.seat, &due_);
  }
  happen_in_order(due_);
  reset();
}

}  // namespace opkit::core
