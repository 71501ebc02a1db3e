#include "opkit/call/plan/watch.h"

#include <algorithm>
#include <utility>

#include "opkit/call/trace/rates.h"
#include "opkit/core/modes/both.h"

namespace opkit {
namespace {

// What a synchronisation costs at least, by the chip's figures.
void weigh(const core::TimingRates& rates, core::CheckedOptions& checked) {
  checked.flag_cycles = 2 * rates.issue_flag + rates.flag;
  checked.barrier_cycles = rates.issue;
  checked.vector_barrier_cycles = rates.issue + rates.vector_barrier;
}

// What the needless flags and barriers cost this launch, by the model of Timed.
void add_costs(const core::Timed& timed, core::CheckedReport* report) {
  const uint64_t cycles = timed.result().cycles;
  for (core::Finding& finding : report->findings) {
    if (!has_cause(finding.code, Cause::kIdleOrder)) continue;
    const uint64_t less = timed.cycles_without(finding.at.pc);
    finding.message += "; without it this launch would take " + std::to_string(less) +
                       " cycles instead of " + std::to_string(cycles);
  }
}

}  // namespace

struct Watch::State {
  std::optional<core::Checked> checked;
  std::optional<core::Timed> timed;
  std::optional<core::Both> both;
};

Watch::Watch(std::unique_ptr<State> state) : state_(std::move(state)) {}
Watch::Watch(Watch&&) noexcept = default;
Watch& Watch::operator=(Watch&&) noexcept = default;
Watch::~Watch() = default;

Result<Watch> Watch::make(const WatchOptions& options, const SocSpec& soc) {
  auto state = std::make_unique<State>();
  if (options.mode == Mode::kTimed) {
    OPKIT_TRY(const core::TimingRates rates,
              options.of_unmeasured_chips ? trace::rates_of(soc) : trace::measured_rates(soc));
    state->timed.emplace(rates, options.timed);
  }
  if (options.mode == Mode::kChecked) {
    core::CheckedOptions checked = options.checked;
    if (options.weighs && soc.timing_is_measured()) {
      OPKIT_TRY(const core::TimingRates rates, trace::rates_of(soc));
      weigh(rates, checked);
      state->timed.emplace(rates);
    }
    state->checked.emplace(checked);
    if (state->timed) state->both.emplace(*state->checked, *state->timed);
  }
  return Watch(std::move(state));
}

core::Observer* Watch::observer() {
  if (state_->both) return &*state_->both;
  if (state_->checked) return &*state_->checked;
  return state_->timed ? &*state_->timed : nullptr;
}

Watched Watch::take(core::LaunchReport report) {
  Watched watched;
  if (state_->checked) {
    watched.checked = state_->checked->take_report(report);
    if (state_->timed && report.ok()) add_costs(*state_->timed, &watched.checked);
  } else {
    // What the chip does although the kernel did not mean it.
    watched.checked = core::report_of(report.warnings);
    if (state_->timed && report.ok()) watched.timed = state_->timed->result();
  }
  watched.report = std::move(report);
  return watched;
}

const std::vector<std::string>& mode_names() {
  static const std::vector<std::string> kNames = {"fast", "checked", "timed"};
  return kNames;
}

std::optional<Mode> mode_from_name(std::string_view name) {
  const auto found = std::find(mode_names().begin(), mode_names().end(), name);
  if (found == mode_names().end()) return std::nullopt;
  return static_cast<Mode>(found - mode_names().begin());
}

}  // namespace opkit
