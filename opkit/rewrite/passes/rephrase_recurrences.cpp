// Writes RNN, GRU and LSTM as their steps, one behind the other.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/recurrent_steps.h"
#include "opkit/rewrite/passes/rephrasings.h"
#include "opkit/rewrite/passes/stated_operands.h"

namespace opkit::passes {
namespace {

using graph::Graph;
using Names = std::vector<std::string>;

// Adds the nodes of a layer. Tensors of the layer go by steps, directions, batch; those of a layer
// whose batch comes first are transposed.
class Unrolling {
 public:
  Unrolling(Graph& graph, const UnrolledLayer& layer, const std::string& stem)
      : layer_(layer), nodes_(graph, stem) {}

  Names unroll() {
    const Names xs = operands();
    for (int64_t d = 0; d < layer_.directions; ++d) run(d, xs);
    define_states();
    define(1, last_h_);
    define(2, last_c_);
    return nodes_.parts();
  }

 private:
  std::string transposed(const std::string& from, const std::string& what, Integers perm) {
    if (!layer_.batch_first) return from;
    return nodes_.add("Transpose", {from}, what, {{"perm", std::move(perm)}});
  }

  // Returns the operand of every step, [batch, features].
  Names operands() {
    const std::string x = transposed(layer_.node.inputs[0], "x/turned", {1, 0, 2});
    Names steps = nodes_.split(x, "x", 0, layer_.steps, 1);
    for (std::string& step : steps)
      step = nodes_.view(step, "x/step", {layer_.batch, layer_.features});
    return steps;
  }

  // Cuts a direction's part out of an input, in these dims.
  std::string part(size_t input, int64_t direction, const std::string& what, const Integers& dims) {
    const Names parts = nodes_.split(layer_.node.inputs[input], what, 0, layer_.directions, 1);
    return nodes_.view(parts[static_cast<size_t>(direction)], what + "/one", dims);
  }

  GateWeights weights(int64_t d, const std::string& at) {
    const int64_t gates = layer_.gates, rows = layer_.hidden;
    const auto by_gate = [&](size_t input, const std::string& what, int64_t width) {
      return nodes_.split(part(input, d, what, {gates * rows, width}), what + "/gates", 0, gates,
                          rows);
    };
    GateWeights made{by_gate(1, at + "/w", layer_.features), by_gate(2, at + "/r", rows), {}, {}};
    if (!layer_.has_input(3)) return made;
    const std::string both = part(3, d, at + "/b", {2 * gates * rows});
    const Names biases = nodes_.split(both, at + "/b/gates", 0, 2 * gates, rows);
    made.bias_x.assign(biases.begin(), biases.begin() + gates);
    made.bias_h.assign(biases.begin() + gates, biases.end());
    return made;
  }

  std::string initial(size_t input, int64_t d, const std::string& what) {
    const Integers dims = {layer_.batch, layer_.hidden};
    if (!layer_.has_input(input)) {
      const Shape shape(dims);
      return nodes_.add_constant(
          what, {layer_.dtype, shape, std::vector<double>(static_cast<size_t>(shape.elements()))});
    }
    const std::string turned = transposed(layer_.node.inputs[input], what + "/turned", {1, 0, 2});
    const Names parts = nodes_.split(turned, what, 0, layer_.directions, 1);
    return nodes_.view(parts[static_cast<size_t>(d)], what + "/one", dims);
  }

  void run(int64_t d, const Names& xs) {
    const std::string at = fmt::format("{}", d);
    const RecurrentSteps steps(nodes_, layer_, d, weights(d, at), at);
    const bool lstm = layer_.node.op_type == "LSTM";
    RecurrentState state{initial(5, d, at + "/h"), lstm ? initial(6, d, at + "/c") : ""};
    Names states(xs.size());
    for (size_t i = 0; i < xs.size(); ++i) {
      const size_t t = layer_.backwards(d) ? xs.size() - 1 - i : i;
      state = steps.step(fmt::format("{}/{}", at, t), xs[t], state);
      states[t] = state.h;
    }
    states_.push_back(std::move(states));
    last_h_.push_back(state.h);
    if (lstm) last_c_.push_back(state.c);
  }

  // The first result: every state.
  void define_states() {
    if (!layer_.wants(0)) return;
    Names all;
    for (size_t t = 0; t < states_[0].size(); ++t) {
      for (const Names& states : states_) all.push_back(states[t]);
    }
    result(0, all, {layer_.steps, layer_.directions, layer_.batch, layer_.hidden}, {2, 0, 1, 3});
  }

  void define(size_t output, const Names& last) {
    if (layer_.wants(output))
      result(output, last, {layer_.directions, layer_.batch, layer_.hidden}, {1, 0, 2});
  }

  // Joined, in these dims, and turned by `perm` when the batch comes first.
  void result(size_t output, const Names& states, const Integers& dims, const Integers& perm) {
    const std::string &name = layer_.node.outputs[output], what = fmt::format("result{}", output);
    const std::string joined = nodes_.join(states, what, 0);
    if (!layer_.batch_first) return nodes_.define_view(name, joined, dims);
    nodes_.define(name, "Transpose", {nodes_.view(joined, what + "/view", dims)}, {{"perm", perm}});
  }

  const UnrolledLayer& layer_;
  NewNodes nodes_;
  std::vector<Names> states_;  // are in order of direction and step
  Names last_h_, last_c_;
};

}  // namespace

Parts rephrase_recurrences(Graph& graph, size_t n) {
  const auto layer = unrolled_layer(graph, graph.nodes[n]);
  if (!layer) return {};
  graph.nodes.erase(graph.nodes.begin() + static_cast<int64_t>(n));
  return Unrolling(graph, *layer, result_of(layer->node)).unroll();
}

}  // namespace opkit::passes
