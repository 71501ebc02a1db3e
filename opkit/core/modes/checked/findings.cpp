#include "opkit/core/modes/checked/findings.h"

#include <algorithm>
#include <utility>

namespace opkit::core {
namespace {

std::string place_text(const FindingPlace& place, const PlaceNames& names) {
  std::string text = place.instruction.empty() ? "kernel" : place.instruction;
  if (place.occurrence) text += ", execution " + std::to_string(place.occurrence);
  text += ", block " + std::to_string(place.block);
  if (place.sub_block >= 0) text += " vector core " + std::to_string(place.sub_block);
  const std::string where = place.pc && names ? names(place.pc) : std::string();
  return where.empty() ? text : where + ": " + text;
}

}  // namespace

size_t CheckedReport::errors() const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return !f.warning; }));
}

std::string to_text(const Finding& finding, const PlaceNames& names) {
  std::string text = finding.code + (finding.warning ? " warning: " : " error: ") + finding.message;
  text += "\n    at   " + place_text(finding.at, names);
  if (finding.other.pc || !finding.other.instruction.empty())
    text += "\n    and  " + place_text(finding.other, names);
  if (finding.count > 1) text += "\n    seen " + std::to_string(finding.count) + " times";
  if (!finding.action.empty()) text += "\n    do   " + finding.action;
  return text + "\n";
}

std::string to_text(const CheckedReport& report, const PlaceNames& names) {
  std::string text;
  for (const Finding& finding : report.findings) text += to_text(finding, names);
  return text;
}

namespace checked {

bool FindingLog::repeated(const char* code, const void* pc, const void* other_pc) {
  const auto found = known_.find(Key(code, pc, other_pc));
  if (found == known_.end()) return false;
  ++findings_[found->second].count;
  return true;
}

void FindingLog::add(Finding finding) {
  if (repeated(finding.code.c_str(), finding.at.pc, finding.other.pc)) return;
  known_.emplace(Key(finding.code, finding.at.pc, finding.other.pc), findings_.size());
  findings_.push_back(std::move(finding));
}

bool FindingLog::has_errors() const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [](const Finding& f) { return !f.warning; });
}

std::vector<Finding> FindingLog::take() {
  known_.clear();
  return std::exchange(findings_, {});
}

}  // namespace checked
}  // namespace opkit::core
