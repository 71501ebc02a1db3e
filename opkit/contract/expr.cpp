#include "opkit/contract/expr.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/expr_functions.h"
#include "opkit/contract/expr_node.h"
#include "opkit/contract/expr_parser.h"
#include "opkit/contract/expr_relation.h"

namespace opkit {
namespace {

using Kind = ExprNode::Kind;
using Function = ExprNode::Function;
using Relation = ExprNode::Relation;

ExprNodePtr compare_node(const ExprNodePtr& a, Relation relation, const ExprNodePtr& b) {
  ExprNode node;
  node.kind = Kind::kCompare;
  node.relations = {relation};
  node.operands = {a, b};
  node.where = a->where;
  return std::make_shared<const ExprNode>(std::move(node));
}

void collect_conjuncts(const ExprNodePtr& node, std::vector<ExprNodePtr>& result) {
  if (node->kind == Kind::kAnd) {
    for (const ExprNodePtr& operand : node->operands) collect_conjuncts(operand, result);
  } else if (node->kind == Kind::kCompare) {
    for (size_t i = 0; i < node->relations.size(); ++i)
      result.push_back(compare_node(node->operands[i], node->relations[i], node->operands[i + 1]));
  } else {
    result.push_back(node);
  }
}

void collect_names(const ExprNode& node, std::vector<Expr::Name>& names) {
  using Use = Expr::Use;
  switch (node.kind) {
    case Kind::kNumberName:
    case Kind::kCollapsible: names.push_back({node.name, Use::kNumber, node.where}); break;
    case Kind::kTruthName: names.push_back({node.name, Use::kTruth, node.where}); break;
    case Kind::kListName:
    case Kind::kPerTensor: names.push_back({node.name, Use::kList, node.where}); break;
    case Kind::kTextEqual:
    case Kind::kTextUnequal: names.push_back({node.name, Use::kText, node.where}); break;
    case Kind::kCall:
      if (!node.name.empty()) names.push_back({node.name, Use::kPort, node.where});
      break;
    default: break;
  }
  for (const ExprNodePtr& operand : node.operands) collect_names(*operand, names);
}

// Binding strength, for printing with as few parentheses as possible.
int strength(Kind kind) {
  switch (kind) {
    case Kind::kOr: return 1;
    case Kind::kAnd: return 2;
    case Kind::kNot: return 3;
    case Kind::kCompare:
    case Kind::kTextEqual:
    case Kind::kTextUnequal: return 4;
    case Kind::kAdd:
    case Kind::kSubtract: return 5;
    case Kind::kMultiply:
    case Kind::kFloorDivide:
    case Kind::kModulo: return 6;
    case Kind::kNegative: return 7;
    case Kind::kPower: return 8;
    default: return 9;
  }
}

std::string_view operator_of(Kind kind) {
  switch (kind) {
    case Kind::kOr: return " or ";
    case Kind::kAnd: return " and ";
    case Kind::kAdd: return " + ";
    case Kind::kSubtract: return " - ";
    case Kind::kMultiply: return " * ";
    case Kind::kFloorDivide: return " // ";
    case Kind::kModulo: return " % ";
    default: return "**";
  }
}

// In the quotes that the text itself does not have: it has at most one kind.
std::string quoted(const std::string& text) {
  const char quote = text.find('\'') == std::string::npos ? '\'' : '"';
  return quote + text + quote;
}

std::string print(const ExprNode& node);

std::string print_within(const ExprNode& node, int needed) {
  const std::string text = print(node);
  return strength(node.kind) < needed ? fmt::format("({})", text) : text;
}

std::string print_chain(const ExprNode& node) {
  std::string text = print_within(*node.operands[0], 5);
  for (size_t i = 0; i < node.relations.size(); ++i) {
    text +=
        fmt::format(" {} {}", symbol_of(node.relations[i]), print_within(*node.operands[i + 1], 5));
  }
  return text;
}

std::string print_call(const ExprNode& node) {
  std::vector<std::string> arguments;
  for (const ExprNodePtr& operand : node.operands) {
    std::string text = print(*operand);
    if (operand->kind == Kind::kListName) text.resize(text.size() - 2);
    arguments.push_back(std::move(text));
  }
  if (!node.name.empty()) arguments.push_back(node.name);
  return fmt::format("{}({})", name_of(node.function), fmt::join(arguments, ", "));
}

std::string print(const ExprNode& node) {
  switch (node.kind) {
    case Kind::kInteger: return std::to_string(node.integer);
    case Kind::kNumberName:
    case Kind::kTruthName: return node.name;
    case Kind::kListName: return node.name + "..";
    case Kind::kCollapsible: return node.name + "|1";
    case Kind::kPerTensor: return node.name + "[]";
    case Kind::kIndex: {
      std::string list = print(*node.operands[0]);
      if (node.operands[0]->kind == Kind::kListName) list.resize(list.size() - 2);
      return fmt::format("{}[{}]", list, print(*node.operands[1]));
    }
    case Kind::kNegative: return fmt::format("-{}", print_within(*node.operands[0], 7));
    case Kind::kNot: return fmt::format("not {}", print_within(*node.operands[0], 3));
    case Kind::kCompare: return print_chain(node);
    case Kind::kTextEqual: return fmt::format("{} == {}", node.name, quoted(node.text));
    case Kind::kTextUnequal: return fmt::format("{} != {}", node.name, quoted(node.text));
    case Kind::kCall: return print_call(node);
    case Kind::kPower:
      return print_within(*node.operands[0], 9) + "**" + print_within(*node.operands[1], 7);
    default: break;
  }
  const int own = strength(node.kind);
  return print_within(*node.operands[0], own) + std::string(operator_of(node.kind)) +
         print_within(*node.operands[1], own + 1);
}

}  // namespace

Expr::Expr(std::shared_ptr<const ExprNode> node, Location where)
    : node_(std::move(node)), where_(std::move(where)) {
  collect_names(*node_, names_);
}

Result<Expr> Expr::parse(std::string_view text, const Location& where) {
  OPKIT_TRY(ExprNodePtr node, ExprParser(text, where).parse_single());
  return Expr(std::move(node), where);
}

Result<Expr> Expr::parse_condition(std::string_view text, const Location& where) {
  OPKIT_TRY(ExprNodePtr node, ExprParser(text, where).parse_condition());
  return Expr(std::move(node), where);
}

Result<std::vector<Expr>> Expr::parse_shape(std::string_view text, const Location& where) {
  OPKIT_TRY(const std::vector<ExprNodePtr> nodes, ExprParser(text, where).parse_items());
  std::vector<Expr> items;
  for (const ExprNodePtr& node : nodes) items.emplace_back(node, node->where);
  return items;
}

Expr Expr::constant(int64_t value) {
  ExprNode node;
  node.kind = Kind::kInteger;
  node.integer = value;
  return Expr(std::make_shared<const ExprNode>(std::move(node)), {});
}

Expr::Type Expr::type() const { return node_->type(); }
std::string Expr::to_string() const { return print(*node_); }
bool Expr::is_collapsible() const { return node_->kind == Kind::kCollapsible; }
bool Expr::is_per_tensor() const { return node_->kind == Kind::kPerTensor; }
bool Expr::is_constant() const { return names_.empty(); }
std::string Expr::bare_name() const { return node_->kind == Kind::kCall ? "" : node_->name; }

std::vector<Expr> Expr::conjuncts() const {
  std::vector<ExprNodePtr> nodes;
  collect_conjuncts(node_, nodes);
  std::vector<Expr> result;
  for (const ExprNodePtr& node : nodes) result.emplace_back(node, node->where);
  return result;
}

std::optional<Expr::StatedRank> Expr::stated_rank() const {
  if (node_->kind != Kind::kCompare || node_->relations.size() != 1 ||
      node_->relations[0] != Relation::kEqual)
    return std::nullopt;
  for (const size_t side : {0, 1}) {
    const ExprNode& node = *node_->operands[side];
    const ExprNodePtr& other = node_->operands[1 - side];
    if (node.kind == Kind::kCall && node.function == Function::kRank &&
        node.operands[0]->kind == Kind::kListName)
      return StatedRank{node.operands[0]->name, Expr(other, other->where)};
  }
  return std::nullopt;
}

Range Expr::limit(const Scope& scope, std::string& name) const {
  name.clear();
  if (node_->kind != Kind::kCompare || node_->relations.size() != 1) return {};
  const ExprNodePtr& left = node_->operands[0];
  const ExprNodePtr& right = node_->operands[1];
  const bool left_is_name = left->kind == Kind::kNumberName;
  if (!left_is_name && right->kind != Kind::kNumberName) return {};
  const ExprNodePtr& other = left_is_name ? right : left;
  const auto side = Expr(other, other->where).evaluate(scope);
  if (!side.ok()) return {};
  name = left_is_name ? left->name : right->name;
  const Relation relation = node_->relations[0];
  return left_by(left_is_name ? relation : mirrored(relation), *side);
}

}  // namespace opkit
