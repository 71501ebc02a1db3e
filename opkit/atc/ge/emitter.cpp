#include "opkit/atc/ge/emitter.h"

#include <fmt/format.h>

#include <utility>

namespace opkit::ge_frontend {
namespace {

struct Text {
  std::string operator()(const std::string& value) const { return '"' + value + '"'; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(float value) const { return fmt::format("{}", value); }
  std::string operator()(const std::vector<int64_t>& value) const {
    return fmt::format("[{}]", fmt::join(value, ", "));
  }
  template <typename T>
  std::string operator()(const T&) const {
    return "another value";
  }
};

bool same(const AttrValue& a, const AttrValue& b) {
  return a.index() == b.index() && std::visit(Text(), a) == std::visit(Text(), b);
}

}  // namespace

Emitter::Emitter(graph::Graph& graph, const Prototype& prototype,
                 const opkit_graph::OperatorData& op, std::string name,
                 std::map<std::string, std::vector<std::string>> inputs, Known& known)
    : graph_(graph),
      prototype_(prototype),
      op_(op),
      name_(std::move(name)),
      inputs_(std::move(inputs)),
      known_(known) {}

std::string Emitter::in(const std::string& port) const {
  const std::vector<std::string>& values = inputs_.at(port);
  return values.empty() ? std::string() : values[0];
}

const AttrValue& Emitter::value_of(const std::string& attribute) const {
  const auto set = op_.attributes.find(attribute);
  if (set != op_.attributes.end()) return set->second;
  for (const PrototypeAttribute& one : prototype_.attributes) {
    if (one.name == attribute) return *one.otherwise;
  }
  std::abort();  // a rule asks for what the table does not have
}

std::string Emitter::fresh() { return fmt::format("{}/{}", name_, ++made_); }

std::string Emitter::inner(const std::string& type, std::vector<std::string> inputs,
                           Attributes attributes) {
  const std::string value = fresh();
  graph_.nodes.push_back({type, std::move(inputs), {value}, std::move(attributes), value});
  return value;
}

Status Emitter::result(const std::string& type, std::vector<std::string> inputs,
                       Attributes attributes) {
  graph_.nodes.push_back({type, std::move(inputs), {name_}, std::move(attributes), name_});
  return {};
}

Status Emitter::results(const std::string& type, std::vector<std::string> inputs,
                        Attributes attributes, size_t count) {
  std::vector<std::string> names = {name_};
  for (size_t i = 1; i < count; ++i) names.push_back(fmt::format("{}:{}", name_, i));
  graph_.nodes.push_back({type, std::move(inputs), std::move(names), std::move(attributes), name_});
  results_ = count;
  return {};
}

Result<Shape> Emitter::dims(const std::string& port) {
  OPKIT_TRY(const graph::ValueInfo value, known_.of(in(port)));
  if (value.shape && value.shape->is_static()) return *value.shape;
  return refuse(fmt::format("the dims of input '{}' depend on data", port),
                "state the dims of every op::Data");
}

Result<std::vector<int64_t>> Emitter::numbers(const std::string& port) {
  std::vector<int64_t> numbers;
  if (in(port).empty()) return numbers;
  OPKIT_TRY(const graph::ValueInfo value, known_.of(in(port)));
  if (value.constant == nullptr)
    return refuse(fmt::format("input '{}' is no constant", port),
                  fmt::format("set_input_{} with an op::Const", port));
  for (const double number : value.constant->values)
    numbers.push_back(static_cast<int64_t>(number));
  return numbers;
}

Result<int64_t> Emitter::number_in(const std::string& port) {
  OPKIT_TRY(const std::vector<int64_t> all, numbers(port));
  if (all.size() == 1) return all[0];
  return refuse(fmt::format("input '{}' has {} numbers, wanted is one", port, all.size()),
                fmt::format("set_input_{} with an op::Const of one number", port));
}

std::string Emitter::constant(const std::vector<int64_t>& values) {
  graph::RefTensor tensor{DType::kInt64, Shape({static_cast<int64_t>(values.size())}), {}};
  tensor.values.assign(values.begin(), values.end());
  const std::string value = fresh();
  graph_.add_constant(value, std::move(tensor));
  return value;
}

std::string Emitter::like(const std::string& value, double number) {
  const std::string scalar = fresh();
  graph_.add_constant(scalar, {DType::kFloat32, Shape(), {number}});
  return inner("CastLike", {scalar, value});
}

Error Emitter::refuse(const std::string& why, const std::string& action) const {
  return Error(kBadOperator, fmt::format("{} ({}): {}", name_, op_.type, why), action).of(op_.type);
}

Status Emitter::only(const std::string& attribute, const AttrValue& wanted) const {
  const AttrValue& value = value_of(attribute);
  if (same(value, wanted)) return {};
  return refuse(fmt::format("{} is {}, only {} is compiled", attribute, std::visit(Text(), value),
                            std::visit(Text(), wanted)),
                fmt::format("set_attr_{}({})", attribute, std::visit(Text(), wanted)));
}

}  // namespace opkit::ge_frontend
