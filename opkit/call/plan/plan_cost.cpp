#include "opkit/call/plan/plan_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "opkit/call/plan/dry_launch.h"
#include "opkit/call/trace/rates.h"
#include "opkit/core/modes/both.h"
#include "opkit/core/modes/cover.h"

namespace opkit {
namespace {

constexpr uint64_t kLeastPerCore = 64;  // instructions
constexpr const char* kDeadlock = "EK1501";

// A launch, or the part of one that a limit left.
struct Part {
  core::TimedResult timed;
  core::DryReport dry;
  core::Faults faults;
  uint64_t written = 0, repeated = 0;  // bytes of outputs: once; again
  bool waits = false;                  // blocks that wait for each other
};

// Tells whether blocks wait for each other.
class WaitWatch : public core::Cover {
 public:
  using Cover::Cover;
  void sync_all(core::Core&, opk_sync_op, uint32_t, const void*) override { waits = true; }
  void cross_flag(core::Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override {
    waits = waits || mode == 0;
    Cover::cross_flag(core, op, mode, pipe, id, pc);
  }
  void gm_word(core::Core& core, opk_sync_op op, const int32_t* word, const void* pc) override {
    waits = true;
    Cover::gm_word(core, op, word, pc);
  }
  bool waits = false;
};

class CostModel {
 public:
  CostModel(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
            const core::TimingRates& rates, const CostOptions& options)
      : plan_(plan), machine_(machine), rates_(rates), options_(options) {}

  Result<PlanCost> run() {
    OPKIT_TRY(Part whole, watch(core::DryAnswer::kZero, options_.most_instructions));
    OPKIT_CHECK(independent_of_data(whole));
    if (whole.dry.cut) return estimate(whole);
    if (!whole.faults.empty()) return to_error(whole.faults.front(), plan_->contract->op);
    PlanCost cost;
    cost.cycles = whole.timed.cycles;
    cost.task_ns = whole.timed.task_ns;
    cost.instructions = whole.dry.instructions;
    cost.timed = std::move(whole.timed);
    return cost;
  }

 private:
  Result<Part> watch(core::DryAnswer answer, uint64_t most) {
    core::Timed timed(rates_);
    core::CoverOptions unlimited;
    unlimited.max_instructions = unlimited.max_pieces = ~uint64_t{0};
    WaitWatch cover(unlimited);
    core::Both both(timed, cover);
    DryLaunchOptions options;
    options.answer = answer;
    options.most = most;
    options.most_per_core = std::max(most / cores(), kLeastPerCore);
    OPKIT_TRY(DryLaunch launch, launch_dry(plan_, machine_, both, options));
    Part part;
    part.timed = timed.result();
    part.dry = std::move(launch.dry);
    part.faults = std::move(launch.report.faults);
    part.waits = cover.waits;
    // Drops deadlocks of a launch that was cut short: cores wait there for flags that a core which
    // was stopped would still have set.
    if (part.dry.cut)
      std::erase_if(part.faults, [](const core::Fault& f) { return f.code == kDeadlock; });
    for (const core::CoverOfRange& range : cover.take_report().ranges) {
      if (!range.range.output) continue;
      part.written += range.written;
      part.repeated += range.repeated;
    }
    return part;
  }

  // Returns the number of cores that run at the same time.
  uint64_t cores() const {
    const uint64_t resident = rates_.vector_cores + rates_.cube_cores;
    return std::clamp<uint64_t>(uint64_t{plan_->tiling.block_dim} * 3, 1, resident);
  }

  // A kernel that read values which nobody computed must do the same for others.
  Status independent_of_data(const Part& part) {
    if (!part.dry.needs_data.empty()) return needs_data(*plan_, part.dry.needs_data);
    if (!part.dry.asked_for_data) return {};
    for (const core::DryAnswer answer : {core::DryAnswer::kOne, core::DryAnswer::kOnes}) {
      OPKIT_TRY(const Part other, watch(answer, options_.most_instructions));
      if (!other.dry.needs_data.empty()) return needs_data(*plan_, other.dry.needs_data);
      if (other.timed.cycles == part.timed.cycles &&
          other.dry.instructions == part.dry.instructions && other.written == part.written)
        continue;
      return needs_data(*plan_, "other computed values lead it other ways");
    }
    return {};
  }

  Error no_estimate(const std::string& why) const {
    return plan_->contract->error("OPK-COST-001",
                                  fmt::format("the launch issues more than {} instructions, and {}",
                                              options_.most_instructions, why),
                                  "ask for the cost of a smaller shape");
  }

  uint64_t output_bytes() const {
    uint64_t bytes = 0;
    for (const PortLayouts& port : plan_->output_layouts) {
      for (const StorageLayout& layout : port) bytes += stored_bytes(layout);
    }
    return bytes;
  }

  Result<PlanCost> estimate(const Part& whole) {
    if (!whole.faults.empty()) return to_error(whole.faults.front(), plan_->contract->op);
    if (whole.waits) return no_estimate("its blocks wait for each other");
    if (whole.repeated > 0) return no_estimate("its first part writes outputs several times");
    OPKIT_TRY(const Part half, watch(core::DryAnswer::kZero, options_.most_instructions / 2));
    if (half.written == 0 || whole.written <= half.written ||
        whole.timed.cycles <= half.timed.cycles)
      return no_estimate("its first part writes no output that the rest could be measured by");
    const auto per_byte = [](uint64_t cycles, uint64_t bytes) {
      return static_cast<double>(cycles) / static_cast<double>(bytes);
    };
    const double first = per_byte(half.timed.cycles, half.written);
    const double second =
        per_byte(whole.timed.cycles - half.timed.cycles, whole.written - half.written);
    const uint64_t all = output_bytes();
    const double left = second * static_cast<double>(all - std::min(all, whole.written));
    PlanCost cost;
    cost.exact = false;
    cost.cycles = whole.timed.cycles + static_cast<uint64_t>(std::llround(left));
    cost.task_ns = whole.timed.task_ns +
                   static_cast<uint64_t>(std::llround(
                       left * 1000 / static_cast<double>(std::max(rates_.frequency_mhz, 1u))));
    cost.instructions = whole.dry.instructions;
    cost.watched_share = static_cast<double>(whole.written) / static_cast<double>(all);
    cost.spread = std::abs(second / first - 1);
    return cost;
  }

  const std::shared_ptr<const CallPlan>& plan_;
  core::Machine& machine_;
  core::TimingRates rates_;
  CostOptions options_;
};

}  // namespace

Result<PlanCost> modelled_cost(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                               const CostOptions& options) {
  OPKIT_TRY(const core::TimingRates rates, options.of_unmeasured_chips
                                               ? trace::rates_of(*plan->soc)
                                               : trace::measured_rates(*plan->soc));
  return CostModel(plan, machine, rates, options).run();
}

}  // namespace opkit
