// Shrinking: from a failing problem to the smallest one that still fails.
#ifndef OPKIT_VERIFY_SHRINK_H_
#define OPKIT_VERIFY_SHRINK_H_

#include <functional>

#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

struct Shrunk {
  Problem problem;
  int tried = 0;  // problems that were run
};

// Acts on the problem, never on bytes: fewer dims, smaller dims, simpler attributes, data, chip and
// threads. `fails` is asked about legal problems only and at most `limit` times.
Shrunk shrink(const OpContract& contract, const Problem& failing,
              const std::function<bool(const Problem&)>& fails, int limit = 300);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_SHRINK_H_
