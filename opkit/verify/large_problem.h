// Problems whose tensors are too many elements for an oracle of the whole call. Their inputs are
// made where the launch reads them, each tensor exists once, runs are compared by digests, and the
// reference is evaluated in parts.
#ifndef OPKIT_VERIFY_LARGE_PROBLEM_H_
#define OPKIT_VERIFY_LARGE_PROBLEM_H_

#include <functional>
#include <string>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/verdict.h"

namespace opkit::verify {

// Elements of all tensors, as they are stored, that are judged at once: the oracle takes some
// thirty bytes for each, for every node.
inline constexpr int64_t kMostAtOnce = int64_t{1} << 24;

// How large problems are worked on, and who is told.
struct LargeWork {
  std::function<void(const std::string& stage)> begin = {};
  std::function<void(int64_t done, int64_t parts)> compared = {};
  std::function<bool()> cancelled = {};
  int64_t part = int64_t{1} << 18;  // elements of the largest tensor in a part
};

// Tiling, two runs with different numbers of threads, inputs as they were, promised shapes and
// dtypes, values within the derived bounds. SKIPPED with OPK-VERIFY-014 when the reference cannot
// be evaluated in parts, with OPK-WORKER-009, -012 or OPK-TENSOR-001 when the host has not the
// memory for the tensors; then the tiling alone is judged.
ProblemResult judge_large(const OpContract& contract, Executor& executor, const Problem& problem,
                          const LargeWork& work = {});

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_LARGE_PROBLEM_H_
