#include "opkit/oracle/cut_forwards.h"

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
    OPKIT_CHECK(measure_cut(graph_, most_, cut_));
    return std::move(cut_);
  }

 private:
  static Error needs_whole(const Node& node) { return needs_operands_whole(node); }

  const Shape* shape_of(const std::string& name) const { return known_shape(graph_, name); }

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
    // Is false for an axis of old versions, which need not count from the end.
    bool aligned = node.attributes.count("axis") == 0;
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

  Status follow_reduction(const Node& node) {
    const std::string& first = node.inputs.front();
    const bool of_axes = node.inputs.size() > 1 && is_cut(node.inputs[1]);
    std::vector<int64_t> axes = reduced_axes(graph_, node);
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
    const auto at = static_cast<size_t>(keeps_reduced(node) ? cut : cut - before);
    if (at >= shape_of(result)->rank() || (*shape_of(result))[at] != cut_.extent)
      return needs_whole(node);
    cut_.axes[result] = at;
    return {};
  }

  Status check_outputs() const {
    for (const std::vector<std::string>& port : reference_.outputs) {
      for (const std::string& name : port) {
        if (!is_cut(name))
          return cannot_cut(fmt::format("an output has no axis of {}", cut_.extent));
      }
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

}  // namespace

Result<Cut> find_cut_forwards(const LoweredReference& reference, int64_t most) {
  std::vector<std::string> names = reference.graph.inputs;
  for (const std::vector<std::string>& port : reference.outputs)
    names.insert(names.end(), port.begin(), port.end());
  std::optional<Error> why;
  for (const auto& [place, extent] : places_of(reference.graph, names)) {
    auto cut = Cutter(reference, place, extent, most).run();
    if (cut.ok()) return cut;
    why = std::move(cut).error();
  }
  if (why) return std::move(*why);
  return cannot_cut("no tensor has an axis that is long enough");
}

}  // namespace opkit::oracle
