#include "opkit/atc/compile/control_dims.h"

#include <fmt/format.h>

#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/control.h"
#include "opkit/reference/infer.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using graph::ValueInfo;

std::string dims_text(const ValueInfo& value) {
  return value.shape ? value.shape->to_string() : "dims that data decide";
}

// Infers why one output of a node has no known dims.
class Why {
 public:
  Why(const Graph& graph, const Node& node, size_t output)
      : node_(node), output_(output), operands_(reference::known_operands(graph, node)) {}

  Error error() const { return node_.op_type == "If" ? of_branches() : of_iterations(); }

 private:
  Result<std::vector<ValueInfo>> outputs_of(const std::string& attribute) const {
    OPKIT_TRY(Graph body, reference::bound_body(node_, attribute, operands_));
    return reference::infer_outputs(body);
  }

  Error refuse(const char* code, std::string what, std::string action) const {
    return Error(code, std::move(what), std::move(action))
        .of(node_.op_type)
        .with("node " + graph::name_of(node_));
  }

  Error inside(const std::string& what) const {
    return refuse("OPK-ATC-001",
                  fmt::format("the dims of {} depend on data inside of a body, and such models are "
                              "not compiled yet",
                              what),
                  "cut the model in front of this node");
  }

  Error of_branches() const {
    const auto one = outputs_of("then_branch"), other = outputs_of("else_branch");
    if (!one.ok()) return one.error();
    if (!other.ok()) return other.error();
    if (!(*one)[output_].shape || !(*other)[output_].shape)
      return inside(fmt::format("'{}'", node_.outputs[output_]));
    return refuse("OPK-FLOW-003",
                  fmt::format("'{}' is {} in one branch of the If and {} in the other",
                              node_.outputs[output_], (*one)[output_].shape->to_string(),
                              (*other)[output_].shape->to_string()),
                  "pad the smaller result to the dims of the larger one");
  }

  Error of_iterations() const {
    const auto stored = graph::body_of(node_, "body");
    if (!stored.ok()) return stored.error();
    const auto found = reference::ports_of(node_, *stored);
    if (!found.ok()) return found.error();
    const auto inferred = outputs_of("body");
    if (!inferred.ok()) return inferred.error();
    const reference::BodyPorts& ports = *found;
    const std::vector<ValueInfo>& outputs = *inferred;
    const size_t first = graph::own_inputs(node_) - ports.carried - ports.slices;
    for (size_t c = 0; c < ports.carried; ++c) {
      const ValueInfo& becomes = outputs[ports.conditions + c];
      const ValueInfo& begins = *operands_[first + c];
      if (begins.shape && begins.shape == becomes.shape) continue;
      return refuse("OPK-FLOW-001",
                    fmt::format("carried value {} of the {}, '{}', begins as {} and becomes {}", c,
                                node_.op_type, node_.inputs[first + c], dims_text(begins),
                                dims_text(becomes)),
                    "carry a tensor of the largest size, and write into it (ScatterND, Where)");
    }
    const size_t stacked = ports.conditions + output_;
    if (output_ < ports.carried || !outputs[stacked].shape)
      return inside(fmt::format("'{}'", node_.outputs[output_]));
    return refuse("OPK-FLOW-002",
                  fmt::format("'{}' has one part per iteration of the {}, and data decide how many "
                              "there are",
                              node_.outputs[output_], node_.op_type),
                  "state the number of iterations as a constant without a condition, or carry a "
                  "tensor of the largest size and write into it (ScatterND)");
  }

  const Node& node_;
  const size_t output_;
  reference::KnownOperands operands_;
};

}  // namespace

Error open_dims_error(const Graph& graph, const Node& node, size_t output) {
  return Why(graph, node, output).error();
}

}  // namespace opkit::compile
