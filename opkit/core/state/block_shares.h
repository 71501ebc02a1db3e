// BlockShares: which worker runs which block. Every worker has a run of consecutive blocks of its
// own, so that launches that follow each other find their data in the same host cache; whoever is
// done early takes from the end of another's run.
#ifndef OPKIT_CORE_STATE_BLOCK_SHARES_H_
#define OPKIT_CORE_STATE_BLOCK_SHARES_H_

#include <atomic>
#include <cstdint>
#include <memory>

namespace opkit::core {

class BlockShares {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // Deals blocks 0 to blocks - 1 to `workers`. REQUIRES: nobody takes.
  void reset(uint32_t blocks, unsigned workers) {
    if (workers > capacity_) {
      shares_ = std::make_unique<Share[]>(workers);
      capacity_ = workers;
    }
    workers_ = workers;
    for (unsigned w = 0; w < workers; ++w) {
      const uint64_t from = uint64_t{blocks} * w / workers;
      const uint64_t to = uint64_t{blocks} * (w + 1) / workers;
      shares_[w].left.store(to << 32 | from, std::memory_order_relaxed);
    }
  }

  // Returns the next block for a worker, or kNone when all are taken.
  uint32_t take(unsigned worker) {
    if (workers_ == 1) return take_alone();
    uint32_t block = take_first(shares_[worker].left);
    for (unsigned i = 1; block == kNone && i < workers_; ++i)
      block = take_last(shares_[(worker + i) % workers_].left);
    return block;
  }

 private:
  // The blocks from the low half up to, not including, the high half.
  struct alignas(64) Share {
    std::atomic<uint64_t> left{0};
  };

  static uint32_t first(uint64_t left) { return static_cast<uint32_t>(left); }
  static uint32_t end(uint64_t left) { return static_cast<uint32_t>(left >> 32); }

  uint32_t take_alone() {
    const uint64_t left = shares_[0].left.load(std::memory_order_relaxed);
    if (first(left) >= end(left)) return kNone;
    shares_[0].left.store(left + 1, std::memory_order_relaxed);
    return first(left);
  }
  static uint32_t take_first(std::atomic<uint64_t>& share) {
    uint64_t left = share.load(std::memory_order_relaxed);
    while (first(left) < end(left)) {
      if (share.compare_exchange_weak(left, left + 1, std::memory_order_relaxed))
        return first(left);
    }
    return kNone;
  }
  static uint32_t take_last(std::atomic<uint64_t>& share) {
    uint64_t left = share.load(std::memory_order_relaxed);
    while (first(left) < end(left)) {
      if (share.compare_exchange_weak(left, left - (uint64_t{1} << 32), std::memory_order_relaxed))
        return end(left) - 1;
    }
    return kNone;
  }

  std::unique_ptr<Share[]> shares_;
  unsigned capacity_ = 0, workers_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_BLOCK_SHARES_H_
