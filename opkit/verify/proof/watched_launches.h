// Launches that the Checked mode has watched without data: what a run needs not watch again.
#ifndef OPKIT_VERIFY_PROOF_WATCHED_LAUNCHES_H_
#define OPKIT_VERIFY_PROOF_WATCHED_LAUNCHES_H_

#include <map>
#include <tuple>

#include "opkit/call/plan/call_plan.h"

namespace opkit::verify {

class WatchedLaunches {
 public:
  // Watches launches of at most `most` instructions, which are worth a look.
  explicit WatchedLaunches(uint64_t most) : most_(most) {}

  // Tells whether few launches of the plan's chip, column and tiling key were watched whose blocks
  // have about as many instructions. Counts the launch if so.
  bool needs(const CallPlan& plan, uint64_t instructions);

 private:
  using Kind = std::tuple<const SocSpec*, size_t, uint64_t, int>;  // chip, column, key, size
  uint64_t most_;
  std::map<Kind, int> watched_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_WATCHED_LAUNCHES_H_
