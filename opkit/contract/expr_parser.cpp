#include "opkit/contract/expr_parser.h"

#include <fmt/format.h>

#include <utility>

#include "opkit/base/suggest.h"
#include "opkit/contract/expr_functions.h"

namespace opkit {
namespace {

constexpr size_t kMaxLength = 4096;
constexpr int kMaxDepth = 64;
constexpr int kMaxOperations = 256;  // limits an expression: chains get as deep as they are long
constexpr const char* kGrammarHint = "see the expression grammar in docs/contract.md";

using Function = ExprNode::Function;
using Relation = ExprNode::Relation;

bool is_keyword(std::string_view word) {
  return word == "and" || word == "or" || word == "not" || word == "in";
}

ExprNodePtr share(ExprNode node) { return std::make_shared<const ExprNode>(std::move(node)); }

ExprNode node_at(ExprNode::Kind kind, const Location& place) {
  ExprNode node;
  node.kind = kind;
  node.where = place;
  return node;
}

class DepthGuard {
 public:
  explicit DepthGuard(int& depth) : depth_(++depth) {}
  ~DepthGuard() { --depth_; }
  bool exceeded() const { return depth_ > kMaxDepth; }

 private:
  int& depth_;
};

// Returns what people write who think of another language. `rest`: in quotes.
std::string habit_hint(const std::string& rest) {
  if (rest.starts_with("'&")) return "write 'and'";
  if (rest.starts_with("'|")) return "write 'or'; N|1 in a shape has the symbol first";
  if (rest.starts_with("'!")) return "write 'not'";
  if (rest.starts_with("'?")) return "write select(condition, a, b)";
  return kGrammarHint;
}

}  // namespace

ExprParser::ExprParser(std::string_view text, Location origin) : scan_(text, std::move(origin)) {}

Error ExprParser::syntax(std::string message, std::string action) const {
  if (action.empty()) action = habit_hint(scan_.rest());
  return Error("OPK-EXPR-001", std::move(message), std::move(action)).at(scan_.place());
}

ExprParser::Node ExprParser::as_number(const ExprNodePtr& node) const {
  if (node->type() == Type::kNumber) return node;
  return Error("OPK-EXPR-002",
               fmt::format("a number is needed here, not a {}",
                           node->type() == Type::kList ? "list" : "truth value"),
               node->type() == Type::kList ? "use prod(), sum(), rank() or an index such as B[0]"
                                           : "use select(condition, 1, 0)")
      .at(node->where);
}

ExprParser::Node ExprParser::as_truth(const ExprNodePtr& node) const {
  if (node->type() == Type::kTruth) return node;
  if (node->kind == Kind::kNumberName) {
    ExprNode flag = *node;
    flag.kind = Kind::kTruthName;
    return share(std::move(flag));
  }
  return Error("OPK-EXPR-002", "a condition is needed here, not a number or a list",
               "compare it with something, e.g. N > 0")
      .at(node->where);
}

ExprParser::Node ExprParser::as_list(const ExprNodePtr& node) const {
  if (node->type() == Type::kList) return node;
  if (node->kind == Kind::kNumberName) {
    ExprNode list = *node;
    list.kind = Kind::kListName;
    return share(std::move(list));
  }
  return Error("OPK-EXPR-002", "a list is needed here, not a number or a condition",
               "name a prefix such as B.. or a list attribute")
      .at(node->where);
}

ExprParser::Node ExprParser::binary(Kind kind, ExprNodePtr a, ExprNodePtr b,
                                    const Location& place) {
  if (++operations_ > kMaxOperations)
    return Error("OPK-EXPR-001",
                 fmt::format("the expression has more than {} operations", kMaxOperations),
                 "split it into several constraints or symbols")
        .at(place);
  const bool logical = kind == Kind::kAnd || kind == Kind::kOr;
  OPKIT_TRY(ExprNodePtr left, logical ? as_truth(a) : as_number(a));
  OPKIT_TRY(ExprNodePtr right, logical ? as_truth(b) : as_number(b));
  ExprNode node = node_at(kind, place);
  node.operands = {std::move(left), std::move(right)};
  return share(std::move(node));
}

Result<ExprNodePtr> ExprParser::parse_single() {
  if (scan_.text().size() > kMaxLength)
    return syntax(fmt::format("the expression has more than {} characters", kMaxLength),
                  "split it into several constraints");
  OPKIT_TRY(ExprNodePtr node, parse_or());
  if (!scan_.at_end()) return syntax(fmt::format("unexpected {}", scan_.rest()));
  return node;
}

Result<ExprNodePtr> ExprParser::parse_condition() {
  OPKIT_TRY(ExprNodePtr node, parse_single());
  auto truth = as_truth(node);
  if (truth.ok()) return truth;
  return Error("OPK-EXPR-005", fmt::format("'{}' is not a condition", scan_.text()),
               "compare it with something, e.g. N % 16 == 0")
      .at(scan_.origin());
}

Result<std::vector<ExprNodePtr>> ExprParser::parse_items() {
  std::vector<ExprNodePtr> items;
  if (scan_.text().size() > kMaxLength)
    return syntax(fmt::format("the shape has more than {} characters", kMaxLength),
                  "use a prefix such as B..");
  if (scan_.at_end()) return items;
  do {
    OPKIT_TRY(ExprNodePtr item, parse_item());
    items.push_back(std::move(item));
  } while (scan_.take(","));
  if (!scan_.at_end())
    return syntax(fmt::format("unexpected {}", scan_.rest()),
                  scan_.rest().starts_with("'|") ? "write N|1: the symbol first, then the 1"
                                                 : "separate dims with commas: \"B.., M, K\"");
  return items;
}

ExprParser::Node ExprParser::parse_item() {
  OPKIT_TRY(ExprNodePtr node, parse_or());
  if (node->type() == Type::kTruth)
    return Error("OPK-EXPR-002", "a dim cannot be a condition", "put conditions under 'where'")
        .at(node->where);
  if (node->kind == Kind::kNumberName && scan_.take("|")) {
    if (!scan_.take("1")) return syntax("'|' is only used as in N|1", "write N|1");
    ExprNode either = *node;
    either.kind = Kind::kCollapsible;
    return share(std::move(either));
  }
  return node;
}

ExprParser::Node ExprParser::parse_or() {
  DepthGuard guard(depth_);
  if (guard.exceeded())
    return syntax(fmt::format("the expression is nested more than {} deep", kMaxDepth),
                  "split it into several constraints");
  OPKIT_TRY(ExprNodePtr left, parse_and());
  for (Location here = scan_.place(); scan_.take_word("or"); here = scan_.place()) {
    OPKIT_TRY(ExprNodePtr right, parse_and());
    OPKIT_TRY(left, binary(Kind::kOr, left, right, here));
  }
  return left;
}

ExprParser::Node ExprParser::parse_and() {
  OPKIT_TRY(ExprNodePtr left, parse_not());
  for (Location here = scan_.place(); scan_.take_word("and"); here = scan_.place()) {
    OPKIT_TRY(ExprNodePtr right, parse_not());
    OPKIT_TRY(left, binary(Kind::kAnd, left, right, here));
  }
  return left;
}

ExprParser::Node ExprParser::parse_not() {
  DepthGuard guard(depth_);
  if (guard.exceeded()) return syntax("too many 'not' in a row", "remove pairs of them");
  const Location here = scan_.next_place();
  if (!scan_.take_word("not")) return parse_comparison();
  OPKIT_TRY(ExprNodePtr operand, parse_not());
  OPKIT_TRY(operand, as_truth(operand));
  ExprNode node = node_at(Kind::kNot, here);
  node.operands = {std::move(operand)};
  return share(std::move(node));
}

ExprParser::Node ExprParser::parse_comparison() {
  static constexpr std::pair<const char*, Relation> kRelations[] = {
      {"<=", Relation::kLessEqual}, {">=", Relation::kGreaterEqual}, {"==", Relation::kEqual},
      {"!=", Relation::kUnequal},   {"<", Relation::kLess},          {">", Relation::kGreater}};
  OPKIT_TRY(ExprNodePtr left, parse_sum());
  const Location here = scan_.next_place();
  if (scan_.take_word("in")) return parse_membership(std::move(left), here);
  ExprNode chain = node_at(Kind::kCompare, here);
  chain.operands.push_back(left);
  for (bool more = true; more;) {
    more = false;
    for (const auto& [symbol, relation] : kRelations) {
      if (!scan_.take(symbol)) continue;
      const bool textual = scan_.peek_is("'") || scan_.peek_is("\"");
      if (textual && chain.relations.empty() && relation >= Relation::kEqual)
        return parse_text_comparison(left, relation == Relation::kEqual);
      OPKIT_TRY(ExprNodePtr operand, parse_sum());
      OPKIT_TRY(operand, as_number(operand));
      chain.relations.push_back(relation);
      chain.operands.push_back(std::move(operand));
      more = true;
      break;
    }
  }
  if (chain.relations.empty()) {
    if (scan_.peek_is("=")) return syntax("'=' is no operator", "compare with ==");
    return left;
  }
  OPKIT_CHECK(as_number(left));
  return share(std::move(chain));
}

ExprParser::Node ExprParser::parse_membership(ExprNodePtr left, const Location& here) {
  OPKIT_CHECK(as_number(left));
  if (!scan_.take("[")) return syntax("'in' needs a list of numbers", "write e.g. K in [1, 2, 4]");
  ExprNodePtr any;
  do {
    OPKIT_TRY(ExprNodePtr value, parse_sum());
    OPKIT_TRY(value, as_number(value));
    ExprNode equal = node_at(Kind::kCompare, here);
    equal.relations = {Relation::kEqual};
    equal.operands = {left, std::move(value)};
    ExprNodePtr alternative = share(std::move(equal));
    if (!any) {
      any = std::move(alternative);
    } else {
      OPKIT_TRY(any, binary(Kind::kOr, any, alternative, here));
    }
  } while (scan_.take(","));
  if (!scan_.take("]")) return syntax(fmt::format("expected ']' before {}", scan_.rest()));
  return any;
}

ExprParser::Node ExprParser::parse_text_comparison(const ExprNodePtr& left, bool equal) {
  if (left->kind != Kind::kNumberName)
    return syntax("only a string attribute can be compared with text", "name the attribute");
  ExprNode node = node_at(equal ? Kind::kTextEqual : Kind::kTextUnequal, left->where);
  node.name = left->name;
  if (!scan_.take_text(&node.text)) return syntax("the text has no closing quote", "close it");
  return share(std::move(node));
}

ExprParser::Node ExprParser::parse_sum() {
  OPKIT_TRY(ExprNodePtr left, parse_product());
  for (;;) {
    const Location here = scan_.next_place();
    const bool plus = scan_.take("+");
    if (!plus && !scan_.take("-")) return left;
    OPKIT_TRY(ExprNodePtr right, parse_product());
    OPKIT_TRY(left, binary(plus ? Kind::kAdd : Kind::kSubtract, left, right, here));
  }
}

ExprParser::Node ExprParser::parse_product() {
  OPKIT_TRY(ExprNodePtr left, parse_unary());
  for (;;) {
    const Location here = scan_.next_place();
    Kind kind = Kind::kMultiply;
    if (scan_.take("//")) {
      kind = Kind::kFloorDivide;
    } else if (scan_.peek_is("/")) {
      return syntax("'/' is no operator", "use // (rounds down) or ceildiv(a, b)");
    } else if (scan_.take("%")) {
      kind = Kind::kModulo;
    } else if (!scan_.take("*")) {
      return left;
    }
    OPKIT_TRY(ExprNodePtr right, parse_unary());
    OPKIT_TRY(left, binary(kind, left, right, here));
  }
}

ExprParser::Node ExprParser::parse_unary() {
  DepthGuard guard(depth_);
  if (guard.exceeded()) return syntax("too many signs or powers in a row", "simplify");
  const Location here = scan_.next_place();
  if (!scan_.take("-")) return parse_power();
  OPKIT_TRY(ExprNodePtr operand, parse_unary());
  OPKIT_TRY(operand, as_number(operand));
  ExprNode node = node_at(Kind::kNegative, here);
  node.operands = {std::move(operand)};
  return share(std::move(node));
}

ExprParser::Node ExprParser::parse_power() {
  OPKIT_TRY(ExprNodePtr base, parse_postfix());
  const Location here = scan_.next_place();
  if (!scan_.take("**")) return base;
  OPKIT_TRY(ExprNodePtr exponent, parse_unary());
  return binary(Kind::kPower, base, exponent, here);
}

ExprParser::Node ExprParser::parse_postfix() {
  OPKIT_TRY(ExprNodePtr node, parse_primary());
  for (Location here = scan_.place(); scan_.take("["); here = scan_.place()) {
    if (node->kind == Kind::kNumberName && scan_.take("]")) {
      ExprNode each = *node;
      each.kind = Kind::kPerTensor;
      return share(std::move(each));
    }
    OPKIT_TRY(ExprNodePtr list, as_list(node));
    OPKIT_TRY(ExprNodePtr index, parse_sum());
    OPKIT_TRY(index, as_number(index));
    if (!scan_.take("]")) return syntax(fmt::format("expected ']' before {}", scan_.rest()));
    ExprNode element = node_at(Kind::kIndex, here);
    element.operands = {std::move(list), std::move(index)};
    node = share(std::move(element));
  }
  return node;
}

ExprParser::Node ExprParser::parse_primary() {
  if (scan_.at_end()) return syntax("the expression ends too early");
  if (scan_.take("(")) {
    OPKIT_TRY(ExprNodePtr inner, parse_or());
    if (!scan_.take(")")) return syntax(fmt::format("expected ')' before {}", scan_.rest()));
    return inner;
  }
  if (scan_.at_digit()) return parse_integer();
  if (scan_.at_name()) return parse_named();
  return syntax(fmt::format("unexpected {}", scan_.rest()));
}

ExprParser::Node ExprParser::parse_integer() {
  ExprNode node = node_at(Kind::kInteger, scan_.place());
  switch (scan_.take_integer(&node.integer)) {
    case ExprScanner::Integer::kTaken: return share(std::move(node));
    case ExprScanner::Integer::kTooLarge:
      return syntax("the number does not fit 64 bits", "use a smaller number");
    case ExprScanner::Integer::kNotWhole: break;
  }
  return syntax("only integers are numbers here",
                "use an integer; bound float attributes with their 'range'");
}

ExprParser::Node ExprParser::parse_named() {
  const Location here = scan_.place();
  const std::string name = scan_.take_name();
  if (is_keyword(name))
    return Error("OPK-EXPR-001", fmt::format("'{}' stands where a value is needed", name),
                 kGrammarHint)
        .at(here);
  if (scan_.take("(")) return parse_call(name, here);
  ExprNode node = node_at(Kind::kNumberName, here);
  node.name = name;
  return parse_suffix(share(std::move(node)));
}

// Returns a name, or a name followed by "..".
ExprParser::Node ExprParser::parse_suffix(ExprNodePtr name) {
  return scan_.take_dots() ? as_list(name) : Node(name);
}

ExprParser::Node ExprParser::parse_call(const std::string& name, const Location& here) {
  DepthGuard guard(depth_);
  const ExprFunction* function = find_function(name);
  if (!function) {
    return Error("OPK-EXPR-003", fmt::format("there is no function '{}'", name),
                 suggest(name, function_names()))
        .at(here);
  }
  std::vector<ExprNodePtr> arguments;
  if (!scan_.take(")")) {
    do {
      OPKIT_TRY(ExprNodePtr argument, parse_or());
      arguments.push_back(std::move(argument));
    } while (scan_.take(","));
    if (!scan_.take(")")) return syntax(fmt::format("expected ')' before {}", scan_.rest()));
  }
  ExprNode call = node_at(Kind::kCall, here);
  call.function = function->function;
  OPKIT_TRY(ExprNodePtr node, finish_call(std::move(call), std::move(arguments)));
  if (node->type() == Type::kList) scan_.take_dots();
  return node;
}

// Checks the arguments' number and types.
ExprParser::Node ExprParser::finish_call(ExprNode call, std::vector<ExprNodePtr> arguments) {
  const ExprFunction& function = function_of(call.function);
  const std::string_view name = function.name;
  const size_t least = function.least_arguments();
  if (arguments.size() < least ||
      !(arguments.empty() || function.letter_at(arguments.size() - 1))) {
    return Error("OPK-EXPR-004",
                 fmt::format("{}() takes {}{} argument{}, not {}", name,
                             function.repeats() ? "at least " : "", least, least == 1 ? "" : "s",
                             arguments.size()),
                 kGrammarHint)
        .at(call.where);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const char letter = function.letter_at(i);
    if (letter == 'p') {
      if (arguments[i]->kind != Kind::kNumberName)
        return Error("OPK-EXPR-002", fmt::format("{}() takes the name of an input", name),
                     "name an input")
            .at(arguments[i]->where);
      call.name = arguments[i]->name;
      return share(std::move(call));
    }
    Node converted = letter == 'n'   ? as_number(arguments[i])
                     : letter == 't' ? as_truth(arguments[i])
                                     : as_list(arguments[i]);
    OPKIT_TRY(ExprNodePtr argument, std::move(converted));
    call.operands.push_back(std::move(argument));
  }
  return share(std::move(call));
}

}  // namespace opkit
