#include "opkit/core/modes/timed.h"

#include <algorithm>

#include "opkit/core/modes/timed/recorder.h"
#include "opkit/core/modes/timed/replay.h"
#include "opkit/core/modes/timed/without.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {

using namespace timed;

const char* timed_pipe_name(size_t pipe) {
  static constexpr const char* kNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
  return pipe < kTimedPipes ? kNames[pipe] : "?";
}

void Traffic::add(const Traffic& o) {
  static_assert(sizeof(Traffic) % sizeof(uint64_t) == 0, "Traffic holds nothing but counters");
  auto* mine = reinterpret_cast<uint64_t*>(this);
  const auto* theirs = reinterpret_cast<const uint64_t*>(&o);
  for (size_t i = 0; i < sizeof(Traffic) / sizeof(uint64_t); ++i) mine[i] += theirs[i];
}

class Timed::Impl {
 public:
  Impl(const TimingRates& r, const TimedOptions& o)
      : rates(r), options(o), recorder(rates, options), clocks(rates), l2(rates.l2_bytes) {}

  // Blocks that run at once: a mixed block takes a cube core and its vector cores.
  uint32_t resident() const {
    switch (result.task_type) {
      case OPK_TASK_AIV_ONLY: return std::max(rates.vector_cores, 1u);
      default: return std::max(rates.cube_cores ? rates.cube_cores : rates.vector_cores, 1u);
    }
  }

  struct Used {
    uint64_t cubes = 0, vectors = 0;
  };
  // Counts the cores that work at once.
  Used used() const {
    Used cores;
    const uint32_t limit = std::min(resident(), result.block_dim);
    for (const CoreTimes& core : result.cores) {
      if (core.block >= limit) continue;
      ++(core.kind == OPK_CORE_AIV ? cores.vectors : cores.cubes);
    }
    return cores;
  }

  uint64_t launch_ns() const {
    const Used cores = used();
    return rates.launch_ns +
           std::max(cores.cubes * rates.launch_cube_ns, cores.vectors * rates.launch_vector_ns);
  }
  // Returns how much later the last core ends than the model has it: nothing on one core, the
  // figure's share on all, in between by the number of cores.
  uint64_t spread_ns(uint64_t core_ns) const {
    const Used cores = used();
    const bool on_cubes = cores.cubes > 0;
    const uint64_t working = on_cubes ? cores.cubes : cores.vectors,
                   all = on_cubes ? rates.cube_cores : rates.vector_cores;
    if (working < 2 || all < 2) return 0;
    return core_ns * rates.launch_spread * (std::min(working, all) - 1) / (1000 * (all - 1));
  }

  void replay() {
    l2.reset();
    for (uint32_t i = 0; i <= options.warm_runs; ++i) {
      result.cycles = 0;
      result.spans.clear();
      result.instructions.clear();
      clocks.run(recorder.recording(), l2, resident(), options.spans && i == options.warm_runs,
                 &result);
    }
    result.traffic = {};
    for (const CoreTimes& core : result.cores) result.traffic.add(core.traffic);
    const uint64_t core_ns = result.cycles * 1000 / std::max(rates.frequency_mhz, 1u);
    result.task_ns = core_ns + spread_ns(core_ns) + launch_ns();
  }

  uint64_t cycles_so_far(const Core& core) const {
    TimedResult now = result;
    L2Cache cold(rates.l2_bytes);
    Replay(rates).run(recorder.recording(), cold, resident(), false, &now);
    return now.cores[reinterpret_cast<size_t>(core.observer_state)].end;
  }

  uint64_t cycles_of(const Recording& recording) const {
    TimedResult other = result;
    L2Cache cache(rates.l2_bytes);
    Replay again(rates);
    for (uint32_t i = 0; i <= options.warm_runs; ++i) {
      other.cycles = 0;
      again.run(recording, cache, resident(), false, &other);
    }
    return other.cycles;
  }

  TimingRates rates;
  TimedOptions options;
  Recorder recorder;
  Replay clocks;
  L2Cache l2;
  TimedResult result;
};

Timed::Timed(const TimingRates& rates, const TimedOptions& options)
    : impl_(std::make_unique<Impl>(rates, options)) {}
Timed::~Timed() = default;

const TimedResult& Timed::result() const { return impl_->result; }

uint64_t Timed::cycles_without(const void* pc) const {
  return impl_->cycles_of(without(impl_->recorder.recording(), pc));
}

void Timed::launch_begins(const LaunchRequest& request) {
  impl_->result = {};
  impl_->result.rates = impl_->rates;
  impl_->result.block_dim = request.block_dim;
  impl_->result.task_type = request.kernel->task_type;
  impl_->result.kernel = request.kernel->name ? request.kernel->name : "";
  impl_->recorder.begin_launch(request);
}

void Timed::core_begins(Core& core) { impl_->recorder.begin_core(core); }
bool Timed::admit(Core& core, const Footprint& footprint) {
  impl_->recorder.instruction(core, footprint);
  return true;
}
void Timed::flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
                 const void* pc) {
  impl_->recorder.flag(core, op, src, dst, id, pc);
}
void Timed::barrier(Core& core, opk_pipe pipe, const void* pc) {
  impl_->recorder.barrier(core, pipe, pc);
}
void Timed::cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                       const void* pc) {
  impl_->recorder.cross_flag(core, op, mode, pipe, id, pc);
}
void Timed::sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) {
  impl_->recorder.sync_all(core, op, meeting_of(core.kind, (bits & OPK_SYNC_ALL_AIV) != 0), pc);
}
void Timed::gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) {
  impl_->recorder.gm_word(core, op, word, pc);
}
void Timed::buffer(Core& core, const opk_buffer_v1& event, const void* pc) {
  impl_->recorder.buffer(core, event, pc);
}
int64_t Timed::cycle(Core& core) {
  return static_cast<int64_t>(impl_->cycles_so_far(core) * impl_->rates.counter_mhz /
                              std::max(impl_->rates.frequency_mhz, 1u));
}
void Timed::core_ends(Core& core) { impl_->recorder.end_core(core); }
void Timed::launch_ends() {
  impl_->recorder.end_launch();
  impl_->result.tensors = impl_->recorder.tensors();
  impl_->replay();
}

}  // namespace opkit::core
