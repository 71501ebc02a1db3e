// Writes STFT as a Conv with the waves of each frequency, DFT as a product with them.
#include <algorithm>
#include <cmath>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/new_nodes.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

constexpr int64_t kMostWaves = int64_t{1} << 23;  // elements of the constant

// The angle of place j in the wave of frequency k: of all turns only the last one counts.
double angle(int64_t j, int64_t k, int64_t length) {
  return 2 * M_PI * static_cast<double>(j * k % length) / static_cast<double>(length);
}

std::optional<int64_t> number(const Graph& graph, const Node& node, size_t operand) {
  if (operand >= node.inputs.size() || node.inputs[operand].empty()) return std::nullopt;
  const RefTensor* known = graph.constant(node.inputs[operand]);
  if (known == nullptr || known->elements() != 1) return std::nullopt;
  return static_cast<int64_t>((*known)[0]);
}

bool has(const Node& node, size_t operand) {
  return operand < node.inputs.size() && !node.inputs[operand].empty();
}

// Cosines of all frequencies, then sines; of real numbers.
RefTensor filters(DType dtype, int64_t bins, int64_t length, const RefTensor* window) {
  RefTensor all{dtype, Shape{2 * bins, 1, length}, {}};
  for (const bool imaginary : {false, true}) {
    for (int64_t k = 0; k < bins; ++k) {
      for (int64_t j = 0; j < length; ++j) {
        const double turn = angle(j, k, length), factor = window != nullptr ? (*window)[j] : 1;
        all.values.push_back(factor * (imaginary ? -std::sin(turn) : std::cos(turn)));
      }
    }
  }
  return all;
}

Parts say_frames(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  const Shape *signal = filled_shape_of(graph, node.inputs[0]),
              *y = filled_shape_of(graph, node.outputs[0]);
  const auto step = number(graph, node, 1);
  const RefTensor* window = has(node, 2) ? graph.constant(node.inputs[2]) : nullptr;
  if (!signal || !y || !step || (has(node, 2) && !window)) return {};
  if (signal->rank() == 3 && (*signal)[2] != 1) return {};
  const std::optional<int64_t> stated = number(graph, node, 3);
  if (!stated && (has(node, 3) || !window)) return {};
  const int64_t length = stated ? *stated : window->elements();
  const int64_t batch = (*signal)[0], samples = (*signal)[1], frames = (*y)[1], bins = (*y)[2];
  if (2 * bins * length > kMostWaves) return {};
  const std::string name = node.outputs[0];
  NewNodes nodes(graph, name);
  const std::string waves =
      nodes.add_constant("waves", filters(dtype_of(graph, node.inputs[0]), bins, length, window));
  const std::string line = nodes.view(node.inputs[0], "line", {batch, 1, samples});
  const std::string sums = nodes.add("Conv", {line, waves}, "sums",
                                     {{"auto_pad", std::string("NOTSET")},
                                      {"kernel_shape", Integers{length}},
                                      {"strides", Integers{*step}},
                                      {"pads", Integers{0, 0}},
                                      {"dilations", Integers{1}},
                                      {"group", int64_t{1}}});
  const std::string pairs = nodes.view(sums, "pairs", {batch, 2, bins, frames});
  graph.nodes[n] = {"Transpose", {pairs}, {name}, {{"perm", Integers{0, 3, 2, 1}}}};
  std::vector<std::string> parts = nodes.parts();
  parts.push_back(name);
  return parts;
}

struct Turning {
  int64_t places, numbers;  // count the places of x's axis, and 1 or 2 numbers of each
  int64_t bins, length;
  bool inverse;
};

// What each number of x adds to each number of the result.
RefTensor matrix(DType dtype, const Turning& one) {
  RefTensor all{dtype, Shape{one.places * one.numbers, 2 * one.bins}, {}};
  const double share = one.inverse ? 1.0 / static_cast<double>(one.length) : 1;
  for (int64_t j = 0; j < one.places; ++j) {
    for (int64_t part = 0; part < one.numbers; ++part) {
      for (int64_t k = 0; k < one.bins; ++k) {
        const double turn = angle(j, k, one.length) * (one.inverse ? 1 : -1);
        const bool counts = j < one.length;  // what is longer is cut
        const double cosine = counts ? share * std::cos(turn) : 0;
        const double sine = counts ? share * std::sin(turn) : 0;
        all.values.push_back(part == 0 ? cosine : -sine);
        all.values.push_back(part == 0 ? sine : cosine);
      }
    }
  }
  return all;
}

// Brings the axis in front of the last dim, or back.
Integers order(size_t axis, size_t rank, bool back) {
  Integers perm;
  for (size_t d = 0; d < rank; ++d) perm.push_back(static_cast<int64_t>(d));
  const auto at = perm.begin() + static_cast<std::ptrdiff_t>(axis), last = perm.end() - 1;
  if (back) std::rotate(at, last - 1, last);
  if (!back) std::rotate(at, at + 1, last);
  return perm;
}

// The axis from the front; nothing when it is not known.
std::optional<size_t> axis_of(const Graph& graph, const Node& node, size_t rank) {
  const std::optional<int64_t> stated = number(graph, node, 2);
  if (has(node, 2) && !stated) return std::nullopt;
  const int64_t axis = stated.value_or(-2);
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

Parts say_product(Graph& graph, size_t n) {
  const Node node = graph.nodes[n];
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *y = filled_shape_of(graph, node.outputs[0]);
  const std::optional<int64_t> stated = number(graph, node, 1);
  if (!x || !y || (has(node, 1) && !stated)) return {};
  const size_t rank = x->rank();
  const auto axis = axis_of(graph, node, rank);
  if (!axis) return {};
  const Turning one{(*x)[*axis], (*x)[rank - 1], (*y)[*axis], stated.value_or((*x)[*axis]),
                    number_of(node, "inverse", 0) != 0};
  if (one.places * one.numbers * 2 * one.bins > kMostWaves) return {};
  const int64_t lines = x->elements() / (one.places * one.numbers);
  Integers turned = x->dims();
  std::rotate(turned.begin() + static_cast<std::ptrdiff_t>(*axis),
              turned.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, turned.end() - 1);
  turned[rank - 2] = one.bins;
  turned[rank - 1] = 2;
  const std::string name = node.outputs[0];
  NewNodes nodes(graph, name);
  const bool moves = *axis != rank - 2;
  const std::string from = moves ? nodes.add("Transpose", {node.inputs[0]}, "lines",
                                             {{"perm", order(*axis, rank, false)}})
                                 : node.inputs[0];
  const std::string rows = nodes.view(from, "rows", {lines, one.places * one.numbers});
  const std::string waves =
      nodes.add_constant("waves", matrix(dtype_of(graph, node.inputs[0]), one));
  const std::string sums = fresh_name(graph, name + "/sums");
  graph.nodes[n] = {"MatMul", {rows, waves}, {sums}, {}};
  std::vector<std::string> parts = nodes.parts();
  parts.push_back(sums);
  if (!moves) return nodes.define_view(name, sums, turned), parts;
  const std::string pairs = nodes.view(sums, "pairs", turned);
  nodes.define(name, "Transpose", {pairs}, {{"perm", order(*axis, rank, true)}});
  parts.push_back(name);
  return parts;
}

}  // namespace

Parts rephrase_fourier(Graph& graph, size_t n) {
  if (graph.nodes[n].op_type == "STFT") return say_frames(graph, n);
  if (graph.nodes[n].op_type == "DFT") return say_product(graph, n);
  return {};
}

}  // namespace opkit::passes
