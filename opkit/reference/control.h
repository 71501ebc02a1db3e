// If, Loop and Scan: what they compute and what is known of it beforehand. Whoever calls says how a
// graph is evaluated and inferred.
#ifndef OPKIT_REFERENCE_CONTROL_H_
#define OPKIT_REFERENCE_CONTROL_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/reference/operator.h"

namespace opkit::reference {

// Returns the row of an operator with bodies; null for others. Contracts cannot name these.
const Operator* control_operator(std::string_view name);

// The operands of a node, as far as they are known; null is absent.
using KnownOperands = std::vector<const graph::ValueInfo*>;
// Returns what is known of the operands of a node of the graph; a value that the graph does not
// know is one of which nothing is known. Valid until the graph's values change.
KnownOperands known_operands(const graph::Graph& graph, const graph::Node& node);

// What stands where among the inputs and outputs of a body, captured inputs left out.
struct BodyPorts {
  size_t counters = 0;    // inputs in front: the iteration's number and the condition of a Loop
  size_t carried = 0;     // inputs behind these; as many outputs behind the condition
  size_t slices = 0;      // inputs behind these: parts of what a Scan goes through
  size_t conditions = 0;  // outputs in front
  size_t stacked = 0;     // outputs behind the carried ones
};
// Returns which inputs and outputs of the body are counters, carried, slices and stacked. Error:
// OPK-REF-002 the body has other ports than the node.
Result<BodyPorts> ports_of(const graph::Node& node, const graph::Graph& body);

// Returns a body of the node with what is known of its inputs. No inputs but constants of it are
// captured operands that are constants, and the condition that a Loop hands on, which is true
// whenever the body runs. A value that a Loop or a Scan carries has the dims that it begins with.
// Errors: OPK-GRAPH-005; those of ports_of and of graph::validate; OPK-REF-006 operands that no
// Scan can go through.
Result<graph::Graph> bound_body(const graph::Node& node, const std::string& attribute,
                                const KnownOperands& operands);

// How a Scan goes through an operand, or stacks a result: along the axis, or backwards.
struct ScanAxis {
  size_t axis = 0;
  bool backwards = false;
};
// Returns how a Scan reads input `number` of the whole operand's `rank`. Error: OPK-REF-005.
Result<ScanAxis> scan_input(const graph::Node& node, size_t number, size_t rank);
Result<ScanAxis> scan_output(const graph::Node& node, size_t number, size_t rank);

// Infers a graph in place and returns what is known of its outputs, elements included.
using InferBody = std::function<Result<std::vector<graph::ValueInfo>>(graph::Graph& body)>;
// Returns the node's outputs in order. A shape that depends on data, or changes from iteration to
// iteration, is absent. Where the dims fit only one branch of an If, the outputs are that one's.
Result<std::vector<graph::ValueInfo>> infer_control(const graph::Node& node,
                                                    const KnownOperands& operands,
                                                    const InferBody& infer);

// Returns how often the body runs, where no data decide it.
Result<std::optional<int64_t>> known_trips(const graph::Node& node, const KnownOperands& operands,
                                           const InferBody& infer);

using Tensors = std::map<std::string, RefTensor>;
using EvaluateBody =
    std::function<Result<Tensors>(const graph::Graph& body, const Tensors& inputs)>;
// Errors: those of the bodies; OPK-REF-006 results that change their dims and cannot be stacked;
// OPK-REF-013 more than kMostIterations.
Result<std::vector<RefTensor>> evaluate_control(const graph::Node& node,
                                                const std::vector<const RefTensor*>& operands,
                                                const EvaluateBody& evaluate);

// Iterations that the interpreter does: a guard against loops without an end.
inline constexpr int64_t kMostIterations = int64_t{1} << 16;

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_CONTROL_H_
