#include "opkit/call/execute/in_place.h"

#include "opkit/call/plan/aicpu.h"
#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/overwritten.h"

namespace opkit {
namespace {

// Limits how much of a launch is watched; a longer one proves nothing.
constexpr uint64_t kMostInstructions = uint64_t{1} << 15;

bool can_lie_together(const CallPlan& plan, const InPlace& pair) {
  if (pair.input >= plan.input_layouts.size() || pair.output >= plan.output_layouts.size())
    return false;
  const PortLayouts& input = plan.input_layouts[pair.input];
  const PortLayouts& output = plan.output_layouts[pair.output];
  const auto dynamic = [](const Port& port) { return port.presence == Presence::kDynamic; };
  return input.size() == 1 && output.size() == 1 && stored_bytes(input[0]) > 0 &&
         stored_bytes(input[0]) == stored_bytes(output[0]) && !plan.initial[pair.output] &&
         !dynamic(plan.contract->inputs[pair.input]) &&
         !dynamic(plan.contract->outputs[pair.output]) &&
         (pair.input >= plan.values.size() || plan.values[pair.input].empty()) && !is_aicpu(plan);
}

struct Seen {
  bool good = false;  // says whether all was well up to the launch's end
  core::DryReport dry;
};

core::CheckedOptions errors_alone() {
  core::CheckedOptions options;
  options.needless_sync = false;
  options.capacity_percent = 0;
  return options;
}

class Proof {
 public:
  Proof(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine, const InPlace& pair)
      : plan_(plan), machine_(machine) {
    options_.in_place = pair;
    options_.most = kMostInstructions;
    options_.most_per_core = kMostInstructions;
  }

  // Tries values of all kinds for what the kernel computes: they must not change which instructions
  // it issues.
  Result<bool> holds() {
    uint64_t instructions = 0;
    for (const core::DryAnswer answer :
         {core::DryAnswer::kZero, core::DryAnswer::kOne, core::DryAnswer::kOnes}) {
      options_.answer = answer;
      OPKIT_TRY(const Seen order, read_first());
      if (!order.good) return false;
      OPKIT_TRY(const Seen checked, checks());
      if (!checked.good) return false;
      if (answer != core::DryAnswer::kZero && order.dry.instructions != instructions) return false;
      instructions = order.dry.instructions;
      if (!order.dry.asked_for_data) break;
    }
    return true;
  }

 private:
  Result<Seen> read_first() {
    core::Overwritten overwritten;
    OPKIT_TRY(DryLaunch launch, launch_dry(plan_, machine_, overwritten, options_));
    const bool good = launch.report.ok() && overwritten.why().empty() && whole(launch.dry);
    return Seen{good, std::move(launch.dry)};
  }

  Result<Seen> checks() {
    core::Checked checked(errors_alone());
    OPKIT_TRY(DryLaunch launch, launch_dry(plan_, machine_, checked, options_));
    const bool good =
        launch.report.ok() && checked.take_report(launch.report).errors() == 0 && whole(launch.dry);
    return Seen{good, std::move(launch.dry)};
  }

  static bool whole(const core::DryReport& dry) { return !dry.cut && dry.needs_data.empty(); }

  const std::shared_ptr<const CallPlan>& plan_;
  core::Machine& machine_;
  DryLaunchOptions options_;
};

}  // namespace

Result<bool> takes_in_place(const std::shared_ptr<const CallPlan>& plan, core::Machine& machine,
                            const InPlace& pair) {
  if (!can_lie_together(*plan, pair)) return false;
  return Proof(plan, machine, pair).holds();
}

}  // namespace opkit
