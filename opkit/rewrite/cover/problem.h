// The choice of plugins for a graph, as numbers: nodes, what depends on what, and candidates that
// each take some nodes at a cost.
#ifndef OPKIT_REWRITE_COVER_PROBLEM_H_
#define OPKIT_REWRITE_COVER_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::cover {

struct CoverCandidate {
  std::vector<size_t> nodes;  // ascending, no node twice
  uint64_t cost = 0;          // any unit; ATC counts nanoseconds
};

struct CoverProblem {
  size_t nodes = 0;                              // 0 .. nodes - 1, in an order of evaluation
  std::vector<std::pair<size_t, size_t>> edges;  // lead from a node to one that reads it; from < to
  std::vector<CoverCandidate> candidates;
};

// OPK-COVER-001: a candidate or an edge that is no part of the problem. OPK-COVER-002: a node that
// no candidate takes; its number is in the message.
Status check(const CoverProblem& problem);

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_PROBLEM_H_
