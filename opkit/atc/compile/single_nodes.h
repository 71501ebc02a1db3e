// The model that a compilation is compared with: the same graph, every node by itself.
#ifndef OPKIT_ATC_COMPILE_SINGLE_NODES_H_
#define OPKIT_ATC_COMPILE_SINGLE_NODES_H_

#include "opkit/atc/compile/compile.h"

namespace opkit::compile {

// Takes each node of the canonical graph by the cheapest candidate that takes nothing else, or by
// the host where only ops of several nodes take it; nothing works in place. Errors: those of
// schedule.
Result<model::OfflineModel> single_node_model(const Compiled& compiled);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_SINGLE_NODES_H_
