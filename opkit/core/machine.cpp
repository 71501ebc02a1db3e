#include "opkit/core/machine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "opkit/abi/aicpu.h"
#include "opkit/core/modes/reorder.h"
#include "opkit/core/replay/replay.h"
#include "opkit/core/replay/twice.h"
#include "opkit/core/share_choice.h"
#include "opkit/core/state/float_mode.h"
#include "opkit/core/state/handler_stack.h"
#include "opkit/core/state/launch.h"
#include "opkit/core/worker.h"

namespace opkit::core {
namespace {

// How long a thread without work looks for the next launch before it sleeps. Long enough for
// launches that follow each other, short enough not to be felt by others.
constexpr int kSpins = 4000;

void relax() { __builtin_ia32_pause(); }

// Returns what the chip needs and the kernel was not built for, or an empty code.
Fault missing_build(const opk_soc_v1& soc, const opk_kernel_v1& kernel) {
  const bool cube =
      kernel.task_type == OPK_TASK_AIC_ONLY || kernel.task_type == OPK_TASK_MIX_AIC_1_0;
  const bool vector = kernel.task_type == OPK_TASK_AIV_ONLY ||
                      kernel.task_type == OPK_TASK_MIX_AIV_1_0 ||
                      kernel.task_type == OPK_TASK_AICPU;
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

// No table says what the chip's cores execute, or another architecture's does.
Fault missing_architecture(const opk_soc_v1& soc) {
  Fault fault;
  if (soc.arch && soc.arch->npu_arch == soc.npu_arch) return fault;
  fault.code = "EK1605";
  fault.message = std::string("the chip ") + (soc.name ? soc.name : "?") + " has architecture " +
                  std::to_string(soc.npu_arch) + ", and " +
                  (soc.arch ? "the table is that of " + std::to_string(soc.arch->npu_arch)
                            : "no table says what its cores execute");
  fault.action = "describe it in opkit/soc/archs/" + std::to_string(soc.npu_arch) +
                 ".yaml, or choose a chip that `opkit soc` lists";
  return fault;
}

}  // namespace

class Machine::Impl {
 public:
  Impl(const opk_soc_v1& soc, unsigned threads) : soc_(soc) {
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    workers_.push_back(std::make_unique<Worker>(soc_, 0));
    while (workers_.size() < threads && add_thread()) {
    }
  }

  ~Impl() {
    stopping_.store(true);
    generation_.fetch_add(1);
    generation_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  LaunchReport launch(const LaunchRequest& request) {
    std::lock_guard lock(mutex_);
    const FloatMode mode;
    have_handler_stack();
    if (Fault fault = missing_architecture(soc_); !fault.code.empty())
      return LaunchReport{{fault}, {}, {}};
    if (Fault fault = missing_build(soc_, *request.kernel); !fault.code.empty())
      return LaunchReport{{fault}, {}, {}};
    if (request.schedule_seed) return launch_by_chance(request);
    return request.replay && !request.observer ? launch_again(request) : launch_in_order(request);
  }

  unsigned threads() const { return static_cast<unsigned>(workers_.size()); }

  opk_soc_v1 soc_;
  std::vector<std::unique_ptr<Worker>> workers_;

 private:
  // False: the host has none more to give, or no memory for it. Results are the same with fewer.
  bool add_thread() {
    const auto number = static_cast<unsigned>(workers_.size());
    try {
      workers_.push_back(std::make_unique<Worker>(soc_, number));
      threads_.emplace_back([this, worker = workers_.back().get()] { serve(*worker); });
    } catch (const std::exception&) {  // std::system_error, std::bad_alloc
      workers_.resize(number);
      return false;
    }
    return true;
  }

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

  LaunchReport launch_again(const LaunchRequest& request) {
    if (request.replay->compares()) return launch_twice(request);
    if (const auto program = program_of(request)) return launch_program(request, *program);
    LaunchReport report = launch_in_order(request);
    request.replay->kernel_ran(request, soc_, report);
    return report;
  }

  std::shared_ptr<const LaunchProgram> program_of(const LaunchRequest& request) {
    return request.replay->program_for(
        request, soc_, [this](const LaunchRequest& watched) { return launch_in_order(watched); });
  }

  LaunchReport launch_program(LaunchRequest request, const LaunchProgram& program) {
    request.program = &program;
    return launch_in_order(request);
  }

  // Launches twice; what the kernel leaves stays.
  LaunchReport launch_twice(const LaunchRequest& request) {
    const WrittenTensors before(request);
    LaunchReport report = launch_in_order(request);
    request.replay->kernel_ran(request, soc_, report);
    const auto program = program_of(request);
    if (!program) return report;
    const WrittenTensors after(request);
    before.put_back();
    const LaunchReport replayed = launch_program(request, *program);
    if (Fault fault = after.difference(replayed); !fault.code.empty())
      report.faults.push_back(std::move(fault));
    after.put_back();
    return report;
  }

  void run(const LaunchRequest& request, bool shared) {
    launch_.reset(request, soc_, shared ? threads() : 1);
    for (const auto& worker : workers_) worker->provide(launch_);
    if (shared) open();
    workers_[0]->run(launch_);
    if (shared) close();
  }

  void run_the_quicker_way(const LaunchRequest& request) {
    using Clock = std::chrono::steady_clock;
    const opk_kernel_v1& kernel = *request.kernel;
    const opk_kernel_fn entry = kernel.aiv ? kernel.aiv : kernel.aic ? kernel.aic : kernel.mix;
    const void* what = request.program ? request.program : reinterpret_cast<const void*>(entry);
    ShareChoice::Kind& kind = choice_.of(what, request.block_dim);
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
    launch_.reset(request, soc_, 1);
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

  // Runs blocks; what a kernel leaves of the floating-point mode ends with its launch.
  void help(Worker& worker) {
    const FloatMode mode;
    have_handler_stack();
    worker.run(launch_);
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
      help(worker);
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
