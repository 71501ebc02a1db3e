#include "opkit/cli/launch.h"

#include <chrono>

#include "opkit/cli/timed_text.h"
#include "opkit/core/modes/checked.h"
#include "opkit/debug/source_line.h"

namespace opkit::cli {
namespace {

Json json_of(const core::FindingPlace& place, const core::PlaceNames& names) {
  if (!place.pc && place.instruction.empty()) return nullptr;
  return {{"instruction", place.instruction},
          {"source", names(place.pc)},
          {"block", place.block},
          {"sub_block", place.sub_block},
          {"occurrence", place.occurrence}};
}

Json json_of(const core::CheckedReport& report, const core::PlaceNames& names) {
  Json list = Json::array();
  for (const core::Finding& finding : report.findings) {
    Json entry{{"code", finding.code},
               {"severity", finding.warning ? "warning" : "error"},
               {"message", finding.message},
               {"action", finding.action},
               {"count", finding.count}};
    entry["at"] = json_of(finding.at, names);
    entry["other"] = json_of(finding.other, names);
    list.push_back(std::move(entry));
  }
  return list;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<Launched> launch_fast(PreparedRun& prepared, const std::string& op) {
  const auto start = std::chrono::steady_clock::now();
  const core::LaunchReport report = prepared.launch();
  Launched launched;
  launched.mode = "fast";
  launched.seconds = seconds_since(start);
  launched.printed = report.printed;
  if (!report.ok()) return to_error(report.faults.front(), op);
  return launched;
}

Launched launch_checked(PreparedRun& prepared) {
  core::Checked observer;
  debug::SourceLines lines;
  const core::PlaceNames names = [&](const void* pc) { return lines.text(pc); };
  const auto start = std::chrono::steady_clock::now();
  const core::LaunchReport report = prepared.launch(&observer);
  Launched launched;
  launched.mode = "checked";
  launched.seconds = seconds_since(start);
  launched.printed = report.printed;
  const core::CheckedReport found = observer.take_report(report);
  launched.good = report.ok() && found.errors() == 0;
  launched.findings = json_of(found, names);
  launched.text = found.findings.empty() ? "nothing to report\n" : to_text(found, names);
  return launched;
}

Result<Launched> launch_timed(PreparedRun& prepared, const std::string& op, const SocSpec& soc,
                              const Palette& palette) {
  OPKIT_TRY(const core::TimingRates rates, rates_for(soc));
  core::Timed observer(rates);
  const auto start = std::chrono::steady_clock::now();
  const core::LaunchReport report = prepared.launch(&observer);
  if (!report.ok()) return to_error(report.faults.front(), op);
  Launched launched;
  launched.mode = "timed";
  launched.seconds = seconds_since(start);
  launched.printed = report.printed;
  launched.text = timed_text(observer.result(), palette);
  launched.timing = timed_json(observer.result());
  return launched;
}

}  // namespace

const std::vector<std::string>& launch_modes() {
  static const std::vector<std::string> modes = {"fast", "checked", "timed"};
  return modes;
}

Result<Launched> launch(PreparedRun& prepared, const std::string& mode, const std::string& op,
                        const SocSpec& soc, const Palette& palette) {
  prepared.poison();
  if (mode == "timed") return launch_timed(prepared, op, soc, palette);
  if (mode == "checked") return launch_checked(prepared);
  return launch_fast(prepared, op);
}

}  // namespace opkit::cli
