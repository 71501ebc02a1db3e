// Writes a ScatterND that replaces a box of its data, as exporters write an assignment to a slice,
// as a Concat of what is around the box and the updates.
#include <optional>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/new_nodes.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

constexpr size_t kMostParted = 3;  // dims of which the box is a part: each costs a Concat

// Holds where a box lies in the leading dims: from the first to behind the last.
struct Box {
  Integers from, to;

  size_t rank() const { return from.size(); }
  int64_t size(size_t d) const { return to[d] - from[d]; }
};

class Places {
 public:
  Places(const RefTensor& indices, const Shape& data)
      : indices_(indices), data_(data), dims_(static_cast<size_t>(indices.shape.dims().back())) {}

  size_t dims() const { return dims_; }
  int64_t count() const { return indices_.elements() / static_cast<int64_t>(dims_); }
  int64_t at(int64_t place, size_t d) const {
    const auto stated = static_cast<int64_t>(
        indices_[place * static_cast<int64_t>(dims_) + static_cast<int64_t>(d)]);
    return stated < 0 ? stated + data_[d] : stated;
  }

 private:
  const RefTensor& indices_;
  const Shape& data_;
  const size_t dims_;
};

// Nothing: the places are no box, or are not in its order.
std::optional<Box> box_of(const Places& places) {
  Box box;
  int64_t inside = 1;
  for (size_t d = 0; d < places.dims(); ++d) {
    box.from.push_back(places.at(0, d));
    box.to.push_back(places.at(places.count() - 1, d) + 1);
    if (box.size(d) < 1) return std::nullopt;
    inside *= box.size(d);
    if (inside > places.count()) return std::nullopt;
  }
  if (inside != places.count()) return std::nullopt;
  for (int64_t place = 0; place < inside; ++place) {
    int64_t rest = place;
    for (size_t d = box.rank(); d-- > 0; rest /= box.size(d)) {
      if (places.at(place, d) != box.from[d] + rest % box.size(d)) return std::nullopt;
    }
  }
  return box;
}

class Boxes {
 public:
  Boxes(Graph& graph, const Node& node, Box box)
      : node_(node),
        box_(std::move(box)),
        data_(*shape_of(graph, node.inputs[0])),
        nodes_(graph, node.outputs[0]) {}

  // Dims of which the box is a part, from the outer ones.
  std::vector<size_t> parted() const {
    std::vector<size_t> dims;
    for (size_t d = 0; d < box_.rank(); ++d) {
      if (box_.size(d) != data_[d]) dims.push_back(d);
    }
    return dims;
  }

  void write() {
    Integers dims = data_.dims();
    for (size_t d = 0; d < box_.rank(); ++d) dims[d] = box_.size(d);
    const std::vector<size_t> axes = parted();
    if (axes.empty()) return nodes_.define_view(node_.outputs[0], node_.inputs[2], dims);
    std::string inside = nodes_.view(node_.inputs[2], "box", dims);
    for (size_t i = axes.size(); i-- > 0;) {
      const std::vector<std::string> parts = around(inside, axes[i]);
      if (i > 0) inside = nodes_.join(parts, "box", static_cast<int64_t>(axes[i]));
      if (i == 0)
        nodes_.define(node_.outputs[0], "Concat", parts, {{"axis", static_cast<int64_t>(axes[i])}});
    }
  }

 private:
  // The data before and behind the box along the axis, inside of it along outer ones.
  std::vector<std::string> around(const std::string& inside, size_t axis) {
    std::vector<std::string> parts;
    if (box_.from[axis] > 0) parts.push_back(slice(axis, 0, box_.from[axis], "before"));
    parts.push_back(inside);
    if (box_.to[axis] < data_[axis])
      parts.push_back(slice(axis, box_.to[axis], data_[axis], "behind"));
    return parts;
  }

  std::string slice(size_t axis, int64_t from, int64_t to, const std::string& what) {
    Integers starts, ends, axes;
    for (size_t d = 0; d < axis; ++d) {
      if (box_.size(d) == data_[d]) continue;
      starts.push_back(box_.from[d]);
      ends.push_back(box_.to[d]);
      axes.push_back(static_cast<int64_t>(d));
    }
    starts.push_back(from);
    ends.push_back(to);
    axes.push_back(static_cast<int64_t>(axis));
    const Integers steps(axes.size(), 1);
    return nodes_.add(
        "Slice",
        {node_.inputs[0], integers(starts), integers(ends), integers(axes), integers(steps)}, what);
  }

  std::string integers(const Integers& numbers) {
    return nodes_.add_constant("places", whole_numbers(numbers));
  }

  const Node node_;
  const Box box_;
  const Shape data_;
  NewNodes nodes_;
};

std::optional<Box> box_of(const Graph& graph, const Node& node) {
  if (node.op_type != "ScatterND" || node.inputs.size() != 3 ||
      text_of(node, "reduction", "none") != "none")
    return std::nullopt;
  const Shape *data = filled_shape_of(graph, node.inputs[0]),
              *updates = filled_shape_of(graph, node.inputs[2]);
  const RefTensor* indices = graph.constant(node.inputs[1]);
  if (!data || !updates || !indices || indices->shape.rank() == 0 || indices->elements() == 0)
    return std::nullopt;
  return box_of(Places(*indices, *data));
}

}  // namespace

Result<size_t> state_boxes(Graph& graph) {
  size_t changes = 0;
  const size_t count = graph.nodes.size();
  for (size_t n = 0; n < count; ++n) {
    std::optional<Box> box = box_of(graph, graph.nodes[n]);
    if (!box) continue;
    Boxes boxes(graph, graph.nodes[n], std::move(*box));
    if (boxes.parted().size() > kMostParted) continue;
    // The node goes with what nobody reads.
    const std::string unread = fresh_name(graph, graph.nodes[n].outputs[0] + "/scattered");
    graph.nodes[n].outputs[0] = unread;
    boxes.write();
    ++changes;
  }
  return changes;
}

}  // namespace opkit::passes
