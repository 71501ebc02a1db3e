// What a call costs in counters that are the same on every machine, and the file that keeps them.
#ifndef OPKIT_MEASURE_COUNTERS_COUNTERS_H_
#define OPKIT_MEASURE_COUNTERS_COUNTERS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "opkit/base/status.h"
#include "opkit/isolation/open_op.h"

namespace opkit::measure {

inline constexpr const char* kBenchmarkFile = "benchmark.json";

struct Counters {
  uint64_t cycles = 0, instructions = 0;  // under the model of time, L2 cold
  uint64_t gm_read = 0, gm_written = 0;   // bytes
  // Only the first instructions of the launch were watched: cycles are an estimate, bytes unknown.
  bool exact = true;
  // Watched on random data of one seed: the kernel looks at its data, or no part of the launch says
  // what the rest costs.
  bool on_data = false;
  std::string not_modelled;  // the code of the reason; empty: the rest holds

  uint64_t gm_bytes() const { return gm_read + gm_written; }
};

// Maps chip and call to counters ("S=[1048576], T=float16").
using OpCounters = std::map<std::string, std::map<std::string, Counters>>;
// Maps each op of a project to its counters.
using Benchmarks = std::map<std::string, OpCounters>;

// Returns every bench shape of the contract in every column of every chip, without data where the
// kernel does not look at it. Errors: plans'.
Result<OpCounters> count(const OpenedOp& op);

// OPK-CLI-033 the file is not there, -034 it is no such file.
Result<Benchmarks> read_benchmarks(const std::filesystem::path& file);
std::string text_of(const Benchmarks& benchmarks);

}  // namespace opkit::measure

#endif  // OPKIT_MEASURE_COUNTERS_COUNTERS_H_
