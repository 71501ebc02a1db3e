#include "opkit/atc/compile/in_place.h"

#include <fmt/format.h>

#include "opkit/atc/compile/costs.h"

namespace opkit::compile {

bool InPlaceJudge::may(const Candidate& candidate, const InPlace& pair) {
  if (candidate.plan->replaced_by(pair.output) == pair.input) return true;
  const std::string key = fmt::format("{} {} {}", key_of(candidate), pair.output, pair.input);
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_[key] = ask(candidate, pair);
}

bool InPlaceJudge::ask(const Candidate& candidate, const InPlace& pair) {
  if (failures_.gave_up(candidate.op->contract().op)) return false;
  const auto executor = candidate.op->executor();
  if (!executor.ok()) return false;
  const auto takes = (*executor)->takes_in_place(candidate.plan, pair);
  if (!takes.ok()) failures_.add(takes.error(), "where it was asked to work in place");
  return takes.ok() && *takes;
}

}  // namespace opkit::compile
