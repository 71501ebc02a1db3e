// States the sizes of a Resize in place of scales that give them exactly, or that choose the same
// elements, the modes that it leaves to their defaults, and those that have no say.
#include <numeric>

#include "opkit/reference/evaluate.h"
#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rewrites.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

constexpr size_t kRoi = 1, kScales = 2, kSizes = 3;

bool has(const Graph& graph, const Node& node, size_t operand) {
  if (node.inputs.size() <= operand || node.inputs[operand].empty()) return false;
  const graph::RefTensor* known = graph.constant(node.inputs[operand]);
  return known == nullptr || known->elements() > 0;  // none is what version 11 writes for absent
}

template <typename Value>
size_t state(Node& node, const char* name, const Value& value) {
  const auto stated = node.attributes.find(name);
  const Value* there =
      stated == node.attributes.end() ? nullptr : std::get_if<Value>(&stated->second);
  if (there && *there == value) return 0;
  node.attributes[name] = value;
  return 1;
}

// Scales that are exactly the quotients of the sizes: others place elements elsewhere.
bool are_exact(const graph::RefTensor& scales, const Shape& x, const Shape& y) {
  if (scales.elements() != static_cast<int64_t>(x.rank())) return false;
  for (size_t d = 0; d < x.rank(); ++d) {
    const double size = static_cast<double>(x[d]) * scales[static_cast<int64_t>(d)];
    if (size != static_cast<double>(y[d])) return false;
  }
  return true;
}

// Tells whether an axis has the same elements by its scale and by its size.
bool chooses_alike(const Node& node, double scale, int64_t in, int64_t out) {
  constexpr int64_t kMost = 1 << 16;  // elements of an axis
  if (in > kMost || out > kMost) return false;
  graph::RefTensor x{DType::kFloat32, Shape{in}, std::vector<double>(static_cast<size_t>(in))};
  std::iota(x.values.begin(), x.values.end(), 0.0);
  const graph::RefTensor by_scale{DType::kFloat32, Shape{1}, {scale}};
  const graph::RefTensor by_size{DType::kInt64, Shape{1}, {static_cast<double>(out)}};
  const Node scaled{"Resize", {"x", "", "scales"}, {"y"}, node.attributes};
  const Node sized{"Resize", {"x", "", "", "sizes"}, {"y"}, node.attributes};
  const auto a = reference::evaluate_node(scaled, {&x, nullptr, &by_scale});
  const auto b = reference::evaluate_node(sized, {&x, nullptr, nullptr, &by_size});
  return a.ok() && b.ok() && (*a)[0].values == (*b)[0].values;
}

// Nearest elements do not depend on how far away they are.
bool choose_alike(const Node& node, const graph::RefTensor& scales, const Shape& x,
                  const Shape& y) {
  if (text_of(node, "mode", "nearest") != "nearest" ||
      text_of(node, "coordinate_transformation_mode") == "tf_crop_and_resize" ||
      scales.elements() != static_cast<int64_t>(x.rank()))
    return false;
  for (size_t d = 0; d < x.rank(); ++d) {
    if (!chooses_alike(node, scales[static_cast<int64_t>(d)], x[d], y[d])) return false;
  }
  return true;
}

size_t state_sizes(Graph& graph, Node& node) {
  const Shape *x = shape_of(graph, node.inputs[0]), *y = shape_of(graph, node.outputs[0]);
  if (!x || !y || !has(graph, node, kScales) || node.attributes.count("axes") > 0) return 0;
  const graph::RefTensor* scales = graph.constant(node.inputs[kScales]);
  if (!scales || (!are_exact(*scales, *x, *y) && !choose_alike(node, *scales, *x, *y))) return 0;
  node.inputs.resize(kSizes + 1);
  node.inputs[kScales].clear();
  node.inputs[kSizes] = add_constant(graph, node.outputs[0] + "/sizes", whole_numbers(y->dims()));
  return 1;
}

size_t drop_operand(Node& node, size_t operand) {
  if (node.inputs.size() <= operand || node.inputs[operand].empty()) return 0;
  node.inputs[operand].clear();
  return 1;
}

// Writes an operand for every axis: the numbers of the axes that the node names, `others`
// elsewhere.
void spread(Graph& graph, Node& node, size_t operand, const Integers& axes,
            std::vector<double> others) {
  const graph::RefTensor some = *graph.constant(node.inputs[operand]);
  for (size_t i = 0; i < axes.size(); ++i)
    others[static_cast<size_t>(axes[i])] = some[static_cast<int64_t>(i)];
  const Shape shape{static_cast<int64_t>(others.size())};
  node.inputs[operand] =
      add_constant(graph, node.outputs[0] + "/all", {some.dtype, shape, std::move(others)});
}

// What is not named stays as it is. A roi is left to the interpreter.
size_t name_all_axes(Graph& graph, Node& node) {
  const auto stated = node.attributes.find("axes");
  const Shape* x = shape_of(graph, node.inputs[0]);
  if (stated == node.attributes.end() || !x) return 0;
  const auto axes = from_front(std::get<Integers>(stated->second), x->rank());
  const bool scaled = has(graph, node, kScales), sized = has(graph, node, kSizes);
  const size_t operand = scaled ? kScales : kSizes;
  if (!axes || scaled == sized || !graph.constant(node.inputs[operand])) return 0;
  if (text_of(node, "coordinate_transformation_mode") == "tf_crop_and_resize") return 0;
  if (graph.constant(node.inputs[operand])->elements() != static_cast<int64_t>(axes->size()))
    return 0;
  const std::vector<double> dims(x->dims().begin(), x->dims().end());
  spread(graph, node, operand, *axes, scaled ? std::vector<double>(x->rank(), 1) : dims);
  return node.attributes.erase("axes");
}

size_t state_modes(Node& node) {
  const std::string mode = text_of(node, "mode", "nearest"), otherwise = "round_prefer_floor";
  const std::string coordinates = text_of(node, "coordinate_transformation_mode", "half_pixel");
  const std::string nearest =
      mode == "nearest" ? text_of(node, "nearest_mode", otherwise) : otherwise;
  size_t changes = state(node, "mode", mode) + state(node, "nearest_mode", nearest) +
                   state(node, "coordinate_transformation_mode", coordinates);
  if (mode != "cubic") {
    changes += state(node, "cubic_coeff_a", -0.75);
    changes += state(node, "exclude_outside", int64_t{0});
  }
  if (coordinates == "tf_crop_and_resize") return changes;
  return changes + state(node, "extrapolation_value", 0.0) + drop_operand(node, kRoi);
}

}  // namespace

Result<size_t> state_resizes(Graph& graph) {
  size_t changes = 0;
  for (Node& node : graph.nodes) {
    if (node.op_type != "Resize" || graph.opset < graph::kDefaultOpset) continue;
    changes += name_all_axes(graph, node) + state_sizes(graph, node) + state_modes(node);
    if (!has(graph, node, kScales)) changes += drop_operand(node, kScales);
  }
  return changes;
}

}  // namespace opkit::passes
