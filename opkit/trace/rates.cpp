#include "opkit/trace/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace opkit::trace {
namespace {

using core::TimingRates;

struct Figure {
  const char* name;
  uint32_t TimingRates::*member;
};

constexpr Figure kFigures[] = {
    {"issue", &TimingRates::issue},
    {"issue_flag", &TimingRates::issue_flag},
    {"scalar_access", &TimingRates::scalar_access},
    {"queue_depth", &TimingRates::queue_depth},
    {"pipe_start", &TimingRates::pipe_start},
    {"flag", &TimingRates::flag},
    {"cross_flag", &TimingRates::cross_flag},
    {"sync_all", &TimingRates::sync_all},
    {"vector_head", &TimingRates::vector_head},
    {"vector_barrier", &TimingRates::vector_barrier},
    {"reduce_latency", &TimingRates::reduce_latency},
    {"read_read_conflict", &TimingRates::read_read_conflict},
    {"read_write_conflict", &TimingRates::read_write_conflict},
    {"ub_bytes_per_cycle", &TimingRates::ub_bytes_per_cycle},
    {"mmad_head", &TimingRates::mmad_head},
    {"mmad_step", &TimingRates::mmad_step},
    {"load_head", &TimingRates::load_head},
    {"l1_to_l0a", &TimingRates::l1_to_l0a},
    {"l1_to_l0b", &TimingRates::l1_to_l0b},
    {"l1_to_bt", &TimingRates::l1_to_bt},
    {"l1_to_fb", &TimingRates::l1_to_fb},
    {"fixpipe_head", &TimingRates::fixpipe_head},
    {"fixpipe_elements", &TimingRates::fixpipe_elements},
    {"fixpipe_bytes", &TimingRates::fixpipe_bytes},
    {"copy_issue", &TimingRates::copy_issue},
    {"row_eighths", &TimingRates::row_eighths},
    {"miss_latency", &TimingRates::miss_latency},
    {"hit_latency", &TimingRates::hit_latency},
    {"write_latency", &TimingRates::write_latency},
    {"gm_read", &TimingRates::gm_read},
    {"l2_read", &TimingRates::l2_read},
    {"gm_write", &TimingRates::gm_write},
    {"nd2nz_read", &TimingRates::nd2nz_read},
    {"unaligned_row_read", &TimingRates::unaligned_row_read},
    {"hbm", &TimingRates::hbm},
    {"l2", &TimingRates::l2},
    {"row_overhead", &TimingRates::row_overhead},
    {"short_row_eighths", &TimingRates::short_row_eighths},
    {"same_line_bytes", &TimingRates::same_line_bytes},
    {"same_line_cycles", &TimingRates::same_line_cycles},
    {"launch_ns", &TimingRates::launch_ns},
    {"launch_vector_ns", &TimingRates::launch_vector_ns},
    {"launch_cube_ns", &TimingRates::launch_cube_ns},
};

Error wrong(const char* code, const SocSpec& spec, std::string message, std::string action) {
  Error error(code, fmt::format("timing of {}: {}", spec.name, message), std::move(action));
  error.where.file = spec.name;
  return error;
}

}  // namespace

Result<TimingRates> rates_of(const SocSpec& spec) {
  TimingRates rates;
  rates.frequency_mhz = spec.vector_freq_mhz ? spec.vector_freq_mhz : spec.cube_freq_mhz;
  rates.cube_cores = spec.split() ? spec.cores.cube_core : spec.cores.ai_core;
  rates.vector_cores = spec.split() ? spec.cores.vector_core
                                    : std::max(spec.cores.ai_core, spec.cores.mix_vector_core);
  rates.l2_bytes = spec.memory.l2;
  for (const Figure& figure : kFigures) {
    const auto found = spec.timing.find(figure.name);
    if (found == spec.timing.end())
      return wrong("OPK-TIMING-001", spec, fmt::format("'{}' is missing", figure.name),
                   "add it to the section timing; opkit/soc/specs/ascend910b1.yaml has them all");
    if (!(found->second >= 0 && found->second <= 1e9))
      return wrong("OPK-TIMING-001", spec,
                   fmt::format("'{}' is not between 0 and 1000000000", figure.name),
                   "give a whole number of cycles, bytes or nanoseconds");
    rates.*figure.member = static_cast<uint32_t>(found->second);
  }
  for (const auto& figure : spec.timing) {
    const std::string& name = figure.first;
    const bool known = std::any_of(std::begin(kFigures), std::end(kFigures),
                                   [&](const Figure& f) { return name == f.name; });
    if (!known)
      return wrong("OPK-TIMING-002", spec,
                   fmt::format("'{}' is not a figure of the timing model", name),
                   "remove it or correct its name");
  }
  for (const char* rate : {"l1_to_l0a", "l1_to_l0b", "fixpipe_elements", "fixpipe_bytes", "gm_read",
                           "l2_read", "gm_write", "hbm", "l2", "ub_bytes_per_cycle"}) {
    if (spec.timing.at(rate) < 1)
      return wrong("OPK-TIMING-001", spec, fmt::format("'{}' is a rate and must not be 0", rate),
                   "give bytes per cycle");
  }
  return rates;
}

}  // namespace opkit::trace
