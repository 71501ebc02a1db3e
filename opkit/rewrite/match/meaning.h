// Whether a call of the op means what the graph says, whatever led to the match. Private to this
// folder.
#ifndef OPKIT_REWRITE_MATCH_MEANING_H_
#define OPKIT_REWRITE_MATCH_MEANING_H_

#include <optional>

#include "opkit/call/infer/binding.h"
#include "opkit/rewrite/match/found.h"
#include "opkit/rewrite/match/graph_index.h"

namespace opkit::match {

// Lowers the reference for exactly this call, brings it and the nodes of the graph into canonical
// form, and compares what every output is, operator by operator, attribute by attribute.
std::optional<Refusal> check_meaning(const GraphIndex& index, const Match& match,
                                     const Binding& binding);

}  // namespace opkit::match

#endif  // OPKIT_REWRITE_MATCH_MEANING_H_
