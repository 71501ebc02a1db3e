#include "opkit/call/execute/finding_error.h"

#include <fmt/format.h>

#include <utility>

namespace opkit {

Error error_of(const core::Finding& finding, const std::string& op,
               const std::function<std::string(const void*)>& place) {
  Error error(finding.code, finding.message, finding.action);
  error.op = op;
  for (const core::FindingPlace* party : {&finding.at, &finding.other}) {
    if (!party->pc && party->instruction.empty()) continue;
    const std::string line = place(party->pc);
    std::string text = party->instruction;
    if (!line.empty()) text += (text.empty() ? "" : ", ") + line;
    error.trail.push_back(fmt::format("{}, block {}", text, party->block));
  }
  return error;
}

}  // namespace opkit
