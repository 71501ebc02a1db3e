// Problems on data beside what only the proof of the tilings has met: keys, changes of strategy,
// and the widest call of each key.
#ifndef OPKIT_VERIFY_STRATEGY_PROBLEMS_H_
#define OPKIT_VERIFY_STRATEGY_PROBLEMS_H_

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/proof/tiling_proof.h"

namespace opkit::verify {

struct StrategyRequest {
  const OpContract* contract = nullptr;
  Executor* executor = nullptr;
  const TilingProof* proof = nullptr;
  Tier tier = Tier::kSmoke;
  std::set<uint64_t> reached;                 // keys that problems on data have
  std::function<void(const Problem&)> asked;  // told about each call whose tiling is asked for
  std::function<bool()> stopped;
  std::set<std::string> known = {};  // lines of problems that ran already
};

// Returns the smallest problem of each key that is not reached; both sides of each change of
// strategy, as far as their data are few, with other dims made small where that helps; and for some
// keys and each symbol the largest size that the tier has room for, the others small. No problem
// twice.
std::vector<PlannedProblem> problems_of_strategies(const StrategyRequest& request);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_STRATEGY_PROBLEMS_H_
