// Composed operators: their rule is the rule of the formula they stand for.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/oracle/outcome.h"
#include "opkit/reference/operators.h"

namespace opkit::oracle {
namespace {

using graph::Node;
using reference::Attribute;
using reference::RefTensor;

// Collects the nodes of a formula over the operands "in0", "in1", ...
class Formula {
 public:
  explicit Formula(const NodeCall& call) : call_(call) {
    for (size_t k = 0; k < call.inputs.size(); ++k) {
      if (call.inputs[k] != nullptr) tensors[fmt::format("in{}", k)] = *call.inputs[k];
    }
  }

  std::string node(std::string op, std::vector<std::string> inputs,
                   std::map<std::string, Attribute> attributes = {}) {
    const std::string name = fmt::format("t{}", nodes.size());
    nodes.push_back({std::move(op), std::move(inputs), {name}, std::move(attributes), {}});
    return name;
  }
  std::string constant(double value) {
    const std::string name = fmt::format("c{}", tensors.size());
    RefTensor tensor;
    tensor.dtype = call_.inputs[0]->value.dtype;
    tensor.values = {value};
    tensors[name] = Bounded::exactly(std::move(tensor));
    tensors[name].pending = true;
    return name;
  }
  std::string axes_input(const std::vector<int64_t>& axes) {
    const std::string name = fmt::format("a{}", tensors.size());
    RefTensor tensor;
    tensor.dtype = DType::kInt64;
    tensor.shape = Shape{static_cast<int64_t>(axes.size())};
    tensor.values.assign(axes.begin(), axes.end());
    tensors[name] = Bounded::exactly(std::move(tensor));
    return name;
  }
  std::string reduce(std::string op, const std::string& x, const std::vector<int64_t>& axes) {
    return node(std::move(op), {x, axes_input(axes)}, {{"keepdims", int64_t{1}}});
  }
  bool has(size_t k) const { return k < call_.inputs.size() && call_.inputs[k] != nullptr; }
  size_t rank() const { return call_.values[0].shape.rank(); }
  // Returns what the node states, else what the operator's row has, else `otherwise`.
  double number(const char* name, double otherwise = 0) const {
    const auto stated = call_.node.attributes.find(name);
    const auto* spec =
        reference::find_operator(call_.node.op_type)->attribute(name, graph::kDefaultOpset);
    const bool is_stated = stated != call_.node.attributes.end();
    if (!is_stated && (spec == nullptr || !spec->otherwise)) return otherwise;
    const Attribute& value = is_stated ? stated->second : *spec->otherwise;
    const auto* whole = std::get_if<int64_t>(&value);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
  }
  // Axes from `axis` to the last one.
  std::vector<int64_t> trailing(int64_t axis) const {
    const auto rank_now = static_cast<int64_t>(call_.inputs[0]->value.shape.rank());
    std::vector<int64_t> axes;
    for (int64_t d = axis < 0 ? axis + rank_now : axis; d < rank_now; ++d) axes.push_back(d);
    return axes;
  }
  // Returns the text of a parameter per channel, shaped so that it stands at dim 1.
  std::string channels(const std::string& name) {
    std::vector<int64_t> shape(rank(), 1);
    if (rank() > 1) shape[1] = -1;
    return node("Reshape", {name, axes_input(shape)});
  }

  std::vector<Node> nodes;
  BoundedTensors tensors;

 private:
  const NodeCall& call_;
};

void softmax(Formula& f, bool logarithm) {
  const std::vector<int64_t> axis{static_cast<int64_t>(f.number("axis", -1))};
  const std::string shifted = f.node("Sub", {"in0", f.reduce("ReduceMax", "in0", axis)});
  const std::string powers = f.node("Exp", {shifted});
  const std::string total = f.reduce("ReduceSum", powers, axis);
  if (logarithm) {
    f.node("Sub", {shifted, f.node("Log", {total})});
  } else {
    f.node("Div", {powers, total});
  }
}

std::string affine(Formula& f, std::string x) {
  if (f.has(1)) x = f.node("Mul", {x, "in1"});
  if (f.has(2)) x = f.node("Add", {x, "in2"});
  return x;
}

// (x - mean) / sqrt(variance + epsilon) along axes.
std::string normal(Formula& f, const std::vector<int64_t>& axes) {
  const std::string centred = f.node("Sub", {"in0", f.reduce("ReduceMean", "in0", axes)});
  const std::string variance = f.reduce("ReduceMean", f.node("Mul", {centred, centred}), axes);
  const std::string spread =
      f.node("Sqrt", {f.node("Add", {variance, f.constant(f.number("epsilon"))})});
  return f.node("Div", {centred, spread});
}

void layer_norm(Formula& f) {
  affine(f, normal(f, f.trailing(static_cast<int64_t>(f.number("axis")))));
}

void instance_norm(Formula& f) {
  const std::string scaled = f.node("Mul", {normal(f, f.trailing(2)), f.channels("in1")});
  f.node("Add", {scaled, f.channels("in2")});
}

void rms_norm(Formula& f) {
  const auto axes = f.trailing(static_cast<int64_t>(f.number("axis")));
  const std::string square = f.reduce("ReduceMean", f.node("Mul", {"in0", "in0"}), axes);
  const std::string spread =
      f.node("Sqrt", {f.node("Add", {square, f.constant(f.number("epsilon"))})});
  affine(f, f.node("Div", {"in0", spread}));
}

// x*f + (bias - mean*f): the folded form, whose cancellation is the worse of the two usual ones.
void batch_norm(Formula& f) {
  const std::string variance = f.node("Add", {"in4", f.constant(f.number("epsilon"))});
  const std::string factor = f.node("Div", {"in1", f.node("Sqrt", {variance})});
  const std::string shift = f.node("Sub", {"in2", f.node("Mul", {"in3", factor})});
  f.node("Add", {f.node("Mul", {"in0", f.channels(factor)}), f.channels(shift)});
}

std::string with_same_axes(Formula& f, const NodeCall& call, std::string op, std::string x) {
  std::vector<std::string> inputs{std::move(x)};
  if (f.has(1)) inputs.push_back("in1");
  std::map<std::string, Attribute> attributes = call.node.attributes;
  return f.node(std::move(op), std::move(inputs), std::move(attributes));
}

void reduce_composed(Formula& f, const NodeCall& call) {
  const std::string& op = call.node.op_type;
  if (op == "ReduceL1") {
    with_same_axes(f, call, "ReduceSum", f.node("Abs", {"in0"}));
  } else if (op == "ReduceLogSum") {
    f.node("Log", {with_same_axes(f, call, "ReduceSum", "in0")});
  } else if (op == "ReduceLogSumExp") {
    f.node("Log", {with_same_axes(f, call, "ReduceSum", f.node("Exp", {"in0"}))});
  } else {
    const std::string sum = with_same_axes(f, call, "ReduceSum", f.node("Mul", {"in0", "in0"}));
    if (op == "ReduceL2") f.node("Sqrt", {sum});
  }
}

void leaky(Formula& f, bool learnt) {
  const std::string slope = learnt ? "in1" : f.constant(f.number("alpha"));
  const std::string steep = f.node("Mul", {"in0", slope});
  f.node("Where", {f.node("Less", {"in0", f.constant(0)}), steep, "in0"});
}

void shrink(Formula& f) {
  const double lambda = f.number("lambd"), bias = f.number("bias");
  const std::string low = f.node("Less", {"in0", f.constant(-lambda)});
  const std::string high = f.node("Greater", {"in0", f.constant(lambda)});
  const std::string raised = f.node("Add", {"in0", f.constant(bias)});
  const std::string lowered = f.node("Sub", {"in0", f.constant(bias)});
  const std::string inner = f.node("Where", {high, lowered, f.constant(0)});
  f.node("Where", {low, raised, inner});
}

// (x - zero point) * scale, per tensor or per position along the axis.
void dequantize(Formula& f, const NodeCall& call) {
  const reference::RefTensor& scale = call.inputs[1]->value;
  std::vector<int64_t> shape(f.rank(), 1);
  const auto axis = static_cast<int64_t>(f.number("axis", 1));
  const int64_t place = axis < 0 ? axis + static_cast<int64_t>(f.rank()) : axis;
  if (scale.elements() > 1) shape[static_cast<size_t>(place)] = -1;
  std::string number = f.node("CastLike", {"in0", "in1"});
  if (f.has(2)) {
    const std::string zero = f.node("CastLike", {"in2", "in1"});
    number = f.node("Sub", {number, f.node("Reshape", {zero, f.axes_input(shape)})});
  }
  f.node("Mul", {number, f.node("Reshape", {"in1", f.axes_input(shape)})});
}

void write_formula(Formula& f, const NodeCall& call) {
  const std::string& op = call.node.op_type;
  if (op == "Softmax" || op == "LogSoftmax") return softmax(f, op == "LogSoftmax");
  if (op == "LayerNormalization") return layer_norm(f);
  if (op == "InstanceNormalization") return instance_norm(f);
  if (op == "RMSNormalization") return rms_norm(f);
  if (op == "BatchNormalization") return batch_norm(f);
  if (op == "Shrink") return shrink(f);
  if (op == "DequantizeLinear") return dequantize(f, call);
  if (op == "LeakyRelu" || op == "PRelu") return leaky(f, op == "PRelu");
  reduce_composed(f, call);
}

}  // namespace

Result<BoundedOutputs> expand_rule(const NodeCall& call, const Bound&) {
  Formula formula(call);
  write_formula(formula, call);
  for (const Node& node : formula.nodes)
    OPKIT_CHECK(evaluate_step(node, call.working, true, formula.tensors));
  BoundedOutputs outcome = exact_outcome(call, true);
  const Bounded& last = formula.tensors.at(formula.nodes.back().outputs[0]);
  Bounded& out = outcome[0];
  if (last.value.elements() != out.value.elements()) {
    return Error("OPK-VERIFY-003", "the formula of " + call.node.op_type + " gave another shape",
                 "report this contract");
  }
  for (int64_t i = 0; i < out.value.elements(); ++i)
    out.bounds.push_back(hull(last.at(i), Interval::point(out.value[i])));
  return outcome;
}

}  // namespace opkit::oracle
