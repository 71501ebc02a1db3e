#include "opkit/reference/control.h"

#include <fmt/format.h>

#include <array>
#include <memory>

#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"

namespace opkit::reference {
namespace {

using graph::Graph;
using graph::ValueInfo;

// Stands in a row whose operator is known by its bodies alone.
Error by_bodies(const OperatorCall& call) {
  return call.not_implemented("a graph that holds it is what evaluates and infers it");
}
Result<Outputs> no_outputs(const OperatorCall& call) { return by_bodies(call); }
Result<DTypes> no_types(const OperatorCall& call) { return by_bodies(call); }
Result<Shapes> no_shapes(const OperatorCall& call) { return by_bodies(call); }

Operator control_row(std::string_view name, size_t least_inputs, AttributeSpecs attributes) {
  for (const std::string& body : graph::bodies_of(name))
    attributes.push_back(required({body, AttributeKind::kText}));
  attributes.push_back(integer(graph::kCaptured));
  return {.name = name,
          .least_inputs = least_inputs,
          .most_inputs = kAnyNumber,
          .most_outputs = kAnyNumber,
          .attributes = std::move(attributes),
          .evaluate = no_outputs,
          .types = no_types,
          .shapes = no_shapes};
}

const std::array<Operator, 3>& control_rows() {
  static const std::array<Operator, 3> kRows = {
      control_row("If", 1, {}), control_row("Loop", 0, {}),
      control_row("Scan", 1,
                  {required(integer("num_scan_inputs")), integers("scan_input_axes"),
                   integers("scan_input_directions"), integers("scan_output_axes"),
                   integers("scan_output_directions")})};
  return kRows;
}

Error misfit(const Node& node, const char* code, std::string what) {
  return Error(code, fmt::format("{}: {}", graph::name_of(node), std::move(what)),
               "export the model again")
      .of(node.op_type);
}

int64_t integer_or_zero(const Node& node, const char* attribute) {
  const auto found = node.attributes.find(attribute);
  const auto* value =
      found == node.attributes.end() ? nullptr : std::get_if<int64_t>(&found->second);
  return value == nullptr ? 0 : *value;
}

// Returns one entry of a list that an attribute may hold; 0 where there is none.
int64_t entry_of(const Node& node, const char* attribute, size_t number) {
  const auto found = node.attributes.find(attribute);
  const auto* list =
      found == node.attributes.end() ? nullptr : std::get_if<std::vector<int64_t>>(&found->second);
  return list == nullptr || number >= list->size() ? 0 : (*list)[number];
}

Result<ScanAxis> scan_axis(const Node& node, const char* axes, const char* directions,
                           size_t number, size_t rank) {
  const int64_t stated = entry_of(node, axes, number);
  const auto count = static_cast<int64_t>(rank);
  if (stated < -count || stated >= count)
    return misfit(node, kBadAttribute,
                  fmt::format("{} names axis {} of a tensor of rank {}", axes, stated, rank));
  return ScanAxis{static_cast<size_t>(stated < 0 ? stated + count : stated),
                  entry_of(node, directions, number) == 1};
}

std::optional<BodyPorts> wanted_ports(const Node& node, const Graph& body) {
  const size_t own = graph::own_inputs(node);
  BodyPorts ports;
  if (node.op_type == "Loop") {
    if (own < 2) return std::nullopt;
    ports.counters = 2, ports.conditions = 1, ports.carried = own - 2;
  } else if (node.op_type == "Scan") {
    const int64_t slices = integer_or_zero(node, "num_scan_inputs");
    if (slices < 1 || static_cast<uint64_t>(slices) > own) return std::nullopt;
    ports.slices = static_cast<size_t>(slices), ports.carried = own - ports.slices;
  }
  const size_t least = ports.conditions + ports.carried;
  if (body.outputs.size() < least) return std::nullopt;
  ports.stacked = body.outputs.size() - least;
  return ports;
}

// Binds inputs of a body one by one.
class Binder {
 public:
  explicit Binder(Graph& body) : body_(body), names_(std::move(body.inputs)) {
    body_.inputs.clear();
  }

  void input(size_t i, DType dtype, std::optional<Shape> shape) {
    const DType stated = body_.values.count(names_[i]) ? body_.values[names_[i]].dtype : dtype;
    body_.values[names_[i]] = {dtype == DType::kUndefined ? stated : dtype, std::move(shape),
                               Format::kND, nullptr};
    body_.inputs.push_back(names_[i]);
  }
  void constant(size_t i, std::shared_ptr<const RefTensor> tensor) {
    body_.values[names_[i]] = {tensor->dtype, tensor->shape, Format::kND, std::move(tensor)};
  }
  void known(size_t i, const ValueInfo& value) {
    if (value.constant != nullptr) return constant(i, value.constant);
    input(i, value.dtype, value.shape);
  }
  // Returns the rank that the file states for a counter, 0 or 1.
  Shape counter_shape(size_t i) const {
    const auto stated = body_.values.find(names_[i]);
    const bool one =
        stated != body_.values.end() && stated->second.shape && stated->second.shape->rank() == 1;
    return one ? Shape{1} : Shape{};
  }

 private:
  Graph& body_;
  std::vector<std::string> names_;
};

std::shared_ptr<const RefTensor> truth(const Shape& shape) {
  return std::make_shared<const RefTensor>(RefTensor{DType::kBool, shape, {1}});
}

Result<std::optional<Shape>> slice_shape(const Node& node, size_t number, const ValueInfo& whole) {
  if (!whole.shape) return std::optional<Shape>();
  OPKIT_TRY(const ScanAxis axis, scan_input(node, number, whole.shape->rank()));
  std::vector<int64_t> dims = whole.shape->dims();
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis.axis));
  return std::optional(Shape(std::move(dims)));
}

Status bind(const Node& node, const BodyPorts& ports, const KnownOperands& operands, Binder& to) {
  static const ValueInfo kUnknown;
  const auto operand = [&](size_t i) -> const ValueInfo& {
    return i < operands.size() && operands[i] ? *operands[i] : kUnknown;
  };
  const size_t own = graph::own_inputs(node), first = own - ports.carried - ports.slices;
  size_t i = 0;
  if (ports.counters > 0) {
    to.input(0, DType::kInt64, to.counter_shape(0));
    to.constant(1, truth(to.counter_shape(1)));
    i = ports.counters;
  }
  for (size_t c = 0; c < ports.carried; ++c)
    to.input(i++, operand(first + c).dtype, operand(first + c).shape);
  for (size_t s = 0; s < ports.slices; ++s) {
    const ValueInfo& whole = operand(first + ports.carried + s);
    OPKIT_TRY(auto shape, slice_shape(node, s, whole));
    to.input(i++, whole.dtype, std::move(shape));
  }
  for (size_t o = own; o < node.inputs.size(); ++o) to.known(i++, operand(o));
  return {};
}

}  // namespace

const Operator* control_operator(std::string_view name) {
  if (!graph::has_bodies(name)) return nullptr;
  for (const Operator& one : control_rows()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

KnownOperands known_operands(const Graph& graph, const Node& node) {
  static const ValueInfo kUnknown;
  KnownOperands operands;
  for (const std::string& name : node.inputs) {
    const auto known = graph.values.find(name);
    const ValueInfo* value = known == graph.values.end() ? &kUnknown : &known->second;
    operands.push_back(name.empty() ? nullptr : value);
  }
  return operands;
}

Result<BodyPorts> ports_of(const Node& node, const Graph& body) {
  const auto ports = wanted_ports(node, body);
  const bool branch = node.op_type == "If";
  const bool fits = ports && node.outputs.size() <= ports->carried + ports->stacked &&
                    (!branch || node.outputs.size() == ports->stacked) &&
                    body.inputs.size() == ports->counters + ports->carried + ports->slices +
                                              graph::captured_inputs(node);
  if (fits) return *ports;
  return misfit(
      node, kBadArity,
      fmt::format("{} inputs and {} outputs do not fit a body of {} and {}",
                  graph::own_inputs(node), node.outputs.size(),
                  body.inputs.size() - std::min(body.inputs.size(), graph::captured_inputs(node)),
                  body.outputs.size()));
}

Result<ScanAxis> scan_input(const Node& node, size_t number, size_t rank) {
  return scan_axis(node, "scan_input_axes", "scan_input_directions", number, rank);
}

Result<ScanAxis> scan_output(const Node& node, size_t number, size_t rank) {
  return scan_axis(node, "scan_output_axes", "scan_output_directions", number, rank);
}

Result<Graph> bound_body(const Node& node, const std::string& attribute,
                         const KnownOperands& operands) {
  OPKIT_TRY(Graph body, graph::body_of(node, attribute));
  OPKIT_TRY(const BodyPorts ports, ports_of(node, body));
  Binder binder(body);
  OPKIT_CHECK(bind(node, ports, operands, binder));
  OPKIT_CHECK(graph::validate(body));
  return body;
}

}  // namespace opkit::reference
