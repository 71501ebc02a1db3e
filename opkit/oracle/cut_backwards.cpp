#include "opkit/oracle/cut_backwards.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opkit/reference/operators.h"

namespace opkit::oracle {
namespace {

using graph::Graph;
using graph::Node;

// Takes the first axis of data, result and nothing else.
bool works_by_image(const std::string& op_type) {
  static const char* const kOperators[] = {
      "Conv",          "ConvTranspose", "MaxPool",      "AveragePool", "GlobalAveragePool",
      "GlobalMaxPool", "DepthToSpace",  "SpaceToDepth", "Resize",      "InstanceNormalization"};
  return std::find(std::begin(kOperators), std::end(kOperators), op_type) != std::end(kOperators);
}

// Indices of MaxPool count from the beginning of all images.
bool tells_places(const Node& node) {
  return node.op_type == "MaxPool" && node.outputs.size() > 1 && !node.outputs[1].empty();
}

int64_t integer_of(const Node& node, const char* name, int64_t otherwise) {
  const auto stated = node.attributes.find(name);
  const auto* value =
      stated == node.attributes.end() ? nullptr : std::get_if<int64_t>(&stated->second);
  return value == nullptr ? otherwise : *value;
}

// Asks every node, the last one first, which part of its operands a part of its results needs.
// Places of axes are counted from the last one.
class BackwardCutter {
 public:
  BackwardCutter(const LoweredReference& reference, size_t place, int64_t extent, int64_t most)
      : graph_(reference.graph), reference_(reference), place_(place), most_(most) {
    cut_.extent = extent;
  }

  Result<Cut> run() {
    OPKIT_CHECK(cut_outputs());
    for (size_t n = graph_.nodes.size(); n-- > 0;) OPKIT_CHECK(follow(n));
    for (const auto& [name, place] : needs_) {
      if (place) cut_.axes[name] = shape_of(name)->rank() - 1 - *place;
    }
    OPKIT_CHECK(measure_cut(graph_, most_, cut_));
    return std::move(cut_);
  }

 private:
  using Place = std::optional<size_t>;  // nothing: whole

  const Shape* shape_of(const std::string& name) const { return known_shape(graph_, name); }

  int64_t extent_at(const std::string& name, size_t place) const {
    const Shape* shape = shape_of(name);
    return shape != nullptr && place < shape->rank() ? (*shape)[shape->rank() - 1 - place] : 1;
  }

  static Status needs_whole(const Node& node) { return needs_operands_whole(node); }

  Status cut_outputs() {
    for (const std::vector<std::string>& port : reference_.outputs) {
      for (const std::string& name : port) {
        if (shape_of(name) == nullptr || extent_at(name, place_) != cut_.extent)
          return cannot_cut(fmt::format("an output has no axis of {}", cut_.extent));
        needs_[name] = place_;
      }
    }
    return {};
  }

  // Notes which part of a value the node needs. Refuses to cut where another node needs another
  // part of the same value.
  Status need(const Node& node, const std::string& name, Place place) {
    if (name.empty()) return {};
    if (place && (shape_of(name) == nullptr || extent_at(name, *place) != cut_.extent))
      return needs_whole(node);
    const auto [known, fresh] = needs_.emplace(name, place);
    return fresh || known->second == place ? Status() : needs_whole(node);
  }

  Status follow(size_t number) {
    const Node& node = graph_.nodes[number];
    Place place;
    bool cut = false, whole = false;
    for (const std::string& name : node.outputs) {
      const auto needed = needs_.find(name);
      if (name.empty() || needed == needs_.end()) continue;
      if (cut && needed->second != place) return needs_whole(node);
      cut = cut || needed->second.has_value();
      whole = whole || !needed->second;
      place = needed->second;
    }
    if (cut && whole) return needs_whole(node);
    if (cut) return follow_cut(number, *place);
    for (const std::string& name : node.inputs) OPKIT_CHECK(need(node, name, std::nullopt));
    return {};
  }

  Status follow_cut(size_t number, size_t place) {
    const Node& node = graph_.nodes[number];
    const reference::Reach reach = reference::find_operator(node.op_type)->reach;
    if (reach == reference::Reach::kElement) return follow_elements(node, place);
    if (reach == reference::Reach::kRow) return follow_rows(node, place);
    if (node.op_type == "MatMul") return follow_product(node, place);
    if (node.op_type == "Gemm") return follow_gemm(node, place);
    if (node.op_type == "Transpose") return follow_transpose(node, place);
    if (node.op_type == "Trilu") return follow_triangle(number, place);
    if (works_by_image(node.op_type) && !tells_places(node)) return follow_images(node, place);
    if (node.op_type.rfind("Reduce", 0) == 0) return follow_reduction(node, place);
    return needs_whole(node);
  }

  Status follow_elements(const Node& node, size_t place) {
    if (node.attributes.count("axis") > 0) return needs_whole(node);  // has an axis in old versions
    for (const std::string& name : node.inputs) {
      if (name.empty()) continue;
      if (shape_of(name) == nullptr) return needs_whole(node);
      const bool cut = extent_at(name, place) == cut_.extent;
      if (!cut && extent_at(name, place) != 1) return needs_whole(node);
      OPKIT_CHECK(need(node, name, cut ? Place(place) : std::nullopt));
    }
    return {};
  }

  // Normalizations and Softmax, from an axis behind the cut on.
  Status follow_rows(const Node& node, size_t place) {
    const std::string& first = node.inputs.front();
    if (shape_of(first) == nullptr) return needs_whole(node);
    const auto rank = static_cast<int64_t>(shape_of(first)->rank());
    const int64_t axis = integer_of(node, "axis", -1);
    const int64_t from = axis < 0 ? axis + rank : axis;
    if (rank - 1 - static_cast<int64_t>(place) >= from) return needs_whole(node);
    OPKIT_CHECK(need(node, first, place));
    for (size_t i = 1; i < node.inputs.size(); ++i) {
      if (!node.inputs[i].empty() && extent_at(node.inputs[i], place) != 1)
        return needs_whole(node);
      OPKIT_CHECK(need(node, node.inputs[i], std::nullopt));
    }
    return {};
  }

  // Batches, where each operand has them, rows of the left operand, columns of the right one.
  Status follow_product(const Node& node, size_t place) {
    const std::string &left = node.inputs[0], &right = node.inputs[1];
    const Shape *a = shape_of(left), *b = shape_of(right);
    if (a == nullptr || b == nullptr || a->rank() < 2 || b->rank() < 2) return needs_whole(node);
    const auto part_of = [&](const std::string& name) -> Place {
      return extent_at(name, place) == cut_.extent ? Place(place) : std::nullopt;
    };
    OPKIT_CHECK(need(node, left, place == 0 ? std::nullopt : part_of(left)));
    return need(node, right, place == 1 ? std::nullopt : part_of(right));
  }

  Status follow_gemm(const Node& node, size_t place) {
    if (place > 1) return needs_whole(node);
    const bool turned_a = integer_of(node, "transA", 0) != 0;
    const bool turned_b = integer_of(node, "transB", 0) != 0;
    const Place row = turned_a ? size_t{0} : size_t{1}, column = turned_b ? size_t{1} : size_t{0};
    OPKIT_CHECK(need(node, node.inputs[0], place == 1 ? row : std::nullopt));
    OPKIT_CHECK(need(node, node.inputs[1], place == 0 ? column : std::nullopt));
    if (node.inputs.size() < 3 || node.inputs[2].empty()) return {};
    const bool cut = extent_at(node.inputs[2], place) == cut_.extent;
    return need(node, node.inputs[2], cut ? Place(place) : std::nullopt);
  }

  Status follow_transpose(const Node& node, size_t place) {
    const Shape* shape = shape_of(node.inputs.front());
    if (shape == nullptr) return needs_whole(node);
    const size_t rank = shape->rank(), axis = rank - 1 - place;
    const auto stated = node.attributes.find("perm");
    if (stated == node.attributes.end()) return need(node, node.inputs.front(), axis);
    const auto* perm = std::get_if<std::vector<int64_t>>(&stated->second);
    if (perm == nullptr || perm->size() != rank || (*perm)[axis] < 0) return needs_whole(node);
    return need(node, node.inputs.front(), rank - 1 - static_cast<size_t>((*perm)[axis]));
  }

  // Rows and columns of a part lie further down and to the right than they look.
  Status follow_triangle(size_t number, size_t place) {
    const Node& node = graph_.nodes[number];
    const bool stated = node.inputs.size() > 1 && !node.inputs[1].empty();
    if (stated && graph_.constant(node.inputs[1]) == nullptr) return needs_whole(node);
    if (place <= 1) cut_.triangles[number] = place == 1 ? 1 : -1;
    OPKIT_CHECK(need(node, node.inputs[0], place));
    return stated ? need(node, node.inputs[1], std::nullopt) : Status();
  }

  Status follow_images(const Node& node, size_t place) {
    const std::string& first = node.inputs.front();
    const Shape* shape = shape_of(first);
    if (shape == nullptr || place + 1 != shape->rank()) return needs_whole(node);
    if (node.op_type == "Resize" && node.inputs.size() > 1 && scales_images(node))
      return needs_whole(node);
    OPKIT_CHECK(need(node, first, place));
    for (size_t i = 1; i < node.inputs.size(); ++i)
      OPKIT_CHECK(need(node, node.inputs[i], std::nullopt));
    return {};
  }

  // Without the axes that it takes away, counted from the last one.
  Status follow_reduction(const Node& node, size_t place) {
    const std::string& first = node.inputs.front();
    const std::vector<int64_t> stated = reduced_axes(graph_, node);
    if (shape_of(first) == nullptr || stated.empty()) return needs_whole(node);
    const auto rank = static_cast<int64_t>(shape_of(first)->rank());
    std::vector<size_t> places;  // holds the axes, counted from the last one
    for (const int64_t axis : stated)
      places.push_back(static_cast<size_t>(axis < 0 ? -axis - 1 : rank - 1 - axis));
    std::sort(places.begin(), places.end());
    for (const size_t reduced : places) {
      if (keeps_reduced(node) && reduced == place) return needs_whole(node);
      if (!keeps_reduced(node) && reduced <= place) ++place;
    }
    OPKIT_CHECK(need(node, first, place));
    return node.inputs.size() > 1 ? need(node, node.inputs[1], std::nullopt) : Status();
  }

  // Sizes of a Resize name the number of images, which a part has not.
  bool scales_images(const Node& node) const {
    const bool sizes = node.inputs.size() > 3 && !node.inputs[3].empty();
    return sizes || node.attributes.count("axes") > 0;
  }

  const Graph& graph_;
  const LoweredReference& reference_;
  size_t place_;
  int64_t most_;
  std::map<std::string, Place> needs_;
  Cut cut_;
};

}  // namespace

Result<Cut> find_cut_backwards(const LoweredReference& reference, int64_t most) {
  std::optional<Error> why;
  std::vector<std::string> names;
  for (const std::vector<std::string>& port : reference.outputs)
    names.insert(names.end(), port.begin(), port.end());
  for (const auto& [place, extent] : places_of(reference.graph, names)) {
    auto cut = BackwardCutter(reference, place, extent, most).run();
    if (cut.ok()) return cut;
    if (!why) why = std::move(cut).error();
  }
  if (why) return std::move(*why);
  return cannot_cut("no output has an axis that is long enough");
}

}  // namespace opkit::oracle
