// Writes ReduceLogSum as the Log of a ReduceSum, and ReduceLogSumExp likewise: the logarithm of the
// sum of exp(x - m), plus m, the largest x. m is finite, so that infinite elements stay what they
// are: exp(-inf - m) is 0, and log(exp(inf - m)) is inf.
#include <cfloat>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/rephrasings.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;

// Sums of so many numbers up to 1 fit into every type of floats.
constexpr int64_t kMostTerms = 1 << 15;

// Returns the largest finite number; 0: of a type that is not written so.
double largest_of(DType dtype) {
  if (dtype == DType::kFloat16) return 65504;
  if (dtype == DType::kBFloat16) return 0x1.FEp127;
  return dtype == DType::kFloat32 ? FLT_MAX : 0;
}

// A sum of float16 may not fit where its logarithm does.
Parts log_sum(Graph& graph, size_t n) {
  if (dtype_of(graph, graph.nodes[n].inputs[0]) == DType::kFloat16) return {};
  const std::string y = graph.nodes[n].outputs[0], sum = fresh_name(graph, y + "/sum");
  graph.nodes[n].op_type = "ReduceSum";
  graph.nodes[n].outputs[0] = sum;
  graph.nodes.push_back({"Log", {sum}, {y}, {}});
  return std::vector{sum, y};
}

Node reduction(const Node& like, const std::string& op, const std::string& x,
               const std::string& y) {
  Node node{op, {x}, {y}, like.attributes};
  node.attributes["keepdims"] = int64_t{1};
  return node;
}

Parts log_sum_exp(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  const std::string x = node.inputs[0], y = node.outputs[0];
  const Shape *from = filled_shape_of(graph, x), *to = filled_shape_of(graph, y);
  const DType dtype = dtype_of(graph, x);
  const double most = largest_of(dtype);
  if (!from || !to || most == 0 || from->elements() / to->elements() > kMostTerms) return {};
  const auto bound = [&](const char* name, double value) {
    return add_constant(graph, y + name, {dtype, Shape{}, {value}});
  };
  const std::string low = bound("/low", -most), high = bound("/high", most);
  const std::string largest = fresh_name(graph, y + "/largest");
  graph.nodes[n] = reduction(node, "ReduceMax", x, largest);
  const std::string m = add_node(graph, "Clip", {largest, low, high}, y + "/m");
  const std::string less = add_node(graph, "Sub", {x, m}, y + "/less");
  const std::string powers = add_node(graph, "Exp", {less}, y + "/powers");
  const std::string sum = fresh_name(graph, y + "/sum");
  graph.nodes.push_back(reduction(node, "ReduceSum", powers, sum));
  const std::string log = add_node(graph, "Log", {sum}, y + "/log");
  const std::string whole = fresh_name(graph, y + "/whole");
  graph.nodes.push_back({"Add", {log, m}, {whole}, {}});
  define_reshape(graph, whole, y, to->dims());
  return std::vector{largest, m, less, powers, sum, log, whole};
}

}  // namespace

Parts rephrase_log_sums(Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  if (node.inputs.size() != 1 || graph.opset < graph::kDefaultOpset) return {};
  if (node.op_type == "ReduceLogSum") return log_sum(graph, n);
  if (node.op_type == "ReduceLogSumExp") return log_sum_exp(graph, n);
  return {};
}

}  // namespace opkit::passes
