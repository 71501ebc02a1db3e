#include "opkit/atc/ge/known.h"

#include "opkit/reference/infer.h"

namespace opkit::ge_frontend {

Status Known::update() {
  for (; inferred_ < graph_.nodes.size(); ++inferred_) {
    const graph::Node& node = graph_.nodes[inferred_];
    std::vector<const graph::ValueInfo*> inputs;
    for (const std::string& input : node.inputs) {
      const auto made = values_.find(input);
      const bool here = made != values_.end();
      inputs.push_back(input.empty() ? nullptr : here ? &made->second : &graph_.values.at(input));
    }
    OPKIT_TRY(const std::vector<graph::ValueInfo> outputs,
              reference::infer_node(node, inputs, graph_.opset));
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      values_[node.outputs[i]] = outputs[i];
      graph::ValueInfo& value = graph_.values[node.outputs[i]];
      value.dtype = outputs[i].dtype;
      value.shape = outputs[i].shape;
    }
  }
  return {};
}

Result<graph::ValueInfo> Known::of(const std::string& name) {
  OPKIT_CHECK(update());
  const auto made = values_.find(name);
  return made != values_.end() ? made->second : graph_.values.at(name);
}

}  // namespace opkit::ge_frontend
