// Nodes that nobody takes, in other words that somebody takes.
#ifndef OPKIT_ATC_COMPILE_REPHRASE_NODES_H_
#define OPKIT_ATC_COMPILE_REPHRASE_NODES_H_

#include <map>
#include <string>

#include "opkit/atc/compile/find_candidates.h"
#include "opkit/atc/compile/prepare.h"

namespace opkit::compile {

// Finds candidates. Nodes that only the host would take are rephrased
// (opkit/rewrite/passes/rephrase.h) where that finds takers for all they become, attentions get
// the dims that an op takes (lift_heads.h); other nodes stay as they are. Counts what was done in
// `changes`. Errors: those of find_candidates and of the rewrites.
Result<Candidates> find_or_rephrase(graph::Graph& graph, const OtherForms& forms,
                                    const InstalledOps& ops, const CandidateOptions& options,
                                    std::map<std::string, size_t>& changes);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_REPHRASE_NODES_H_
