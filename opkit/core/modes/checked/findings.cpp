#include "opkit/core/modes/checked/findings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <utility>
#include <vector>

namespace opkit::core {
namespace {

std::string place_text(const FindingPlace& place, const PlaceNames& names) {
  std::string text = place.instruction.empty() ? "kernel" : place.instruction;
  if (!place.operands.empty()) text += " (" + place.operands + ")";
  if (place.occurrence) text += ", execution " + std::to_string(place.occurrence);
  text += ", block " + std::to_string(place.block);
  if (place.sub_block >= 0) text += " vector core " + std::to_string(place.sub_block);
  const std::string where = place.pc && names ? names(place.pc) : std::string();
  return where.empty() ? text : where + ": " + text;
}

// The first argument of the InitBuffer on that line of a source, "a or b" where there are several,
// since a place tells no column; empty when it cannot be read.
std::string buffer_name(const std::string& where) {
  const size_t colon = where.rfind(':');
  if (colon == std::string::npos) return {};
  std::ifstream in(where.substr(0, colon));
  std::string line;
  for (long n = std::atol(where.c_str() + colon + 1); n > 0 && std::getline(in, line); --n) {
  }
  std::vector<std::string> names;
  for (size_t at = line.find("InitBuf"); at != std::string::npos; at = line.find("InitBuf", at)) {
    const size_t open = line.find('(', at);
    const size_t end = open == std::string::npos ? open : line.find_first_of(",)", open);
    if (end == std::string::npos) break;
    const std::string name = line.substr(open + 1, end - open - 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    at = end;
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

// "queue 1" of a message as "queue 1 'in_x'", when a buffer of the finding tells the variable.
std::string with_queue_names(std::string message, const Finding& finding, const PlaceNames& names) {
  for (const BufferLine& buffer : finding.buffers) {
    const size_t begin = buffer.what.find("queue ");
    if (begin == std::string::npos || !names || !buffer.made_pc) continue;
    const std::string queue = buffer.what.substr(begin, buffer.what.find(',', begin) - begin);
    const std::string name = buffer_name(names(buffer.made_pc));
    const size_t at = message.find(queue + " (");
    if (!name.empty() && at != std::string::npos)
      message.insert(at + queue.size(), " '" + name + "'");
  }
  return message;
}

std::string buffer_text(const BufferLine& buffer, const PlaceNames& names) {
  const auto named = [&](const void* pc) { return pc && names ? names(pc) : std::string(); };
  const std::string made = named(buffer.made_pc), name = buffer_name(made);
  std::string text = buffer.where + ": " + (name.empty() ? "" : name + ", ") + buffer.what;
  if (!made.empty()) text += ", made at " + made;
  const std::string first = named(buffer.first_use_pc), last = named(buffer.last_use_pc);
  if (!first.empty()) return text + ", used from " + first + " to " + last;
  return text + (buffer.first_use_pc ? "" : ", not used yet");
}

}  // namespace

size_t CheckedReport::errors() const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return !f.warning; }));
}

const char* severity_name(const Finding& finding) {
  return finding.note ? "note" : finding.warning ? "warning" : "error";
}

std::string to_text(const Finding& finding, const PlaceNames& names) {
  std::string text = finding.code + ' ' + severity_name(finding) + ": ";
  text += with_queue_names(finding.message, finding, names);
  text += "\n    at   " + place_text(finding.at, names);
  if (finding.other.pc || !finding.other.instruction.empty())
    text += "\n    and  " + place_text(finding.other, names);
  if (!finding.near.instruction.empty())
    text += "\n    near " + place_text(finding.near, names) + " wrote the bytes in front of them";
  for (const BufferLine& buffer : finding.buffers)
    text += "\n    map  " + buffer_text(buffer, names);
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
