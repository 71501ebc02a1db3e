#include "opkit/rewrite/match/unify.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/reference/operators.h"
#include "opkit/rewrite/match/attribute_value.h"

namespace opkit::match {
namespace {

using graph::Node;
using Kind = Operand::Kind;

std::string shown(const std::string& value) {
  return value.empty() ? "nothing" : "'" + value + "'";
}

class Unification {
 public:
  Unification(const GraphIndex& index, const Pattern& pattern, const ReferenceNode& wanted,
              const Node& node, MatchState& state)
      : index_(index), pattern_(pattern), wanted_(wanted), node_(node), state_(state) {}

  std::optional<Refusal> run(bool exchanged) {
    if (node_.op_type != wanted_.op)
      return refuse(Guard::kOperator,
                    fmt::format("{} stands where the op has {}", node_.op_type, wanted_.op));
    if (auto refusal = attributes()) return refusal;
    if (auto refusal = operands(exchanged)) return refusal;
    return results();
  }

 private:
  static Refusal refuse(Guard guard, std::string reason) { return {guard, std::move(reason)}; }

  const Port* dynamic(const std::string& name) const {
    const Port* port = pattern_.contract->input(name);
    return port && port->presence == Presence::kDynamic ? port : nullptr;
  }

  std::optional<Refusal> operands(bool exchanged) {
    std::vector<std::string> given = node_.inputs;
    if (exchanged) std::swap(given[0], given[1]);
    const size_t fixed = static_cast<size_t>(
        std::count_if(wanted_.in.begin(), wanted_.in.end(),
                      [&](const Operand& operand) { return !dynamic(operand.name); }));
    const bool open = fixed < wanted_.in.size();
    if (!open) given.resize(std::max(given.size(), wanted_.in.size()));
    if (given.size() < fixed ||
        (!open && given.size() > wanted_.in.size() && !absent_behind(given, wanted_.in.size())))
      return refuse(Guard::kOperands,
                    fmt::format("{} has {} operands, the op has {}", node_.op_type,
                                node_.inputs.size(), wanted_.in.size()));
    size_t next = 0;
    for (const Operand& operand : wanted_.in) {
      const size_t count = dynamic(operand.name) ? given.size() - fixed : 1;
      const std::vector<std::string> values(
          given.begin() + static_cast<std::ptrdiff_t>(next),
          given.begin() + static_cast<std::ptrdiff_t>(next + count));
      next += count;
      if (auto refusal = take(operand, values)) return refusal;
    }
    return std::nullopt;
  }

  static bool absent_behind(const std::vector<std::string>& given, size_t from) {
    return std::all_of(given.begin() + static_cast<std::ptrdiff_t>(from), given.end(),
                       [](const std::string& name) { return name.empty(); });
  }

  std::optional<Refusal> take(const Operand& operand, const std::vector<std::string>& values) {
    switch (operand.kind) {
      case Kind::kTensor: return take_tensor(operand.name, values);
      case Kind::kConstant: return take_constant(operand, values[0]);
      case Kind::kAttr: return take_attr(operand.name, values[0]);
      case Kind::kShape: return constant(values[0]) ? std::nullopt : no_constant(values[0]);
      case Kind::kAbsent: break;
    }
    if (values[0].empty()) return std::nullopt;
    return refuse(Guard::kOperands, fmt::format("{} has the operand '{}', the op has none there",
                                                node_.op_type, values[0]));
  }

  std::optional<Refusal> take_tensor(const std::string& name,
                                     const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      if (value.empty())
        return refuse(Guard::kOperands, fmt::format("{} lacks the operand that the op calls {}",
                                                    node_.op_type, name));
    }
    const auto [known, fresh] = state_.values.emplace(name, values);
    if (fresh || known->second == values) return std::nullopt;
    const Guard guard = pattern_.contract->input(name) ? Guard::kSameValue : Guard::kOperator;
    return refuse(guard, fmt::format("{} would be {} and {}", name, shown(known->second[0]),
                                     shown(values[0])));
  }

  const graph::RefTensor* constant(const std::string& value) const {
    return index_.graph().constant(value);
  }
  std::optional<Refusal> no_constant(const std::string& value) const {
    return refuse(Guard::kConstant,
                  fmt::format("operand {} of {} is no constant", shown(value), node_.op_type));
  }

  std::optional<Refusal> take_constant(const Operand& operand, const std::string& value) const {
    const graph::RefTensor* tensor = constant(value);
    if (!tensor) return no_constant(value);
    const bool fits = operand.is_scalar
                          ? tensor->elements() == 1
                          : tensor->shape == Shape{static_cast<int64_t>(operand.constant.size())};
    if (fits && same_values(operand.constant, *tensor)) return std::nullopt;
    return refuse(Guard::kConstant,
                  fmt::format("constant {} of {} is {}, the op has {}", shown(value), node_.op_type,
                              shown_values(tensor->values), shown_values(operand.constant)));
  }

  // A constant of the reference is rounded to the dtype that it meets.
  static bool same_values(const std::vector<double>& wanted, const graph::RefTensor& tensor) {
    for (size_t i = 0; i < wanted.size(); ++i) {
      const double rounded = reference::rounded_to(tensor.dtype, wanted[i]);
      if (rounded != tensor.values[i] &&
          !(rounded != rounded && tensor.values[i] != tensor.values[i]))
        return false;
    }
    return true;
  }

  static std::string shown_values(const std::vector<double>& values) {
    constexpr size_t kMost = 6;
    const size_t count = std::min(values.size(), kMost);
    return fmt::format(
        "[{}{}]",
        fmt::join(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), ", "),
        values.size() > kMost ? ", ..." : "");
  }

  std::optional<Refusal> take_attr(const std::string& name, const std::string& value) {
    const graph::RefTensor* tensor = constant(value);
    if (!tensor) return no_constant(value);
    const auto found = value_for(pattern_.contract->attr(name)->type, *tensor);
    if (!found)
      return refuse(
          Guard::kConstant,
          fmt::format("constant {} of {} is no {}, which the op's attribute {} is", shown(value),
                      node_.op_type, name_of(pattern_.contract->attr(name)->type), name));
    return set(name, *found);
  }

  std::optional<Refusal> set(const std::string& name, const AttrValue& value) {
    const auto [known, fresh] = state_.attrs.emplace(name, value);
    if (fresh || known->second == value) return std::nullopt;
    return refuse(Guard::kAttribute, fmt::format("attribute {} would be {} and {}", name,
                                                 to_string(known->second), to_string(value)));
  }

  std::optional<Refusal> attributes() {
    for (const auto& [name, wanted] : wanted_.attrs) {
      const graph::Attribute* stated = attribute(name);
      if (!stated) continue;  // the op's default, or a mistake that the meaning shows
      if (wanted.literal && !says(*wanted.literal, *stated) && !is_counted(name))
        return refuse(Guard::kAttribute,
                      fmt::format("attribute {} of {} is {}, the op has {}", name, node_.op_type,
                                  text_of(*stated), to_string(*wanted.literal)));
      if (wanted.literal) continue;
      const auto value = value_for(pattern_.contract->attr(wanted.attr)->type, *stated);
      if (!value)
        return refuse(
            Guard::kAttribute,
            fmt::format("attribute {} of {} is {}, which is no {}", name, node_.op_type,
                        text_of(*stated), name_of(pattern_.contract->attr(wanted.attr)->type)));
      if (auto refusal = set(wanted.attr, *value)) return refusal;
    }
    return unmentioned();
  }

  // Attributes that may be written in several ways: the meaning decides.
  static bool is_counted(const std::string& name) {
    return name == "axis" || name == "axes" || name == "perm" || name == "to";
  }

  // Checks that what the reference leaves out has its default.
  std::optional<Refusal> unmentioned() const {
    const reference::Operator* op = reference::find_operator(node_.op_type);
    for (const auto& [name, value] : node_.attributes) {
      if (wanted_.attrs.count(name) > 0 || is_counted(name)) continue;
      const reference::AttributeSpec* spec = op->attribute(name, graph::kDefaultOpset);
      if (!spec || !spec->otherwise) continue;  // the meaning decides
      if (text_of(value) == text_of(*spec->otherwise)) continue;
      return refuse(Guard::kAttribute,
                    fmt::format("attribute {} of {} is {}, the op has {}", name, node_.op_type,
                                text_of(value), text_of(*spec->otherwise)));
    }
    return std::nullopt;
  }

  const graph::Attribute* attribute(const std::string& name) const {
    const auto found = node_.attributes.find(name);
    return found == node_.attributes.end() ? nullptr : &found->second;
  }

  std::optional<Refusal> results() {
    const Port* many =
        wanted_.out.size() == 1 ? pattern_.contract->output(wanted_.out[0]) : nullptr;
    if (many && many->count) {
      state_.values[wanted_.out[0]] = node_.outputs;
      return std::nullopt;
    }
    for (size_t i = 0; i < std::max(wanted_.out.size(), node_.outputs.size()); ++i) {
      const std::string name = i < wanted_.out.size() ? wanted_.out[i] : "";
      const std::string value = i < node_.outputs.size() ? node_.outputs[i] : "";
      if (name.empty() && !value.empty() &&
          (!index_.readers(value).empty() || index_.is_output(value)))
        return refuse(Guard::kOperands, fmt::format("result '{}' of {} is read, the op has none",
                                                    value, node_.op_type));
      if (name.empty()) continue;
      const auto [known, fresh] = state_.values.emplace(name, std::vector<std::string>{value});
      if (!fresh && known->second != std::vector<std::string>{value})
        return refuse(Guard::kOperator, fmt::format("{} would be {} and {}", name,
                                                    shown(known->second[0]), shown(value)));
    }
    return std::nullopt;
  }

  const GraphIndex& index_;
  const Pattern& pattern_;
  const ReferenceNode& wanted_;
  const Node& node_;
  MatchState& state_;
};

}  // namespace

std::optional<Refusal> unify(const GraphIndex& index, const Pattern& pattern, size_t pattern_node,
                             size_t node, bool exchanged, MatchState& state) {
  const graph::Node& found = index.graph().nodes[node];
  if (auto refusal =
          Unification(index, pattern, pattern.nodes[pattern_node], found, state).run(exchanged))
    return refusal;
  state.node_of[pattern_node] = node;
  ++state.matched;
  return std::nullopt;
}

}  // namespace opkit::match
