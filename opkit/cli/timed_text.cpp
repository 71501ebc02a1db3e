#include "opkit/cli/timed_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/cli/table.h"
#include "opkit/trace/rates.h"

namespace opkit::cli {
namespace {

struct PipeSum {
  uint64_t busy = 0, waiting_for_cores = 0, instructions = 0;
  std::array<uint64_t, core::kTimedPipes> waiting_for{};
};

// Of all cores together.
std::array<PipeSum, core::kTimedPipes> sum_pipes(const core::TimedResult& result) {
  std::array<PipeSum, core::kTimedPipes> sums;
  for (const core::CoreTimes& core : result.cores) {
    for (size_t pipe = 0; pipe < core::kTimedPipes; ++pipe) {
      sums[pipe].busy += core.pipes[pipe].busy;
      sums[pipe].instructions += core.pipes[pipe].instructions;
      sums[pipe].waiting_for_cores += core.pipes[pipe].waiting_for_cores;
      for (size_t other = 0; other < core::kTimedPipes; ++other) {
        sums[pipe].waiting_for[other] += core.pipes[pipe].waiting_for[other];
      }
    }
  }
  return sums;
}

// Cycles in which cores were there: what busy cycles are a share of.
uint64_t core_cycles(const core::TimedResult& result) {
  uint64_t cycles = 0;
  for (const core::CoreTimes& core : result.cores) cycles += core.end - core.start;
  return std::max<uint64_t>(cycles, 1);
}

std::string longest_wait(const PipeSum& sum) {
  const auto longest = std::max_element(sum.waiting_for.begin(), sum.waiting_for.end());
  if (*longest == 0) return "-";
  return fmt::format("{} ({} cycles)",
                     core::timed_pipe_name(static_cast<size_t>(longest - sum.waiting_for.begin())),
                     *longest);
}

std::string pipes_table(const core::TimedResult& result, const Palette& palette) {
  Table table({"pipe", ">instructions", ">busy cycles", ">busy", "waits most for"});
  const auto sums = sum_pipes(result);
  const double cycles = static_cast<double>(core_cycles(result));
  for (size_t pipe = 0; pipe < sums.size(); ++pipe) {
    const PipeSum& sum = sums[pipe];
    if (sum.instructions == 0 && sum.busy == 0) continue;
    table.add({core::timed_pipe_name(pipe), std::to_string(sum.instructions),
               std::to_string(sum.busy),
               fmt::format("{:.1f} %", 100.0 * static_cast<double>(sum.busy) / cycles),
               longest_wait(sum)});
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

std::string traffic_text(const core::Traffic& t) {
  return fmt::format(
      "GM read {} B, GM written {} B; HBM read {} B, written {} B; bank conflicts {} cycles\n",
      t.gm_to_ub + t.gm_to_l1, t.ub_to_gm + t.l1_to_gm + t.l0c_to_gm, t.hbm_read, t.hbm_write,
      t.bank_conflict_cycles);
}

Json traffic_json(const core::Traffic& t) {
  return {{"gm_to_ub", t.gm_to_ub},
          {"gm_to_l1", t.gm_to_l1},
          {"ub_to_gm", t.ub_to_gm},
          {"l1_to_gm", t.l1_to_gm},
          {"l0c_to_gm", t.l0c_to_gm},
          {"l0c_to_l1", t.l0c_to_l1},
          {"vector_read", t.vector_read},
          {"vector_write", t.vector_write},
          {"l2_read_hits", t.l2_read_hits},
          {"l2_read_misses", t.l2_read_misses},
          {"l2_write_hits", t.l2_write_hits},
          {"l2_write_misses", t.l2_write_misses},
          {"hbm_read", t.hbm_read},
          {"hbm_write", t.hbm_write},
          {"cube_operations", t.cube_operations},
          {"vector_operations", t.vector_operations},
          {"bank_conflict_cycles", t.bank_conflict_cycles}};
}

uint32_t peak_ub(const core::TimedResult& result) {
  uint32_t peak = 0;
  for (const core::CoreTimes& core : result.cores) {
    peak = std::max(peak, core.peak_bytes[OPK_MEM_UB]);
  }
  return peak;
}

}  // namespace

Result<core::TimingRates> rates_for(const SocSpec& soc) {
  const core::TimingRates rates;
  const bool same_chip =
      soc.cube_freq_mhz == rates.frequency_mhz && soc.cores.cube_core == rates.cube_cores &&
      soc.cores.vector_core == rates.vector_cores && soc.memory.l2 == rates.l2_bytes;
  if (same_chip) return trace::rates_of(soc);
  return Error(
      "OPK-CLI-015",
      fmt::format("there are no measured timing figures for {}; those that exist are of a chip "
                  "with {} cube and {} vector cores at {} MHz",
                  soc.name, rates.cube_cores, rates.vector_cores, rates.frequency_mhz),
      "--soc Ascend910B1");
}

std::string timed_text(const core::TimedResult& result, const Palette& palette) {
  std::string text = fmt::format(
      "modelled task time {:.3f} us ({} cycles at {} MHz, {} cores, {} blocks); peak UB {} B\n",
      static_cast<double>(result.task_ns) / 1e3, result.cycles, result.rates.frequency_mhz,
      result.cores.size(), result.block_dim, peak_ub(result));
  text += traffic_text(result.traffic) + "\n" + pipes_table(result, palette) + "\n";
  return text + instructions_table(result, palette);
}

Json timed_json(const core::TimedResult& result) {
  Json json{{"kernel", result.kernel},
            {"block_dim", result.block_dim},
            {"cycles", result.cycles},
            {"task_ns", result.task_ns},
            {"frequency_mhz", result.rates.frequency_mhz},
            {"cores", result.cores.size()},
            {"peak_ub", peak_ub(result)}};
  const auto sums = sum_pipes(result);
  const double cycles = static_cast<double>(core_cycles(result));
  Json pipes = Json::object();
  for (size_t pipe = 0; pipe < sums.size(); ++pipe) {
    pipes[core::timed_pipe_name(pipe)] = {
        {"instructions", sums[pipe].instructions},
        {"busy_cycles", sums[pipe].busy},
        {"busy_share", static_cast<double>(sums[pipe].busy) / cycles},
        {"waiting_for_cores", sums[pipe].waiting_for_cores}};
  }
  json["pipes"] = std::move(pipes);
  json["traffic"] = traffic_json(result.traffic);
  Json instructions = Json::array();
  for (const auto& [key, totals] : result.instructions) {
    instructions.push_back({{"name", key.second},
                            {"pipe", core::timed_pipe_name(key.first)},
                            {"count", totals.count},
                            {"cycles", totals.cycles},
                            {"bytes", totals.bytes}});
  }
  json["instructions"] = std::move(instructions);
  return json;
}

}  // namespace opkit::cli
