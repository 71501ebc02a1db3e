#include "opkit/rewrite/passes/recurrent_steps.h"

namespace opkit::passes {
namespace {

using Names = std::vector<std::string>;

// The order of gates in LstmCell (input, forget, cell, output) and GruCell (reset, update, new), by
// their places in ONNX's LSTM (input, output, forget, cell) and GRU (update, reset, hidden).
const std::vector<size_t> kLstmGates = {0, 2, 3, 1}, kGruGates = {1, 0, 2}, kRnnGate = {0};
const std::vector<size_t> kResetAndUpdate = {1, 0}, kNew = {2};

const std::vector<size_t>& order_of(const UnrolledLayer& layer) {
  if (layer.node.op_type == "RNN") return kRnnGate;
  return layer.node.op_type == "GRU" ? kGruGates : kLstmGates;
}

Names chosen(const Names& all, const std::vector<size_t>& gates) {
  Names some;
  for (const size_t gate : gates) some.push_back(all[gate]);
  return some;
}

}  // namespace

RecurrentSteps::RecurrentSteps(NewNodes& nodes, const UnrolledLayer& layer, int64_t direction,
                               const GateWeights& weights, const std::string& what)
    : nodes_(nodes), layer_(layer), direction_(direction) {
  const std::vector<size_t>& all = order_of(layer);
  const bool gru = layer.node.op_type == "GRU", apart = gru && !layer.linear_before_reset;
  x_ = columns(weights.x, weights.bias_x, all, what + "/x");
  h_ = columns(weights.h, weights.bias_h, apart ? kResetAndUpdate : all, what + "/h");
  if (apart) remembered_ = columns(weights.h, weights.bias_h, kNew, what + "/new");
  if (gru || x_.bias.empty()) return;
  bias_ = nodes_.add("Add", {x_.bias, h_.bias}, what + "/bias");
  x_.bias = h_.bias = "";
}

RecurrentSteps::Columns RecurrentSteps::columns(const Names& rows, const Names& biases,
                                                const std::vector<size_t>& gates,
                                                const std::string& what) const {
  const std::string joined = nodes_.join(chosen(rows, gates), what + "/rows", 0);
  Columns made;
  made.weights =
      nodes_.add("Transpose", {joined}, what + "/columns", {{"perm", std::vector<int64_t>{1, 0}}});
  if (!biases.empty()) made.bias = nodes_.join(chosen(biases, gates), what + "/bias", 0);
  return made;
}

RecurrentState RecurrentSteps::step(const std::string& at, const std::string& x,
                                    const RecurrentState& before) const {
  if (layer_.node.op_type == "RNN") return rnn(at, x, before);
  return layer_.node.op_type == "GRU" ? gru(at, x, before) : lstm(at, x, before);
}

std::string RecurrentSteps::product(const std::string& x, const Columns& with,
                                    const std::string& what) const {
  const std::string product = nodes_.add("MatMul", {x, with.weights}, what + "/product");
  return with.bias.empty() ? product : nodes_.add("Add", {product, with.bias}, what + "/sum");
}

std::string RecurrentSteps::activated(const std::string& x, size_t which,
                                      const std::string& what) const {
  return nodes_.add(layer_.activation(direction_, which), {x}, what);
}

Names RecurrentSteps::gates_of(const std::string& sums, int64_t count,
                               const std::string& what) const {
  return nodes_.split(sums, what, 1, count, layer_.hidden);
}

std::string RecurrentSteps::sum_of_both(const std::string& at, const std::string& x,
                                        const std::string& h) const {
  const std::string sum =
      nodes_.add("Add", {product(x, x_, at + "/x"), product(h, h_, at + "/h")}, at + "/sum");
  return bias_.empty() ? sum : nodes_.add("Add", {sum, bias_}, at + "/biased");
}

RecurrentState RecurrentSteps::rnn(const std::string& at, const std::string& x,
                                   const RecurrentState& s) const {
  return {activated(sum_of_both(at, x, s.h), 0, at + "/state"), ""};
}

RecurrentState RecurrentSteps::lstm(const std::string& at, const std::string& x,
                                    const RecurrentState& s) const {
  const Names gates = gates_of(sum_of_both(at, x, s.h), 4, at + "/gates");
  const std::string input = activated(gates[0], 0, at + "/input");
  const std::string forget = activated(gates[1], 0, at + "/forget");
  const std::string cell = activated(gates[2], 1, at + "/cell");
  const std::string output = activated(gates[3], 0, at + "/output");
  const std::string taken = nodes_.add("Mul", {input, cell}, at + "/taken");
  const std::string kept = nodes_.add("Mul", {forget, s.c}, at + "/kept");
  const std::string c = nodes_.add("Add", {taken, kept}, at + "/c");
  return {nodes_.add("Mul", {output, activated(c, 2, at + "/bent")}, at + "/state"), c};
}

// The next state is new + update * (h - new).
RecurrentState RecurrentSteps::gru(const std::string& at, const std::string& x,
                                   const RecurrentState& s) const {
  const bool linear = layer_.linear_before_reset;
  const Names of_x = gates_of(product(x, x_, at + "/x"), 3, at + "/x/gates");
  const Names of_h = gates_of(product(s.h, h_, at + "/h"), linear ? 3 : 2, at + "/h/gates");
  const auto gate = [&](size_t which, const std::string& name) {
    const std::string sum = nodes_.add("Add", {of_x[which], of_h[which]}, at + name + "/sum");
    return activated(sum, 0, at + name);
  };
  const std::string reset = gate(0, "/reset"), update = gate(1, "/update");
  const std::string past =
      linear ? nodes_.add("Mul", {reset, of_h[2]}, at + "/past")
             : product(nodes_.add("Mul", {reset, s.h}, at + "/past"), remembered_, at + "/past");
  const std::string sum = nodes_.add("Add", {of_x[2], past}, at + "/new/sum");
  const std::string fresh = activated(sum, 1, at + "/new");
  const std::string way = nodes_.add("Sub", {s.h, fresh}, at + "/way");
  const std::string part = nodes_.add("Mul", {update, way}, at + "/part");
  return {nodes_.add("Add", {fresh, part}, at + "/state"), ""};
}

}  // namespace opkit::passes
