// Writes a ScatterND of several leading dims as one along the first dim, and indices of any rank as
// a column.
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::RefTensor;

// Places in the leading dims, one behind the other.
RefTensor column(const RefTensor& indices, const Shape& data, size_t dims) {
  const int64_t count = indices.elements() / static_cast<int64_t>(dims);
  RefTensor flat{DType::kInt64, Shape{count, 1}, {}};
  for (int64_t i = 0; i < count; ++i) {
    double place = 0;
    for (size_t d = 0; d < dims; ++d) {
      const double stated = indices[i * static_cast<int64_t>(dims) + static_cast<int64_t>(d)];
      const auto size = static_cast<double>(data[d]);
      place = place * size + (stated < 0 ? stated + size : stated);
    }
    flat.values.push_back(place);
  }
  return flat;
}

Integers behind(int64_t first, const Shape& data, size_t dims) {
  Integers all = {first};
  all.insert(all.end(), data.dims().begin() + static_cast<std::ptrdiff_t>(dims), data.dims().end());
  return all;
}

}  // namespace

Parts rephrase_scatters(graph::Graph& graph, size_t n) {
  const graph::Node node = graph.nodes[n];
  if (node.op_type != "ScatterND") return {};
  const Shape *data = filled_shape_of(graph, node.inputs[0]),
              *indices = filled_shape_of(graph, node.inputs[1]),
              *updates = filled_shape_of(graph, node.inputs[2]);
  if (!data || !indices || !updates || indices->rank() == 0) return {};
  const auto dims = static_cast<size_t>(indices->dims().back());
  const RefTensor* known = graph.constant(node.inputs[1]);
  if (dims < 1 || (dims == 1 && indices->rank() == 2) || (dims > 1 && !known)) return {};
  const Shape all = *data;
  const int64_t count = indices->elements() / static_cast<int64_t>(dims);
  int64_t places = 1;
  for (size_t d = 0; d < dims; ++d) places *= all[d];
  const std::string name = node.outputs[0];
  const std::string at = dims > 1
                             ? add_constant(graph, name + "/places", column(*known, all, dims))
                             : add_reshape(graph, node.inputs[1], name + "/places", {count, 1});
  const std::string rows =
      add_reshape(graph, node.inputs[0], name + "/rows", behind(places, all, dims));
  const std::string values =
      add_reshape(graph, node.inputs[2], name + "/updates", behind(count, all, dims));
  const std::string done = fresh_name(graph, name + "/done");
  graph.nodes[n] = {"ScatterND", {rows, at, values}, {done}, node.attributes};
  define_reshape(graph, done, name, all.dims());
  return std::vector{done};
}

}  // namespace opkit::passes
