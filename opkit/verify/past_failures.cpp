#include "opkit/verify/past_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/base/counted.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

// A short name stands for every chip of its family.
bool names_chip(const std::vector<std::string>& names, const SocSpec& chip) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto match = find_soc(name);
    if (!match.ok()) return false;
    return match->note.empty() ? match->spec->name == chip.name
                               : match->spec->short_name == chip.short_name;
  });
}

// Why the contract has no such call any more; empty: it has.
std::string why_dropped(const OpContract& contract, const Result<Problem>& problem) {
  if (!problem.ok()) return problem.error().message;
  const auto chip = find_soc(problem->soc);
  if (!chip.ok()) return chip.error().message;
  if (!contract.soc.empty() && !names_chip(contract.soc, *chip->spec))
    return fmt::format("the contract does not name {} any more", chip->spec->name);
  const Status legal = check_legal(contract, *problem);
  return legal.ok() ? std::string() : legal.error().message;
}

using LinesByReason = std::map<std::string, std::vector<std::string>>;

// The store tells the newest ones only: behind those that are dropped there may be more.
LinesByReason drop(const OpContract& contract, ResultsStore& store) {
  LinesByReason dropped;
  for (bool any = true; any;) {
    any = false;
    for (const std::string& line : store.failures(contract.op)) {
      const std::string reason = why_dropped(contract, parse_line(contract, line));
      if (reason.empty()) continue;
      any = true;
      dropped[reason].push_back(line);
      store.forget(contract.op, line);
    }
  }
  return dropped;
}

}  // namespace

PastFailures past_failures(const OpContract& contract, const std::vector<std::string>& socs,
                           ResultsStore& store) {
  PastFailures past;
  const auto dropped = drop(contract, store);
  for (const std::string& line : store.failures(contract.op)) {
    auto problem = parse_line(contract, line);
    if (problem.ok() && (socs.empty() || names_chip(socs, *find_soc(problem->soc)->spec)))
      past.problems.push_back({std::move(problem).value(), "past failure"});
  }
  for (const auto& [reason, lines] : dropped)
    past.notes.push_back(fmt::format("{} of earlier runs dropped: {} (e.g. opkit test {})",
                                     counted(lines.size(), "failure"), reason, lines.front()));
  return past;
}

}  // namespace opkit::verify
