#include "opkit/atc/compile/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "opkit/base/digest.h"
#include "opkit/base/regular_file.h"
#include "opkit/call/plan/plan_cost.h"
#include "opkit/call/trace/rates.h"

namespace opkit::compile {
namespace {

// Instructions of a launch that are watched; longer ones are estimated from their first part. Where
// that says nothing, more are watched.
constexpr uint64_t kWatched = uint64_t{1} << 15, kMostWatched = uint64_t{1} << 20;
constexpr const char* kNoEstimate = "OPK-COST-001";

std::string facts_text(const std::vector<PortLayouts>& ports) {
  std::string text;
  for (const PortLayouts& port : ports) {
    for (const StorageLayout& layout : port)
      text += fmt::format("{} {} {};", name_of(layout.dtype()), layout.origin().to_string(),
                          name_of(layout.format()));
    text += "|";
  }
  return text;
}

}  // namespace

uint64_t bytes_of(const std::vector<PortLayouts>& ports) {
  uint64_t bytes = 0;
  for (const PortLayouts& port : ports) {
    for (const StorageLayout& layout : port) bytes += stored_bytes(layout);
  }
  return bytes;
}

double products_of(const graph::Graph& graph, const graph::Node& node) {
  const auto shape = [&](const std::string& name) { return *graph.values.at(name).shape; };
  if (node.op_type != "Conv" && node.op_type != "MatMul" && node.op_type != "Gemm") return 0;
  const double results = static_cast<double>(shape(node.outputs[0]).elements());
  if (node.op_type == "Conv") {
    const Shape w = shape(node.inputs[1]);
    return results * static_cast<double>(w.elements()) /
           static_cast<double>(std::max<int64_t>(w[0], 1));
  }
  if (node.op_type == "MatMul")
    return results * static_cast<double>(shape(node.inputs[0]).dims().back());
  const Shape a = shape(node.inputs[0]), y = shape(node.outputs[0]);
  return results * static_cast<double>(a.elements()) /
         static_cast<double>(std::max<int64_t>(y[0], 1));
}

namespace {

// Elements that a node computes. REQUIRES: shapes are known.
double results_of(const graph::Graph& graph, const graph::Node& node) {
  double results = 0;
  for (const std::string& name : node.outputs) {
    if (!name.empty()) results += static_cast<double>(graph.values.at(name).shape->elements());
  }
  return results;
}

// Products of one cycle on one core, of the type for which they are fewest.
uint32_t slowest_cube(const core::TimingRates& rates) {
  uint32_t slowest = 0;
  for (const uint32_t rate : rates.cube_products)
    slowest = rate == 0 || (slowest != 0 && slowest < rate) ? slowest : rate;
  return slowest;
}

}  // namespace

std::string key_of(const Candidate& candidate) {
  const CallPlan& plan = *candidate.plan;
  std::string key = fmt::format("{} {} {} {} {}", candidate.op->package().manifest.library_sha256,
                                plan.soc->name, plan.binding.column, kWatched, kMostWatched);
  key += fmt::format(" {}{}", facts_text(plan.input_layouts), facts_text(plan.output_layouts));
  for (const auto& [name, value] : plan.binding.attrs) key += name + "=" + to_string(value) + ";";
  const std::vector<std::byte>& data = plan.tiling.data;  // knobs of a bank
  key += fmt::format("{} {} ", plan.tiling.key, plan.tiling.block_dim) +
         sha256_hex({reinterpret_cast<const char*>(data.data()), data.size()});
  for (const PortTensors& port : plan.values) {
    for (const Tensor& tensor : port)
      key += sha256_hex({reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes()});
  }
  return key;
}

Result<Costs> Costs::of(const std::string& soc, std::filesystem::path cache) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*match.spec));
  if (!cache.empty()) cache /= trace::version_of_times(match.spec->name);
  return Costs(rates, std::move(cache));
}

uint64_t Costs::nanoseconds(double cycles) const {
  return static_cast<uint64_t>(cycles * 1000 / std::max(rates_.frequency_mhz, 1u));
}

uint64_t Costs::bound(const graph::Graph& graph, const Candidate& candidate) const {
  const bool turns = candidate.taker == Taker::kPlugin && !candidate.on_aicpu();
  return bound_apart_from_turns(graph, candidate) + (turns ? conversions(candidate) : 0);
}

uint64_t Costs::bound_apart_from_turns(const graph::Graph& graph,
                                       const Candidate& candidate) const {
  if (candidate.taker == Taker::kView || candidate.taker == Taker::kControl) return 0;
  if (candidate.taker == Taker::kHost) return kHostNanoseconds;
  if (candidate.on_aicpu()) return kAicpuNanoseconds * candidate.nodes.size() + rates_.launch_ns;
  const double fastest = std::max({rates_.hbm, rates_.l2, 1u});
  const double read = static_cast<double>(bytes_of(candidate.plan->input_layouts)) / fastest;
  const double written = static_cast<double>(bytes_of(candidate.plan->output_layouts)) / fastest;
  double products = 0;
  for (const size_t n : candidate.nodes) products += products_of(graph, graph.nodes[n]);
  const uint32_t rate = *std::max_element(rates_.cube_products.begin(), rates_.cube_products.end());
  const double cube =
      products / std::max(1.0, static_cast<double>(rate) * std::max(rates_.cube_cores, 1u));
  return rates_.launch_ns + nanoseconds(std::max({read, written, cube}));
}

uint64_t Costs::turn(const StorageLayout& layout) const {
  return layout.dense() ? 0 : turn_bytes(stored_bytes(layout));
}

uint64_t Costs::turn_bytes(uint64_t stored) const {
  const auto bytes = static_cast<double>(stored);
  const double together = 2 * bytes / std::max(rates_.hbm, 1u);
  // A core more shortens the copies and takes a launch longer.
  uint64_t least = 0;
  for (uint32_t cores = 1; cores <= std::max(rates_.vector_cores, 1u); ++cores) {
    const double alone = bytes / cores / std::max(std::min(rates_.gm_read, rates_.gm_write), 1u);
    const double cycles = rates_.pipe_start + rates_.miss_latency + rates_.write_latency;
    const uint64_t time = rates_.launch_ns + uint64_t{cores} * rates_.launch_vector_ns +
                          nanoseconds(cycles + std::max(alone, together));
    if (least == 0 || time < least) least = time;
  }
  return least;
}

uint64_t Costs::conversions(const Candidate& candidate) const {
  const auto turned = [&](const PortLayouts& port) {
    uint64_t sum = 0;
    for (const StorageLayout& layout : port) sum += turn(layout);
    return sum;
  };
  uint64_t sum = 0;
  const CallPlan& plan = *candidate.plan;
  for (size_t p = 0; p < plan.input_layouts.size(); ++p) {
    if (!candidate.constant_inputs[p]) sum += turned(plan.input_layouts[p]);
  }
  for (const PortLayouts& port : plan.output_layouts) sum += turned(port);
  return sum;
}

uint64_t Costs::slow(const graph::Graph& graph, const Candidate& candidate) const {
  const auto per = [](double work, uint32_t rate) { return work / std::max(rate, 1u); };
  const CallPlan& plan = *candidate.plan;
  double products = 0, results = 0;
  for (const size_t n : candidate.nodes) {
    products += products_of(graph, graph.nodes[n]);
    results += results_of(graph, graph.nodes[n]);
  }
  const double cycles = per(static_cast<double>(bytes_of(plan.input_layouts)), rates_.gm_read) +
                        per(static_cast<double>(bytes_of(plan.output_layouts)), rates_.gm_write) +
                        per(products, slowest_cube(rates_)) +
                        results * (rates_.issue + rates_.scalar_access);
  const double most = static_cast<double>(kAicpuNanoseconds - 1);
  const double launch = rates_.launch_ns + rates_.launch_vector_ns + rates_.launch_cube_ns;
  const double all = launch + std::min(most, cycles * 1000 / std::max(rates_.frequency_mhz, 1u)) +
                     static_cast<double>(conversions(candidate));
  return std::max(bound(graph, candidate), static_cast<uint64_t>(std::min(most, all)));
}

void Costs::model(const graph::Graph& graph, Candidate& candidate) {
  if (candidate.taker != Taker::kPlugin || candidate.on_aicpu()) return;
  const Time time = time_of(candidate);
  candidate.kind = time.kind;
  candidate.not_modelled = time.not_modelled;
  candidate.nanoseconds = time.kind == CostKind::kAssumed
                              ? slow(graph, candidate)
                              : time.nanoseconds + conversions(candidate);
}

Costs::Time Costs::time_of(const Candidate& candidate) {
  const std::string key = key_of(candidate);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_[key] = ask(candidate);
}

namespace {

// "4711 modelled"
std::string written(uint64_t nanoseconds, CostKind kind) {
  return fmt::format("{} {}", nanoseconds, name_of(kind));
}

// Tells whether the file is one that was written so.
bool read_kept(const std::filesystem::path& file, uint64_t& nanoseconds, CostKind& kind) {
  const auto kept = read_regular_file(file, 100);
  if (!kept.ok()) return false;
  std::from_chars(kept->data(), kept->data() + kept->size(), nanoseconds);
  for (const CostKind one : {CostKind::kExact, CostKind::kEstimated}) {
    kind = one;
    if (*kept == written(nanoseconds, one)) return true;
  }
  nanoseconds = 0;
  kind = CostKind::kAssumed;
  return false;
}

}  // namespace

// Asks for a time; what could not be modelled is asked for again by the next compilation, and says
// why again.
Costs::Time Costs::ask(const Candidate& candidate) {
  const auto file = cache_.empty() ? cache_ : cache_ / (sha256_hex(key_of(candidate)) + ".ns");
  Time time;
  if (!file.empty() && read_kept(file, time.nanoseconds, time.kind)) {
    ++from_cache_;
    return time;
  }
  ++modelled_;
  time = run_model(candidate);
  if (!file.empty() && time.kind != CostKind::kAssumed) {
    std::error_code ignored;
    std::filesystem::create_directories(cache_, ignored);
    (void)write_regular_file(file, written(time.nanoseconds, time.kind));  // a cache that cannot be
  }
  return time;
}

Costs::Time Costs::run_model(const Candidate& candidate) {
  if (failures_.gave_up(candidate.op->contract().op))
    return {0, CostKind::kAssumed, gave_up_text()};
  CostOptions options;
  options.of_unmeasured_chips = true;
  options.most_instructions = kWatched;
  const auto executor = candidate.op->executor();
  auto cost = executor.ok() ? (*executor)->cost(candidate.plan, options)
                            : Result<PlanCost>(executor.error());
  if (!cost.ok() && cost.error().code == kNoEstimate) {
    options.most_instructions = kMostWatched;
    cost = (*executor)->cost(candidate.plan, options);
  }
  if (cost.ok()) return {cost->task_ns, cost->exact ? CostKind::kExact : CostKind::kEstimated, {}};
  const Error& error = cost.error();
  failures_.add(error, "where its time was modelled");
  return {0, CostKind::kAssumed, fmt::format("{}: {}", error.code, error.message)};
}

}  // namespace opkit::compile
