#include "opkit/rewrite/variants/layout_change.h"

#include <algorithm>
#include <numeric>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

namespace {

using Order = std::vector<int64_t>;

Order order_of(const Node& node, size_t rank) {
  Order order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  const auto perm = node.attributes.find("perm");
  if (perm != node.attributes.end()) order = std::get<Order>(perm->second);
  for (int64_t& axis : order) axis += axis < 0 ? static_cast<int64_t>(rank) : 0;
  return order;
}

Order inverse_of(const Order& order) {
  Order inverse(order.size());
  for (size_t d = 0; d < order.size(); ++d)
    inverse[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
  return inverse;
}

// Elements in an order of dims: dim d of the result is dim order[d] of the tensor.
RefTensor transposed(const RefTensor& tensor, const Order& order) {
  const size_t rank = order.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t d = rank; d-- > 1;) strides[d - 1] = strides[d] * tensor.shape[d];
  RefTensor result{tensor.dtype, tensor.shape, {}};
  for (size_t d = 0; d < rank; ++d) result.shape[d] = tensor.shape[static_cast<size_t>(order[d])];
  result.values.reserve(tensor.values.size());
  std::vector<int64_t> at(rank, 0);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    int64_t from = 0;
    for (size_t d = 0; d < rank; ++d) from += at[d] * strides[static_cast<size_t>(order[d])];
    result.values.push_back(tensor[from]);
    for (size_t d = rank; d-- > 0 && ++at[d] == result.shape[d];) at[d] = 0;
  }
  return result;
}

// Broadcasting counts dims from the back.
void drop_leading_ones(Shape& shape) {
  std::vector<int64_t>& dims = shape.dims();
  dims.erase(dims.begin(),
             std::find_if(dims.begin(), dims.end(), [](int64_t d) { return d != 1; }));
}

std::optional<RefTensor> told(const RefTensor& constant, const Shape& here, const Shape& there,
                              const Order& order) {
  if (constant.elements() == 1) {
    RefTensor one = constant;
    if (one.shape.rank() > there.rank()) one.shape = Shape();
    return one;
  }
  if (constant.shape.rank() > here.rank()) return std::nullopt;
  if (!order.empty()) {
    RefTensor whole = constant;
    std::vector<int64_t>& dims = whole.shape.dims();
    dims.insert(dims.begin(), here.rank() - dims.size(), 1);
    RefTensor turned = transposed(whole, order);
    drop_leading_ones(turned.shape);
    return turned;
  }
  const size_t rank = constant.shape.rank();
  if (rank > there.rank()) return std::nullopt;
  const bool same_end =
      std::equal(here.dims().end() - static_cast<std::ptrdiff_t>(rank), here.dims().end(),
                 there.dims().end() - static_cast<std::ptrdiff_t>(rank));
  return same_end ? std::optional(constant) : std::nullopt;
}

}  // namespace

std::optional<RefTensor> LayoutChange::behind(const RefTensor& constant) const {
  return told(constant, from, to, order);
}

std::optional<RefTensor> LayoutChange::in_front(const RefTensor& constant) const {
  return told(constant, to, from, inverse_of(order));
}

std::optional<LayoutChange> layout_change_of(const Graph& graph, const Node& node) {
  const bool transposes = node.op_type == "Transpose";
  if (!transposes && node.op_type != "Reshape") return std::nullopt;
  if (!transposes && graph.constant(node.inputs[1]) == nullptr) return std::nullopt;
  const Shape *from = passes::filled_shape_of(graph, node.inputs[0]),
              *to = passes::filled_shape_of(graph, node.outputs[0]);
  if (from == nullptr || to == nullptr || graph.constant(node.inputs[0]) != nullptr)
    return std::nullopt;
  return LayoutChange{node, *from, *to, transposes ? order_of(node, from->rank()) : Order()};
}

std::optional<Node> moved(Graph& graph, const Node& node, const LayoutChange& change, bool in_front,
                          const std::map<std::string, std::string>& inputs) {
  Node result = node;
  std::vector<std::optional<RefTensor>> constants(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const auto variable = inputs.find(node.inputs[i]);
    if (variable != inputs.end()) result.inputs[i] = variable->second;
    const RefTensor* constant = graph.constant(node.inputs[i]);
    if (constant == nullptr) continue;
    constants[i] = in_front ? change.in_front(*constant) : change.behind(*constant);
    if (!constants[i]) return std::nullopt;
    const bool same =
        constants[i]->shape == constant->shape && constants[i]->values == constant->values;
    if (same) constants[i].reset();
  }
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (constants[i])
      result.inputs[i] = passes::add_constant(graph, node.inputs[i] + "/turned", *constants[i]);
  }
  return result;
}

}  // namespace opkit::variants
