#include "registry/answers.h"

#include <time.h>

namespace opkit::registry {

int64_t coarse_now() {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::optional<uint64_t> Answers::generation() {
  const std::lock_guard lock(mutex_);
  return watch_.generation();
}

std::shared_ptr<const Resolution> Answers::find(const Query& query, int64_t now) {
  const std::lock_guard lock(mutex_);
  const auto known = all_.find(query);
  if (known == all_.end() || now >= known->second.until) return nullptr;
  if (watch_.generation() != known->second.generation) return nullptr;
  return known->second.resolution;
}

void Answers::keep(const Query& query, std::shared_ptr<const Resolution> resolution,
                   std::optional<uint64_t> generation, int64_t now) {
  const std::lock_guard lock(mutex_);
  if (all_.size() >= kMost) all_.clear();
  const int64_t until = now + std::chrono::nanoseconds(kHolds).count();
  all_[query] = {std::move(resolution), generation, until};
}

}  // namespace opkit::registry
