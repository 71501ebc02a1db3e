#include "tests/bench/peers/cases.h"

namespace opkit::peers {

Contest contest_of(DType dtype, const std::string& op, const std::map<std::string, Given>& inputs,
                   const AttrValues& attrs, unsigned threads) {
  Contest contest{{}, std::string(name_of(dtype)), {}, {}, {}};
  Result<Entrant> mine = opkit_call(op, dtype, inputs, attrs, threads);
  if (mine.ok())
    contest.entrants.push_back(std::move(*mine));
  else
    contest.missing = mine.error().to_string();
  return contest;
}

std::vector<Goal> goals_against(DType dtype, bool has_fused, double in_half) {
  const char* best = has_fused ? kFused : kApart;
  if (dtype == DType::kFloat16) return {{best, in_half}};
  return {{best, has_fused ? 1.0 : 1.5}};
}

}  // namespace opkit::peers
