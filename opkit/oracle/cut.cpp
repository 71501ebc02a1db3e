#include "opkit/oracle/cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/reference/operators.h"

namespace opkit::oracle {
namespace {

using graph::Graph;
using graph::Node;

// Tensors are cut where they have this extent at this place, counted from their last axis, as
// broadcasting counts.
class Cutter {
 public:
  Cutter(const LoweredReference& reference, size_t place, int64_t extent, int64_t most)
      : graph_(reference.graph), reference_(reference), place_(place), most_(most) {
    cut_.extent = extent;
  }

  Result<Cut> run() {
    for (const std::string& name : graph_.inputs) seed(name);
    for (const auto& [name, value] : graph_.values) {
      if (value.constant != nullptr) seed(name);
    }
    for (const Node& node : graph_.nodes) OPKIT_CHECK(follow(node));
    OPKIT_CHECK(check_outputs());
    OPKIT_CHECK(measure());
    return std::move(cut_);
  }

 private:
  static Error no(std::string message) {
    return Error(kNeedsWhole, std::move(message),
                 "choose a smaller shape; opkit run and bench take larger ones");
  }

  Error needs_whole(const Node& node) const {
    return no(fmt::format("node {} ({}) needs its operands whole", node.name, node.op_type))
        .at(node.where);
  }

  const Shape* shape_of(const std::string& name) const {
    const auto found = graph_.values.find(name);
    const bool known = found != graph_.values.end() && found->second.shape &&
                       found->second.shape->has_rank() && found->second.shape->is_static();
    return known ? &*found->second.shape : nullptr;
  }

  bool is_cut(const std::string& name) const { return cut_.axes.count(name) > 0; }
  int64_t extent_at(const Shape& shape, size_t place) const {
    return place < shape.rank() ? shape[shape.rank() - 1 - place] : 1;
  }
  size_t place_of(const std::string& name) const {
    return shape_of(name)->rank() - 1 - cut_.axes.at(name);
  }

  void seed(const std::string& name) {
    const Shape* shape = shape_of(name);
    if (shape != nullptr && place_ < shape->rank() && extent_at(*shape, place_) == cut_.extent)
      cut_.axes[name] = shape->rank() - 1 - place_;
  }

  // An input or constant that no node read as a whole may be cut elsewhere, too: behind a sum over
  // the last axis the same dim stands one place further back.
  void cut_late(const std::string& name, size_t place) {
    const Shape* shape = shape_of(name);
    if (is_cut(name) || computed_.count(name) > 0 || read_whole_.count(name) > 0) return;
    if (shape != nullptr && place < shape->rank() && extent_at(*shape, place) == cut_.extent)
      cut_.axes[name] = shape->rank() - 1 - place;
  }

  Status follow(const Node& node) {
    OPKIT_CHECK(follow_kind(node));
    computed_.insert(node.outputs.begin(), node.outputs.end());
    for (const std::string& name : node.inputs)
      if (!is_cut(name)) read_whole_.insert(name);
    return {};
  }

  Status follow_kind(const Node& node) {
    const auto cut = std::find_if(node.inputs.begin(), node.inputs.end(),
                                  [&](const std::string& name) { return is_cut(name); });
    if (cut == node.inputs.end()) return {};
    const bool known = std::all_of(node.outputs.begin(), node.outputs.end(), [&](const auto& name) {
      return name.empty() || shape_of(name) != nullptr;
    });
    if (!known) return needs_whole(node);
    const reference::Reach reach = reference::find_operator(node.op_type)->reach;
    if (reach == reference::Reach::kElement) return follow_elements(node, place_of(*cut));
    if (reach == reference::Reach::kRow) return follow_rows(node);
    return node.op_type.rfind("Reduce", 0) == 0 ? follow_reduction(node) : needs_whole(node);
  }

  // Whatever is not cut has one element there, which every part reads.
  Status follow_elements(const Node& node, size_t place) {
    bool aligned = node.attributes.count("axis") == 0;  // of old versions: not from the end
    for (const std::string& name : node.inputs) {
      if (name.empty()) continue;
      cut_late(name, place);
      const Shape* shape = shape_of(name);
      aligned = aligned && shape != nullptr &&
                (is_cut(name) ? place_of(name) == place : extent_at(*shape, place) == 1);
    }
    return aligned ? cut_outputs(node, place) : Status(needs_whole(node));
  }

  Status cut_outputs(const Node& node, size_t place) {
    for (const std::string& name : node.outputs) {
      if (name.empty()) continue;
      const Shape& shape = *shape_of(name);
      if (extent_at(shape, place) != cut_.extent) return needs_whole(node);
      cut_.axes[name] = shape.rank() - 1 - place;
    }
    return {};
  }

  // Normalizations and Softmax, from an axis behind the cut on.
  Status follow_rows(const Node& node) {
    const std::string& first = node.inputs.front();
    if (!is_cut(first)) return needs_whole(node);
    const auto stated = node.attributes.find("axis");
    const int64_t* given =
        stated == node.attributes.end() ? nullptr : std::get_if<int64_t>(&stated->second);
    if (stated != node.attributes.end() && given == nullptr) return needs_whole(node);
    const auto rank = static_cast<int64_t>(shape_of(first)->rank());
    const int64_t axis = given == nullptr ? -1 : *given;
    const int64_t from = axis < 0 ? axis + rank : axis;
    if (static_cast<int64_t>(cut_.axes.at(first)) >= from) return needs_whole(node);
    for (const std::string& name : node.inputs) {
      const Shape* shape = name.empty() ? nullptr : shape_of(name);
      if (name.empty() || name == first) continue;
      if (shape == nullptr || is_cut(name) || extent_at(*shape, place_of(first)) != 1)
        return needs_whole(node);
    }
    return cut_outputs(node, place_of(first));
  }

  // As attribute or constant; none: nobody knows them before the call, or all are meant.
  std::vector<int64_t> axes_of(const Node& node) const {
    std::vector<int64_t> axes;
    if (const auto stated = node.attributes.find("axes"); stated != node.attributes.end()) {
      if (const auto* list = std::get_if<std::vector<int64_t>>(&stated->second)) axes = *list;
    } else if (node.inputs.size() > 1 && !node.inputs[1].empty()) {
      if (const graph::RefTensor* list = graph_.constant(node.inputs[1]))
        for (const double axis : list->values) axes.push_back(static_cast<int64_t>(axis));
    }
    return axes;
  }

  bool keeps_dims(const Node& node) const {
    const auto stated = node.attributes.find("keepdims");
    const auto* value =
        stated == node.attributes.end() ? nullptr : std::get_if<int64_t>(&stated->second);
    return value == nullptr || *value != 0;
  }

  Status follow_reduction(const Node& node) {
    const std::string& first = node.inputs.front();
    const bool of_axes = node.inputs.size() > 1 && is_cut(node.inputs[1]);
    std::vector<int64_t> axes = axes_of(node);
    if (!is_cut(first) || of_axes || axes.empty()) return needs_whole(node);
    const auto rank = static_cast<int64_t>(shape_of(first)->rank());
    const auto cut = static_cast<int64_t>(cut_.axes.at(first));
    int64_t before = 0;
    for (const int64_t stated : axes) {
      const int64_t axis = stated < 0 ? stated + rank : stated;
      if (axis == cut) return needs_whole(node);
      before += axis < cut ? 1 : 0;
    }
    const std::string& result = node.outputs.front();
    const auto at = static_cast<size_t>(keeps_dims(node) ? cut : cut - before);
    if (at >= shape_of(result)->rank() || (*shape_of(result))[at] != cut_.extent)
      return needs_whole(node);
    cut_.axes[result] = at;
    return {};
  }

  Status check_outputs() const {
    for (const std::vector<std::string>& port : reference_.outputs) {
      for (const std::string& name : port) {
        if (!is_cut(name)) return no(fmt::format("an output has no axis of {}", cut_.extent));
      }
    }
    return {};
  }

  Status measure() {
    for (const auto& [name, value] : graph_.values) {
      const Shape* shape = shape_of(name);
      if (shape == nullptr) continue;
      const int64_t elements = is_cut(name) ? shape->elements() / cut_.extent : shape->elements();
      if (elements > most_)
        return no(fmt::format("each part would have {} elements of one tensor", elements));
      if (is_cut(name)) cut_.unit = std::max(cut_.unit, elements);
    }
    return {};
  }

  const Graph& graph_;
  const LoweredReference& reference_;
  size_t place_;
  int64_t most_;
  std::set<std::string> computed_, read_whole_;
  Cut cut_;
};

// The axes of inputs and outputs that a cut may take, of the largest tensor first, the outermost
// first, since its parts lie in one piece.
std::vector<std::pair<size_t, int64_t>> places_of(const LoweredReference& reference) {
  std::vector<std::string> names = reference.graph.inputs;
  for (const std::vector<std::string>& port : reference.outputs)
    names.insert(names.end(), port.begin(), port.end());
  std::vector<Shape> shapes;
  for (const std::string& name : names) {
    const auto found = reference.graph.values.find(name);
    if (found == reference.graph.values.end() || !found->second.shape) continue;
    const Shape& shape = *found->second.shape;
    if (shape.has_rank() && shape.is_static()) shapes.push_back(shape);
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

}  // namespace

Result<Cut> find_cut(const LoweredReference& reference, int64_t most) {
  std::optional<Error> why;
  for (const auto& [place, extent] : places_of(reference)) {
    auto cut = Cutter(reference, place, extent, most).run();
    if (cut.ok()) return cut;
    why = std::move(cut).error();
  }
  if (why) return std::move(*why);
  return Error(kNeedsWhole, "no tensor has an axis that is long enough", "choose a smaller shape");
}

}  // namespace opkit::oracle
