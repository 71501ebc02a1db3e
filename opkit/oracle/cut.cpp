#include "opkit/oracle/cut.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::oracle {

using graph::Graph;
using graph::Node;

Error cannot_cut(std::string message) {
  return Error(kNeedsWhole, std::move(message),
               "choose a smaller shape; opkit run and bench take larger ones");
}

Error needs_operands_whole(const Node& node) {
  return cannot_cut(fmt::format("node {} ({}) needs its operands whole", node.name, node.op_type))
      .at(node.where);
}

const Shape* known_shape(const Graph& graph, const std::string& name) {
  const auto found = graph.values.find(name);
  const bool known = found != graph.values.end() && found->second.shape &&
                     found->second.shape->has_rank() && found->second.shape->is_static();
  return known ? &*found->second.shape : nullptr;
}

std::vector<int64_t> reduced_axes(const Graph& graph, const Node& node) {
  std::vector<int64_t> axes;
  if (const auto stated = node.attributes.find("axes"); stated != node.attributes.end()) {
    if (const auto* list = std::get_if<std::vector<int64_t>>(&stated->second)) axes = *list;
  } else if (node.inputs.size() > 1 && !node.inputs[1].empty()) {
    if (const graph::RefTensor* list = graph.constant(node.inputs[1]))
      for (const double axis : list->values) axes.push_back(static_cast<int64_t>(axis));
  }
  return axes;
}

bool keeps_reduced(const Node& node) {
  const auto stated = node.attributes.find("keepdims");
  const auto* value =
      stated == node.attributes.end() ? nullptr : std::get_if<int64_t>(&stated->second);
  return value == nullptr || *value != 0;
}

std::vector<std::pair<size_t, int64_t>> places_of(const Graph& graph,
                                                  const std::vector<std::string>& names) {
  std::vector<Shape> shapes;
  for (const std::string& name : names) {
    if (const Shape* shape = known_shape(graph, name)) shapes.push_back(*shape);
  }
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const Shape& a, const Shape& b) { return a.elements() > b.elements(); });
  std::vector<std::pair<size_t, int64_t>> places;
  for (const Shape& shape : shapes) {
    for (size_t axis = 0; axis < shape.rank(); ++axis) {
      const std::pair place(shape.rank() - 1 - axis, shape[axis]);
      if (shape[axis] > 1 && std::count(places.begin(), places.end(), place) == 0)
        places.push_back(place);
    }
  }
  return places;
}

Status measure_cut(const Graph& graph, int64_t most, Cut& cut) {
  for (const auto& [name, value] : graph.values) {
    const Shape* shape = known_shape(graph, name);
    if (shape == nullptr) continue;
    const bool is_cut = cut.axes.count(name) > 0;
    const int64_t elements = is_cut ? shape->elements() / cut.extent : shape->elements();
    if (elements > most)
      return cannot_cut(fmt::format("each part would have {} elements of one tensor", elements));
    if (is_cut) cut.unit = std::max(cut.unit, elements);
  }
  return {};
}

}  // namespace opkit::oracle
