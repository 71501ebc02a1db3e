// RNN, GRU, LSTM: forward, reverse and bidirectional; both layouts.
#include <algorithm>
#include <cmath>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

using Vector = std::vector<double>;
using Activation = double (*)(double);

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double relu_of(double x) { return x < 0 ? 0 : x; }

// Sizes, and where things are in the tensors of either layout.
struct CellLayout {
  int64_t steps, batch, features, hidden, directions;
  bool batch_first;

  int64_t x(int64_t t, int64_t b) const {
    return (batch_first ? b * steps + t : t * batch + b) * features;
  }
  int64_t state(int64_t d, int64_t b) const {
    return (batch_first ? b * directions + d : d * batch + b) * hidden;
  }
  int64_t y(int64_t t, int64_t d, int64_t b) const {
    return (batch_first ? (b * steps + t) * directions + d : (t * directions + d) * batch + b) *
           hidden;
  }
  Shape state_shape() const {
    return batch_first ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
  }
  Shape y_shape() const {
    return batch_first ? Shape{batch, steps, directions, hidden}
                       : Shape{steps, directions, batch, hidden};
  }
};

// One direction of one cell kind: weights by gate, activations, clipping.
struct Cell {
  const OperatorCall& call;
  const CellLayout& layout;
  int64_t gates;
  int64_t direction;
  std::vector<Activation> activations;

  double activate(size_t which, double x) const {
    const double clip = call.number("clip");
    return activations[which](std::clamp(x, -clip, clip));
  }
  // Row of W x plus its bias.
  double from_input(int64_t gate, int64_t j, const Vector& x) const {
    return row(1, layout.features, gate, j, x) + bias(gate, j);
  }
  // Row of R h, without and with its bias.
  double from_state(int64_t gate, int64_t j, const Vector& h) const {
    return row(2, layout.hidden, gate, j, h);
  }
  double state_bias(int64_t gate, int64_t j) const { return bias(gates + gate, j); }
  double gate(int64_t gate, int64_t j, const Vector& x, const Vector& h) const {
    return from_input(gate, j, x) + from_state(gate, j, h) + state_bias(gate, j);
  }

 private:
  double row(size_t input, int64_t width, int64_t gate, int64_t j, const Vector& v) const {
    const int64_t start = ((direction * gates + gate) * layout.hidden + j) * width;
    double sum = 0;
    for (int64_t i = 0; i < width; ++i) sum += call.input(input)[start + i] * v[i];
    return sum;
  }
  double bias(int64_t gate, int64_t j) const {
    if (!call.has_input(3)) return 0;
    return call.input(3)[(direction * 2 * gates + gate) * layout.hidden + j];
  }
};

// The state after one step.
using Step = void (*)(const Cell&, const Vector& x, Vector& h, Vector& c);

void rnn_step(const Cell& cell, const Vector& x, Vector& h, Vector&) {
  Vector next(h.size());
  for (size_t j = 0; j < h.size(); ++j) next[j] = cell.activate(0, cell.gate(0, j, x, h));
  h = next;
}

// Gates: update z, reset r, hidden.
void gru_step(const Cell& cell, const Vector& x, Vector& h, Vector&) {
  const size_t size = h.size();
  Vector z(size), r(size), reset(size), next(size);
  for (size_t j = 0; j < size; ++j) {
    z[j] = cell.activate(0, cell.gate(0, j, x, h));
    r[j] = cell.activate(0, cell.gate(1, j, x, h));
    reset[j] = r[j] * h[j];
  }
  const bool linear_before_reset = cell.call.integer("linear_before_reset") != 0;
  for (size_t j = 0; j < size; ++j) {
    const double past = linear_before_reset
                            ? r[j] * (cell.from_state(2, j, h) + cell.state_bias(2, j))
                            : cell.from_state(2, j, reset) + cell.state_bias(2, j);
    const double candidate = cell.activate(1, cell.from_input(2, j, x) + past);
    next[j] = (1 - z[j]) * candidate + z[j] * h[j];
  }
  h = next;
}

// Gates: input, output, forget, cell. Peepholes (input 7) in the order input, output, forget.
void lstm_step(const Cell& cell, const Vector& x, Vector& h, Vector& c) {
  const int64_t size = static_cast<int64_t>(h.size());
  const auto peephole = [&](int64_t which, int64_t j, double state) {
    if (!cell.call.has_input(7)) return 0.0;
    return cell.call.input(7)[(cell.direction * 3 + which) * size + j] * state;
  };
  const bool coupled = cell.call.integer("input_forget") != 0;
  Vector next(h.size());
  for (int64_t j = 0; j < size; ++j) {
    const double i = cell.activate(0, cell.gate(0, j, x, h) + peephole(0, j, c[j]));
    const double f =
        coupled ? 1 - i : cell.activate(0, cell.gate(2, j, x, h) + peephole(2, j, c[j]));
    const double candidate = cell.activate(1, cell.gate(3, j, x, h));
    c[j] = f * c[j] + i * candidate;
    const double o = cell.activate(0, cell.gate(1, j, x, h) + peephole(1, j, c[j]));
    next[j] = o * cell.activate(2, c[j]);
  }
  h = next;
}

Result<Activation> activation_of(const OperatorCall& call, const std::string& name) {
  if (name == "Sigmoid") return Activation{logistic};
  if (name == "Tanh") return Activation{std::tanh};
  if (name == "Relu") return Activation{relu_of};
  return call.not_implemented("activation '" + name + "'");
}

Result<std::vector<Activation>> activations_of(const OperatorCall& call, int64_t direction,
                                               int64_t directions,
                                               const std::vector<std::string>& defaults) {
  std::vector<std::string> names = call.texts("activations");
  const size_t count = defaults.size();
  if (names.empty()) {
    names = defaults;
    if (directions == 2) names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (names.size() != count * static_cast<size_t>(directions)) {
    return call.attribute_error("activations must have " + std::to_string(count) +
                                " names per direction");
  }
  std::vector<Activation> out;
  for (size_t i = 0; i < count; ++i) {
    OPKIT_TRY(const Activation f, activation_of(call, names[direction * count + i]));
    out.push_back(f);
  }
  return out;
}

Status require_shape(const OperatorCall& call, size_t input, const Shape& shape) {
  if (!call.has_input(input) || call.input(input).shape == shape) return {};
  return call.shape_error("input " + std::to_string(input) + " has shape " +
                          call.input(input).shape.to_string() + " instead of " + shape.to_string());
}

Result<CellLayout> read_layout(const OperatorCall& call, int64_t gates) {
  for (size_t i = 0; i < 3; ++i) OPKIT_CHECK(call.require_rank(i, 3, 3));
  const Shape &x = call.input(0).shape, &r = call.input(2).shape;
  const bool batch_first = call.integer("layout") != 0;
  const std::string direction = call.text("direction");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return call.attribute_error("direction '" + direction + "' is unknown");
  }
  const CellLayout l{x[batch_first ? 1 : 0],
                     x[batch_first ? 0 : 1],
                     x[2],
                     r[2],
                     direction == "bidirectional" ? 2 : 1,
                     batch_first};
  if (call.integer("hidden_size", l.hidden) != l.hidden) {
    return call.attribute_error("hidden_size differs from R " + r.to_string());
  }
  OPKIT_CHECK(require_shape(call, 1, Shape{l.directions, gates * l.hidden, l.features}));
  OPKIT_CHECK(require_shape(call, 2, Shape{l.directions, gates * l.hidden, l.hidden}));
  OPKIT_CHECK(require_shape(call, 3, Shape{l.directions, 2 * gates * l.hidden}));
  OPKIT_CHECK(require_shape(call, 4, Shape{l.batch}));
  OPKIT_CHECK(require_shape(call, 5, l.state_shape()));
  OPKIT_CHECK(require_shape(call, 6, l.state_shape()));
  OPKIT_CHECK(require_shape(call, 7, Shape{l.directions, 3 * l.hidden}));
  return l;
}

Vector slice_of(const RefTensor& tensor, int64_t start, int64_t count) {
  return Vector(tensor.values.begin() + start, tensor.values.begin() + start + count);
}

Vector initial_state(const OperatorCall& call, size_t input, const CellLayout& l, int64_t d,
                     int64_t b) {
  if (!call.has_input(input)) return Vector(static_cast<size_t>(l.hidden), 0.0);
  return slice_of(call.input(input), l.state(d, b), l.hidden);
}

Result<int64_t> length_of(const OperatorCall& call, const CellLayout& l, int64_t b) {
  if (!call.has_input(4)) return l.steps;
  const double length = call.input(4)[b];
  if (length >= 0 && length <= static_cast<double>(l.steps)) return static_cast<int64_t>(length);
  return call.shape_error("a sequence longer than the " + std::to_string(l.steps) + " steps");
}

// Runs one batch element in one direction. Steps behind its length stay zero in y.
Status run(const Cell& cell, Step step, bool backwards, int64_t b, Outputs& out) {
  const CellLayout& l = cell.layout;
  Vector h = initial_state(cell.call, 5, l, cell.direction, b);
  Vector c = initial_state(cell.call, 6, l, cell.direction, b);
  OPKIT_TRY(const int64_t length, length_of(cell.call, l, b));
  for (int64_t i = 0; i < length; ++i) {
    const int64_t t = backwards ? length - 1 - i : i;
    step(cell, slice_of(cell.call.input(0), l.x(t, b), l.features), h, c);
    std::copy(h.begin(), h.end(), out[0].values.begin() + l.y(t, cell.direction, b));
  }
  std::copy(h.begin(), h.end(), out[1].values.begin() + l.state(cell.direction, b));
  std::copy(c.begin(), c.end(), out[2].values.begin() + l.state(cell.direction, b));
  return {};
}

struct Kind {
  int64_t gates;
  Step step;
  std::vector<std::string> activations;  // name the functions of one direction that names none
};

Kind rnn_kind() { return {1, rnn_step, {"Tanh"}}; }
Kind gru_kind() { return {3, gru_step, {"Sigmoid", "Tanh"}}; }
Kind lstm_kind() { return {4, lstm_step, {"Sigmoid", "Tanh", "Tanh"}}; }

Result<Outputs> recurrent(const OperatorCall& call, const Kind& kind) {
  OPKIT_TRY(const CellLayout layout, read_layout(call, kind.gates));
  Outputs out(3);
  OPKIT_TRY(out[0], call.make(call.input(0).dtype, layout.y_shape()));
  OPKIT_TRY(out[1], call.make(call.input(0).dtype, layout.state_shape()));
  out[2] = out[1];
  for (int64_t d = 0; d < layout.directions; ++d) {
    OPKIT_TRY(std::vector<Activation> activations,
              activations_of(call, d, layout.directions, kind.activations));
    const Cell cell{call, layout, kind.gates, d, std::move(activations)};
    const bool backwards = d == 1 || call.text("direction") == "reverse";
    for (int64_t b = 0; b < layout.batch; ++b) OPKIT_CHECK(run(cell, kind.step, backwards, b, out));
  }
  return out;
}

Result<Outputs> rnn(const OperatorCall& call) { return recurrent(call, rnn_kind()); }
Result<Outputs> gru(const OperatorCall& call) { return recurrent(call, gru_kind()); }
Result<Outputs> lstm(const OperatorCall& call) { return recurrent(call, lstm_kind()); }

std::vector<AttributeSpec> attributes(std::initializer_list<AttributeSpec> more) {
  using enum AttributeKind;
  std::vector<AttributeSpec> all = {{"activation_alpha", kNumbers},
                                    {"activation_beta", kNumbers},
                                    {"activations", kTexts},
                                    number("clip", INFINITY),
                                    text("direction", "forward"),
                                    integer("hidden_size"),
                                    integer("layout", 0)};
  all.insert(all.end(), more);
  return all;
}

Result<DTypes> state_types(const OperatorCall& call) {
  OPKIT_CHECK(call.require_float(0));
  return DTypes(3, call.input(0).dtype);
}

Result<Shapes> state_shapes(const OperatorCall& call, const Kind& kind) {
  if (call.has_attribute("activation_alpha") || call.has_attribute("activation_beta"))
    return call.not_implemented("activation_alpha and activation_beta");
  if (!(call.number("clip") > 0)) return call.attribute_error("clip must be above 0");
  OPKIT_TRY(const CellLayout l, read_layout(call, kind.gates));
  for (int64_t d = 0; d < l.directions; ++d) {
    OPKIT_TRY([[maybe_unused]] const auto activations,
              activations_of(call, d, l.directions, kind.activations));
  }
  OPKIT_CHECK(call.check_size(l.y_shape()));
  OPKIT_CHECK(call.check_size(l.state_shape()));
  return Shapes({l.y_shape(), l.state_shape(), l.state_shape()});
}

Result<Shapes> rnn_shapes(const OperatorCall& call) { return state_shapes(call, rnn_kind()); }
Result<Shapes> gru_shapes(const OperatorCall& call) { return state_shapes(call, gru_kind()); }
Result<Shapes> lstm_shapes(const OperatorCall& call) { return state_shapes(call, lstm_kind()); }

}  // namespace

Operators recurrent_operators() {
  return {
      {.name = "RNN",
       .least_inputs = 3,
       .most_inputs = 6,
       .most_outputs = 2,
       .attributes = attributes({}),
       .evaluate = rnn,
       .types = state_types,
       .shapes = rnn_shapes},
      {.name = "GRU",
       .least_inputs = 3,
       .most_inputs = 6,
       .most_outputs = 2,
       .attributes = attributes({integer("linear_before_reset", 0)}),
       .evaluate = gru,
       .types = state_types,
       .shapes = gru_shapes},
      {.name = "LSTM",
       .least_inputs = 3,
       .most_inputs = 8,
       .most_outputs = 3,
       .attributes = attributes({integer("input_forget", 0)}),
       .evaluate = lstm,
       .types = state_types,
       .shapes = lstm_shapes},
  };
}

}  // namespace opkit::reference
