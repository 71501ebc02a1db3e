#include "opkit/cli/text/timed_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/counted.h"
#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

// What busy cycles are a share of.
double core_cycles(const trace::Totals& totals) {
  return static_cast<double>(std::max<uint64_t>(totals.core_cycles, 1));
}

std::string longest_wait(const core::PipeTimes& sum) {
  const auto longest = std::max_element(sum.waiting_for.begin(), sum.waiting_for.end());
  if (sum.waiting_for_cores > *longest)
    return fmt::format("other cores ({} cycles)", sum.waiting_for_cores);
  if (*longest == 0) return "-";
  return fmt::format("{} ({} cycles)",
                     core::timed_pipe_name(static_cast<size_t>(longest - sum.waiting_for.begin())),
                     *longest);
}

// Adds a row for each pipe; `whose` is " (cube)" where cores of several kinds have the same pipes.
void add_pipes(const trace::Totals& totals, const char* whose, Table& table) {
  const double cycles = core_cycles(totals);
  for (size_t pipe = 0; pipe < totals.pipes.size(); ++pipe) {
    const core::PipeTimes& sum = totals.pipes[pipe];
    if (sum.instructions == 0 && sum.busy == 0) continue;
    table.add({fmt::format("{}{}", core::timed_pipe_name(pipe), whose),
               std::to_string(sum.instructions), std::to_string(sum.busy),
               fmt::format("{:.1f} %", 100.0 * static_cast<double>(sum.busy) / cycles),
               longest_wait(sum)});
  }
}

bool has_cores(const core::TimedResult& result, uint8_t kind) {
  return std::any_of(result.cores.begin(), result.cores.end(),
                     [&](const core::CoreTimes& core) { return core.kind == kind; });
}

bool on_both_kinds(const core::TimedResult& result) {
  return has_cores(result, OPK_CORE_AIC) && has_cores(result, OPK_CORE_AIV);
}

// Draws the table of pipes; what keeps a few cube cores busy does not show among many vector cores.
std::string pipes_table(const core::TimedResult& result, const Palette& palette) {
  Table table({"pipe", ">instructions", ">busy cycles", ">busy", "waits most for"});
  if (on_both_kinds(result)) {
    add_pipes(trace::totals_of(result, OPK_CORE_AIC), " (cube)", table);
    add_pipes(trace::totals_of(result, OPK_CORE_AIV), " (vector)", table);
  } else {
    add_pipes(trace::totals_of(result), "", table);
  }
  return table.to_string(palette);
}

std::string instructions_table(const core::TimedResult& result, const Palette& palette) {
  constexpr size_t kMost = 10;
  using Row = std::pair<std::pair<size_t, std::string>, core::InstructionTotals>;
  std::vector<Row> rows(result.instructions.begin(), result.instructions.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.second.cycles > b.second.cycles; });
  if (rows.size() > kMost) rows.resize(kMost);
  Table table({"instruction", "pipe", ">count", ">cycles", ">bytes"});
  for (const auto& [key, totals] : rows) {
    table.add({key.second, core::timed_pipe_name(key.first), std::to_string(totals.count),
               std::to_string(totals.cycles), std::to_string(totals.bytes)});
  }
  return table.to_string(palette);
}

double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string traffic_text(const core::Traffic& t) {
  return fmt::format(
      "GM read {} B, GM written {} B; HBM read {} B, written {} B; L2 reads hit {:.1f} %; bank "
      "conflicts {} cycles\n",
      t.gm_to_ub + t.gm_to_l1, t.ub_to_gm + t.l1_to_gm + t.l0c_to_gm, t.hbm_read, t.hbm_write,
      percent(t.l2_read_hits, t.l2_read_hits + t.l2_read_misses), t.bank_conflict_cycles);
}

std::string roofline_text(const core::TimedResult& result) {
  const trace::Roofline roof = trace::roofline(result);
  return fmt::format(
      "roofline: {:.3f} operations per byte of HBM; {:.4f} of {:.4f} Tops that {} allows\n",
      roof.intensity, roof.reached * 1e-12, roof.roof * 1e-12,
      roof.memory_bound ? "HBM" : "the compute unit");
}

uint32_t peak(const core::TimedResult& result, opk_memory memory) {
  uint32_t peak = 0;
  for (const core::CoreTimes& core : result.cores) peak = std::max(peak, core.peak_bytes[memory]);
  return peak;
}

}  // namespace

std::string timed_text(const core::TimedResult& result, const Palette& palette) {
  std::string text =
      fmt::format("modelled task time {:.3f} us ({} cycles at {} MHz, {}, {}); peak UB {} B\n",
                  static_cast<double>(result.task_ns) / 1e3, result.cycles,
                  result.rates.frequency_mhz, counted(result.cores.size(), "core"),
                  counted(result.block_dim, "block"), peak(result, OPK_MEM_UB));
  text += traffic_text(result.traffic) + roofline_text(result) + "\n";
  return text + pipes_table(result, palette) + "\n" + instructions_table(result, palette);
}

namespace {

enum class Share { kTold, kNone };

Json pipes_json(const trace::Totals& totals, Share share) {
  Json pipes = Json::object();
  for (size_t p = 0; p < totals.pipes.size(); ++p) {
    const core::PipeTimes& pipe = totals.pipes[p];
    Json waits = Json::object();
    for (size_t q = 0; q < core::kTimedPipes; ++q)
      if (pipe.waiting_for[q]) waits[core::timed_pipe_name(q)] = pipe.waiting_for[q];
    Json& json = pipes[core::timed_pipe_name(p)];
    json = {{"instructions", pipe.instructions}, {"busy_cycles", pipe.busy}};
    if (share == Share::kTold)
      json["busy_share"] = static_cast<double>(pipe.busy) / core_cycles(totals);
    json["waiting_for"] = std::move(waits);
    json["waiting_for_cores"] = pipe.waiting_for_cores;
  }
  return pipes;
}

// Adds sums for a launch on cores of both kinds, and shares of each kind by itself: as the table.
void add_pipes(const core::TimedResult& result, Json& json) {
  const bool both = on_both_kinds(result);
  json["pipes"] = pipes_json(trace::totals_of(result), both ? Share::kNone : Share::kTold);
  if (!both) return;
  json["cube_pipes"] = pipes_json(trace::totals_of(result, OPK_CORE_AIC), Share::kTold);
  json["vector_pipes"] = pipes_json(trace::totals_of(result, OPK_CORE_AIV), Share::kTold);
}

Json instructions_json(const core::TimedResult& result) {
  Json instructions = Json::array();
  for (const auto& [key, totals] : result.instructions) {
    instructions.push_back({{"name", key.second},
                            {"pipe", core::timed_pipe_name(key.first)},
                            {"count", totals.count},
                            {"cycles", totals.cycles},
                            {"bytes", totals.bytes}});
  }
  return instructions;
}

}  // namespace

Json figures_json(const trace::Figures& figures) {
  Json json = Json::object();
  for (const trace::Figure& figure : figures) json[figure.name] = figure.value;
  return json;
}

Json timed_json(const core::TimedResult& result) {
  const trace::Roofline roof = trace::roofline(result);
  Json json{{"kernel", result.kernel},
            {"block_dim", result.block_dim},
            {"cycles", result.cycles},
            {"task_ns", result.task_ns},
            {"frequency_mhz", result.rates.frequency_mhz},
            {"cores", result.cores.size()},
            {"peak_ub", peak(result, OPK_MEM_UB)}};
  add_pipes(result, json);
  json["roofline"] = {{"intensity", roof.intensity},
                      {"reached_ops", roof.reached},
                      {"roof_ops", roof.roof},
                      {"memory_bound", roof.memory_bound}};
  json["figures"] = figures_json(trace::figures(result));
  json["instructions"] = instructions_json(result);
  return json;
}

}  // namespace opkit::cli
