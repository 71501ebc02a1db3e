// Who can take which nodes of a model.
#ifndef OPKIT_ATC_COMPILE_FIND_CANDIDATES_H_
#define OPKIT_ATC_COMPILE_FIND_CANDIDATES_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "opkit/atc/compile/candidate.h"
#include "opkit/atc/compile/plugin_failures.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/atc/compile/switches.h"

namespace opkit::compile {

// A place of an op of several nodes: its type, and the first value that it stores.
using FusionId = std::pair<std::string, std::string>;
FusionId id_of(const match::Match& match);

struct CandidateOptions {
  std::string soc;
  bool fallback = true;  // nodes that no plugin takes may run on the host
  Switches switches;     // ops that the user does not want
  bool fused = true;     // ops of several nodes may be chosen
  bool lifts = true;     // attentions may get the dims that an op takes (lift_heads.h)
  // Restricts fusions to these, when there is a set; those that were dropped never count.
  std::optional<std::set<FusionId>> only = {};
  std::set<FusionId> dropped = {};
  // By the first result of a node: the op that declined its other words, and why.
  std::map<std::string, std::pair<std::string, match::Refusal>> other_words = {};
};

struct Candidates {
  std::vector<Candidate> all;
  std::vector<Declined> declined;
  std::vector<std::pair<size_t, size_t>> edges;  // are edges of the graph
  PluginFailures failures;
};

// `graph` gets the constants of other forms that candidates read. Errors: EZ3003, a node that
// nobody takes, with the nearest reason; OPK-WORKER-001.
Result<Candidates> find_candidates(graph::Graph& graph, const OtherForms& forms,
                                   const InstalledOps& ops, const CandidateOptions& options);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_FIND_CANDIDATES_H_
