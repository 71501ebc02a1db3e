#include "opkit/cli/text/observation_text.h"

#include "opkit/cli/text/timed_text.h"

namespace opkit::cli {
namespace {

Json json_of(const core::FindingPlace& place, const core::PlaceNames& names) {
  if (!place.pc && place.instruction.empty()) return nullptr;
  return {{"instruction", place.instruction}, {"operands", place.operands},
          {"source", names(place.pc)},        {"block", place.block},
          {"sub_block", place.sub_block},     {"occurrence", place.occurrence}};
}

}  // namespace

Json findings_json(const Observation& seen) {
  Json list = Json::array();
  for (const core::Finding& finding : seen.watched.checked.findings) {
    Json entry{{"code", finding.code},
               {"severity", core::severity_name(finding)},
               {"message", finding.message},
               {"action", finding.action},
               {"count", finding.count}};
    entry["at"] = json_of(finding.at, seen.places);
    entry["other"] = json_of(finding.other, seen.places);
    entry["near"] = json_of(finding.near, seen.places);
    list.push_back(std::move(entry));
  }
  return list;
}

std::string observation_text(const Observation& seen, Mode mode, const Palette& palette) {
  const bool found = !seen.watched.checked.findings.empty();
  // Without Checked: what the chip does although the kernel did not mean it.
  const std::string told = found ? core::to_text(seen.watched.checked, seen.places) : "";
  if (seen.watched.timed) return timed_text(*seen.watched.timed, palette) + told;
  return mode == Mode::kChecked && !found ? "nothing to report\n" : told;
}

}  // namespace opkit::cli
