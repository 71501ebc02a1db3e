#include "opkit/core/state/launch.h"

#include <algorithm>
#include <utility>

#include "opkit/abi/aicpu.h"

namespace opkit::core {
namespace {

constexpr uint32_t kNobody = ~0u;  // no seat

int lanes_of(int32_t task_type) {
  switch (task_type) {
    case OPK_TASK_AIC_ONLY:
    case OPK_TASK_MIX_AIC_1_0: return 0;
    case OPK_TASK_MIX_1_2: return 2;
    default: return 1;
  }
}

bool has_cube(int32_t task_type) {
  return task_type != OPK_TASK_AIV_ONLY && task_type != OPK_TASK_MIX_AIV_1_0 &&
         task_type != OPK_TASK_AICPU;
}

uint32_t resident(const opk_soc_v1& soc, int vector_lanes, bool cube_lane) {
  if (!soc.split) return soc.core_num;
  if (vector_lanes == 0) return soc.cube_core_num;
  const uint32_t by_vector = soc.vector_core_num / static_cast<uint32_t>(vector_lanes);
  return cube_lane ? std::min(soc.cube_core_num, by_vector) : by_vector;
}

}  // namespace

void Launch::reset(const LaunchRequest& request, const opk_soc_v1& soc, unsigned workers) {
  request_ = &request;
  const bool split = soc.split != 0;
  // A core that does both is the only one of its block.
  vector_lanes_ = split ? lanes_of(request.kernel->task_type) : 1;
  cube_lane_ = split && has_cube(request.kernel->task_type);
  resident_blocks_ = resident(soc, vector_lanes_, cube_lane_);
  shares_.reset(request.block_dim, workers);
  stop_at_.store(request.block_dim, std::memory_order_relaxed);
  signals_.store(0, std::memory_order_relaxed);
  idle_.store(0, std::memory_order_relaxed);
  deadlock_.store(false, std::memory_order_relaxed);
  waited_.store(false, std::memory_order_relaxed);
  workers_ = stuck_ = 0;
  stuck_at_ = ~uint64_t{0};
  shared_ = workers > 1;
  flags_.reset(request.block_dim * 3);
  reports_.reset({request.block_dim, vector_lanes_, cube_lane_});
  meetings_.reset({request.block_dim, vector_lanes_, cube_lane_});
  additions_.reset();
  printed_.clear();
  faults_.clear();
  for (auto& seat : told_by_) seat.store(kNobody, std::memory_order_relaxed);
}

std::string Launch::core_name(uint32_t seat) const {
  const std::string block = "block " + std::to_string(seat / 3);
  if (seat % 3 == 0) return block + (cube_lane_ ? " cube core" : "");
  return block + " vector core " + std::to_string(seat % 3 - 1);
}

void Launch::leave(uint32_t seat, AtomicLog& atomics, std::string& printed) {
  if (!atomics.empty()) additions_.keep(seat, atomics);
  if (printed.empty()) return;
  std::lock_guard lock(mutex_);
  printed_.emplace_back(seat, std::move(printed));
  printed.clear();
}

void Launch::set_cross_flag(const CoreId& core, uint32_t mode, uint32_t id, const void* pc) {
  {
    std::lock_guard lock(mutex_);
    reports_.report(core, mode, id, {pc}, [&](uint32_t seat, SetPlace) { flags_.raise(seat, id); });
  }
  signal();
}

void Launch::arrive(uint32_t seat, Meeting meeting) {
  {
    std::lock_guard lock(mutex_);
    if (!meetings_.arrive(seat, meeting)) return;
    // With other cores under way, which of their additions are here is chance.
    if (meetings_.is_of_all(meeting)) additions_.happen_released();
    meetings_.end_round(meeting);
  }
  signal();
}

bool Launch::satisfied(uint32_t seat, const Wait& wait) const {
  switch (wait.kind) {
    case Wait::Kind::kCrossFlag: return flags_.is_up(seat, wait.id);
    case Wait::Kind::kSyncAll: return meetings_.is_over(wait.meeting, wait.round);
    case Wait::Kind::kGmWord: return __atomic_load_n(wait.word, __ATOMIC_ACQUIRE) >= wait.value;
    case Wait::Kind::kTurn: return false;  // until its worker gives it one
    case Wait::Kind::kNone: break;
  }
  return true;
}

void Launch::record(Fault fault) {
  {
    std::lock_guard lock(mutex_);
    uint32_t stop = stop_at_.load(std::memory_order_relaxed);
    stop_at_.store(std::min(stop, fault.block), std::memory_order_release);
    faults_.push_back(std::move(fault));
  }
  signal();
}

void Launch::warn(Excess kind, const CoreId& core, Fault fault) {
  fault.warning = true;
  fault.block = core.block;
  fault.sub_block = core.lane;
  std::lock_guard lock(mutex_);
  if (!is_first(kind, core.seat())) return;
  told_by_[index_of(kind)].store(core.seat(), std::memory_order_relaxed);
  warnings_[index_of(kind)] = std::move(fault);
}

void Launch::signal() {
  if (!shared_) {
    const uint64_t seen = signals_.load(std::memory_order_relaxed);
    return signals_.store(seen + 1, std::memory_order_relaxed);
  }
  signals_.fetch_add(1, std::memory_order_seq_cst);
  if (idle_.load(std::memory_order_seq_cst) == 0) return;
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

bool Launch::idle(uint64_t seen_signals) {
  std::unique_lock lock(mutex_);
  idle_.fetch_add(1, std::memory_order_seq_cst);
  // A worker that was woken but has not run yet is still in idle_; it has seen an older signal.
  stuck_ = stuck_at_ == seen_signals ? stuck_ + 1 : 1;
  stuck_at_ = seen_signals;
  if (signals() == seen_signals && stuck_ == workers_) {
    deadlock_.store(true, std::memory_order_release);
    changed_.notify_all();
  }
  changed_.wait(lock, [&] { return signals() != seen_signals || deadlocked(); });
  idle_.fetch_sub(1, std::memory_order_seq_cst);
  return !deadlocked();
}

void Launch::worker_joins() {
  if (!shared_) return void(workers_ = 1);
  std::lock_guard lock(mutex_);
  ++workers_;
}

void Launch::worker_done() {
  if (!shared_) return void(workers_ = 0);
  std::lock_guard lock(mutex_);
  --workers_;
  if (workers_ > 0 && idle_.load() == workers_) {
    // Those that wait decide anew whether this was the last hope.
    signals_.fetch_add(1, std::memory_order_seq_cst);
    changed_.notify_all();
  }
}

void Launch::report_deadlock(const std::vector<WaitingCore>& blocked) {
  std::lock_guard lock(mutex_);
  if (stop_at_.load() < request_->block_dim) return;  // the consequence of an earlier fault
  for (const WaitingCore& core : blocked) faults_.push_back(deadlock_of(core));
}

LaunchReport Launch::finish() {
  LaunchReport report;
  additions_.happen_all();
  if (!printed_.empty()) {
    std::stable_sort(printed_.begin(), printed_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [key, text] : printed_) report.printed += text;
  }
  if (!faults_.empty()) {
    std::stable_sort(faults_.begin(), faults_.end(), [](const Fault& a, const Fault& b) {
      return std::pair(a.block, a.sub_block) < std::pair(b.block, b.sub_block);
    });
    // Blocks behind the first faulty one may or may not have run; only the first is the same every
    // time.
    const bool deadlock = deadlocked() && stop_at_.load() >= request_->block_dim;
    if (!deadlock) {
      const uint32_t first = faults_.front().block;
      std::erase_if(faults_, [&](const Fault& f) { return f.block != first; });
    }
    report.faults = std::move(faults_);
    faults_.clear();
  }
  for (size_t kind = 0; kind < kExcessKinds; ++kind) {
    if (told_by_[kind].load(std::memory_order_relaxed) != kNobody)
      report.warnings.push_back(std::move(warnings_[kind]));
  }
  return report;
}

}  // namespace opkit::core
