#include "opkit/call/trace/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "opkit/base/file.h"
#include "opkit/call/trace/trace.h"
#include "opkit/call/trace/waits.h"

namespace opkit::trace {
namespace {

using core::CoreTimes;
using core::InstructionTotals;
using core::kTimedPipes;
using core::TimedResult;
using core::Traffic;

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

std::string lower(std::string word) {
  for (char& c : word) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return word;
}

struct Counter {
  const char* name;
  uint64_t Traffic::*value;
};
constexpr Counter kCounters[] = {{"gm_to_ub_bytes", &Traffic::gm_to_ub},
                                 {"gm_to_l1_bytes", &Traffic::gm_to_l1},
                                 {"ub_to_gm_bytes", &Traffic::ub_to_gm},
                                 {"l1_to_gm_bytes", &Traffic::l1_to_gm},
                                 {"l0c_to_gm_bytes", &Traffic::l0c_to_gm},
                                 {"l0c_to_l1_bytes", &Traffic::l0c_to_l1},
                                 {"l1_to_l0a_bytes", &Traffic::l1_to_l0a},
                                 {"l1_to_l0b_bytes", &Traffic::l1_to_l0b},
                                 {"l1_to_other_bytes", &Traffic::l1_to_other},
                                 {"ub_to_l1_bytes", &Traffic::ub_to_l1},
                                 {"ub_to_ub_bytes", &Traffic::ub_to_ub},
                                 {"vector_read_bytes", &Traffic::vector_read},
                                 {"vector_write_bytes", &Traffic::vector_write},
                                 {"scalar_bytes", &Traffic::scalar},
                                 {"l2_read_hits", &Traffic::l2_read_hits},
                                 {"l2_read_misses", &Traffic::l2_read_misses},
                                 {"l2_write_hits", &Traffic::l2_write_hits},
                                 {"l2_write_misses", &Traffic::l2_write_misses},
                                 {"hbm_read_bytes", &Traffic::hbm_read},
                                 {"hbm_write_bytes", &Traffic::hbm_write},
                                 {"cube_operations", &Traffic::cube_operations},
                                 {"vector_operations", &Traffic::vector_operations},
                                 {"bank_conflict_cycles", &Traffic::bank_conflict_cycles}};
static_assert(std::size(kCounters) * sizeof(uint64_t) == sizeof(Traffic),
              "every counter has a figure");

constexpr std::pair<int, const char*> kPeaks[] = {{OPK_MEM_UB, "peak_ub_bytes"},
                                                  {OPK_MEM_L1, "peak_l1_bytes"},
                                                  {OPK_MEM_L0A, "peak_l0a_bytes"},
                                                  {OPK_MEM_L0B, "peak_l0b_bytes"},
                                                  {OPK_MEM_L0C, "peak_l0c_bytes"}};

// Names of ops and chips are plain words; anything else in them is left out.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') out += c;
  }
  return out;
}

std::string profile_json(const TimedResult& r, const std::string& op, const std::string& soc) {
  std::string text =
      fmt::format("{{\"opkit_profile\": 1, \"name\": \"{}\", \"soc\": \"{}\", \"figures\": {{",
                  plain(op), plain(soc));
  const char* between = "";
  for (const Figure& figure : figures(r)) {
    text += fmt::format("{}\n  \"{}\": {}", between, figure.name, figure.value);
    between = ",";
  }
  return text + "\n}}\n";
}

}  // namespace

Totals totals_of(const TimedResult& r, std::optional<uint8_t> kind) {
  Totals sum;
  for (const CoreTimes& core : r.cores) {
    if (kind && core.kind != *kind) continue;
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
  // Takes the peak of half on either unit, whatever the kernel computes in.
  roof.peak = hz * static_cast<double>(cores) *
              (cube ? 2 * r.rates.cube_products[OPK_FLOAT16] : r.rates.vector_elements);
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

Figures figures(const TimedResult& r) {
  const Totals sum = totals_of(r);
  Figures all = {{"task_ns", r.task_ns},
                 {"cycles", r.cycles},
                 {"blocks", r.block_dim},
                 {"cores", r.cores.size()},
                 {"core_cycles", sum.core_cycles}};
  for (size_t p = 0; p < kTimedPipes; ++p) {
    const std::string pipe = lower(core::timed_pipe_name(p));
    all.push_back({pipe + "_busy_cycles", sum.pipes[p].busy});
    all.push_back({pipe + "_instructions", sum.pipes[p].instructions});
    for (size_t q = 0; q < kTimedPipes; ++q)
      all.push_back({fmt::format("{}_waits_for_{}_cycles", pipe, lower(core::timed_pipe_name(q))),
                     sum.pipes[p].waiting_for[q]});
    all.push_back({pipe + "_waits_for_cores_cycles", sum.pipes[p].waiting_for_cores});
  }
  for (const Counter& counter : kCounters) all.push_back({counter.name, r.traffic.*counter.value});
  for (const auto& [memory, name] : kPeaks) {
    uint64_t peak = 0;
    for (const CoreTimes& core : r.cores) peak = std::max<uint64_t>(peak, core.peak_bytes[memory]);
    all.push_back({name, peak});
  }
  return all;
}

std::optional<double> FigureChange::percent() const {
  if (before == 0) return std::nullopt;
  return (static_cast<double>(after) / static_cast<double>(before) - 1) * 100;
}

std::vector<FigureChange> compare(const Figures& a, const Figures& b) {
  const auto value = [](const Figures& figures, const std::string& name) -> uint64_t {
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const Figure& f) { return f.name == name; });
    return found == figures.end() ? 0 : found->value;
  };
  std::vector<FigureChange> changes;
  const auto add = [&](const std::string& name) {
    const FigureChange change{name, value(a, name), value(b, name)};
    const bool known = std::any_of(changes.begin(), changes.end(),
                                   [&](const FigureChange& c) { return c.name == name; });
    if (!known && (change.before || change.after)) changes.push_back(change);
  };
  for (const Figure& figure : b) add(figure.name);
  for (const Figure& figure : a) add(figure.name);
  return changes;
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
  if (result.spans.empty()) return write_file(folder / "summary.txt", summary(result));
  std::string text;
  for (const std::string& line : diagnosis(result, names)) text += "look at: " + line + "\n";
  OPKIT_CHECK(write_file(folder / "summary.txt", text + summary(result)));
  OPKIT_CHECK(write_file(folder / "profile.json", profile_json(result, op, soc)));
  return write_file(folder / "trace.json", chrome_trace(result, names));
}

}  // namespace opkit::trace
