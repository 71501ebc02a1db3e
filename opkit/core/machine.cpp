#include "opkit/core/machine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "opkit/core/core.h"
#include "opkit/core/launch.h"
#include "opkit/core/modes/reorder.h"
#include "opkit/core/share_choice.h"

namespace opkit::core {
namespace {

// How long a thread without work looks for the next launch before it sleeps. Long enough for
// launches that follow each other, short enough not to be felt by others.
constexpr int kSpins = 4000;

void relax() { __builtin_ia32_pause(); }

// The cores of one block that run as fibers on one host thread.
struct Group {
  Core* lanes[3] = {};
  int count = 0;

  void remove(int i) {
    for (--count; i < count; ++i) lanes[i] = lanes[i + 1];
  }
};

// What the chip needs and the kernel was not built for, or an empty code.
Fault missing_build(const opk_soc_v1& soc, const opk_kernel_v1& kernel) {
  const bool cube =
      kernel.task_type == OPK_TASK_AIC_ONLY || kernel.task_type == OPK_TASK_MIX_AIC_1_0;
  const bool vector =
      kernel.task_type == OPK_TASK_AIV_ONLY || kernel.task_type == OPK_TASK_MIX_AIV_1_0;
  const bool mixed = !cube && !vector;
  const bool complete = soc.split ? (cube || kernel.aiv) && (vector || kernel.aic)
                                  : kernel.mix || (cube && kernel.aic) || (vector && kernel.aiv);
  Fault fault;
  if (complete) return fault;
  fault.code = "EK1603";
  fault.message = std::string("the kernel was not built for ") +
                  (soc.split ? "every core that its task type names"
                             : "a core that does cube and vector work, as this chip has");
  fault.action = mixed && !soc.split
                     ? "list this chip under soc in the contract and build again, or choose one "
                       "with separate cube and vector cores, e.g. Ascend910B1"
                     : "build the kernel again";
  return fault;
}

}  // namespace

// One host thread's share of the machine: its cores and the groups that wait.
class Worker {
 public:
  Worker(const opk_soc_v1& soc, unsigned number) : soc_(soc), number_(number) {}

  void run(Launch& launch) {
    launch.worker_joins();
    in_order_ = true;
    while (true) {
      const uint32_t block = next_block(launch);
      if (block == BlockShares::kNone) break;
      Group group = begin(launch, block);
      if (step(launch, group)) waiting_.push_back(group);
      if (!waiting_.empty()) sweep(launch);
    }
    drain(launch);
    launch.worker_done();
  }

  // The same on this thread alone; which core starts or goes on next is chance.
  void run_by_chance(Launch& launch, SeededChoice choice) {
    launch.worker_joins();
    in_order_ = false;
    std::vector<uint32_t> blocks(launch.request().block_dim);
    std::iota(blocks.begin(), blocks.end(), 0u);
    for (size_t i = blocks.size(); i > 1; --i) std::swap(blocks[i - 1], blocks[choice.below(i)]);
    while (true) {
      std::vector<std::pair<size_t, int>> ready = ready_lanes(launch);
      const bool room = !blocks.empty() && (ready.empty() || waiting_.size() < kResident);
      if (room && choice.below(ready.size() + 1) == ready.size()) {
        if (launch.block_allowed(blocks.back())) waiting_.push_back(begin(launch, blocks.back()));
        blocks.pop_back();
      } else if (!ready.empty()) {
        resume(launch, ready[choice.below(ready.size())]);
      } else {
        break;
      }
    }
    if (!waiting_.empty() && !launch.idle(launch.signals())) abandon(launch);
    launch.worker_done();
  }

 private:
  // Blocks that may be under way at once when others could go on.
  static constexpr size_t kResident = 48;

  uint32_t next_block(Launch& launch) {
    uint32_t block = launch.take_block(number_);
    while (block != BlockShares::kNone && !launch.block_allowed(block))
      block = launch.take_block(number_);
    return block;
  }

  // Places in waiting_ of the cores that can go on.
  std::vector<std::pair<size_t, int>> ready_lanes(Launch& launch) const {
    std::vector<std::pair<size_t, int>> ready;
    for (size_t g = 0; g < waiting_.size(); ++g) {
      for (int i = 0; i < waiting_[g].count; ++i) {
        if (launch.satisfied(*waiting_[g].lanes[i])) ready.emplace_back(g, i);
      }
    }
    return ready;
  }

  void resume(Launch& launch, std::pair<size_t, int> place) {
    Group& group = waiting_[place.first];
    Core* core = group.lanes[place.second];
    if (core->fiber.resume() && !core->aborted) return;
    end(launch, core);
    group.remove(place.second);
    if (group.count == 0)
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(place.first));
  }

  Group begin(Launch& launch, uint32_t block) {
    Group group;
    const opk_kernel_v1& kernel = *launch.request().kernel;
    if (!soc_.split) {
      add(launch, group, OPK_CORE_MIX, block, -1,
          kernel.mix   ? kernel.mix
          : kernel.aiv ? kernel.aiv
                       : kernel.aic);
      return group;
    }
    if (launch.has_cube_lane()) add(launch, group, OPK_CORE_AIC, block, -1, kernel.aic);
    for (int lane = 0; lane < launch.vector_lanes(); ++lane) {
      add(launch, group, OPK_CORE_AIV, block, launch.has_cube_lane() ? lane : -1, kernel.aiv);
    }
    return group;
  }

  void add(Launch& launch, Group& group, opk_core_kind kind, uint32_t block, int lane,
           opk_kernel_fn entry) {
    auto& pool = idle_[kind];
    if (pool.empty()) {
      owned_.push_back(std::make_unique<Core>(soc_, kind));
      pool.reserve(owned_.size());
      pool.push_back(owned_.back().get());
    }
    Core* core = pool.back();
    pool.pop_back();
    core->begin(launch, block, lane);
    core->entry = entry;
    core->worker = this;
    if (core->observer) core->observer->core_begins(*core);
    core->fiber.start(&Worker::run_kernel, core);
    group.lanes[group.count++] = core;
  }

  static void run_kernel(void* argument) {
    Core& core = *static_cast<Core*>(argument);
    do {
      if (core.entry) core.entry(&core, core.launch->request().args);
      if (core.observer) core.observer->kernel_returned(core);
    } while (core.worker->goes_on(core));
  }

  // Begins the next block on a core that has returned, so that blocks of one core that wait for
  // nobody follow each other without a change of stacks. False leaves the core's end to end().
  bool goes_on(Core& core) {
    Launch& launch = *core.launch;
    const bool alone = launch.lanes() == 1 || core.kind == OPK_CORE_MIX;
    if (!in_order_ || !alone || !waiting_.empty()) return false;
    const uint32_t block = next_block(launch);
    if (block == BlockShares::kNone) return false;
    leave(launch, core);
    core.begin(launch, block, -1);
    if (core.observer) core.observer->core_begins(core);
    return true;
  }

  // Resumes every core of the group that can go on, again and again while one of them moves. True
  // while a core is unfinished.
  bool step(Launch& launch, Group& group) {
    bool moved = true;
    while (moved) {
      moved = false;
      for (int i = 0; i < group.count;) {
        Core* core = group.lanes[i];
        if (!launch.satisfied(*core)) {
          ++i;
          continue;
        }
        moved = true;
        if (core->fiber.resume() && !core->aborted) {
          ++i;
        } else {
          end(launch, core);
          group.remove(i);
        }
      }
    }
    return group.count > 0;
  }

  void end(Launch& launch, Core* core) {
    leave(launch, *core);
    idle_[core->kind].push_back(core);
  }

  void leave(Launch& launch, Core& core) {
    if (core.observer && !core.aborted) core.observer->core_ends(core);
    launch.leave(core);
    launch.core_ended();
  }

  bool sweep(Launch& launch) {
    const size_t before = waiting_.size();
    bool moved = false;
    for (size_t i = 0; i < waiting_.size();) {
      if (ready(launch, waiting_[i])) {
        moved = true;
        if (!step(launch, waiting_[i])) {
          waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
          continue;
        }
      }
      ++i;
    }
    return moved || waiting_.size() != before;
  }

  static bool ready(Launch& launch, const Group& group) {
    for (int i = 0; i < group.count; ++i) {
      if (launch.satisfied(*group.lanes[i])) return true;
    }
    return false;
  }

  void drain(Launch& launch) {
    while (!waiting_.empty()) {
      const uint64_t seen = launch.signals();
      if (sweep(launch)) continue;
      if (!launch.idle(seen)) return abandon(launch);
    }
  }

  void abandon(Launch& launch) {
    std::vector<Core*> blocked;
    for (const Group& group : waiting_)
      blocked.insert(blocked.end(), group.lanes, group.lanes + group.count);
    launch.report_deadlock(blocked);
    for (Core* core : blocked) {
      core->aborted = true;
      end(launch, core);
    }
    waiting_.clear();
  }

  const opk_soc_v1& soc_;
  const unsigned number_;
  bool in_order_ = true;
  std::vector<std::unique_ptr<Core>> owned_;
  std::vector<Core*> idle_[3];
  std::vector<Group> waiting_;
};

class Machine::Impl {
 public:
  Impl(const opk_soc_v1& soc, unsigned threads) : soc_(soc) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(soc_, i));
    for (unsigned i = 1; i < threads; ++i)
      threads_.emplace_back([this, i] { serve(*workers_[i]); });
  }

  ~Impl() {
    stopping_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  LaunchReport launch(const LaunchRequest& request) {
    std::lock_guard lock(mutex_);
    if (Fault fault = missing_build(soc_, *request.kernel); !fault.code.empty())
      return LaunchReport{{fault}, {}};
    return request.schedule_seed ? launch_by_chance(request) : launch_in_order(request);
  }

  unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

  opk_soc_v1 soc_;
  std::vector<std::unique_ptr<Worker>> workers_;

 private:
  LaunchReport launch_in_order(const LaunchRequest& request) {
    if (request.observer) request.observer->launch_begins(request);
    if (request.observer || request.block_dim == 1 || threads_.empty()) {
      run(request, false);
    } else {
      run_the_quicker_way(request);
    }
    LaunchReport report = launch_.finish();
    if (request.observer) request.observer->launch_ends();
    return report;
  }

  void run(const LaunchRequest& request, bool shared) {
    launch_.reset(request, soc_.split != 0, shared ? threads() : 1);
    if (shared) open();
    workers_[0]->run(launch_);
    if (shared) close();
  }

  void run_the_quicker_way(const LaunchRequest& request) {
    using Clock = std::chrono::steady_clock;
    const opk_kernel_v1& kernel = *request.kernel;
    const opk_kernel_fn entry = kernel.aiv ? kernel.aiv : kernel.aic ? kernel.aic : kernel.mix;
    ShareChoice::Kind& kind = choice_.of(reinterpret_cast<const void*>(entry), request.block_dim);
    const bool shared = kind.wants_sharing();
    const Clock::time_point begin = Clock::now();
    run(request, shared);
    kind.took(shared, Clock::now() - begin);
  }

  // An observer that looks at data sees every instruction done before the next; only cores come in
  // another order for it.
  LaunchReport launch_by_chance(LaunchRequest request) {
    Reorder reorder(request.schedule_seed, request.observer);
    if (!request.observer || !request.observer->sees_data()) request.observer = &reorder;
    request.observer->launch_begins(request);
    launch_.reset(request, soc_.split != 0, 1);
    workers_[0]->run_by_chance(launch_, SeededChoice(request.schedule_seed));
    LaunchReport report = launch_.finish();
    request.observer->launch_ends();
    return report;
  }

  // Lets the other threads in. Whoever comes while the gate is open takes part.
  void open() {
    guests_.store(0, std::memory_order_release);
    generation_.fetch_add(1, std::memory_order_acq_rel);
    generation_.notify_all();
  }

  // Waits for those who came, not for those who did not: a thread that the host has not scheduled
  // yet is not needed, because the blocks are all taken.
  void close() {
    int none = 0;
    for (int spins = 0; !guests_.compare_exchange_weak(none, kClosed, std::memory_order_acq_rel);
         none = 0) {
      if (++spins < kSpins) {
        relax();
      } else {
        std::this_thread::yield();
      }
    }
  }

  bool enter() {
    int guests = guests_.load(std::memory_order_acquire);
    do {
      if (guests == kClosed) return false;
    } while (!guests_.compare_exchange_weak(guests, guests + 1, std::memory_order_acq_rel));
    return true;
  }

  void serve(Worker& worker) {
    uint32_t seen = 0;
    while (true) {
      for (int i = 0; i < kSpins && generation_.load(std::memory_order_acquire) == seen; ++i)
        relax();
      generation_.wait(seen, std::memory_order_acquire);
      seen = generation_.load(std::memory_order_acquire);
      if (stopping_.load()) return;
      if (!enter()) continue;
      worker.run(launch_);
      guests_.fetch_sub(1, std::memory_order_acq_rel);
    }
  }

  std::mutex mutex_;
  Launch launch_;
  ShareChoice choice_;
  std::atomic<uint32_t> generation_{0};
  static constexpr int kClosed = -1;
  std::atomic<int> guests_{kClosed};  // threads beside the caller that take part
  std::atomic<bool> stopping_{false};
  std::vector<std::thread> threads_;
};

Machine::Machine(const opk_soc_v1& soc, unsigned threads)
    : impl_(std::make_unique<Impl>(soc, threads)) {}
Machine::~Machine() = default;

const opk_soc_v1& Machine::soc() const { return impl_->soc_; }
unsigned Machine::threads() const { return impl_->threads(); }
LaunchReport Machine::launch(const LaunchRequest& request) { return impl_->launch(request); }

}  // namespace opkit::core
