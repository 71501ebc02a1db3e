#include "opkit/tuning/dry_meter.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "opkit/base/digest.h"
#include "opkit/call/execute/tuned_plan.h"

namespace opkit::tuning {
namespace {

constexpr double kRounded = 0.995;  // the model of time counts 256ths of a cycle, rounded down
constexpr uint64_t kWatched = uint64_t{1} << 20, kFewWatched = uint64_t{1} << 14;  // instructions

std::string digest_of(const TilingPlan& tiling) {
  const std::string head = std::to_string(tiling.key) + " " + std::to_string(tiling.block_dim) +
                           " " + std::to_string(tiling.workspace_bytes()) + " " +
                           std::to_string(tiling.schedule_mode) + " ";
  const std::string_view data(reinterpret_cast<const char*>(tiling.data.data()),
                              tiling.data.size());
  const std::string_view pieces[] = {head, data};
  return sha256_hex(pieces).substr(0, 16);
}

uint64_t through_gm(const core::Traffic& t) {
  return t.gm_to_ub + t.gm_to_l1 + t.ub_to_gm + t.l1_to_gm + t.l0c_to_gm;
}

void refuse(TuningRow& row, const Error& error) {
  row.verdict = RowVerdict::kRefused;
  row.code = error.code;
  row.reason = error.message;
}

// Counts blocks that run at once, as the model of time does.
double resident(const core::TimingRates& rates, uint32_t blocks, bool vectors_only) {
  const uint32_t cores =
      vectors_only || rates.cube_cores == 0 ? rates.vector_cores : rates.cube_cores;
  return std::clamp<double>(blocks, 1, std::max(cores, 1u));
}

// Cores of a launch that move data.
double movers(const core::TimingRates& rates, uint32_t blocks, bool vectors_only) {
  const double each = vectors_only ? 1 : 3;  // a cube core and its vector cores
  const double most = vectors_only ? rates.vector_cores : rates.vector_cores + rates.cube_cores;
  return std::clamp(each * blocks, 1.0, std::max(most, 1.0));
}

}  // namespace

uint64_t bound_of(const CallBound& call, const core::TimingRates& rates, uint32_t blocks,
                  int32_t task_type) {
  const bool vectors_only = task_type == OPK_TASK_AIV_ONLY;
  const double at_once = resident(rates, blocks, vectors_only);
  const double cores = movers(rates, blocks, vectors_only);
  // Reads each byte once from HBM, at the rate of the core that asks; writes go to L2.
  const double cycles = std::max({call.read / std::max(rates.hbm, 1u),
                                  call.read / cores / std::max(rates.gm_read, 1u),
                                  call.written / std::max({rates.l2, rates.hbm, 1u}),
                                  call.products / at_once / std::max(call.cube_rate, 1.0)});
  const double started =
      at_once * (vectors_only ? rates.launch_vector_ns
                              : std::min(rates.launch_vector_ns, rates.launch_cube_ns));
  return rates.launch_ns +
         static_cast<uint64_t>((started + cycles * 1000 / std::max(rates.frequency_mhz, 1u)) *
                               kRounded);
}

uint64_t bound_of(const CallBound& call, const core::TimingRates& rates) {
  uint64_t least = UINT64_MAX;
  const uint32_t most = std::max({rates.vector_cores, rates.cube_cores, 1u});
  for (uint32_t blocks = 1; blocks <= most; ++blocks)
    for (const int32_t type : {OPK_TASK_AIV_ONLY, OPK_TASK_MIX_1_2})
      least = std::min(least, bound_of(call, rates, blocks, type));
  return least;
}

// Every worker takes the next row that is left; rows do not know of each other.
void DryMeter::share(const std::vector<TuningRow*>& rows, const Work& work) const {
  std::atomic<size_t> next{0};
  const auto take = [&](Executor& executor) {
    for (size_t i = next++; i < rows.size(); i = next++) work(executor, *rows[i]);
  };
  std::vector<std::thread> threads;
  for (size_t w = 1; w < std::min(setup_.executors.size(), rows.size()); ++w)
    threads.emplace_back([&, w] { take(*setup_.executors[w]); });
  take(*setup_.executors[0]);
  for (std::thread& thread : threads) thread.join();
}

Result<SharedPlan> DryMeter::planned(Executor& executor, const TuningRow& row) const {
  CallFacts facts = *setup_.facts;
  for (const auto& [name, value] : row.knobs) facts.attrs[name] = value;
  if (row.knobs.empty()) facts.attrs[kNoBank] = int64_t{0};
  return executor.plan(*setup_.contract, setup_.soc, facts);
}

void DryMeter::plan_one(Executor& executor, TuningRow& row) const {
  const auto plan = planned(executor, row);
  if (!plan.ok()) return refuse(row, plan.error());
  const TilingPlan& tiling = (*plan)->tiling;
  row.tiling = digest_of(tiling);
  row.block_dim = tiling.block_dim;
  row.workspace_bytes = tiling.workspace_bytes();
  row.bound_ns = bound_of(setup_.bound, setup_.rates, tiling.block_dim, tiling.kernel->task_type);
}

void DryMeter::measure_one(Executor& executor, TuningRow& row, bool few) const {
  const auto plan = planned(executor, row);
  if (!plan.ok()) return refuse(row, plan.error());
  const auto cost = executor.cost(*plan, {few ? kFewWatched : kWatched, true});
  if (!cost.ok()) return refuse(row, cost.error());
  row.ns = cost->task_ns;
  row.cycles = cost->cycles;
  row.instructions = cost->instructions;
  row.exact = cost->exact;
  if (cost->timed) row.gm_bytes = through_gm(cost->timed->traffic);
  row.score = setup_.score.of(row);
  if (!few) row.verdict = RowVerdict::kMeasured;
}

void DryMeter::plan(const std::vector<TuningRow*>& rows) {
  share(rows, [this](Executor& executor, TuningRow& row) { plan_one(executor, row); });
}

// Takes what was measured of the very same tiling; the bound is of this search.
bool DryMeter::take_stored(TuningRow& row) const {
  if (setup_.store == nullptr) return false;
  const auto known = setup_.store->find(setup_.subject, row.knobs);
  if (!known || !known->is_measured() || known->tiling != row.tiling) return false;
  row.ns = known->ns;
  row.cycles = known->cycles;
  row.instructions = known->instructions;
  row.gm_bytes = known->gm_bytes;
  row.exact = known->exact;
  row.kept = true;
  row.verdict = RowVerdict::kMeasured;
  row.score = setup_.score.of(row);
  return true;
}

// Asks the store for whole launches alone: what the first blocks take must not depend on what
// somebody has measured before, or the search would take other ways.
void DryMeter::measure(const std::vector<TuningRow*>& rows, bool few) {
  std::vector<TuningRow*> fresh;
  for (TuningRow* row : rows)
    if (few || !take_stored(*row)) fresh.push_back(row);
  from_store_ += rows.size() - fresh.size();
  share(fresh, [&](Executor& executor, TuningRow& row) { measure_one(executor, row, few); });
  if (few || setup_.store == nullptr || fresh.empty() || !stored_.ok()) return;
  stored_ = setup_.store->add(setup_.subject, {fresh.begin(), fresh.end()});
}

}  // namespace opkit::tuning
