// Evaluation of expressions over ranges.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/expr_dims.h"
#include "opkit/contract/expr_functions.h"
#include "opkit/contract/expr_node.h"

namespace opkit {
namespace {

using Kind = ExprNode::Kind;
using Function = ExprNode::Function;
using Relation = ExprNode::Relation;

Result<Range> evaluate_node(const ExprNode& node, const Scope& scope);
Result<ListValue> evaluate_list_node(const ExprNode& node, const Scope& scope);

Error no_value(const ExprNode& node, const Scope& scope) {
  if (scope.quiet) return Error("OPK-EXPR-010", {});
  return Error("OPK-EXPR-010", fmt::format("{} has no value here", node.name),
               "bind it in an input's shape, or give it a value")
      .at(node.where);
}

std::string call_text(const ExprNode& node, const std::vector<Range>& operands) {
  static constexpr std::pair<Kind, const char*> kSymbols[] = {
      {Kind::kAdd, " + "},          {Kind::kSubtract, " - "}, {Kind::kMultiply, " * "},
      {Kind::kFloorDivide, " // "}, {Kind::kModulo, " % "},   {Kind::kPower, "**"}};
  for (const auto& [kind, symbol] : kSymbols) {
    if (kind == node.kind) return operands[0].to_string() + symbol + operands[1].to_string();
  }
  std::vector<std::string> texts;
  for (const Range& operand : operands) texts.push_back(operand.to_string());
  const std::string_view name = node.kind == Kind::kCall ? name_of(node.function) : "-";
  return fmt::format("{}({})", name, fmt::join(texts, ", "));
}

Error no_result(const ExprNode& node, const std::vector<Range>& operands, const Scope& scope) {
  if (scope.quiet) return Error("OPK-EXPR-011", {});
  return Error("OPK-EXPR-011", fmt::format("{} has no 64-bit result", call_text(node, operands)),
               "use smaller operands, a divisor that is not 0 and an exponent of at least 0")
      .at(node.where);
}

Result<Range> number_of(const ExprNode& node, const Scope& scope) {
  const auto found = scope.numbers.find(node.name);
  if (found == scope.numbers.end()) return no_value(node, scope);
  return found->second;
}

Result<Range> element(const ExprNode& node, const Scope& scope, const ListValue& list,
                      Range index) {
  if (!list.known_length || !index.is_known()) return Range{};
  const auto length = static_cast<int64_t>(list.items.size());
  const int64_t at = index.lo < 0 ? index.lo + length : index.lo;
  if (at < 0 || at >= length) {
    if (scope.quiet) return Error("OPK-EXPR-012", {});
    return Error("OPK-EXPR-012",
                 fmt::format("index {} is outside a list of {} values", index.lo, length),
                 "use an index within the list")
        .at(node.where);
  }
  return list.items[static_cast<size_t>(at)];
}

Result<Range> per_tensor(const ExprNode& node, const Scope& scope) {
  const auto found = scope.lists.find(node.name);
  if (found == scope.lists.end()) return no_value(node, scope);
  if (scope.instance < 0) {
    return Error("OPK-EXPR-013",
                 fmt::format("{}[] is only known for one tensor of a dynamic port", node.name),
                 fmt::format("use sum({0}), {0}[0] or count() here", node.name))
        .at(node.where);
  }
  return element(node, scope, found->second, Range::of(scope.instance));
}

Range compare(Relation relation, Range a, Range b) {
  switch (relation) {
    case Relation::kLess: return less(a, b);
    case Relation::kLessEqual: return less_equal(a, b);
    case Relation::kGreater: return less(b, a);
    case Relation::kGreaterEqual: return less_equal(b, a);
    case Relation::kEqual: return equal(a, b);
    case Relation::kUnequal: break;
  }
  return negate(equal(a, b));
}

Result<Range> compare_chain(const ExprNode& node, const Scope& scope) {
  Range all = Range::truth(true);
  OPKIT_TRY(Range left, evaluate_node(*node.operands[0], scope));
  for (size_t i = 0; i < node.relations.size(); ++i) {
    OPKIT_TRY(const Range right, evaluate_node(*node.operands[i + 1], scope));
    all = both(all, compare(node.relations[i], left, right));
    left = right;
  }
  return all;
}

Result<Range> compare_text(const ExprNode& node, const Scope& scope) {
  const auto found = scope.texts.find(node.name);
  if (found == scope.texts.end()) return no_value(node, scope);
  return Range::truth((found->second == node.text) == (node.kind == Kind::kTextEqual));
}

// and, or: the right side is not evaluated when the left decides, so that "n != 0 and k % n == 0"
// is safe.
Result<Range> logical(const ExprNode& node, const Scope& scope) {
  OPKIT_TRY(const Range left, evaluate_node(*node.operands[0], scope));
  const bool conjunction = node.kind == Kind::kAnd;
  if (conjunction ? left.is_false() : left.is_true()) return left;
  const auto right = evaluate_node(*node.operands[1], scope);
  if (!right.ok() && !left.is_known()) return Range::either();  // the left side may guard the right
  if (!right.ok()) return right;
  return conjunction ? both(left, *right) : one_of(left, *right);
}

Result<Range> select(const ExprNode& node, const Scope& scope) {
  OPKIT_TRY(const Range condition, evaluate_node(*node.operands[0], scope));
  if (condition.is_true()) return evaluate_node(*node.operands[1], scope);
  if (condition.is_false()) return evaluate_node(*node.operands[2], scope);
  // While the condition is open, a branch without a result only says which branch will be taken.
  const auto yes = evaluate_node(*node.operands[1], scope);
  const auto no = evaluate_node(*node.operands[2], scope);
  if (!yes.ok()) return no;
  return no.ok() ? yes->join(*no) : yes;
}

Result<Range> fold_list(const ExprNode& node, const Scope& scope) {
  OPKIT_TRY(const ListValue list, evaluate_list_node(*node.operands[0], scope));
  if (node.function == Function::kRank) {
    return list.known_length ? Range::of(static_cast<int64_t>(list.items.size()))
                             : Range::any_dim();
  }
  if (!list.known_length) return Range{};
  const bool needs_one = node.function == Function::kMinOf || node.function == Function::kMaxOf;
  if (needs_one && list.items.empty()) return no_result(node, {}, scope);
  std::optional<Range> result = Range::of(node.function == Function::kProd ? 1 : 0);
  if (needs_one) result = list.items[0];
  for (const Range& item : list.items) {
    switch (node.function) {
      case Function::kProd: result = multiply(*result, item); break;
      case Function::kSum: result = add(*result, item); break;
      case Function::kMinOf: result = smaller_of(*result, item); break;
      default: result = larger_of(*result, item); break;
    }
    if (!result) return no_result(node, list.items, scope);
  }
  return *result;
}

std::optional<Range> arithmetic(const ExprNode& node, const std::vector<Range>& v) {
  switch (node.kind) {
    case Kind::kNegative: return subtract(Range::of(0), v[0]);
    case Kind::kAdd: return add(v[0], v[1]);
    case Kind::kSubtract: return subtract(v[0], v[1]);
    case Kind::kMultiply: return multiply(v[0], v[1]);
    case Kind::kFloorDivide: return floor_divide(v[0], v[1]);
    case Kind::kModulo: return modulo(v[0], v[1]);
    case Kind::kPower: return power(v[0], v[1]);
    default: break;
  }
  if (node.function == Function::kCeilDiv) return ceil_divide(v[0], v[1]);
  Range result = v[0];
  for (const Range& operand : v) {
    result =
        node.function == Function::kMin ? smaller_of(result, operand) : larger_of(result, operand);
  }
  return result;
}

Result<Range> evaluate_operands(const ExprNode& node, const Scope& scope) {
  std::vector<Range> values;
  for (const ExprNodePtr& operand : node.operands) {
    OPKIT_TRY(const Range value, evaluate_node(*operand, scope));
    values.push_back(value);
  }
  const std::optional<Range> result = arithmetic(node, values);
  if (!result) return no_result(node, values, scope);
  return *result;
}

Result<Range> port_count(const ExprNode& node, const Scope& scope) {
  const auto found = scope.counts.find(node.name);
  if (found == scope.counts.end()) return no_value(node, scope);
  if (node.function == Function::kCount) return found->second;
  return less_equal(Range::of(1), found->second);
}

Result<Range> evaluate_call(const ExprNode& node, const Scope& scope) {
  switch (node.function) {
    case Function::kSelect: return select(node, scope);
    case Function::kProd:
    case Function::kSum:
    case Function::kRank:
    case Function::kMinOf:
    case Function::kMaxOf: return fold_list(node, scope);
    case Function::kPresent:
    case Function::kCount: return port_count(node, scope);
    default: return evaluate_operands(node, scope);
  }
}

Result<Range> evaluate_node(const ExprNode& node, const Scope& scope) {
  switch (node.kind) {
    case Kind::kInteger: return Range::of(node.integer);
    case Kind::kNumberName:
    case Kind::kTruthName:
    case Kind::kCollapsible: return number_of(node, scope);
    case Kind::kPerTensor: return per_tensor(node, scope);
    case Kind::kCompare: return compare_chain(node, scope);
    case Kind::kTextEqual:
    case Kind::kTextUnequal: return compare_text(node, scope);
    case Kind::kAnd:
    case Kind::kOr: return logical(node, scope);
    case Kind::kCall: return evaluate_call(node, scope);
    case Kind::kNot: {
      OPKIT_TRY(const Range operand, evaluate_node(*node.operands[0], scope));
      return negate(operand);
    }
    case Kind::kIndex: {
      OPKIT_TRY(const ListValue list, evaluate_list_node(*node.operands[0], scope));
      OPKIT_TRY(const Range index, evaluate_node(*node.operands[1], scope));
      return element(node, scope, list, index);
    }
    default: return evaluate_operands(node, scope);
  }
}

// Returns one dim of two broadcast shapes.
Result<Range> broadcast_dim(const ExprNode& node, const Scope& scope, Range a, Range b) {
  if (a == Range::of(1)) return b;
  if (b == Range::of(1) || a == b) return a;
  const bool a_may_be_one = a.contains(1), b_may_be_one = b.contains(1);
  if (!a_may_be_one && !b_may_be_one) {
    const Range common = a.meet(b);
    if (!common.is_empty()) return common;
    if (scope.quiet) return Error("OPK-EXPR-014", {});
    return Error("OPK-EXPR-014",
                 fmt::format("dims {} and {} cannot be broadcast together", a.to_string(),
                             b.to_string()),
                 "make them equal, or one of them 1")
        .at(node.where);
  }
  if (!a_may_be_one) return a;
  return b_may_be_one ? a.join(b) : b;
}

Result<ListValue> broadcast(const ExprNode& node, const Scope& scope, ListValue a,
                            const ListValue& b) {
  if (!a.known_length || !b.known_length) return ListValue{};
  const ListValue& longer = a.items.size() >= b.items.size() ? a : b;
  const ListValue& shorter = a.items.size() >= b.items.size() ? b : a;
  ListValue result = longer;
  const size_t offset = longer.items.size() - shorter.items.size();
  for (size_t i = 0; i < shorter.items.size(); ++i) {
    OPKIT_TRY(result.items[offset + i],
              broadcast_dim(node, scope, longer.items[offset + i], shorter.items[i]));
  }
  return result;
}

Result<ListValue> permute(const ExprNode& node, const ListValue& list,
                          const std::vector<size_t>& axes) {
  if (axes.size() != list.items.size()) {
    return Error("OPK-EXPR-015",
                 fmt::format("an order of {} axes does not fit a tensor of rank {}", axes.size(),
                             list.items.size()),
                 "name every axis once")
        .at(node.where);
  }
  ListValue result{true, {}};
  for (size_t axis : axes) result.items.push_back(list.items[axis]);
  return result;
}

Result<ListValue> with_axes(const ExprNode& node, const Scope& scope) {
  OPKIT_TRY(const ListValue list, evaluate_list_node(*node.operands[0], scope));
  OPKIT_TRY(const ListValue named, evaluate_list_node(*node.operands[1], scope));
  if (!list.known_length || !named.is_known()) return ListValue{};
  OPKIT_TRY(const std::vector<size_t> axes, axes_of(node, named, list.items.size()));
  if (node.function == Function::kPermute) return permute(node, list, axes);
  ListValue result{true, {}};
  for (size_t i = 0; i < list.items.size(); ++i) {
    const bool chosen = std::count(axes.begin(), axes.end(), i) > 0;
    if (chosen && node.function == Function::kDrop) continue;
    result.items.push_back(chosen ? Range::of(1) : list.items[i]);
  }
  return result;
}

// tile, pad, slice.
Result<ListValue> resized(const ExprNode& node, const Scope& scope) {
  std::vector<ListValue> lists;
  for (const ExprNodePtr& operand : node.operands) {
    OPKIT_TRY(ListValue list, evaluate_list_node(*operand, scope));
    if (!list.known_length) return ListValue{};
    lists.push_back(std::move(list));
  }
  switch (node.function) {
    case Function::kTile: return tiled_dims(node, lists[0], lists[1]);
    case Function::kPad: return padded_dims(node, lists[0], lists[1]);
    default: return sliced_dims(node, lists);
  }
}

bool resizes(Function function) {
  return function == Function::kTile || function == Function::kPad || function == Function::kSlice;
}

Result<ListValue> evaluate_list_node(const ExprNode& node, const Scope& scope) {
  if (node.kind == Kind::kListName) {
    const auto found = scope.lists.find(node.name);
    if (found == scope.lists.end()) return no_value(node, scope);
    return found->second;
  }
  if (resizes(node.function)) return resized(node, scope);
  if (node.function != Function::kBroadcast) return with_axes(node, scope);
  OPKIT_TRY(ListValue result, evaluate_list_node(*node.operands[0], scope));
  for (size_t i = 1; i < node.operands.size(); ++i) {
    OPKIT_TRY(const ListValue other, evaluate_list_node(*node.operands[i], scope));
    OPKIT_TRY(result, broadcast(node, scope, std::move(result), other));
  }
  return result;
}

}  // namespace

ListValue ListValue::of(const std::vector<int64_t>& values) {
  ListValue list{true, {}};
  for (int64_t value : values) list.items.push_back(Range::of(value));
  return list;
}

bool ListValue::is_known() const {
  return known_length &&
         std::all_of(items.begin(), items.end(), [](const Range& item) { return item.is_known(); });
}

Result<Range> Expr::evaluate(const Scope& scope) const { return evaluate_node(*node_, scope); }

Result<ListValue> Expr::evaluate_list(const Scope& scope) const {
  return evaluate_list_node(*node_, scope);
}

}  // namespace opkit
