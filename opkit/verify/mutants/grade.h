// Grading in a child process: the tests of one build of an op, because a mutant may do anything.
#ifndef OPKIT_VERIFY_MUTANTS_GRADE_H_
#define OPKIT_VERIFY_MUTANTS_GRADE_H_

#include <array>
#include <filesystem>
#include <string>

#include "opkit/verify/mutants/examine.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

struct Graded {
  bool passed = false;
  Tier tier = Tier::kSmoke;         // that found it out, or the last one that it passed
  std::string by;                   // what found it out
  std::array<double, 3> seconds{};  // that each tier took
};

struct GradeRequest {
  std::filesystem::path package;
  // Name the first and the last tier; the quickest one runs first.
  Tier first = Tier::kSmoke, tier = Tier::kSmoke;
  uint64_t seed = 1;
  std::array<int, 3> seconds{3600, 3600, 3600};  // that each tier may take
  int wrong_result = -1;                         // index into wrong_results(); -1: none
};

Graded grade(const GradeRequest& request);

// Returns what the package does with the problems of the examination, in a child: whether it could
// be written to the file. Stops at the first problem where something else than in `original` comes
// out.
bool observe_package(const GradeRequest& request, const std::filesystem::path& into,
                     const std::vector<Observed>& original = {});

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_GRADE_H_
