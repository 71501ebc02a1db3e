#include "opkit/reference/check_node.h"

#include <fmt/format.h>

#include "opkit/base/suggest.h"
#include "opkit/reference/opaque.h"
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

Error unknown_operator(const Node& node) {
  const std::vector<std::string> names = operator_names();
  const auto near = nearest(node.op_type, names);
  return Error(kUnknownOperator,
               fmt::format("the reference interpreter has no operator '{}'", node.op_type),
               near ? fmt::format("did you mean '{}'?", *near)
                    : "compose it from the operators of docs/reference-ops.md")
      .of(node.op_type);
}

Status check_arity(const OperatorCall& call, const Operator& op) {
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

Error unknown_attribute(const OperatorCall& call, const Operator& op, const std::string& name) {
  std::vector<std::string> known;
  for (const AttributeSpec& spec : op.attributes) {
    if (call.opset() <= spec.until) known.emplace_back(spec.name);
  }
  const std::string hint = suggest(name, known);
  return call.error(kUnknownAttribute, fmt::format("there is no attribute '{}'", name),
                    hint.empty() ? "remove it; the operator has no attributes" : hint);
}

Status check_attributes(const OperatorCall& call, const Operator& op, const Node& node) {
  for (const auto& [name, value] : node.attributes) {
    const AttributeSpec* spec = op.attribute(name, call.opset());
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

}  // namespace

Result<const Operator*> operator_of(const Node& node) {
  const Operator* op = find_operator(node.op_type);
  if (op == nullptr) return unknown_operator(node);
  return op;
}

Error placed(Error error, const Node& node) {
  if (error.where.line == 0) error.where = node.where;
  return error;
}

Status check_node(const OperatorCall& call, const Operator& op, const Node& node) {
  OPKIT_CHECK(check_arity(call, op));
  if (is_opaque(node.op_type)) return {};
  return check_attributes(call, op, node);
}

Result<std::vector<Fact>> infer_facts(const OperatorCall& call, const Operator& op,
                                      bool shapes_known) {
  OPKIT_TRY(const DTypes types, op.types(call));
  Shapes shapes;
  if (shapes_known) {
    OPKIT_TRY(shapes, op.shapes(call));
  }
  if (types.size() < call.output_count()) {
    return call.error(
        kBadArity,
        fmt::format("{} outputs wanted; with these inputs and attributes there are {}",
                    call.output_count(), types.size()),
        "ask for fewer outputs");
  }
  std::vector<Fact> facts;
  for (size_t i = 0; i < types.size(); ++i) {
    facts.push_back({types[i], std::nullopt});
    if (shapes && i < shapes->size()) facts.back().shape = (*shapes)[i];
  }
  return facts;
}

}  // namespace opkit::reference
