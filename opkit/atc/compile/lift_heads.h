// Attention of heads in the dims that an installed op takes. Private to this folder.
#ifndef OPKIT_ATC_COMPILE_LIFT_HEADS_H_
#define OPKIT_ATC_COMPILE_LIFT_HEADS_H_

#include <map>
#include <string>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// Gives attentions of three dims a fourth, and keys that are turned together with other dims a
// value in rows, where an installed op takes one of them then; else the graph stays, and the result
// is false. Counts in `changes` what was done. Errors: those of inference.
Result<bool> lift_heads(graph::Graph& graph, const InstalledOps& ops,
                        std::map<std::string, size_t>& changes);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_LIFT_HEADS_H_
