// Plan: the problems of a run, made from the contract alone.
#ifndef OPKIT_VERIFY_PROBLEM_PLAN_H_
#define OPKIT_VERIFY_PROBLEM_PLAN_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

enum class Tier { kSmoke, kCi, kNightly };
std::string_view name_of(Tier tier);
std::optional<Tier> tier_from_name(std::string_view name);

struct PlanRequest {
  const OpContract* contract = nullptr;
  std::vector<std::string> socs;  // full names, the default first
  Tier tier = Tier::kSmoke;
  uint64_t seed = 1;
  // Sizes at which the op changes its ways: tiles and shares that its tiling names, in elements,
  // the most telling first. Each tier takes the first that it has room for.
  std::vector<int64_t> landmarks;
  int64_t random_problems = -1;       // counts random problems per column; -1: the tier's number
  std::optional<size_t> column = {};  // absent: every one
};

// Cases of the contract, corner shapes, optional and broadcast variants, attribute classes, data
// classes, then random problems; no problem twice. Deterministic for a request. A tier's plan
// begins with the whole plan of the tier before it.
std::vector<PlannedProblem> make_plan(const PlanRequest& request);

// Random problems per dtype column, and elements of all tensors of one problem together.
int64_t random_count(Tier tier);
int64_t element_budget(Tier tier);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROBLEM_PLAN_H_
