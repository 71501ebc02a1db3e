#include "opkit/cli/launch.h"

#include <chrono>
#include <optional>

#include "opkit/cli/timed_text.h"
#include "opkit/core/modes/both.h"
#include "opkit/core/modes/checked.h"
#include "opkit/core/modes/timed.h"
#include "opkit/debug/source_line.h"

namespace opkit::cli {
namespace {

Json json_of(const core::FindingPlace& place, const core::PlaceNames& names) {
  if (!place.pc && place.instruction.empty()) return nullptr;
  return {{"instruction", place.instruction}, {"operands", place.operands},
          {"source", names(place.pc)},        {"block", place.block},
          {"sub_block", place.sub_block},     {"occurrence", place.occurrence}};
}

Json json_of(const core::CheckedReport& report, const core::PlaceNames& names) {
  Json list = Json::array();
  for (const core::Finding& finding : report.findings) {
    Json entry{{"code", finding.code},
               {"severity", core::severity_name(finding)},
               {"message", finding.message},
               {"action", finding.action},
               {"count", finding.count}};
    entry["at"] = json_of(finding.at, names);
    entry["other"] = json_of(finding.other, names);
    entry["near"] = json_of(finding.near, names);
    list.push_back(std::move(entry));
  }
  return list;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What the chip does although the kernel did not mean it.
void add_warnings(const core::LaunchReport& report, Launched* launched) {
  if (report.warnings.empty()) return;
  const core::CheckedReport told = core::report_of(report.warnings);
  debug::SourceLines lines;
  const core::PlaceNames names = [&](const void* pc) { return lines.text(pc); };
  launched->findings = json_of(told, names);
  launched->text += core::to_text(told, names);
}

Result<Launched> launch_fast(PreparedRun& prepared, const LaunchOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const core::LaunchReport report = prepared.launch(nullptr, options.schedule_seed);
  Launched launched;
  launched.mode = "fast";
  launched.seconds = seconds_since(start);
  launched.printed = report.printed;
  if (!report.ok()) return to_error(report.faults.front(), options.op);
  add_warnings(report, &launched);
  return launched;
}

core::CheckedOptions checked_options(const LaunchOptions& options) {
  core::CheckedOptions checked;
  checked.numerics = options.numerics;
  checked.automatic_order = options.implied_order;
  if (const auto rates = rates_for(*options.soc); rates.ok()) {
    checked.flag_cycles = 2 * rates->issue_flag + rates->flag;
    checked.barrier_cycles = rates->issue;
    checked.vector_barrier_cycles = rates->issue + rates->vector_barrier;
  }
  return checked;
}

// What the needless flags and barriers cost this launch, by the model of Timed.
void add_costs(const core::Timed& timed, core::CheckedReport* report) {
  const uint64_t cycles = timed.result().cycles;
  for (core::Finding& finding : report->findings) {
    if (finding.code != "EK1309" && finding.code != "EK1312") continue;
    const uint64_t less = timed.cycles_without(finding.at.pc);
    finding.message += "; without it this launch would take " + std::to_string(less) +
                       " cycles instead of " + std::to_string(cycles);
  }
}

Launched launch_checked(PreparedRun& prepared, const LaunchOptions& options) {
  core::Checked checked(checked_options(options));
  std::optional<core::Timed> timed;
  std::optional<core::Both> both;
  if (const auto rates = rates_for(*options.soc); rates.ok()) {
    timed.emplace(*rates);
    both.emplace(checked, *timed);
  }
  core::Observer& observer = both ? static_cast<core::Observer&>(*both) : checked;
  debug::SourceLines lines;
  const core::PlaceNames names = [&](const void* pc) { return lines.text(pc); };
  const auto start = std::chrono::steady_clock::now();
  const core::LaunchReport report = prepared.launch(&observer, options.schedule_seed);
  Launched launched;
  launched.mode = "checked";
  launched.seconds = seconds_since(start);
  launched.printed = report.printed;
  core::CheckedReport found = checked.take_report(report);
  if (timed && report.ok()) add_costs(*timed, &found);
  launched.good = report.ok() && found.errors() == 0;
  launched.findings = json_of(found, names);
  launched.text = found.findings.empty() ? "nothing to report\n" : to_text(found, names);
  return launched;
}

Result<Launched> launch_timed(PreparedRun& prepared, const LaunchOptions& options,
                              const Palette& palette) {
  OPKIT_TRY(const core::TimingRates rates, rates_for(*options.soc));
  core::Timed observer(rates);
  const auto start = std::chrono::steady_clock::now();
  const core::LaunchReport report = prepared.launch(&observer, options.schedule_seed);
  if (!report.ok()) return to_error(report.faults.front(), options.op);
  Launched launched;
  launched.mode = "timed";
  launched.seconds = seconds_since(start);
  launched.printed = report.printed;
  launched.text = timed_text(observer.result(), palette);
  launched.timing = timed_json(observer.result());
  add_warnings(report, &launched);
  return launched;
}

}  // namespace

const std::vector<std::string>& launch_modes() {
  static const std::vector<std::string> modes = {"fast", "checked", "timed"};
  return modes;
}

Result<Launched> launch(PreparedRun& prepared, const LaunchOptions& options,
                        const Palette& palette) {
  prepared.poison();
  if (options.mode == "timed") return launch_timed(prepared, options, palette);
  if (options.mode == "checked") return launch_checked(prepared, options);
  return launch_fast(prepared, options);
}

}  // namespace opkit::cli
