#include "opkit/rewrite/passes/unroll.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/graph/bodies.h"
#include "opkit/reference/control.h"
#include "opkit/rewrite/passes/add_body.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using graph::Node;
using Names = std::vector<std::string>;

// One Loop or Scan that is written out.
class WrittenOut {
 public:
  WrittenOut(Graph& graph, Node node, const reference::BodyPorts& ports, const Insertion& insertion,
             int64_t trips)
      : graph_(graph),
        node_(std::move(node)),
        ports_(ports),
        insertion_(insertion),
        trips_(trips),
        stem_(result_of(node_)),
        first_(graph::own_inputs(node_) - ports.carried - ports.slices),
        parts_(ports.stacked) {}

  Status run(const Shape& counter) {
    Names carried(node_.inputs.begin() + static_cast<std::ptrdiff_t>(first_),
                  node_.inputs.begin() + static_cast<std::ptrdiff_t>(first_ + ports_.carried));
    for (int64_t i = 0; i < trips_; ++i) {
      OPKIT_TRY(const Names own, inputs_of(i, counter, carried));
      const Names outputs = insertion_.add(graph_, own, fmt::format("#{}", i));
      for (size_t c = 0; c < ports_.carried; ++c) carried[c] = outputs[ports_.conditions + c];
      for (size_t s = 0; s < ports_.stacked; ++s)
        parts_[s].push_back(outputs[ports_.conditions + ports_.carried + s]);
    }
    for (size_t c = 0; c < ports_.carried; ++c) define(c, carried[c]);
    for (size_t s = 0; s < ports_.stacked; ++s) OPKIT_CHECK(define_stacked(s));
    return {};
  }

 private:
  std::string integer(const std::string& what, const Shape& shape, int64_t value) {
    return add_constant(graph_, stem_ + "/" + what,
                        {DType::kInt64, shape, {static_cast<double>(value)}});
  }

  Result<Names> inputs_of(int64_t i, const Shape& counter, const Names& carried) {
    Names own;
    if (ports_.counters > 0) own.push_back(integer("iteration", counter, i));
    own.insert(own.end(), carried.begin(), carried.end());
    for (size_t s = 0; s < ports_.slices; ++s) {
      const std::string& whole = node_.inputs[first_ + ports_.carried + s];
      OPKIT_TRY(const auto axis, reference::scan_input(node_, s, shape_of(graph_, whole)->rank()));
      const std::string index = integer("part", {}, axis.backwards ? trips_ - 1 - i : i);
      own.push_back(add_node(graph_, "Gather", {whole, index}, stem_ + "/slice",
                             {{"axis", static_cast<int64_t>(axis.axis)}}));
    }
    return own;
  }

  bool is_wanted(size_t output) const {
    return output < node_.outputs.size() && !node_.outputs[output].empty();
  }

  void define(size_t output, const std::string& value) {
    if (is_wanted(output))
      graph_.nodes.push_back({"Identity", {value}, {node_.outputs[output]}, {}});
  }

  Status define_stacked(size_t s) {
    const size_t output = ports_.carried + s;
    if (!is_wanted(output)) return {};
    const std::string& name = node_.outputs[output];
    OPKIT_TRY(const auto axis, reference::scan_output(node_, s, shape_of(graph_, name)->rank()));
    const auto at = static_cast<int64_t>(axis.axis);
    const std::string axes = integer("axis", {1}, at);
    Names parts;
    for (const std::string& part : parts_[s])
      parts.push_back(add_node(graph_, "Unsqueeze", {part, axes}, name + "/part"));
    if (axis.backwards) std::reverse(parts.begin(), parts.end());
    graph_.nodes.push_back({"Concat", parts, {name}, {{"axis", at}}});
    return {};
  }

  Graph& graph_;
  const Node node_;
  const reference::BodyPorts ports_;
  const Insertion& insertion_;
  const int64_t trips_;
  const std::string stem_;
  const size_t first_;
  std::vector<Names> parts_;  // holds the parts of each stacked output
};

// Operators have axes as operands since then.
constexpr int kAxesAreOperands = 13;

}  // namespace

Result<bool> unroll(Graph& graph, size_t n, int64_t trips) {
  const Node node = graph.nodes[n];
  if (graph.opset < kAxesAreOperands) return false;
  OPKIT_TRY(const Graph stored, graph::body_of(node, "body"));
  OPKIT_TRY(const auto ports, reference::ports_of(node, stored));
  OPKIT_TRY(const auto insertion, Insertion::of(graph, node, "body"));
  if (!insertion) return false;
  Shape counter;
  if (ports.counters > 0) {
    const auto stated = stored.values.find(stored.inputs[0]);
    if (stated != stored.values.end() && stated->second.shape && stated->second.shape->rank() == 1)
      counter = Shape{1};
  }
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(n));
  OPKIT_CHECK(WrittenOut(graph, node, ports, *insertion, trips).run(counter));
  OPKIT_CHECK(graph::sort_nodes(graph));
  return true;
}

}  // namespace opkit::passes
