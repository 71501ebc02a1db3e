// Writes the target of a Cast as the name of a dtype, as references do, and CastLike as Cast.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"

namespace opkit::passes {
namespace {

bool is_stated(const graph::Node& node, const std::string& to) {
  const auto stated = node.attributes.find("to");
  if (node.op_type != "Cast" || node.attributes.size() != 1 || stated == node.attributes.end())
    return false;
  const auto* name = std::get_if<std::string>(&stated->second);
  return name != nullptr && *name == to;
}

}  // namespace

Result<size_t> state_types(graph::Graph& graph) {
  size_t changes = 0;
  for (graph::Node& node : graph.nodes) {
    if (node.op_type != "Cast" && node.op_type != "CastLike") continue;
    const DType dtype = dtype_of(graph, node.outputs[0]);
    const std::string to(name_of(dtype));
    if (dtype == DType::kUndefined || is_stated(node, to)) continue;
    // `saturate` is about 8-bit floats, which are no dtypes here.
    node = {"Cast", {node.inputs[0]}, node.outputs, {{"to", to}}, node.name, node.where};
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
