#include "opkit/reference/evaluate.h"

#include <fmt/format.h>

#include "opkit/base/suggest.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

constexpr std::string_view kKindNames[] = {
    "an integer",        "a number",          "a string", "a list of integers",
    "a list of numbers", "a list of strings", "a tensor", "an element type"};

bool holds(const Attribute& value, AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kInteger: return std::holds_alternative<int64_t>(value);
    case AttributeKind::kNumber:
      return std::holds_alternative<double>(value) || std::holds_alternative<int64_t>(value);
    case AttributeKind::kText: return std::holds_alternative<std::string>(value);
    case AttributeKind::kIntegers: return std::holds_alternative<std::vector<int64_t>>(value);
    case AttributeKind::kNumbers: return std::holds_alternative<std::vector<double>>(value);
    case AttributeKind::kTexts: return std::holds_alternative<std::vector<std::string>>(value);
    case AttributeKind::kTensor: return std::holds_alternative<RefTensor>(value);
    case AttributeKind::kType:
      return std::holds_alternative<int64_t>(value) || std::holds_alternative<std::string>(value);
  }
  return false;
}

Error unknown_operator(const RefNode& node) {
  const std::vector<std::string> names = operator_names();
  const auto near = nearest(node.op_type, names);
  return Error(kUnknownOperator,
               fmt::format("the reference interpreter has no operator '{}'", node.op_type),
               near ? fmt::format("did you mean '{}'?", *near)
                    : "compose it from the operators of docs/reference-ops.md")
      .of(node.op_type);
}

Status check_arity(const Call& call, const Operator& op) {
  size_t present = 0;
  while (present < op.least_inputs && call.has_input(present)) ++present;
  if (present < op.least_inputs || call.input_count() > op.most_inputs) {
    const std::string most =
        op.most_inputs == kAnyNumber ? "any number" : std::to_string(op.most_inputs);
    return call.error(
        kBadArity,
        fmt::format("{} inputs, the first {} of {} present; {} to {} expected", call.input_count(),
                    present, op.least_inputs, op.least_inputs, most),
        "give the node the operator's inputs");
  }
  if (call.output_count() == 0 || call.output_count() > op.most_outputs) {
    return call.error(
        kBadArity,
        fmt::format("{} outputs; 1 to {} expected", call.output_count(), op.most_outputs),
        "give the node the operator's outputs");
  }
  return {};
}

const AttributeSpec* find_spec(const Operator& op, std::string_view name, int opset) {
  for (const AttributeSpec& spec : op.attributes) {
    if (spec.name == name && opset <= spec.until) return &spec;
  }
  return nullptr;
}

Error unknown_attribute(const Call& call, const Operator& op, const std::string& name) {
  std::vector<std::string> known;
  for (const AttributeSpec& spec : op.attributes) {
    if (call.opset() <= spec.until) known.emplace_back(spec.name);
  }
  const std::string hint = suggest(name, known);
  return call.error(kUnknownAttribute, fmt::format("there is no attribute '{}'", name),
                    hint.empty() ? "remove it; the operator has no attributes" : hint);
}

Status check_attributes(const Call& call, const Operator& op, const RefNode& node) {
  for (const auto& [name, value] : node.attributes) {
    const AttributeSpec* spec = find_spec(op, name, call.opset());
    if (spec == nullptr) return unknown_attribute(call, op, name);
    if (!holds(value, spec->kind)) {
      return call.attribute_error(fmt::format("attribute '{}' must be {}", name,
                                              kKindNames[static_cast<size_t>(spec->kind)]));
    }
  }
  for (const AttributeSpec& spec : op.attributes) {
    if (!spec.required || call.has_attribute(spec.name)) continue;
    return call.error(kMissingAttribute, fmt::format("attribute '{}' is missing", spec.name),
                      "give the attribute a value");
  }
  return {};
}

// A tensor built by hand may have values that match neither its shape nor its dtype.
Status check_input(const Call& call, size_t i) {
  const RefTensor& input = call.input(i);
  OPKIT_TRY(const int64_t elements, input.shape.checked_elements());
  if (elements != input.elements()) {
    return call.shape_error(fmt::format("input {} has shape {} but {} values", i,
                                        input.shape.to_string(), input.elements()));
  }
  for (double value : input.values) {
    if (is_value_of(input.dtype, value)) continue;
    return call.error(
        kInexactInteger,
        fmt::format("input {} of dtype {} has the value {}", i, name_of(input.dtype), value),
        "use integers up to 2^53 that fit the dtype");
  }
  return {};
}

Status check_inputs(const Call& call) {
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (call.has_input(i)) OPKIT_CHECK(check_input(call, i));
  }
  return {};
}

// What an operator computed must be a value of the output's dtype: a real bound on integers, a sum
// of bools or the extreme of no int64s is none.
Status check_outputs(const Call& call, const Outputs& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (double value : outputs[i].values) {
      if (is_value_of(outputs[i].dtype, value)) continue;
      return call.error(
          kUndefinedResult,
          fmt::format("output {} of dtype {} would have the value {}", i, name_of(outputs[i].dtype),
                      value),
          "cast the inputs to a type that holds the result, or correct the attributes");
    }
  }
  return {};
}

void round_values(RefTensor& tensor) {
  for (double& value : tensor.values) value = rounded_to(tensor.dtype, value);
}

Result<std::vector<const RefTensor*>> lookup(const RefNode& node, const NamedTensors& values) {
  std::vector<const RefTensor*> found;
  for (const std::string& name : node.inputs) {
    const auto it = values.find(name);
    if (!name.empty() && it == values.end()) {
      return Error(kUndefinedName,
                   fmt::format("input '{}' is defined by no earlier node or input", name),
                   "order the nodes and give every input")
          .of(node.op_type);
    }
    found.push_back(name.empty() ? nullptr : &it->second);
  }
  return found;
}

Status define(const RefNode& node, std::vector<RefTensor> outputs, NamedTensors& values) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    if (!values.emplace(node.outputs[i], std::move(outputs[i])).second) {
      return Error(kUndefinedName, fmt::format("'{}' is defined twice", node.outputs[i]),
                   "give every output a name of its own")
          .of(node.op_type);
    }
  }
  return {};
}

}  // namespace

Result<std::vector<RefTensor>> evaluate_node(const RefNode& node,
                                             const std::vector<const RefTensor*>& inputs, int opset,
                                             const Options& options) {
  const Operator* op = find_operator(node.op_type);
  if (op == nullptr) return unknown_operator(node);
  const Call call(node, inputs, opset);
  OPKIT_CHECK(check_arity(call, *op));
  OPKIT_CHECK(check_attributes(call, *op, node));
  OPKIT_CHECK(check_inputs(call));
  OPKIT_TRY(Outputs outputs, op->evaluate(call));
  if (outputs.size() < node.outputs.size()) {
    return call.error(
        kBadArity,
        fmt::format("{} outputs wanted; with these inputs and attributes there are {}",
                    node.outputs.size(), outputs.size()),
        "ask for fewer outputs");
  }
  outputs.resize(node.outputs.size());
  OPKIT_CHECK(check_outputs(call, outputs));
  if (options.precision == Precision::kRounded) {
    for (RefTensor& output : outputs) round_values(output);
  }
  return outputs;
}

Result<NamedTensors> evaluate(const RefGraph& graph, const NamedTensors& inputs,
                              const Options& options) {
  NamedTensors values = inputs;
  values.insert(graph.constants.begin(), graph.constants.end());
  for (const RefNode& node : graph.nodes) {
    OPKIT_TRY(const std::vector<const RefTensor*> operands, lookup(node, values));
    OPKIT_TRY(std::vector<RefTensor> outputs, evaluate_node(node, operands, graph.opset, options));
    OPKIT_CHECK(define(node, std::move(outputs), values));
  }
  NamedTensors wanted;
  for (const std::string& name : graph.outputs) {
    const auto it = values.find(name);
    if (it == values.end()) {
      return Error(kUndefinedName, fmt::format("graph output '{}' is defined by no node", name),
                   "name an output of a node");
    }
    wanted.insert(*it);
  }
  return wanted;
}

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const Operator& op : all_operators()) names.emplace_back(op.name);
  return names;
}

}  // namespace opkit::reference
