#include "opkit/call/trace/rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "opkit/base/digest.h"
#include "opkit/core/modes/timed_version.h"

namespace opkit::trace {
namespace {

using core::TimingRates;

struct RateRow {
  const char* name;
  uint32_t TimingRates::*member;
};

constexpr RateRow kFigures[] = {
#define X(name) {#name, &TimingRates::name},
#include "opkit/core/modes/timed_figures.inc"
#undef X
};
constexpr const char* kCostWords[] = {
#define X(id, word) word,
#include "opkit/abi/vector_costs.inc"
#undef X
};

Error wrong(const char* code, const SocSpec& spec, std::string message, std::string action) {
  Error error(code, fmt::format("timing of {}: {}", spec.name, message), std::move(action));
  error.where.file = spec.name;
  return error;
}

// What the chip's other sections say.
void take_units(const SocSpec& spec, TimingRates& rates) {
  rates.frequency_mhz = spec.vector_freq_mhz ? spec.vector_freq_mhz : spec.cube_freq_mhz;
  rates.cube_cores = spec.split() ? spec.cores.cube_core : spec.cores.ai_core;
  rates.vector_cores = spec.split() ? spec.cores.vector_core
                                    : std::max(spec.cores.ai_core, spec.cores.mix_vector_core);
  rates.l2_bytes = spec.memory.l2;
  rates.bank_block = spec.ub_banks.block;
  rates.bank_groups = spec.ub_banks.groups;
  rates.bank_span = spec.ub_banks.bank * spec.ub_banks.groups;
  rates.vector_elements = spec.vector.calc;
  rates.cube_m = spec.cube[0];
  rates.cube_n = spec.cube[1];
  for (const DType dtype : all_dtypes()) {
    const auto d = static_cast<size_t>(dtype);
    rates.cube_products[d] = spec.cube[0] * spec.cube[1] * spec.cube_k_of(name_of(dtype));
    rates.cube_k[d] = spec.fractal_of(dtype)[1];
  }
  rates.cube_products_hf32 = spec.cube[0] * spec.cube[1] * spec.cube_k_of("hf32");
}

Status take_figures(const SocSpec& spec, TimingRates& rates) {
  for (const RateRow& figure : kFigures) {
    const auto found = spec.timing.find(figure.name);
    if (found == spec.timing.end())
      return wrong("OPK-TIMING-001", spec, fmt::format("'{}' is missing", figure.name),
                   "add it to the section timing; opkit/soc/specs/ascend910b1.yaml has them all");
    if (!(found->second.value >= 0 && found->second.value <= 1e9))
      return wrong("OPK-TIMING-001", spec,
                   fmt::format("'{}' is not between 0 and 1000000000", figure.name),
                   "give a whole number of cycles, bytes or nanoseconds");
    rates.*figure.member = static_cast<uint32_t>(found->second.value);
  }
  for (const char* rate : {"l1_to_l0a", "l1_to_l0b", "fixpipe_elements", "fixpipe_bytes", "gm_read",
                           "l2_read", "gm_write", "hbm", "l2", "ub_bytes_per_cycle"}) {
    if (spec.timing.at(rate).value < 1)
      return wrong("OPK-TIMING-001", spec, fmt::format("'{}' is a rate and must not be 0", rate),
                   "give bytes per cycle");
  }
  return {};
}

Status take_vector_costs(const SocSpec& spec, TimingRates& rates) {
  for (size_t cost = 0; cost < core::kVectorCosts; ++cost) {
    const auto found = spec.vector_timing.find(kCostWords[cost]);
    if (found == spec.vector_timing.end())
      return wrong("OPK-TIMING-001", spec, fmt::format("'vector.{}' is missing", kCostWords[cost]),
                   "add it to timing.vector; opkit/soc/specs/ascend910b1.yaml has them all");
    rates.repeat_eighths[cost] = found->second.eighths;
  }
  return {};
}

template <typename Figures, typename Names>
const std::string* unknown_name(const Figures& figures, const Names& is_known) {
  for (const auto& figure : figures) {
    if (!is_known(figure.first)) return &figure.first;
  }
  return nullptr;
}

Status check_names(const SocSpec& spec) {
  const std::string* name = unknown_name(spec.timing, [](const std::string& given) {
    return std::any_of(std::begin(kFigures), std::end(kFigures),
                       [&](const RateRow& f) { return given == f.name; });
  });
  if (!name) {
    name = unknown_name(spec.vector_timing, [](const std::string& given) {
      return std::find(std::begin(kCostWords), std::end(kCostWords), given) != std::end(kCostWords);
    });
  }
  if (!name) return {};
  return wrong("OPK-TIMING-002", spec,
               fmt::format("'{}' is not a figure of the timing model", *name),
               "remove it or correct its name");
}

}  // namespace

Result<TimingRates> rates_of(const SocSpec& spec) {
  TimingRates rates;
  take_units(spec, rates);
  OPKIT_CHECK(take_figures(spec, rates));
  OPKIT_CHECK(take_vector_costs(spec, rates));
  OPKIT_CHECK(check_names(spec));
  return rates;
}

std::string version_of_times(const std::string& soc) {
  return sha256_hex(fmt::format("{} {}", core::kTimedVersion, soc_text(soc))).substr(0, 16);
}

std::string measured_chips() {
  std::string names;
  for (const std::string& name : soc_names()) {
    if (find_soc(name)->spec->timing_is_measured()) names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

Result<TimingRates> measured_rates(const SocSpec& spec) {
  if (spec.timing_is_measured()) return rates_of(spec);
  return Error("OPK-CLI-015",
               fmt::format("there are no measured timing figures for {}, but for {}", spec.name,
                           measured_chips()),
               "--soc Ascend910B1");
}

}  // namespace opkit::trace
