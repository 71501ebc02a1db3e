#include "opkit/core/modes/checked.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "opkit/core/modes/checked/accesses.h"
#include "opkit/core/modes/checked/cache.h"
#include "opkit/core/modes/checked/outputs.h"
#include "opkit/core/modes/checked/queues.h"
#include "opkit/core/modes/checked/sync.h"
#include "opkit/core/modes/checked/unset.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {

using namespace checked;

namespace {

std::string instruction_of(const Fault& fault) {
  if (!fault.instruction.empty()) return fault.instruction;
  return fault.message.substr(0, fault.message.find(": "));
}

Finding finding_of(const Fault& fault) {
  Finding finding;
  finding.code = fault.code;
  finding.message = fault.message;
  finding.action = fault.action;
  finding.warning = fault.warning;
  finding.at.pc = fault.pc;
  finding.at.instruction = instruction_of(fault);
  finding.at.block = fault.block;
  finding.at.sub_block = fault.sub_block;
  finding.other.pc = fault.other_pc;
  return finding;
}

}  // namespace

class Checked::Impl {
 public:
  explicit Impl(const CheckedOptions& options) { state.options = options; }

  CoreState& of(Core& core) { return *static_cast<CoreState*>(core.observer_state); }

  void begin_launch(const LaunchRequest& request) {
    state.request = &request;
    state.refused = false;
    state.running = 0;
    state.used_sync = state.sole_sync = state.barrier_sync = 0;
    state.sync_sites.clear();
    state.sync_of_pc.clear();
    state.origins.assign(1, {});
    state.origin_of.clear();
    state.unset_stores.clear();
    state.dirty.clear();
    state.gm.clear();
    for (uint32_t i = 0; i < request.gm_count; ++i) {
      const GmRange& range = request.gm[i];
      if (!range.writable) continue;
      state.gm.push_back({&range, {}});
      state.gm.back().map.reset(range.bytes, range.defined ? Written::kYes : Written::kNever);
    }
    std::sort(state.gm.begin(), state.gm.end(),
              [](const GmShadow& a, const GmShadow& b) { return a.range->base < b.range->base; });
    started_ = false;
    free_.clear();
    for (auto& core : cores_) free_.push_back(core.get());
  }

  void begin_core(Core& core) {
    if (!std::exchange(started_, true)) {
      cross.reset(*core.launch);
    }
    if (free_.empty()) {
      cores_.push_back(std::make_unique<CoreState>());
      free_.push_back(cores_.back().get());
    }
    CoreState& c = *free_.back();
    free_.pop_back();
    core.observer_state = &c;
    ++state.running;
    c.core = &core;
    c.index = core.block * 3 + static_cast<uint32_t>(core.lane + 1);
    c.refused = false;
    c.clocks.reset();
    c.occurrences.assign(state.sites.size(), 0);
    c.recent.clear();
    c.buffers.clear();
    c.buffers_made = 0;
    c.flags.clear();
    c.sync_runs.clear();
    c.sync_all_rounds = {};
    c.pending.active = false;
    c.event_ids.fill({});
    c.cached.clear();
    c.unset_compare = {};
    c.unset_blocks.clear();
    for (int m = OPK_MEM_UB; m < OPK_MEM_COUNT; ++m) begin_memory(core, c, m);
  }

  void begin_memory(Core& core, CoreState& c, int m) {
    if (!core.memory[m]) return;
    c.local[static_cast<size_t>(m)].reset(core.memory_size[m], Written::kNever);
    if (state.options.poison) std::memset(core.memory[m], 0xFF, core.memory_size[m]);
  }

  void end_core(Core& core) {
    CoreState& c = of(core);
    judge_result(state, c);
    --state.running;
    if (!c.refused) {
      judge_buffers_at_end(state, c);
      judge_flags_at_end(state, c);
    }
    free_.push_back(&c);
  }

  // A fault of the engine in the form of a finding.
  void add(const Fault& fault, const CoreState* overflowing) {
    Finding finding = finding_of(fault);
    if (overflowing) explain_overflow(*overflowing, &finding);
    state.log.add(std::move(finding));
  }

  State state;
  CrossSync cross;

 private:
  std::vector<std::unique_ptr<CoreState>> cores_;
  std::vector<CoreState*> free_;
  bool started_ = false;
};

CheckedReport report_of(const Faults& warnings) {
  CheckedReport report;
  for (const Fault& warning : warnings) report.findings.push_back(finding_of(warning));
  return report;
}

Checked::Checked(const CheckedOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Checked::~Checked() = default;

CheckedReport Checked::take_report(const LaunchReport& launch) {
  for (const Fault& fault : launch.faults) {
    if (!impl_->state.log.knows(fault.code, fault.pc, fault.other_pc)) impl_->add(fault, nullptr);
  }
  return {impl_->state.log.take()};
}

bool Checked::sees_data() const { return impl_->state.options.numerics; }
void Checked::launch_begins(const LaunchRequest& request) { impl_->begin_launch(request); }
void Checked::core_begins(Core& core) { impl_->begin_core(core); }

bool Checked::admit(Core& core, const Footprint& footprint) {
  CoreState& c = impl_->of(core);
  judge_result(impl_->state, c);
  judge_accesses(impl_->state, c, footprint);
  return true;
}

bool Checked::recover(Core& core, const Fault& fault) {
  CoreState& c = impl_->of(core);
  impl_->add(fault, fault.code == "EK1101" ? &c : nullptr);
  if (fault.warning) return true;
  c.refused = true;
  impl_->state.refused = true;
  return fault.resumable;
}

void Checked::flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
                   const void* pc) {
  track_flag(impl_->state, impl_->of(core), op, src, dst, id, pc);
}

void Checked::barrier(Core& core, opk_pipe pipe, const void* pc) {
  track_barrier(impl_->state, impl_->of(core), pipe, pc);
}

void Checked::cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                         const void* pc) {
  impl_->cross.flag(impl_->state, impl_->of(core), op, mode, pipe, id, pc);
}

void Checked::sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) {
  impl_->cross.sync_all(impl_->state, impl_->of(core), op, bits, pc);
}

void Checked::gm_word(Core& core, opk_sync_op op, const int32_t* word, const void*) {
  impl_->cross.word(impl_->of(core), op, word);
}

void Checked::buffer(Core& core, const opk_buffer_v1& event, const void* pc) {
  CoreState& c = impl_->of(core);
  judge_result(impl_->state, c);
  track_buffer(impl_->state, c, event, pc);
}

void Checked::library_call(Core& core) {
  if (!impl_->state.options.automatic_order) impl_->of(core).clocks.begin_call();
}

void Checked::cache_cleaned(Core& core, const uint8_t* line) {
  clean_cache(impl_->state, impl_->of(core), line);
}

void Checked::core_ends(Core& core) { impl_->end_core(core); }

void Checked::launch_ends() {
  State& state = impl_->state;
  judge_left_unset(state);
  const bool gm_known = state.request->gm != nullptr;
  if (state.options.needless_sync && gm_known && !state.refused && !state.log.has_errors())
    judge_needless(state);
  if (!state.refused && state.running == 0) impl_->cross.judge_left(state);
  impl_->cross.judge_ids(state);
  const bool complete = !state.refused && state.running == 0 && !state.log.has_errors();
  if (state.options.initialisation && complete) judge_outputs(state);
}

}  // namespace opkit::core
