#include "opkit/contract/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace opkit {
namespace {

Range attr_range(const Attr& attr) {
  if (attr.type == AttrType::kBool) return Range::either();
  Range range;
  if (attr.range) {
    constexpr double kLimit = 9e18;
    if (attr.range->lo > -kLimit) range.lo = static_cast<int64_t>(std::ceil(attr.range->lo));
    if (attr.range->hi < kLimit) range.hi = static_cast<int64_t>(std::floor(attr.range->hi));
  }
  if (attr.allowed.empty()) return range;
  Range listed = Range::of(std::get<int64_t>(attr.allowed[0]));
  for (const AttrValue& value : attr.allowed)
    listed = listed.join(Range::of(std::get<int64_t>(value)));
  return range.meet(listed);
}

// Elements of a list attribute that are not known; of a fixed length their ranges are.
ListValue attr_list(const Attr& attr) {
  ListValue list;
  if (!attr.length || attr.length->first != attr.length->second) return list;
  list.known_length = true;
  list.items.assign(static_cast<size_t>(attr.length->first), attr_range(attr));
  return list;
}

Range count_range(Presence presence) {
  switch (presence) {
    case Presence::kRequired: return Range::of(1);
    case Presence::kOptional: return Range::either();
    case Presence::kDynamic: break;
  }
  return Range::any_dim();
}

// Returns how many tensors a dynamic input has: as stated, or as its per-tensor symbols tell.
Range dynamic_count(const OpContract& contract, const Port& port, const SymbolValues& values) {
  const auto stated = values.counts.find(port.name);
  if (stated != values.counts.end()) return Range::of(stated->second);
  for (const Expr& item : port.shape.items) {
    if (!item.is_per_tensor()) continue;
    const auto found = values.lists.find(item.bare_name());
    if (found != values.lists.end()) return Range::of(static_cast<int64_t>(found->second.size()));
  }
  (void)contract;
  return Range::any_dim();
}

std::string value_text(const Expr::Name& name, const Scope& scope) {
  if (const auto number = scope.numbers.find(name.name); number != scope.numbers.end())
    return fmt::format("{}={}", name.name, number->second.to_string());
  if (const auto text = scope.texts.find(name.name); text != scope.texts.end())
    return fmt::format("{}='{}'", name.name, text->second);
  const auto list = scope.lists.find(name.name);
  if (list == scope.lists.end() || !list->second.known_length) return {};
  std::vector<std::string> items;
  for (const Range& item : list->second.items) items.push_back(item.to_string());
  return fmt::format("{}=[{}]", name.name, fmt::join(items, ", "));
}

}  // namespace

void add_attrs(const AttrValues& attrs, Scope& scope) {
  for (const auto& [name, value] : attrs) {
    if (const auto* flag = std::get_if<bool>(&value)) scope.numbers[name] = Range::truth(*flag);
    if (const auto* number = std::get_if<int64_t>(&value)) scope.numbers[name] = Range::of(*number);
    if (const auto* text = std::get_if<std::string>(&value)) scope.texts[name] = *text;
    if (const auto* list = std::get_if<std::vector<int64_t>>(&value))
      scope.lists[name] = ListValue::of(*list);
  }
}

Scope open_scope(const OpContract& contract) {
  Scope scope;
  for (const Symbol& symbol : contract.symbols) {
    if (symbol.kind == Symbol::Kind::kDim) {
      scope.numbers[symbol.name] = symbol.bounds;
    } else {
      scope.lists[symbol.name] = ListValue{};
    }
  }
  for (const Attr& attr : contract.attrs) {
    const bool number = attr.type == AttrType::kInt || attr.type == AttrType::kBool;
    if (number) scope.numbers[attr.name] = attr_range(attr);
    if (attr.type == AttrType::kListInt) scope.lists[attr.name] = attr_list(attr);
  }
  for (const Port& port : contract.inputs) {
    scope.counts[port.name] = count_range(port.presence);
    if (port.value_depend) scope.lists[port.name] = ListValue{};
  }
  return scope;
}

Scope scope_of(const OpContract& contract, const SymbolValues& values, const AttrValues& attrs) {
  Scope scope;
  for (const auto& [name, value] : values.dims) scope.numbers[name] = Range::of(value);
  for (const auto& [name, list] : values.lists) scope.lists[name] = ListValue::of(list);
  add_attrs(attrs, scope);
  for (const Port& port : contract.inputs) {
    const bool absent = values.absent.count(port.name) > 0;
    scope.counts[port.name] = port.presence == Presence::kDynamic
                                  ? dynamic_count(contract, port, values)
                                  : Range::of(absent ? 0 : 1);
    if (port.value_depend) scope.lists[port.name] = ListValue{};
  }
  return scope;
}

Error broken_constraint(const OpContract& contract, const Constraint& constraint,
                        const Scope& scope) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const Expr::Name& name : constraint.rule.names()) {
    const std::string text = value_text(name, scope);
    if (!text.empty() && seen.insert(name.name).second) values.push_back(text);
  }
  const std::string why = constraint.why.empty() ? "" : " (" + constraint.why + ")";
  return Error("OPK-INFER-010",
               fmt::format("'{}' does not hold for {}{}", constraint.text, fmt::join(values, ", "),
                           why),
               fmt::format("choose shapes and attributes that meet {}", constraint.label))
      .at(constraint.where)
      .of(contract.op)
      .by(constraint.label);
}

bool may_hold(const OpContract& contract, const Scope& scope) {
  return std::all_of(contract.where.begin(), contract.where.end(), [&](const Constraint& one) {
    const auto truth = one.rule.evaluate(scope);
    return truth.ok() && !truth->is_false();
  });
}

Status check_constraints(const OpContract& contract, const Scope& scope) {
  for (const Constraint& constraint : contract.where) {
    auto truth = constraint.rule.evaluate(scope);
    if (!truth.ok())
      return std::move(truth).error().of(contract.op).by(constraint.label).with(constraint.text);
    if (truth->is_false()) return broken_constraint(contract, constraint, scope);
  }
  return {};
}

}  // namespace opkit
