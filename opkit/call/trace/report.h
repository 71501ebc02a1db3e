// A timed launch as tables: the files of the vendor's profiler, a summary, a comparison of two.
#ifndef OPKIT_CALL_TRACE_REPORT_H_
#define OPKIT_CALL_TRACE_REPORT_H_

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/core/modes/timed.h"

namespace opkit::trace {

struct CsvFile {
  std::string name;  // "PipeUtilization.csv"
  std::string text;
};

// OpBasicInfo, PipeUtilization, ArithmeticUtilization, Memory, MemoryL0, MemoryUB, L2Cache and
// ResourceConflictRatio with the columns of msprof op. What the model does not know is "NA".
std::vector<CsvFile> vendor_files(const core::TimedResult& result, const std::string& op,
                                  const std::string& soc);

// Where the launch stands against the chip's limits. Operations of the cube are multiply-adds
// counted twice, of the vector unit elements.
struct Roofline {
  double operations = 0;  // counts what the unit that dominates does
  double bytes = 0;       // counts what goes to and from HBM
  double intensity = 0;   // operations per byte
  double peak = 0;        // operations per second of the cores in use
  double bandwidth = 0;   // bytes per second of HBM
  double roof = 0;        // min(peak, intensity * bandwidth)
  double reached = 0;     // operations per second
  bool memory_bound = false;
};
Roofline roofline(const core::TimedResult& result);

// Cycles of all cores together.
struct Totals {
  uint64_t core_cycles = 0;  // counts cycles in which cores were there
  std::array<core::PipeTimes, core::kTimedPipes> pipes;
};
// Sums over all cores, or those of one kind (opk_core_kind).
Totals totals_of(const core::TimedResult& result, std::optional<uint8_t> kind = {});

// The figures of a launch under stable names ("task_ns", "v_busy_cycles", "gm_to_ub_bytes"), exact
// and the same on every machine. Times of cores are sums over all of them.
struct Figure {
  std::string name;
  uint64_t value = 0;
};
using Figures = std::vector<Figure>;
Figures figures(const core::TimedResult& result);

// Latency, pipes with what they wait for, bytes per level, hottest instructions.
std::string summary(const core::TimedResult& result);

// A figure of two launches; a name that only one of them has counts 0 in the other.
struct FigureChange {
  std::string name;
  uint64_t before = 0, after = 0;
  // Percent of before; nothing when that is 0.
  std::optional<double> percent() const;
};
// Lists them in the order of b, then what only a has. Figures that are 0 in both are left out.
std::vector<FigureChange> compare(const Figures& a, const Figures& b);

// Writes the vendor's files, trace.json, summary.txt and profile.json (name, chip and figures, what
// opkit profile --compare reads) into a folder that is made when missing (OPK-TIMING-003).
Status write_profile(const std::filesystem::path& folder, const core::TimedResult& result,
                     const std::string& op, const std::string& soc,
                     const std::function<std::string(const void* pc)>& names);

}  // namespace opkit::trace

#endif  // OPKIT_CALL_TRACE_REPORT_H_
