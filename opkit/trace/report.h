// A timed launch as tables: the files of the vendor's profiler, a summary, a comparison of two.
#ifndef OPKIT_TRACE_REPORT_H_
#define OPKIT_TRACE_REPORT_H_

#include <filesystem>
#include <functional>
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
  double operations = 0;  // of the unit that dominates
  double bytes = 0;       // to and from HBM
  double intensity = 0;   // operations per byte
  double peak = 0;        // operations per second of the cores in use
  double bandwidth = 0;   // bytes per second of HBM
  double roof = 0;        // min(peak, intensity * bandwidth)
  double reached = 0;     // operations per second
  bool memory_bound = false;
};
Roofline roofline(const core::TimedResult& result);

// Latency, pipes with what they wait for, bytes per level, hottest instructions.
std::string summary(const core::TimedResult& result);
// The same figures of two launches side by side, with the change in percent.
std::string compare(const core::TimedResult& a, const std::string& name_a,
                    const core::TimedResult& b, const std::string& name_b);

// Writes the vendor's files, trace.json and summary.txt into a folder that is made when missing.
Status write_profile(const std::filesystem::path& folder, const core::TimedResult& result,
                     const std::string& op, const std::string& soc,
                     const std::function<std::string(const void* pc)>& names);

}  // namespace opkit::trace

#endif  // OPKIT_TRACE_REPORT_H_
