// What is known of the results of If, Loop and Scan.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/reference/control.h"
#include "opkit/reference/unfit.h"

namespace opkit::reference {
namespace {

using graph::Graph;
using graph::ValueInfo;
using OutputValues = std::vector<ValueInfo>;

Error type_changes(const Node& node, size_t carried, DType from, DType to) {
  return Error(kBadDType,
               fmt::format("carried value {} of {} begins as {} and becomes {}", carried,
                           graph::name_of(node), name_of(from), name_of(to)),
               "export the model again")
      .of(node.op_type);
}

// Tells whether it is one element that is known: its value.
std::optional<double> element(const KnownOperands& operands, size_t i) {
  if (i >= operands.size() || operands[i] == nullptr || operands[i]->constant == nullptr ||
      operands[i]->constant->elements() != 1)
    return std::nullopt;
  return (*operands[i]->constant)[0];
}

bool is_absent(const KnownOperands& operands, size_t i) {
  return i >= operands.size() || operands[i] == nullptr;
}

Error wrong_operand(const Node& node, const std::string& what, const ValueInfo& value) {
  return Error(kBadDType,
               fmt::format("{} of {} is {}{}", what, graph::name_of(node), name_of(value.dtype),
                           value.shape ? value.shape->to_string() : "[...]"),
               "export the model again")
      .of(node.op_type);
}

// One element of that type, as far as it is known.
Status check_one(const Node& node, const std::string& what, const ValueInfo& value, DType dtype) {
  const bool typed = value.dtype == DType::kUndefined || value.dtype == dtype;
  const bool many = value.shape && value.shape->is_static() && value.shape->elements() != 1;
  return typed && !many ? Status() : wrong_operand(node, what, value);
}

Status check_operands(const Node& node, const KnownOperands& operands) {
  const bool loop = node.op_type == "Loop";
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] != nullptr || (loop && i < 2)) continue;
    return Error(kBadArity, fmt::format("input {} of {} is absent", i, graph::name_of(node)),
                 "export the model again")
        .of(node.op_type);
  }
  if (node.op_type == "If") return check_one(node, "the condition", *operands[0], DType::kBool);
  if (!loop) return {};
  if (!is_absent(operands, 0))
    OPKIT_CHECK(check_one(node, "the number of iterations", *operands[0], DType::kInt64));
  if (is_absent(operands, 1)) return {};
  return check_one(node, "the condition", *operands[1], DType::kBool);
}

// Leaves out what nobody may rely on: elements of a body's results are those of one iteration.
ValueInfo facts_of(const ValueInfo& value) {
  return {value.dtype, value.shape, value.format, nullptr};
}

Result<OutputValues> infer_branch(const Node& node, const std::string& attribute,
                                  const KnownOperands& operands, const InferBody& infer) {
  OPKIT_TRY(Graph body, bound_body(node, attribute, operands));
  return infer(body);
}

// Takes a branch that these dims rule out for one that is never taken: who takes it is told then.
Result<OutputValues> of_the_one_that_fits(Result<OutputValues> then,
                                          Result<OutputValues> otherwise) {
  const Error& error = then.ok() ? otherwise.error() : then.error();
  if (!is_of_dims(error)) return error;
  OPKIT_TRY(OutputValues outputs, then.ok() ? std::move(then) : std::move(otherwise));
  for (ValueInfo& output : outputs) output.constant = nullptr;
  return outputs;
}

Result<OutputValues> infer_if(const Node& node, const KnownOperands& operands,
                              const InferBody& infer) {
  const auto known = element(operands, 0);
  if (known)
    return infer_branch(node, *known != 0 ? "then_branch" : "else_branch", operands, infer);
  auto then = infer_branch(node, "then_branch", operands, infer);
  auto otherwise = infer_branch(node, "else_branch", operands, infer);
  if (then.ok() != otherwise.ok())
    return of_the_one_that_fits(std::move(then), std::move(otherwise));
  OPKIT_TRY(OutputValues one, std::move(then));
  OPKIT_TRY(const OutputValues other, std::move(otherwise));
  for (size_t i = 0; i < one.size(); ++i) {
    const bool both = one[i].dtype != DType::kUndefined && other[i].dtype != DType::kUndefined;
    if (both && one[i].dtype != other[i].dtype)
      return Error(
                 kBadDType,
                 fmt::format("output {} of {} is {} in one branch and {} in the other", i,
                             graph::name_of(node), name_of(one[i].dtype), name_of(other[i].dtype)),
                 "export the model again")
          .of(node.op_type);
    if (!both) one[i].dtype = DType::kUndefined;
    if (one[i].shape != other[i].shape) one[i].shape.reset();
    one[i].constant = nullptr;
  }
  return one;
}

// A body of a Loop or a Scan, inferred until what it carries keeps its dims.
struct Settled {
  BodyPorts ports;
  OutputValues outputs;
};

// Returns where the carried inputs of a bound body begin: behind its counter.
size_t first_carried(const Node& node) { return node.op_type == "Loop" ? 1 : 0; }

Result<Settled> settle(const Node& node, const KnownOperands& operands, const InferBody& infer) {
  Settled settled;
  OPKIT_TRY(const Graph stored, graph::body_of(node, "body"));
  OPKIT_TRY(settled.ports, ports_of(node, stored));
  OPKIT_TRY(Graph body, bound_body(node, "body", operands));
  const BodyPorts& ports = settled.ports;
  for (bool again = true; again;) {
    again = false;
    Graph inferred = body;
    OPKIT_TRY(settled.outputs, infer(inferred));
    for (size_t c = 0; c < ports.carried; ++c) {
      ValueInfo& in = body.values[body.inputs[first_carried(node) + c]];
      const ValueInfo& out = settled.outputs[ports.conditions + c];
      const bool known = in.dtype != DType::kUndefined && out.dtype != DType::kUndefined;
      if (known && in.dtype != out.dtype) return type_changes(node, c, in.dtype, out.dtype);
      if (!in.shape || in.shape == out.shape) continue;
      in.shape.reset();
      again = true;
    }
  }
  return settled;
}

// Finds how often a Loop runs that nothing but the stated number can end.
std::optional<int64_t> trips_of_loop(const KnownOperands& operands, const Settled& body) {
  const auto condition = element(operands, 1);
  if (condition && *condition == 0) return 0;
  const auto most = element(operands, 0);
  if (most && *most <= 0) return 0;
  const auto& goes_on = body.outputs[0].constant;
  const bool to_the_end =
      is_absent(operands, 1) ||
      (condition && goes_on != nullptr && goes_on->elements() == 1 && (*goes_on)[0] != 0);
  if (!most || !to_the_end) return std::nullopt;
  // 2^63 is what the largest int64 is as a double: no int64 holds it.
  if (*most >= 0x1p63) return std::numeric_limits<int64_t>::max();
  return static_cast<int64_t>(*most);
}

Result<std::optional<int64_t>> trips_of_scan(const Node& node, const KnownOperands& operands,
                                             const BodyPorts& ports) {
  std::optional<int64_t> trips;
  for (size_t s = 0; s < ports.slices; ++s) {
    const ValueInfo* whole = operands[ports.carried + s];
    if (whole == nullptr || !whole->shape) return std::optional<int64_t>();
    if (whole->dtype == DType::kInt4) return wrong_operand(node, "an operand", *whole);
    OPKIT_TRY(const ScanAxis axis, scan_input(node, s, whole->shape->rank()));
    const int64_t length = (*whole->shape)[axis.axis];
    if (trips && *trips != length)
      return Error(kBadShape,
                   fmt::format("{} goes through tensors of {} and of {} parts",
                               graph::name_of(node), *trips, length),
                   "give operands of one length along their axes")
          .of(node.op_type);
    trips = length;
  }
  return trips;
}

Result<std::optional<int64_t>> trips_of(const Node& node, const KnownOperands& operands,
                                        const Settled& body) {
  if (node.op_type == "Loop") return trips_of_loop(operands, body);
  return trips_of_scan(node, operands, body.ports);
}

Result<ValueInfo> stacked(const Node& node, size_t number, const ValueInfo& one,
                          const std::optional<int64_t>& trips) {
  if (one.dtype == DType::kInt4) return wrong_operand(node, "a stacked result", one);
  ValueInfo all{one.dtype, std::nullopt, one.format, nullptr};
  if (!one.shape || !trips) return all;
  OPKIT_TRY(const ScanAxis axis, scan_output(node, number, one.shape->rank() + 1));
  std::vector<int64_t> dims = one.shape->dims();
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis.axis), *trips);
  all.shape = Shape(std::move(dims));
  return all;
}

Result<OutputValues> infer_loop(const Node& node, const KnownOperands& operands,
                                const InferBody& infer) {
  OPKIT_TRY(const Settled body, settle(node, operands, infer));
  OPKIT_TRY(const auto trips, trips_of(node, operands, body));
  const BodyPorts& ports = body.ports;
  if (ports.conditions > 0)
    OPKIT_CHECK(check_one(node, "what the body says of going on", body.outputs[0], DType::kBool));
  const size_t first = graph::own_inputs(node) - ports.carried - ports.slices;
  OutputValues outputs;
  for (size_t c = 0; c < ports.carried; ++c) {
    ValueInfo value = facts_of(body.outputs[ports.conditions + c]);
    const ValueInfo* begins = operands[first + c];
    // Without an iteration it stays as it was.
    if (begins == nullptr || begins->shape != value.shape) value.shape.reset();
    outputs.push_back(std::move(value));
  }
  for (size_t s = 0; s < ports.stacked; ++s) {
    const ValueInfo& one = body.outputs[ports.conditions + ports.carried + s];
    OPKIT_TRY(ValueInfo all, stacked(node, s, one, trips));
    outputs.push_back(std::move(all));
  }
  outputs.resize(node.outputs.size());
  return outputs;
}

}  // namespace

Result<OutputValues> infer_control(const Node& node, const KnownOperands& operands,
                                   const InferBody& infer) {
  OPKIT_CHECK(check_operands(node, operands));
  return node.op_type == "If" ? infer_if(node, operands, infer) : infer_loop(node, operands, infer);
}

Result<std::optional<int64_t>> known_trips(const Node& node, const KnownOperands& operands,
                                           const InferBody& infer) {
  if (node.op_type == "If") return std::optional<int64_t>();
  OPKIT_TRY(const Settled body, settle(node, operands, infer));
  return trips_of(node, operands, body);
}

}  // namespace opkit::reference
