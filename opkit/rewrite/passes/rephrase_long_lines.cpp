// Writes a Conv of images of one row that no kernel of the chip has room for: wide steps become
// channels, long rows become parts. An image of one column is one of one row.
#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/new_nodes.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

// What the shipped ops for convolutions take: a row, and a step of their kernels' loads.
constexpr int64_t kLongest = 16384, kWidestStep = 63, kWidest = 255;
constexpr int64_t kMostPieces = 64;

// A Conv along the last dim.
struct Line {
  Shape x, w, y;
  int64_t step, dilation, left, right, group;

  int64_t kernel() const { return w[3]; }
  int64_t window() const { return (kernel() - 1) * dilation + 1; }
};

const Integers& stated(const Node& node, const char* attribute) {
  return std::get<Integers>(node.attributes.at(attribute));
}

std::optional<Line> line_of(const Graph& graph, const Node& node) {
  if (node.op_type != "Conv" || !has_stated_window(node)) return std::nullopt;
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *w = filled_shape_of(graph, node.inputs[1]),
              *y = filled_shape_of(graph, node.outputs[0]);
  if (!x || !w || !y || x->rank() != 4 || (*x)[2] != 1 || (*w)[2] != 1) return std::nullopt;
  const Integers& pads = stated(node, "pads");
  if (pads[0] != 0 || pads[2] != 0) return std::nullopt;
  return Line{*x,
              *w,
              *y,
              stated(node, "strides")[1],
              stated(node, "dilations")[1],
              pads[1],
              pads[3],
              static_cast<int64_t>(number_of(node, "group", 1))};
}

class Longer {
 public:
  Longer(Graph& graph, size_t n, Line line)
      : graph_(graph), n_(n), line_(std::move(line)), nodes_(graph, graph.nodes[n].outputs[0]) {}

  // Each `step` numbers become channels: the Conv goes on by one.
  std::vector<std::string> fold(const RefTensor& weights) {
    const int64_t s = line_.step, taps = (line_.kernel() + s - 1) / s, out = line_.y[3];
    const int64_t channels = line_.x[1] * s, length = out + taps - 1;
    const std::string row =
        cut(padded(line_.left, length * s - line_.left - line_.x[3]), length * s);
    const std::string steps = nodes_.view(row, "steps", {line_.x[0], line_.x[1], length, s});
    const std::string turned =
        nodes_.add("Transpose", {steps}, "turned", {{"perm", Integers{0, 1, 3, 2}}});
    const std::string x = nodes_.view(turned, "x", {line_.x[0], channels, 1, length});
    const std::string w = nodes_.add_constant("w", folded(weights, taps));
    Node& node = graph_.nodes[n_];
    node.inputs[0] = x;
    node.inputs[1] = w;
    set_window(node, taps, 1);
    return with_parts(node.outputs[0]);
  }

  // Parts of the result, each of a part of the row.
  std::vector<std::string> part() {
    const std::string row = padded(line_.left, line_.right);
    const int64_t each = (kLongest - line_.window()) / line_.step + 1, out = line_.y[3];
    const Node node = graph_.nodes[n_];
    std::vector<std::string> made;
    for (int64_t from = 0; from < out; from += each) {
      const int64_t count = std::min(each, out - from), begin = from * line_.step;
      std::vector<std::string> inputs = node.inputs;
      inputs[0] = slice(row, begin, begin + (count - 1) * line_.step + line_.window());
      auto attributes = node.attributes;
      attributes["pads"] = Integers{0, 0, 0, 0};
      made.push_back(nodes_.add("Conv", std::move(inputs), "part", std::move(attributes)));
    }
    graph_.nodes[n_] = {"Concat", made, node.outputs, {{"axis", int64_t{3}}}};
    return with_parts(node.outputs[0]);
  }

 private:
  std::string padded(int64_t left, int64_t right) {
    const std::string x = graph_.nodes[n_].inputs[0];
    if (left == 0 && right <= 0) return x;
    const Integers pads = {0, 0, 0, left, 0, 0, 0, std::max<int64_t>(right, 0)};
    const std::string zero = nodes_.add_constant("zero", {dtype_of(graph_, x), Shape{}, {0}});
    return nodes_.add("Pad", {x, integers(pads), zero}, "padded",
                      {{"mode", std::string("constant")}});
  }

  std::string cut(const std::string& row, int64_t length) {
    return line_.left + line_.x[3] > length ? slice(row, 0, length) : row;
  }

  std::string slice(const std::string& row, int64_t from, int64_t to) {
    return nodes_.add("Slice",
                      {row, integers({from}), integers({to}), integers({3}), integers({1})}, "row");
  }

  std::string integers(const Integers& numbers) {
    return nodes_.add_constant("numbers", whole_numbers(numbers));
  }

  // [o, c * step + i, 1, t] of [o, c, 1, t * step + i], zeros behind the kernel.
  RefTensor folded(const RefTensor& w, int64_t taps) const {
    const int64_t s = line_.step, kernel = line_.kernel();
    RefTensor all{w.dtype, Shape{line_.w[0], line_.w[1] * s, 1, taps}, {}};
    for (int64_t row = 0; row < line_.w[0] * line_.w[1]; ++row) {
      for (int64_t i = 0; i < s; ++i) {
        for (int64_t t = 0; t < taps; ++t)
          all.values.push_back(t * s + i < kernel ? w[row * kernel + t * s + i] : 0);
      }
    }
    return all;
  }

  static void set_window(Node& node, int64_t kernel, int64_t step) {
    node.attributes["kernel_shape"] = Integers{1, kernel};
    node.attributes["strides"] = Integers{1, step};
    node.attributes["pads"] = Integers{0, 0, 0, 0};
  }

  std::vector<std::string> with_parts(const std::string& result) const {
    std::vector<std::string> parts = nodes_.parts();
    parts.push_back(result);
    return parts;
  }

  Graph& graph_;
  const size_t n_;
  const Line line_;
  NewNodes nodes_;
};

// Numbers of a constant, or of a view of one, as other rephrasings make it; null: neither.
const RefTensor* known_numbers(const Graph& graph, const std::string& value) {
  if (const RefTensor* constant = graph.constant(value)) return constant;
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (node->outputs[0] == value)
      return node->op_type == "Reshape" ? graph.constant(node->inputs[0]) : nullptr;
  }
  return nullptr;
}

// Exchanges the dims of each pixel.
void turn(Integers& numbers) {
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) std::swap(numbers[i], numbers[i + 1]);
}

// An image of one column that is too long, or a column of weights.
Parts lay_column(Graph& graph, size_t n) {
  const Node& node = graph.nodes[n];
  if (node.op_type != "Conv" || !has_stated_window(node)) return {};
  const Shape *x = filled_shape_of(graph, node.inputs[0]),
              *w = filled_shape_of(graph, node.inputs[1]),
              *y = filled_shape_of(graph, node.outputs[0]);
  if (!x || !w || !y || x->rank() != 4 || (*x)[3] != 1 || (*w)[3] != 1 || (*y)[3] != 1) return {};
  if ((*x)[2] <= kLongest && (*w)[2] <= kWidest) return {};
  const Integers row = {(*x)[0], (*x)[1], 1, (*x)[2]}, filter = {(*w)[0], (*w)[1], 1, (*w)[2]};
  const Integers column = y->dims();
  for (const char* name : {"kernel_shape", "strides", "dilations", "pads"})
    turn(std::get<Integers>(graph.nodes[n].attributes.at(name)));
  const std::string name = node.outputs[0], from = node.inputs[0], weights = node.inputs[1];
  const std::string laid = fresh_name(graph, name + "/row");
  const std::string in = add_reshape(graph, from, name + "/x", row),
                    w_in = add_reshape(graph, weights, name + "/w", filter);
  graph.nodes[n].inputs[0] = in;
  graph.nodes[n].inputs[1] = w_in;
  graph.nodes[n].outputs[0] = laid;
  define_reshape(graph, laid, name, column);
  return std::vector{laid};
}

}  // namespace

Parts rephrase_long_lines(Graph& graph, size_t n) {
  if (auto laid = lay_column(graph, n)) return laid;
  const auto line = line_of(graph, graph.nodes[n]);
  if (!line) return {};
  const bool is_long = line->x[3] > kLongest;
  const RefTensor* weights = known_numbers(graph, graph.nodes[n].inputs[1]);
  const bool folds =
      line->step > 1 && line->dilation == 1 && line->group == 1 && weights != nullptr;
  if (folds && (is_long || line->step > kWidestStep || line->kernel() > kWidest))
    return Longer(graph, n, *line).fold(*weights);
  if (!is_long || line->window() >= kLongest / 2) return {};
  const int64_t each = (kLongest - line->window()) / line->step + 1;
  if (line->y[3] > each * kMostPieces) return {};
  return Longer(graph, n, *line).part();
}

}  // namespace opkit::passes
