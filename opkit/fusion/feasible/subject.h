// Subject: operators that would become one kernel, cut out of a contract or of a model.
#ifndef OPKIT_FUSION_FEASIBLE_SUBJECT_H_
#define OPKIT_FUSION_FEASIBLE_SUBJECT_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/contract/lower.h"

namespace opkit::feasible {

struct Subject {
  std::string name;    // "AddRelu", or the names of the nodes
  graph::Graph graph;  // canonical; shapes are known; its outputs are what leaves the kernel
  bool model = false;  // nodes of a model
  // Bytes of tensors that a format stores with padding; of others their elements.
  std::map<std::string, uint64_t> stored;
};

// Returns the reference of a contract in one call. Errors: those of the lowering and the rewrites;
// OPK-FEASIBLE-001 there is no reference; -002 dims that depend on data.
Result<Subject> subject_of(const OpContract& contract, const ReferenceCall& call);

// Nodes of a canonical graph, ascending. Error: OPK-FEASIBLE-003 a path leaves them and comes back.
Result<Subject> subject_of(const graph::Graph& model, const std::vector<size_t>& nodes);

// Nodes that move nothing: their result lies where their operand lies.
bool is_view(const graph::Node& node);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_SUBJECT_H_
