// If, Loop and Scan by the definition of ONNX, one iteration after the other.
#include <fmt/format.h>

#include <limits>
#include <memory>

#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/control.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

using graph::Graph;
using graph::ValueInfo;
using GivenOperands = std::vector<const RefTensor*>;

Error refuse(const Node& node, const char* code, std::string what, std::string action) {
  return Error(code, fmt::format("{}: {}", graph::name_of(node), std::move(what)),
               std::move(action))
      .of(node.op_type);
}

// A body that is evaluated again and again. Captured operands are not copied.
class Body {
 public:
  static Result<Body> of(const Node& node, const std::string& attribute,
                         const GivenOperands& operands, const EvaluateBody& evaluate) {
    std::vector<ValueInfo> values(operands.size());
    KnownOperands known;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i] == nullptr) {
        known.push_back(nullptr);
        continue;
      }
      values[i].dtype = operands[i]->dtype;
      values[i].shape = operands[i]->shape;
      if (i >= graph::own_inputs(node))
        values[i].constant = std::shared_ptr<const RefTensor>(std::shared_ptr<void>(), operands[i]);
      known.push_back(&values[i]);
    }
    OPKIT_TRY(Graph graph, bound_body(node, attribute, known));
    // Dims may change from one iteration to the next, but for those of a Loop's counter.
    for (size_t i = node.op_type == "Loop" ? 1 : 0; i < graph.inputs.size(); ++i)
      graph.values[graph.inputs[i]].shape.reset();
    return Body(std::move(graph), evaluate);
  }

  // Returns the outputs in order.
  Result<std::vector<RefTensor>> run(std::vector<RefTensor> inputs) const {
    Tensors named;
    for (size_t i = 0; i < graph_.inputs.size(); ++i)
      named.emplace(graph_.inputs[i], std::move(inputs[i]));
    OPKIT_TRY(const Tensors found, evaluate_(graph_, named));
    std::vector<RefTensor> outputs;
    for (const std::string& name : graph_.outputs) outputs.push_back(found.at(name));
    return outputs;
  }

  const Graph& graph() const { return graph_; }

 private:
  Body(Graph graph, const EvaluateBody& evaluate) : graph_(std::move(graph)), evaluate_(evaluate) {}

  Graph graph_;
  const EvaluateBody& evaluate_;
};

// Elements of a tensor in front of an axis, along it, and behind it.
struct Strides {
  int64_t outer = 1, length = 1, inner = 1;
};
Strides strides_of(const Shape& shape, size_t axis) {
  Strides strides;
  for (size_t d = 0; d < shape.rank(); ++d)
    (d < axis ? strides.outer : d > axis ? strides.inner : strides.length) *= shape[d];
  return strides;
}

RefTensor part_along(const RefTensor& whole, size_t axis, int64_t at) {
  const Strides strides = strides_of(whole.shape, axis);
  std::vector<int64_t> dims = whole.shape.dims();
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
  RefTensor part{whole.dtype, Shape(std::move(dims)), {}};
  for (int64_t o = 0; o < strides.outer; ++o) {
    for (int64_t i = 0; i < strides.inner; ++i)
      part.values.push_back(whole[(o * strides.length + at) * strides.inner + i]);
  }
  return part;
}

// What one output gives in all iterations.
struct Stack {
  std::vector<RefTensor> parts;
  RefTensor like;  // without iterations: what one would give
};

Result<RefTensor> stacked_up(const Node& node, size_t number, const Stack& stack) {
  const RefTensor& like = stack.parts.empty() ? stack.like : stack.parts[0];
  OPKIT_TRY(const ScanAxis axis, scan_output(node, number, like.shape.rank() + 1));
  std::vector<int64_t> dims = like.shape.dims();
  const auto count = static_cast<int64_t>(stack.parts.size());
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis.axis), count);
  RefTensor all{like.dtype, Shape(std::move(dims)), {}};
  all.values.resize(static_cast<size_t>(all.shape.elements()));
  const Strides strides = strides_of(all.shape, axis.axis);
  for (int64_t p = 0; p < count; ++p) {
    const RefTensor& part = stack.parts[static_cast<size_t>(p)];
    if (part.shape != like.shape)
      return refuse(node, kBadShape,
                    fmt::format("output {} is {} in one iteration and {} in another", number,
                                like.shape.to_string(), part.shape.to_string()),
                    "export the model so that each iteration gives the same dims");
    const int64_t at = axis.backwards ? count - 1 - p : p;
    for (int64_t o = 0; o < strides.outer; ++o) {
      for (int64_t i = 0; i < strides.inner; ++i)
        all[(o * count + at) * strides.inner + i] = part[o * strides.inner + i];
    }
  }
  return all;
}

// The iterations of a Loop or a Scan.
class Iterations {
 public:
  Iterations(const Node& node, const BodyPorts& ports, const Body& body,
             const GivenOperands& operands)
      : node_(node), ports_(ports), body_(body), operands_(operands), stacks_(ports.stacked) {
    first_ = graph::own_inputs(node) - ports.carried - ports.slices;
    for (size_t c = 0; c < ports.carried; ++c) carried_.push_back(*operands[first_ + c]);
  }

  // Tells whether a Loop goes on.
  Result<bool> step(int64_t number, int64_t trips) {
    if (number >= kMostIterations)
      return refuse(node_, kTooLarge, fmt::format("more than {} iterations", kMostIterations),
                    "evaluate it with fewer iterations");
    OPKIT_TRY(std::vector<RefTensor> outputs, run(number, trips));
    for (size_t c = 0; c < ports_.carried; ++c)
      carried_[c] = std::move(outputs[ports_.conditions + c]);
    for (size_t s = 0; s < ports_.stacked; ++s)
      stacks_[s].parts.push_back(std::move(outputs[ports_.conditions + ports_.carried + s]));
    return ports_.conditions == 0 || truth_of(outputs[0]);
  }

  Result<std::vector<RefTensor>> take() {
    if (ports_.stacked > 0 && stacks_[0].parts.empty()) OPKIT_CHECK(find_dims());
    std::vector<RefTensor> outputs = std::move(carried_);
    for (size_t s = 0; s < ports_.stacked; ++s) {
      OPKIT_TRY(RefTensor all, stacked_up(node_, s, stacks_[s]));
      outputs.push_back(std::move(all));
    }
    outputs.resize(node_.outputs.size());
    return outputs;
  }

 private:
  static bool truth_of(const RefTensor& condition) {
    return condition.elements() > 0 && condition[0] != 0;
  }

  Result<std::vector<RefTensor>> run(int64_t number, int64_t trips) {
    std::vector<RefTensor> inputs;
    if (ports_.counters > 0) inputs.push_back(counter(number));
    for (const RefTensor& value : carried_) inputs.push_back(value);
    for (size_t s = 0; s < ports_.slices; ++s) {
      const RefTensor& whole = *operands_[first_ + ports_.carried + s];
      OPKIT_TRY(const ScanAxis axis, scan_input(node_, s, whole.shape.rank()));
      if (whole.shape[axis.axis] == 0) {
        inputs.push_back(empty_slice(whole, axis.axis));
        continue;
      }
      inputs.push_back(part_along(whole, axis.axis, axis.backwards ? trips - 1 - number : number));
    }
    return body_.run(std::move(inputs));
  }

  RefTensor counter(int64_t number) const {
    const Graph& graph = body_.graph();
    return {DType::kInt64, *graph.values.at(graph.inputs[0]).shape, {static_cast<double>(number)}};
  }

  static RefTensor empty_slice(const RefTensor& whole, size_t axis) {
    std::vector<int64_t> dims = whole.shape.dims();
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
    RefTensor part{whole.dtype, Shape(std::move(dims)), {}};
    part.values.resize(static_cast<size_t>(part.shape.elements()));
    return part;
  }

  // Finds what an iteration would give: nobody looks at its elements.
  Status find_dims() {
    OPKIT_TRY(std::vector<RefTensor> outputs, run(0, 1));
    for (size_t s = 0; s < ports_.stacked; ++s)
      stacks_[s].like = std::move(outputs[ports_.conditions + ports_.carried + s]);
    return {};
  }

  const Node& node_;
  const BodyPorts ports_;
  const Body& body_;
  const GivenOperands& operands_;
  size_t first_ = 0;
  std::vector<RefTensor> carried_;
  std::vector<Stack> stacks_;
};

Result<double> one_of(const Node& node, const GivenOperands& operands, size_t i, double otherwise) {
  if (i >= operands.size() || operands[i] == nullptr) return otherwise;
  if (operands[i]->elements() == 1) return (*operands[i])[0];
  return refuse(node, kBadShape,
                fmt::format("input {} of shape {} is no scalar", i, operands[i]->shape.to_string()),
                "give one element");
}

Result<std::vector<RefTensor>> evaluate_if(const Node& node, const GivenOperands& operands,
                                           const EvaluateBody& evaluate) {
  OPKIT_TRY(const double condition, one_of(node, operands, 0, 0));
  OPKIT_TRY(const Body body,
            Body::of(node, condition != 0 ? "then_branch" : "else_branch", operands, evaluate));
  return body.run({});
}

Result<int64_t> length_of(const Node& node, const BodyPorts& ports, const GivenOperands& operands) {
  std::optional<int64_t> length;
  for (size_t s = 0; s < ports.slices; ++s) {
    const RefTensor& whole = *operands[ports.carried + s];
    OPKIT_TRY(const ScanAxis axis, scan_input(node, s, whole.shape.rank()));
    const int64_t parts = whole.shape[axis.axis];
    if (length && *length != parts)
      return refuse(node, kBadShape,
                    fmt::format("it goes through tensors of {} and of {} parts", *length, parts),
                    "give operands of one length along their axes");
    length = parts;
  }
  return *length;
}

Status check_present(const Node& node, const GivenOperands& operands, size_t first) {
  for (size_t i = first; i < operands.size(); ++i) {
    if (operands[i] == nullptr)
      return refuse(node, kBadArity, fmt::format("input {} is absent", i),
                    "export the model again");
  }
  return {};
}

Status run_scan(const Node& node, const BodyPorts& ports, const GivenOperands& operands,
                Iterations& iterations) {
  OPKIT_TRY(const int64_t length, length_of(node, ports, operands));
  for (int64_t i = 0; i < length; ++i) {
    auto done = iterations.step(i, length);
    if (!done.ok()) return std::move(done).error();
  }
  return {};
}

// Without a condition as an operand, what the body says of going on counts nothing.
Status run_loop(const Node& node, const GivenOperands& operands, Iterations& iterations) {
  constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  OPKIT_TRY(const double trips, one_of(node, operands, 0, kNoEnd));
  OPKIT_TRY(const double condition, one_of(node, operands, 1, 1));
  const bool asked = operands[1] != nullptr;
  bool goes_on = condition != 0;
  for (int64_t i = 0; goes_on && static_cast<double>(i) < trips; ++i) {
    OPKIT_TRY(const bool wants, iterations.step(i, 0));
    goes_on = !asked || wants;
  }
  return {};
}

}  // namespace

Result<std::vector<RefTensor>> evaluate_control(const Node& node, const GivenOperands& operands,
                                                const EvaluateBody& evaluate) {
  const bool loop = node.op_type == "Loop";
  OPKIT_CHECK(check_present(node, operands, loop ? 2 : 0));
  if (node.op_type == "If") return evaluate_if(node, operands, evaluate);
  OPKIT_TRY(const Graph stored, graph::body_of(node, "body"));
  OPKIT_TRY(const BodyPorts ports, ports_of(node, stored));
  OPKIT_TRY(const Body body, Body::of(node, "body", operands, evaluate));
  Iterations iterations(node, ports, body, operands);
  OPKIT_CHECK(loop ? run_loop(node, operands, iterations)
                   : run_scan(node, ports, operands, iterations));
  return iterations.take();
}

}  // namespace opkit::reference
