// Multiply-adds of products of matrices and of convolutions, computed in the direct way.
#include <algorithm>
#include <map>

#include "opkit/fusion/feasible/roofline.h"

namespace opkit::feasible {
namespace {

using graph::Graph;
using graph::Node;

const Shape& dims_of_value(const Graph& graph, const std::string& value) {
  return *graph.values.at(value).shape;
}

double count_of(const Graph& graph, const std::string& value) {
  return static_cast<double>(dims_of_value(graph, value).elements());
}

double at_least_one(int64_t size) { return static_cast<double>(std::max<int64_t>(size, 1)); }

// Returns the labels of one operand of an equation from the last one on: letters, and digits for
// the dims of "...".
std::string labels_of(const std::string& term, size_t rank) {
  const size_t dots = term.find("...");
  if (dots == std::string::npos || term.size() - 3 > rank) return term;
  const size_t hidden = rank - (term.size() - 3);
  std::string digits;
  for (size_t i = hidden; i-- > 0;) digits += static_cast<char>('0' + i % 10);
  return term.substr(0, dots) + digits + term.substr(dots + 3);
}

// Counts every combination of all indices, once for each operand behind the first one.
double products_of_einsum(const Graph& graph, const Node& node) {
  const auto said = node.attributes.find("equation");
  const auto* text =
      said == node.attributes.end() ? nullptr : std::get_if<std::string>(&said->second);
  if (text == nullptr || node.inputs.size() < 2) return 0;
  std::string left = text->substr(0, text->find("->"));
  std::erase(left, ' ');
  std::map<char, int64_t> sizes;
  for (size_t i = 0, begin = 0; i < node.inputs.size() && begin <= left.size(); ++i) {
    const size_t end = std::min(left.find(',', begin), left.size());
    const Shape& shape = dims_of_value(graph, node.inputs[i]);
    const std::string labels = labels_of(left.substr(begin, end - begin), shape.rank());
    for (size_t d = 0; d < std::min(labels.size(), shape.rank()); ++d) {
      int64_t& size = sizes.emplace(labels[d], 1).first->second;
      if (size == 1) size = shape[d];
    }
    begin = end + 1;
  }
  double all = static_cast<double>(node.inputs.size() - 1);
  for (const auto& [label, size] : sizes) all *= static_cast<double>(size);
  return all;
}

}  // namespace

double products_of(const Graph& graph, const Node& node) {
  const auto operand = [&](size_t i) -> const Shape& {
    return dims_of_value(graph, node.inputs[i]);
  };
  const double results = count_of(graph, node.outputs[0]);
  if (node.op_type == "Conv" || node.op_type == "ConvInteger")  // a filter for every result
    return results * count_of(graph, node.inputs[1]) / at_least_one(operand(1)[0]);
  if (node.op_type == "ConvTranspose")  // a filter for every element of x
    return count_of(graph, node.inputs[0]) * count_of(graph, node.inputs[1]) /
           at_least_one(operand(1)[0]);
  if (node.op_type == "MatMul" || node.op_type == "MatMulInteger")
    return operand(0).rank() == 0 ? 0 : results * static_cast<double>(operand(0).dims().back());
  if (node.op_type == "Gemm")
    return results * count_of(graph, node.inputs[0]) /
           at_least_one(dims_of_value(graph, node.outputs[0])[0]);
  return node.op_type == "Einsum" ? products_of_einsum(graph, node) : 0;
}

}  // namespace opkit::feasible
