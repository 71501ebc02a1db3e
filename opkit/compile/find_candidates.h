// Who can take which nodes of a model.
#ifndef OPKIT_COMPILE_FIND_CANDIDATES_H_
#define OPKIT_COMPILE_FIND_CANDIDATES_H_

#include <string>
#include <vector>

#include "opkit/compile/candidate.h"
#include "opkit/compile/switches.h"

namespace opkit::compile {

struct CandidateOptions {
  std::string soc;
  bool fallback = true;  // nodes that no plugin takes may run on the host
  Switches switches;     // ops that the user does not want
  bool fused = true;     // ops of several nodes may be chosen
};

struct Candidates {
  std::vector<Candidate> all;
  std::vector<Declined> declined;
  std::vector<std::pair<size_t, size_t>> edges;  // of the graph
};

// Errors: EZ3003, a node that nobody takes, with the nearest reason.
Result<Candidates> find_candidates(const graph::Graph& graph, const InstalledOps& ops,
                                   const CandidateOptions& options);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_FIND_CANDIDATES_H_
