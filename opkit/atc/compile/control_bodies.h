// Bodies of If, Loop and Scan as graphs to compile, and compiled ones as bodies of a model.
#ifndef OPKIT_ATC_COMPILE_CONTROL_BODIES_H_
#define OPKIT_ATC_COMPILE_CONTROL_BODIES_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/atc/compile/schedule.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// A body with what the graph around it knows of its inputs: captured constants are its constants.
struct OpenBody {
  size_t node = 0;        // that runs it
  std::string attribute;  // names the attribute of the node: "then_branch"
  graph::Graph graph;
  std::optional<int64_t> trips;  // how often it runs per frame, where no data decide that
  std::optional<Error> unfit;    // OPK-FLOW-005: it cannot run at these dims, the graph refuses
};
// Lists them in the order of nodes, an If's branches in order. REQUIRES: dims of all values are
// known. Errors: those of inference.
Result<std::vector<OpenBody>> open_bodies(const graph::Graph& graph);

// Returns what iterations come to together, of which `once` is what one does: time, bytes,
// operators; that of one where data decide how many there are. At most 2^56, which a loop without
// an end reaches, so that sums of many stay within 64 bits.
uint64_t of_all_trips(uint64_t once, const std::optional<int64_t>& trips);

// Returns the name of the node and what the body is of it: "body of Loop 'decode'".
std::string body_title(const graph::Node& node, const std::string& attribute);

// Makes compiled bodies, one for each open body and in that order, bodies of the schedule's model.
void join_bodies(std::vector<model::OfflineModel> bodies, const std::vector<size_t>& nodes,
                 Schedule& schedule);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_CONTROL_BODIES_H_
