#include "opkit/atc/memory/search.h"

#include <algorithm>
#include <numeric>

#include "opkit/atc/memory/fit.h"
#include "opkit/atc/memory/rank.h"

namespace opkit::memory_plan {
namespace {

constexpr size_t kFewSteps = 1024;
constexpr size_t kFirstShare = 8;  // divides an attempt's steps: what its first order may take

// Sizes are whole numbers of units: every block that is worth a try is, too.
uint64_t unit_of(const Buffers& buffers) {
  uint64_t unit = 0;
  for (const Buffer& buffer : buffers) unit = std::gcd(unit, buffer.size);
  return std::max<uint64_t>(unit, 1);
}

uint64_t units(uint64_t bytes, uint64_t unit) { return bytes / unit + (bytes % unit != 0); }

class Search {
 public:
  // REQUIRES: every buffer has a size.
  Search(const Buffers& buffers, uint64_t below, uint64_t bound, size_t steps)
      : buffers_(buffers),
        unit_(unit_of(buffers)),
        best_(units(below, unit_)),
        least_(units(std::max(bound, most_in_use(buffers)), unit_)),
        most_(steps) {}

  SearchResult run() {
    while (!decided() && result_.steps < most_) sweep();
    result_.complete = decided();
    return std::move(result_);
  }

 private:
  bool decided() const { return least_ >= best_; }

  // The smallest block that is not known to be impossible, then by halves up to the best.
  void sweep() {
    uint64_t from = least_;
    for (uint64_t size = from; from < best_ && result_.steps < most_;
         size = from + (best_ - 1 - from) / 2) {
      if (!fits(size)) from = size + 1;
    }
  }

  // Short tries in every order come before longer ones.
  bool fits(uint64_t size) {
    const size_t left = most_ - result_.steps;
    const size_t end = result_.steps + std::max(left / 2, std::min(left, kFewSteps));
    for (size_t share = left / 2 / kFirstShare + 1; result_.steps < end; share *= 2) {
      for (size_t order = 0; order < kOrders && result_.steps < end; ++order) {
        Fit fit =
            memory_plan::fit(buffers_, size * unit_, order, std::min(share, end - result_.steps));
        result_.steps += std::max<size_t>(fit.steps, 1);
        if (fit.offsets) return keep(std::move(*fit.offsets));
        if (fit.impossible) {
          least_ = std::max(least_, size + 1);
          return false;
        }
      }
    }
    return false;
  }

  bool keep(Offsets offsets) {
    best_ = units(total_of(buffers_, offsets), unit_);
    result_.offsets = std::move(offsets);
    return true;
  }

  const Buffers& buffers_;
  uint64_t unit_;
  uint64_t best_;   // counts units: the best block, or what it has to be smaller than
  uint64_t least_;  // counts units: the smallest block that may be possible
  size_t most_;
  SearchResult result_;
};

}  // namespace

SearchResult search(const Buffers& buffers, uint64_t below, uint64_t bound, size_t steps) {
  Buffers some;
  std::copy_if(buffers.begin(), buffers.end(), std::back_inserter(some),
               [](const Buffer& buffer) { return buffer.size > 0; });
  if (some.size() > kMostFitted) return {};
  SearchResult found = Search(some, below, bound, steps).run();
  if (!found.offsets) return found;
  Offsets all(buffers.size());  // those without a size lie at the start
  for (size_t b = 0, next = 0; b < buffers.size(); ++b)
    if (buffers[b].size > 0) all[b] = (*found.offsets)[next++];
  found.offsets = std::move(all);
  return found;
}

}  // namespace opkit::memory_plan
