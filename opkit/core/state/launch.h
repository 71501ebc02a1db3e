// Launch: the state that the blocks of one launch share: who has arrived where, which flags are up,
// what was reported.
#ifndef OPKIT_CORE_STATE_LAUNCH_H_
#define OPKIT_CORE_STATE_LAUNCH_H_

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "opkit/core/state/atomic_log.h"
#include "opkit/core/state/block_shares.h"
#include "opkit/core/state/core_id.h"
#include "opkit/core/state/cross_reports.h"
#include "opkit/core/state/excess.h"
#include "opkit/core/state/fault.h"
#include "opkit/core/state/flag_counters.h"
#include "opkit/core/state/launch_request.h"
#include "opkit/core/state/meetings.h"
#include "opkit/core/state/pending_additions.h"
#include "opkit/core/state/wait.h"

namespace opkit::core {

class Launch {
 public:
  // Starts over for a request; keeps its buffers. workers: host threads that may take part.
  void reset(const LaunchRequest& request, const opk_soc_v1& soc, unsigned workers);
  const LaunchRequest& request() const { return *request_; }

  // Vector cores per block in a mixed launch (1 or 2), 1 for a vector-only launch, 0 for cube-only.
  int vector_lanes() const { return vector_lanes_; }
  bool has_cube_lane() const { return cube_lane_; }
  // Cores per block on a chip with separate ones.
  int lanes() const { return vector_lanes_ + (cube_lane_ ? 1 : 0); }

  // Blocks that the chip runs at once; 0 = not known.
  uint32_t resident_blocks() const { return resident_blocks_; }
  // "block 3 cube core", from block * 3 + lane + 1.
  std::string core_name(uint32_t seat) const;

  // Returns the next block for a worker to run, or BlockShares::kNone.
  uint32_t take_block(unsigned worker) { return shares_.take(worker); }
  bool block_allowed(uint32_t block) const {
    return block < stop_at_.load(std::memory_order_acquire);
  }
  // A block has ended with a fault.
  bool stopped() const { return !block_allowed(request_->block_dim - 1); }

  // Cross-core flags: SET by `core`; a flag's counter rises on every core that the mode names.
  // REQUIRES: the core has released its additions.
  void set_cross_flag(const CoreId& core, uint32_t mode, uint32_t id, const void* pc);
  // Takes one from the counter of a core. REQUIRES: satisfied().
  void take_cross_flag(uint32_t seat, uint32_t id) { flags_.take(seat, id); }
  // Arrives at SyncAll. REQUIRES: the core has released its additions.
  void arrive(uint32_t seat, Meeting meeting);
  bool satisfied(uint32_t seat, const Wait& wait) const;

  // Takes over what a core that has ended leaves behind: text and atomic additions.
  void leave(uint32_t seat, AtomicLog& atomics, std::string& printed);

  void record(Fault fault);
  // Tells whether no core before this one has told of that kind.
  bool is_first(Excess kind, uint32_t seat) const {
    return seat < told_by_[index_of(kind)].load(std::memory_order_relaxed);
  }
  void warn(Excess kind, const CoreId& core, Fault fault);
  PendingAdditions& additions() { return additions_; }

  // Something changed that a waiting core may wait for.
  void signal();
  // A core is about to wait.
  void core_waits() { waited_.store(true, std::memory_order_seq_cst); }
  // A core has ended or gone on. What it wrote to GM may be what another one waits for, so that is
  // signalled, but only once somebody has waited.
  void tell_those_who_wait() {
    if (!shared_) return signal();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (waited_.load(std::memory_order_seq_cst)) signal();
  }
  // A worker found nothing to resume. Returns false when every worker is in that state: a deadlock.
  bool idle(uint64_t seen_signals);
  uint64_t signals() const { return signals_.load(std::memory_order_seq_cst); }
  void worker_joins();
  void worker_done();
  void report_deadlock(const std::vector<WaitingCore>& blocked);
  bool deadlocked() const { return deadlock_.load(std::memory_order_acquire); }

  // Lets what was added happen and gathers the report. All blocks have ended.
  LaunchReport finish();

 private:
  Fault deadlock_of(const WaitingCore& blocked) const;
  static size_t index_of(Excess kind) { return static_cast<size_t>(kind); }

  const LaunchRequest* request_ = nullptr;
  int vector_lanes_ = 1;
  bool cube_lane_ = false;
  uint32_t resident_blocks_ = 0;
  BlockShares shares_;
  // Lie in cache lines of their own: every worker reads the first two for every block.
  alignas(64) std::atomic<uint32_t> stop_at_{0};
  std::atomic<bool> waited_{false};
  alignas(64) std::atomic<uint64_t> signals_{0};
  alignas(64) std::atomic<unsigned> idle_{0};
  std::atomic<bool> deadlock_{false};
  unsigned workers_ = 0;  // counts the workers at work; guarded
  unsigned stuck_ = 0;  // counts the workers that found nothing to do at signal stuck_at_; guarded
  uint64_t stuck_at_ = 0;
  bool shared_ = false;  // more than one worker may take part

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  FlagCounters flags_;              // is indexed by seat; raised under the mutex
  CrossReports<SetPlace> reports_;  // guarded
  Meetings meetings_;               // guarded, but for is_over
  PendingAdditions additions_;
  std::vector<std::pair<uint64_t, std::string>> printed_;
  Faults faults_;
  std::array<std::atomic<uint32_t>, kExcessKinds> told_by_{};  // the first seat that told
  std::array<Fault, kExcessKinds> warnings_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_LAUNCH_H_
