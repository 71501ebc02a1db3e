#include "opkit/measure/counters/counters.h"

#include <fmt/format.h>

#include <optional>

#include "opkit/base/file.h"
#include "opkit/base/json.h"
#include "opkit/base/shell_word.h"
#include "opkit/call/execute/execution.h"
#include "opkit/measure/bench/bench_case.h"
#include "opkit/measure/said/invocation.h"
#include "opkit/soc/soc_names.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::measure {
namespace fs = std::filesystem;
namespace {

// Whole launches of the shipped ops' bench shapes, but for the longest.
constexpr uint64_t kWatched = uint64_t{1} << 18;

void take_traffic(const core::Traffic& traffic, Counters& counters) {
  counters.gm_read = traffic.gm_to_ub + traffic.gm_to_l1;
  counters.gm_written = traffic.ub_to_gm + traffic.l1_to_gm + traffic.l0c_to_gm;
}

Counters counters_of(const PlanCost& cost) {
  Counters counters;
  counters.cycles = cost.cycles;
  counters.instructions = cost.instructions;
  counters.exact = cost.exact;
  if (cost.exact && cost.timed) take_traffic(cost.timed->traffic, counters);
  return counters;
}

// Counts a launch on data, all of it watched.
Result<Counters> count_on_data(const OpenedOp& op, const std::string& soc,
                               const SaidCall& options) {
  constexpr uint64_t kSeed = 1;
  OPKIT_TRY(Invocation call, invocation_of(op, soc, options, uniform(kSeed), 1));
  WatchOptions watch;
  watch.mode = Mode::kTimed;
  watch.of_unmeasured_chips = true;
  OPKIT_TRY(const Observation seen, op.executor->watch(std::move(call), watch));
  OPKIT_CHECK(fault_of(seen, watch.mode, op.contract.op));
  const core::TimedResult& timed = *seen.watched.timed;
  Counters counters;
  counters.on_data = true;
  counters.cycles = timed.cycles;
  for (const auto& [name, totals] : timed.instructions) counters.instructions += totals.count;
  take_traffic(timed.traffic, counters);
  return counters;
}

Result<Counters> count_call(const OpenedOp& op, const std::string& soc, const SaidCall& options) {
  OPKIT_TRY(const SharedPlan plan, plan_of(op, soc, options));
  CostOptions asked;
  asked.most_instructions = kWatched;
  asked.of_unmeasured_chips = true;
  const auto cost = op.executor->cost(plan, asked);
  if (cost.ok()) return counters_of(*cost);
  // What the kernel does depends on data, or no part of it says what the rest costs.
  if (!cost.error().is(Cause::kNoCost)) return cost.error();
  auto on_data = count_on_data(op, soc, options);
  if (on_data.ok()) return on_data;
  Counters counters;
  counters.not_modelled = on_data.error().code;
  return counters;
}

Error not_counters(const fs::path& file, const std::string& why) {
  return Error("OPK-CLI-034", fmt::format("{} holds no counters: {}", file.string(), why),
               "write it with opkit gate --update, never by hand")
      .at({file.string(), 0, 0});
}

// Returns nothing when a member is missing or of another type.
std::optional<Counters> counters_of(const Json& json) {
  Counters counters;
  if (!json.is_object()) return std::nullopt;
  if (json.contains("not_modelled")) {
    const std::string* code = json["not_modelled"].text();
    if (code == nullptr) return std::nullopt;
    counters.not_modelled = *code;
    return counters;
  }
  const auto number = [&](const char* key, uint64_t& value) {
    const auto found = json[key].natural();
    value = found.value_or(0);
    return found.has_value();
  };
  counters.exact = json.contains("gm_read");
  counters.on_data = json.contains("on_data");
  if (!number("cycles", counters.cycles) || !number("instructions", counters.instructions))
    return std::nullopt;
  if (!counters.exact) return counters;
  if (!number("gm_read", counters.gm_read) || !number("gm_written", counters.gm_written))
    return std::nullopt;
  return counters;
}

Json json_of(const Counters& counters) {
  if (!counters.not_modelled.empty()) return {{"not_modelled", counters.not_modelled}};
  Json json{{"cycles", counters.cycles}, {"instructions", counters.instructions}};
  if (counters.on_data) json["on_data"] = true;
  if (!counters.exact) return json;
  json["gm_read"] = counters.gm_read;
  json["gm_written"] = counters.gm_written;
  return json;
}

Result<OpCounters> read_op(const fs::path& file, const std::string& op, const Json& json) {
  OpCounters counters;
  if (!json.is_object()) return not_counters(file, op + " is no object");
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string& soc = json.keys()[i];
    const Json& calls = json[i];
    if (!calls.is_object())
      return not_counters(file, fmt::format("{} of {} is no object", soc, op));
    for (size_t j = 0; j < calls.size(); ++j) {
      const std::string& call = calls.keys()[j];
      const auto read = counters_of(calls[j]);
      if (!read) return not_counters(file, fmt::format("{}, {}, {}", op, soc, call));
      counters[soc][call] = *read;
    }
  }
  return counters;
}

}  // namespace

Result<OpCounters> count(const OpenedOp& op) {
  OpCounters all;
  const OpContract& contract = op.contract;
  for (const std::string& name : contract.soc.empty() ? soc_names() : contract.soc) {
    OPKIT_TRY(const SocMatch chip, find_soc(name));
    const std::string& soc = chip.spec->name;
    for (const Case& one : contract.bench) {
      for (size_t column = 0; column < contract.column_count(); ++column) {
        if (!on_chip(contract, column, *chip.spec)) continue;
        OPKIT_TRY(const SaidCall options, options_of_case(contract, one, column));
        const std::string call =
            fmt::format("{}, {}", text_of_case(contract, one), contract.column_name(column));
        OPKIT_TRY(all[soc][call], count_call(op, soc, options));
      }
    }
  }
  return all;
}

Result<Benchmarks> read_benchmarks(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return Error("OPK-CLI-033", fmt::format("{} is not there", file.string()),
                 fmt::format("opkit gate {} --update", shell_word(file.parent_path().string())));
  OPKIT_TRY(const std::string text, read_file(file));
  const Json json = Json::parse(text).value_or(Json());
  if (!json.is_object()) return not_counters(file, "it is no JSON object");
  Benchmarks benchmarks;
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string& op = json.keys()[i];
    OPKIT_TRY(benchmarks[op], read_op(file, op, json[i]));
  }
  return benchmarks;
}

std::string text_of(const Benchmarks& benchmarks) {
  Json json = Json::object();
  for (const auto& [op, chips] : benchmarks) {
    for (const auto& [soc, calls] : chips) {
      for (const auto& [call, counters] : calls) json[op][soc][call] = json_of(counters);
    }
  }
  return json.dump(2) + "\n";
}

}  // namespace opkit::measure
