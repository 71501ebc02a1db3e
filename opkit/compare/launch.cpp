#include "opkit/compare/launch.h"

#include <algorithm>
#include <array>

#include "opkit/compile/costs.h"

namespace opkit::compare {
namespace {

// Instructions that are watched: large enough for whole launches of the shipped bench shapes.
constexpr uint64_t kWatched = uint64_t{1} << 20;

uint64_t through_gm(const core::Traffic& traffic) {
  return traffic.gm_to_ub + traffic.gm_to_l1 + traffic.ub_to_gm + traffic.l1_to_gm +
         traffic.l0c_to_gm;
}

void find_busiest(const core::TimedResult& timed, Launch& launch) {
  std::array<uint64_t, core::kTimedPipes> busy{}, cores{};
  for (const core::CoreTimes& core : timed.cores) {
    for (size_t pipe = 0; pipe < core::kTimedPipes; ++pipe) {
      busy[pipe] += core.pipes[pipe].busy;
      cores[pipe] += core.pipes[pipe].instructions > 0;
    }
  }
  for (size_t pipe = 0; pipe < core::kTimedPipes; ++pipe) {
    const double all = static_cast<double>(cores[pipe]) * static_cast<double>(timed.cycles);
    const double share = all > 0 ? static_cast<double>(busy[pipe]) / all : 0;
    if (share <= launch.busy) continue;
    launch.busy = share;
    launch.pipe = core::timed_pipe_name(pipe);
  }
}

}  // namespace

Result<Launch> modelled(const std::string& op, Executor& executor, const SharedPlan& plan) {
  CostOptions options;
  options.most_instructions = kWatched;
  options.of_unmeasured_chips = true;
  OPKIT_TRY(const PlanCost cost, executor.cost(plan, options));
  Launch launch{op, cost.task_ns, 0, cost.exact, "", 0};
  if (cost.exact && cost.timed) {
    launch.gm_bytes = through_gm(cost.timed->traffic);
    find_busiest(*cost.timed, launch);
  } else {
    launch.gm_bytes =
        compile::bytes_of(plan->input_layouts) + compile::bytes_of(plan->output_layouts);
  }
  return launch;
}

}  // namespace opkit::compare
