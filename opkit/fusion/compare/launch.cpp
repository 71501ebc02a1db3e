#include "opkit/fusion/compare/launch.h"

#include <algorithm>
#include <array>

#include "opkit/atc/compile/costs.h"
#include "opkit/call/plan/placed_call.h"

namespace opkit::compare {
namespace {

// Instructions that are watched: large enough for whole launches of the shipped bench shapes.
constexpr uint64_t kWatched = uint64_t{1} << 20;

uint64_t through_gm(const core::Traffic& traffic) {
  return traffic.gm_to_ub + traffic.gm_to_l1 + traffic.ub_to_gm + traffic.l1_to_gm +
         traffic.l0c_to_gm;
}

// Averages over the cores of that kind that use the pipe.
double busy_share(const core::TimedResult& timed, size_t pipe, uint8_t kind) {
  uint64_t busy = 0, cores = 0;
  for (const core::CoreTimes& core : timed.cores) {
    if (core.kind != kind) continue;
    busy += core.pipes[pipe].busy;
    cores += core.pipes[pipe].instructions > 0;
  }
  const double all = static_cast<double>(cores) * static_cast<double>(timed.cycles);
  return all > 0 ? static_cast<double>(busy) / all : 0;
}

// A few copies of the vector cores say nothing of the cube cores' pipe.
std::array<double, core::kTimedPipes> busy_shares(const core::TimedResult& timed) {
  std::array<double, core::kTimedPipes> shares{};
  for (size_t pipe = 0; pipe < core::kTimedPipes; ++pipe) {
    for (const uint8_t kind : {OPK_CORE_AIC, OPK_CORE_AIV, OPK_CORE_MIX})
      shares[pipe] = std::max(shares[pipe], busy_share(timed, pipe, kind));
  }
  return shares;
}

// A port's tensors stand one behind the other, under its name.
std::vector<core::TensorTraffic> renamed(const std::vector<core::TensorTraffic>& tensors,
                                         const TensorNames& names) {
  std::vector<core::TensorTraffic> known;
  std::map<std::string, size_t> seen;
  for (core::TensorTraffic tensor : tensors) {
    const size_t i = seen[tensor.name]++;
    if (tensor.read + tensor.written == 0) continue;
    const auto port = names.find(tensor.name);
    if (port != names.end() && i < port->second.size()) tensor.name = port->second[i];
    known.push_back(std::move(tensor));
  }
  return known;
}

void take(const core::TimedResult& timed, const TensorNames& names, ModelledLaunch& launch) {
  launch.gm_bytes = through_gm(timed.traffic);
  launch.busy = busy_shares(timed);
  launch.tensors = renamed(timed.tensors, names);
}

}  // namespace

size_t ModelledLaunch::busiest() const {
  return static_cast<size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
}

Result<ModelledLaunch> modelled(const std::string& op, Executor& executor, const SharedPlan& plan,
                                const TensorNames& names) {
  CostOptions options;
  options.most_instructions = kWatched;
  options.of_unmeasured_chips = true;
  OPKIT_TRY(const PlanCost cost, executor.cost(plan, options));
  ModelledLaunch launch{op, cost.task_ns, 0, cost.exact, {}, {}};
  if (cost.exact && cost.timed)
    take(*cost.timed, names, launch);
  else
    launch.gm_bytes =
        compile::bytes_of(plan->input_layouts) + compile::bytes_of(plan->output_layouts);
  return launch;
}

Result<ModelledLaunch> modelled_on_data(const Invocation& call, Executor& executor) {
  WatchOptions timed;
  timed.mode = Mode::kTimed;
  OPKIT_TRY(const Observation seen, executor.watch(call, timed));
  const core::Faults& faults = seen.watched.report.faults;
  if (!faults.empty()) return to_error(faults.front(), call.contract->op);
  ModelledLaunch launch{call.contract->op, seen.watched.timed->task_ns, 0, true, {}, {}};
  take(*seen.watched.timed, {}, launch);
  return launch;
}

}  // namespace opkit::compare
