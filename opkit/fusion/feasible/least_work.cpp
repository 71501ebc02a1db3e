#include "opkit/fusion/feasible/least_work.h"

#include <algorithm>
#include <set>
#include <string>

#include "opkit/fusion/feasible/roofline.h"
#include "opkit/fusion/feasible/shape_of_loops.h"
#include "opkit/fusion/feasible/traffic.h"
#include "opkit/reference/operators.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

std::vector<int64_t> ints_of(const Node& node, const char* name, std::vector<int64_t> otherwise) {
  const auto stated = node.attributes.find(name);
  if (stated == node.attributes.end()) return otherwise;
  const auto* list = std::get_if<std::vector<int64_t>>(&stated->second);
  return list == nullptr ? otherwise : *list;
}

// Describes a convolution of images, as far as its windows are known.
struct Windows {
  bool known = false;  // two spatial dims, pads that are said
  std::vector<int64_t> image, result, kernel, strides, pads, dilations;

  // Says whether every element of the image and of the filters is needed.
  bool take_all() const {
    const auto is_one = [](int64_t n) { return n == 1; };
    return known && std::all_of(strides.begin(), strides.end(), is_one) &&
           std::all_of(dilations.begin(), dilations.end(), is_one) && image[0] >= kernel[0] &&
           image[1] >= kernel[1];
  }
  // Counts pairs of a result's row and a filter's row that meet in the image, not in the padding.
  double meetings(size_t axis) const {
    double sum = 0;
    for (int64_t k = 0; k < kernel[axis]; ++k) {
      for (int64_t o = 0; o < result[axis]; ++o) {
        const int64_t at = o * strides[axis] - pads[axis] + k * dilations[axis];
        sum += at >= 0 && at < image[axis] ? 1 : 0;
      }
    }
    return sum;
  }
};

Windows windows_of(const Graph& graph, const Node& node) {
  const Shape& x = *graph.values.at(node.inputs[0]).shape;
  const Shape& w = *graph.values.at(node.inputs[1]).shape;
  const Shape& y = *graph.values.at(node.outputs[0]).shape;
  Windows all;
  const auto pad = node.attributes.find("auto_pad");
  const auto* said =
      pad == node.attributes.end() ? nullptr : std::get_if<std::string>(&pad->second);
  if (x.rank() != 4 || w.rank() != 4 || y.rank() != 4) return all;
  all.known = said == nullptr || *said == "NOTSET";
  all.image = {x[2], x[3]};
  all.result = {y[2], y[3]};
  all.kernel = {w[2], w[3]};
  all.strides = ints_of(node, "strides", {1, 1});
  all.pads = ints_of(node, "pads", {0, 0, 0, 0});
  all.dilations = ints_of(node, "dilations", {1, 1});
  all.known =
      all.known && all.strides.size() == 2 && all.pads.size() == 4 && all.dilations.size() == 2;
  return all;
}

bool is_conv(const Node& node) { return node.op_type == "Conv" || node.op_type == "ConvInteger"; }

bool is_product(const Node& node) {
  static const std::set<std::string> kProducts = {"MatMul", "Gemm", "MatMulInteger"};
  return kProducts.count(node.op_type) > 0;
}

// Says whether all elements of the operand are needed where all results are.
bool takes_all(const Graph& graph, const Node& node, size_t operand) {
  static const std::set<std::string> kAll = {"Transpose",    "Concat",       "Expand", "Tile",
                                             "DepthToSpace", "SpaceToDepth", "TopK",   "CumSum"};
  if (is_view(node) || is_product(node) || kAll.count(node.op_type) > 0) return true;
  if (is_conv(node)) return operand > 1 || windows_of(graph, node).take_all();
  if (node.op_type == "Where") return operand == 0;
  if (node.op_type.rfind("Reduce", 0) == 0 || node.op_type.rfind("Arg", 0) == 0) return true;
  const reference::Operator* op = reference::find_operator(node.op_type);
  return op != nullptr &&
         (op->reach == reference::Reach::kElement || op->reach == reference::Reach::kRow);
}

class Needs {
 public:
  explicit Needs(const Subject& subject) : subject_(subject), graph_(subject.graph) {}

  LeastWork run() {
    LeastWork least;
    for (const std::string& output : graph_.outputs) whole_.insert(output);
    const bool masked = loops_of(subject_).heavy > 1;
    for (size_t n = graph_.nodes.size(); n-- > 0;) {
      const Node& node = graph_.nodes[n];
      if (!is_made_whole(node)) continue;
      if (!masked) least.products += products_of(node);
      for (size_t i = 0; i < node.inputs.size(); ++i)
        if (!masked && takes_all(graph_, node, i)) whole_.insert(node.inputs[i]);
    }
    for (const std::string& input : graph_.inputs)
      if (whole_.count(input) > 0 && graph_.constant(input) == nullptr)
        least.read += static_cast<double>(bytes_of(subject_, input));
    least.written = written();
    return least;
  }

 private:
  bool is_made_whole(const Node& node) const {
    return std::all_of(node.outputs.begin(), node.outputs.end(), [&](const std::string& output) {
      return output.empty() ||
             (whole_.count(output) > 0 && graph_.values.at(output).shape->elements() > 0);
    });
  }

  double products_of(const Node& node) const {
    if (is_product(node)) return feasible::products_of(graph_, node);
    if (!is_conv(node)) return 0;
    const Windows windows = windows_of(graph_, node);
    if (!windows.known) return 0;
    const Shape& y = *graph_.values.at(node.outputs[0]).shape;
    const Shape& w = *graph_.values.at(node.inputs[1]).shape;
    return static_cast<double>(y[0]) * static_cast<double>(y[1]) * static_cast<double>(w[1]) *
           windows.meetings(0) * windows.meetings(1);
  }

  // Leaves out what a Scatter gives: an input in which a few elements may have changed.
  double written() const {
    std::set<std::string> made;
    for (const Node& node : graph_.nodes)
      if (node.op_type.rfind("Scatter", 0) != 0 && !is_view(node))
        made.insert(node.outputs.begin(), node.outputs.end());
    std::set<std::string> counted;
    double sum = 0;
    for (const std::string& output : graph_.outputs) {
      const std::string tensor = memory_of(graph_, output);
      if (made.count(tensor) > 0 && counted.insert(tensor).second)
        sum += static_cast<double>(bytes_of(subject_, output));
    }
    return sum;
  }

  const Subject& subject_;
  const Graph& graph_;
  std::set<std::string> whole_;  // values of which every element is needed
};

}  // namespace

LeastWork least_work_of(const Subject& subject) { return Needs(subject).run(); }

double fastest_cube(const Subject& subject, const core::TimingRates& rates) {
  constexpr double kSparse = 2;  // is the gain where of four weights two count, in integers
  bool integers = false, halves = true;
  for (const auto& [name, value] : subject.graph.values) {
    integers = integers || value.dtype == DType::kInt8 || value.dtype == DType::kUInt8;
    halves = halves && (value.dtype == DType::kFloat16 || value.dtype == DType::kBFloat16);
  }
  double most = 1;
  const auto take = [&](DType dtype) {
    most = std::max<double>(most, rates.cube_products[static_cast<size_t>(dtype)]);
  };
  take(DType::kFloat16);
  take(DType::kBFloat16);
  if (!halves) take(DType::kFloat32);
  if (!halves) most = std::max<double>(most, rates.cube_products_hf32);
  if (!integers) return most;
  for (const uint32_t products : rates.cube_products) most = std::max<double>(most, products);
  return kSparse * most;
}

}  // namespace opkit::feasible
