// Changes of strategy: neighbouring sizes for which the tiling function answers in other ways.
#ifndef OPKIT_VERIFY_PROOF_STRATEGY_CHANGES_H_
#define OPKIT_VERIFY_PROOF_STRATEGY_CHANGES_H_

#include <functional>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/proof/sizes.h"

namespace opkit::verify {

struct StrategyChange {
  Problem below, above;
  bool of_key = false;  // the tiling key is another one
};

// nullptr: the call was refused.
using AskTiling = std::function<SharedPlan(const Problem&)>;

// The changes along a line: of the tiling key, of whether one block, several or all cores work, of
// small counts in the tiling data (none, one, two, more loops), and of numbers there that have few
// values. Found by bisection between sizes that lie a factor of 1.5 apart; those of the key first.
std::vector<StrategyChange> strategy_changes(const Sizes& sizes, const AskTiling& ask);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_STRATEGY_CHANGES_H_
