#include "opkit/oracle/oracle_in_parts.h"

#include <algorithm>

#include "opkit/oracle/find_cut.h"

namespace opkit::oracle {

// A row may be so many times longer than a part should be.
constexpr int64_t kLongRow = 8;

Result<OracleInParts> OracleInParts::of(OracleCall call, int64_t most) {
  OPKIT_CHECK(check_judged(*call.contract));
  OracleInParts oracle;
  OPKIT_TRY(oracle.lowered_, lowered_call(call));
  auto cut = find_cut(oracle.lowered_, kLongRow * most);
  if (!cut.ok()) return std::move(cut).error().of(call.contract->op);
  oracle.cut_ = std::move(cut).value();
  oracle.step_ = std::max<int64_t>(1, most / std::max<int64_t>(1, oracle.cut_.unit));
  oracle.call_ = std::move(call);
  oracle.call_.inputs = nullptr;
  return oracle;
}

const graph::ValueInfo& OracleInParts::value(size_t port, size_t tensor) const {
  return lowered_.graph.values.at(lowered_.outputs[port][tensor]);
}

Section OracleInParts::section(size_t port, size_t tensor, int64_t part) const {
  return section_of(lowered_.outputs[port][tensor], *value(port, tensor).shape, part);
}

Section OracleInParts::section_of(const std::string& name, const Shape& shape, int64_t part) const {
  const auto axis = cut_.axes.find(name);
  if (axis == cut_.axes.end()) return Section::whole(shape);
  return Section::of(shape, axis->second, part * step_, std::min((part + 1) * step_, cut_.extent));
}

// The diagonal of a Trilu becomes a constant of its own.
static void move_diagonal(graph::Node& node, int64_t by, graph::Graph& graph) {
  graph::RefTensor diagonal{DType::kInt64, Shape(std::vector<int64_t>{}), {0.0}};
  const bool stated = node.inputs.size() > 1 && !node.inputs[1].empty();
  if (stated) diagonal = *graph.constant(node.inputs[1]);
  diagonal[0] += static_cast<double>(by);
  const std::string name = "diagonal of " + node.outputs.front();
  graph.add_constant(name, std::move(diagonal));
  node.inputs.resize(2);
  node.inputs[1] = name;
}

// Its constants are those of the part.
LoweredReference OracleInParts::lowered_of(int64_t part) const {
  LoweredReference lowered = lowered_;
  for (auto& [name, value] : lowered.graph.values) {
    if (value.constant == nullptr || cut_.axes.count(name) == 0) continue;
    value.constant = std::make_shared<const graph::RefTensor>(
        section_of(name, value.constant->shape, part).cut_from(*value.constant));
    value.shape = value.constant->shape;
  }
  for (const auto& [node, move] : cut_.triangles)
    move_diagonal(lowered.graph.nodes[node], move * part * step_, lowered.graph);
  return lowered;
}

Result<std::vector<std::vector<Bounded>>> OracleInParts::evaluate(
    const std::vector<std::vector<Tensor>>& inputs, int64_t part) const {
  std::vector<std::vector<Tensor>> cut(inputs.size());
  for (size_t p = 0; p < inputs.size(); ++p) {
    for (size_t t = 0; t < inputs[p].size(); ++t) {
      const std::string name = tensor_name(call_.contract->inputs[p], t);
      cut[p].push_back(section_of(name, inputs[p][t].shape(), part).cut_from(inputs[p][t]));
    }
  }
  OracleCall call = call_;
  call.inputs = &cut;
  return evaluate_lowered(call, lowered_of(part));
}

}  // namespace opkit::oracle
