// What the stages of a plan of problems have made together.
#ifndef OPKIT_VERIFY_PROBLEM_GROWING_PLAN_H_
#define OPKIT_VERIFY_PROBLEM_GROWING_PLAN_H_

#include <set>
#include <string>
#include <vector>

#include "opkit/verify/problem/equal_dims.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

struct GrowingPlan {
  explicit GrowingPlan(const OpContract& contract) : equal(contract) {}

  EqualDims equal;
  std::vector<PlannedProblem> problems;
  std::set<std::string> lines;
  std::set<std::string> corners;  // name for each column what a smaller budget had room for
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_GROWING_PLAN_H_
