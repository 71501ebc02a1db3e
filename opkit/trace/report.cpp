#include "opkit/trace/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "opkit/base/file.h"
#include "opkit/trace/trace.h"

namespace opkit::trace {
namespace {

using core::CoreTimes;
using core::InstructionTotals;
using core::kTimedPipes;
using core::TimedResult;
using core::Traffic;

// Sums over all cores.
struct Totals {
  uint64_t core_cycles = 0;
  std::array<core::PipeTimes, kTimedPipes> pipes;
};

Totals totals_of(const TimedResult& r) {
  Totals sum;
  for (const CoreTimes& core : r.cores) {
    sum.core_cycles += core.end - core.start;
    for (size_t p = 0; p < kTimedPipes; ++p) {
      sum.pipes[p].busy += core.pipes[p].busy;
      sum.pipes[p].instructions += core.pipes[p].instructions;
      sum.pipes[p].waiting_for_cores += core.pipes[p].waiting_for_cores;
      for (size_t q = 0; q < kTimedPipes; ++q)
        sum.pipes[p].waiting_for[q] += core.pipes[p].waiting_for[q];
    }
  }
  return sum;
}

double percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

double us(const TimedResult& r, uint64_t cycles) {
  return static_cast<double>(cycles) / r.rates.frequency_mhz;
}

struct Path {
  const char* name;
  uint64_t Traffic::*bytes;
};
constexpr Path kPaths[] = {
    {"GM -> UB", &Traffic::gm_to_ub},        {"UB -> GM", &Traffic::ub_to_gm},
    {"GM -> L1", &Traffic::gm_to_l1},        {"L0C -> GM", &Traffic::l0c_to_gm},
    {"L1 -> L0A", &Traffic::l1_to_l0a},      {"L1 -> L0B", &Traffic::l1_to_l0b},
    {"UB read by V", &Traffic::vector_read}, {"UB written by V", &Traffic::vector_write},
    {"HBM read", &Traffic::hbm_read},        {"HBM written", &Traffic::hbm_write}};

std::string pipe_lines(const Totals& sum) {
  std::string text;
  for (size_t p = 0; p < kTimedPipes; ++p) {
    const core::PipeTimes& pipe = sum.pipes[p];
    if (pipe.busy == 0) continue;
    text += fmt::format("  {:<5} busy {:>5.1f} %  {:>9} instructions", core::timed_pipe_name(p),
                        percent(pipe.busy, sum.core_cycles), pipe.instructions);
    for (size_t q = 0; q < kTimedPipes; ++q) {
      const double share = percent(pipe.waiting_for[q], sum.core_cycles);
      if (share >= 0.05)
        text += fmt::format("  waits for {} {:.1f} %", core::timed_pipe_name(q), share);
    }
    const double others = percent(pipe.waiting_for_cores, sum.core_cycles);
    if (others >= 0.05) text += fmt::format("  waits for other cores {:.1f} %", others);
    text += "\n";
  }
  return text;
}

std::string hottest(const TimedResult& r) {
  std::vector<std::pair<std::pair<size_t, std::string>, InstructionTotals>> all(
      r.instructions.begin(), r.instructions.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.cycles > b.second.cycles; });
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(all.size(), 8); ++i) {
    const auto& [key, sum] = all[i];
    text += fmt::format("  {:<5} {:<18} {:>9} times  {:>10.1f} cycles each\n",
                        core::timed_pipe_name(key.first), key.second, sum.count,
                        static_cast<double>(sum.cycles) / static_cast<double>(sum.count));
  }
  return text;
}

}  // namespace

Roofline roofline(const TimedResult& r) {
  Roofline roof;
  uint64_t cubes = 0, vectors = 0;
  for (const CoreTimes& core : r.cores) ++(core.kind == OPK_CORE_AIV ? vectors : cubes);
  const double hz = r.rates.frequency_mhz * 1e6;
  const bool cube = r.traffic.cube_operations > r.traffic.vector_operations;
  const uint64_t cores = std::min<uint64_t>(cube      ? cubes
                                            : vectors ? vectors
                                                      : cubes,
                                            cube ? r.rates.cube_cores : r.rates.vector_cores);
  roof.operations =
      static_cast<double>(cube ? r.traffic.cube_operations : r.traffic.vector_operations);
  roof.bytes = static_cast<double>(r.traffic.hbm_read + r.traffic.hbm_write);
  // Half: 16 x 16 x 16 multiply-adds, or 128 elements, per cycle.
  roof.peak = hz * static_cast<double>(cores) * (cube ? 2 * 4096 : 128);
  roof.bandwidth = hz * r.rates.hbm;
  roof.intensity = roof.bytes > 0 ? roof.operations / roof.bytes : 0;
  roof.roof = roof.bytes > 0 ? std::min(roof.peak, roof.intensity * roof.bandwidth) : roof.peak;
  roof.memory_bound = roof.roof < roof.peak;
  const double seconds = static_cast<double>(std::max<uint64_t>(r.cycles, 1)) / hz;
  roof.reached = roof.operations / seconds;
  return roof;
}

std::string summary(const TimedResult& r) {
  const Totals sum = totals_of(r);
  const Roofline roof = roofline(r);
  std::string text = fmt::format(
      "{}: {:.3f} us ({} cycles at {} MHz, {:.3f} us launch), {} blocks\npipes, of {} core "
      "cycles:\n",
      r.kernel, static_cast<double>(r.task_ns) / 1000, r.cycles, r.rates.frequency_mhz,
      static_cast<double>(r.task_ns) / 1000 - us(r, r.cycles), r.block_dim, sum.core_cycles);
  text += pipe_lines(sum) + "bytes:\n";
  for (const Path& path : kPaths) {
    if (r.traffic.*path.bytes)
      text += fmt::format("  {:<16}{:>16}\n", path.name, r.traffic.*path.bytes);
  }
  text += fmt::format(
      "L2 reads hit {:.1f} %; bank conflicts {} cycles\nroofline: {:.3f} operations per byte of "
      "HBM, "
      "{:.3f} of {:.3f} Tops, {} bound\ninstructions:\n",
      percent(r.traffic.l2_read_hits, r.traffic.l2_read_hits + r.traffic.l2_read_misses),
      r.traffic.bank_conflict_cycles, roof.intensity, roof.reached * 1e-12, roof.roof * 1e-12,
      roof.memory_bound ? "memory" : "compute");
  return text + hottest(r);
}

std::string compare(const TimedResult& a, const std::string& name_a, const TimedResult& b,
                    const std::string& name_b) {
  std::string text = fmt::format("{:<22}{:>18}{:>18}{:>10}\n", "", name_a, name_b, "change");
  const auto line = [&](const std::string& what, double x, double y, int digits) {
    if (x == 0 && y == 0) return;
    text += fmt::format("{:<22}{:>18.{}f}{:>18.{}f}", what, x, digits, y, digits);
    text +=
        x == 0 ? fmt::format("{:>10}\n", "new") : fmt::format("{:>+9.1f}%\n", (y - x) / x * 100);
  };
  line("task (us)", static_cast<double>(a.task_ns) / 1000, static_cast<double>(b.task_ns) / 1000,
       3);
  line("cycles", static_cast<double>(a.cycles), static_cast<double>(b.cycles), 0);
  const Totals sum_a = totals_of(a), sum_b = totals_of(b);
  for (size_t p = 0; p < kTimedPipes; ++p) {
    line(fmt::format("{} busy (%)", core::timed_pipe_name(p)),
         percent(sum_a.pipes[p].busy, sum_a.core_cycles),
         percent(sum_b.pipes[p].busy, sum_b.core_cycles), 1);
  }
  for (const Path& path : kPaths) {
    line(fmt::format("{} (B)", path.name), static_cast<double>(a.traffic.*path.bytes),
         static_cast<double>(b.traffic.*path.bytes), 0);
  }
  return text;
}

Status write_profile(const std::filesystem::path& folder, const TimedResult& result,
                     const std::string& op, const std::string& soc,
                     const std::function<std::string(const void* pc)>& names) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) {
    return Error("OPK-TIMING-003",
                 "cannot make the folder " + folder.string() + ": " + failed.message(),
                 "name a folder that can be written");
  }
  for (const CsvFile& file : vendor_files(result, op, soc))
    OPKIT_CHECK(write_file(folder / file.name, file.text));
  OPKIT_CHECK(write_file(folder / "summary.txt", summary(result)));
  if (result.spans.empty()) return {};
  return write_file(folder / "trace.json", chrome_trace(result, names));
}

}  // namespace opkit::trace
