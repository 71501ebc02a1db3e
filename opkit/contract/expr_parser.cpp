#include "opkit/contract/expr_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "opkit/base/suggest.h"

namespace opkit {
namespace {

constexpr size_t kMaxLength = 4096;
constexpr int kMaxDepth = 64;
constexpr const char* kGrammarHint = "see the expression grammar in docs/contract.md";

using Function = ExprNode::Function;
using Relation = ExprNode::Relation;

struct Signature {
  const char* name;
  Function function;
  const char* arguments;  // n number, t truth, l list, p port; + repeats the last one
};

constexpr Signature kSignatures[] = {
    {"ceildiv", Function::kCeilDiv, "nn"},   {"min", Function::kMin, "nn+"},
    {"max", Function::kMax, "nn+"},          {"select", Function::kSelect, "tnn"},
    {"prod", Function::kProd, "l"},          {"sum", Function::kSum, "l"},
    {"rank", Function::kRank, "l"},          {"min_of", Function::kMinOf, "l"},
    {"max_of", Function::kMaxOf, "l"},       {"broadcast", Function::kBroadcast, "ll+"},
    {"permute", Function::kPermute, "ll"},   {"drop", Function::kDrop, "ll"},
    {"collapse", Function::kCollapse, "ll"}, {"present", Function::kPresent, "p"},
    {"count", Function::kCount, "p"},
};

const Signature* signature_of(std::string_view name) {
  const auto found =
      std::find_if(std::begin(kSignatures), std::end(kSignatures),
                   [name](const Signature& signature) { return name == signature.name; });
  return found == std::end(kSignatures) ? nullptr : found;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Signature& signature : kSignatures) names.push_back(signature.name);
  return names;
}

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
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

// The argument letter that stands at `index`; '\0' when there are too many.
char letter_at(std::string_view letters, size_t index) {
  const bool repeats = letters.ends_with('+');
  if (repeats) letters.remove_suffix(1);
  if (index < letters.size()) return letters[index];
  return repeats ? letters.back() : '\0';
}

class DepthGuard {
 public:
  explicit DepthGuard(int& depth) : depth_(++depth) {}
  ~DepthGuard() { --depth_; }
  bool exceeded() const { return depth_ > kMaxDepth; }

 private:
  int& depth_;
};

}  // namespace

std::string_view name_of(Function function) {
  const auto found = std::find_if(
      std::begin(kSignatures), std::end(kSignatures),
      [function](const Signature& signature) { return function == signature.function; });
  return found->name;
}

std::string_view symbol_of(Relation relation) {
  static constexpr const char* kSymbols[] = {"<", "<=", ">", ">=", "==", "!="};
  return kSymbols[static_cast<int>(relation)];
}

ExprParser::ExprParser(std::string_view text, Location origin)
    : text_(text), origin_(std::move(origin)) {}

Location ExprParser::place() const {
  Location here = origin_;
  if (here.column > 0) here.column += static_cast<int>(std::min(position_, text_.size()));
  return here;
}

std::string ExprParser::rest() const {
  constexpr size_t kShown = 20;
  if (position_ >= text_.size()) return "the end";
  return fmt::format("'{}'", text_.substr(position_, kShown));
}

Error ExprParser::syntax(std::string message, std::string action) const {
  if (action.empty()) action = kGrammarHint;
  return Error("OPK-EXPR-001", std::move(message), std::move(action)).at(place());
}

void ExprParser::skip_blanks() {
  while (position_ < text_.size() &&
         (text_[position_] == ' ' || text_[position_] == '\n' || text_[position_] == '\t'))
    ++position_;
}

bool ExprParser::at_end() {
  skip_blanks();
  return position_ == text_.size();
}

bool ExprParser::peek_is(std::string_view symbol) {
  skip_blanks();
  return text_.substr(position_).starts_with(symbol);
}

bool ExprParser::take(std::string_view symbol) {
  if (!peek_is(symbol)) return false;
  position_ += symbol.size();
  return true;
}

bool ExprParser::take_word(std::string_view word) {
  if (!peek_is(word)) return false;
  const size_t end = position_ + word.size();
  if (end < text_.size() && (is_name_start(text_[end]) || is_digit(text_[end]))) return false;
  position_ = end;
  return true;
}

std::string ExprParser::take_name() {
  skip_blanks();
  const size_t start = position_;
  if (at_end() || !is_name_start(text_[position_])) return {};
  while (position_ < text_.size() &&
         (is_name_start(text_[position_]) || is_digit(text_[position_])))
    ++position_;
  return std::string(text_.substr(start, position_ - start));
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
  const bool logical = kind == Kind::kAnd || kind == Kind::kOr;
  OPKIT_TRY(ExprNodePtr left, logical ? as_truth(a) : as_number(a));
  OPKIT_TRY(ExprNodePtr right, logical ? as_truth(b) : as_number(b));
  ExprNode node = node_at(kind, place);
  node.operands = {std::move(left), std::move(right)};
  return share(std::move(node));
}

Result<ExprNodePtr> ExprParser::parse_single() {
  if (text_.size() > kMaxLength)
    return syntax(fmt::format("the expression has more than {} characters", kMaxLength),
                  "split it into several constraints");
  OPKIT_TRY(ExprNodePtr node, parse_or());
  if (!at_end()) return syntax(fmt::format("unexpected {}", rest()));
  return node;
}

Result<ExprNodePtr> ExprParser::parse_condition() {
  OPKIT_TRY(ExprNodePtr node, parse_single());
  auto truth = as_truth(node);
  if (truth.ok()) return truth;
  return Error("OPK-EXPR-005", fmt::format("'{}' is not a condition", text_),
               "compare it with something, e.g. N % 16 == 0")
      .at(origin_);
}

Result<std::vector<ExprNodePtr>> ExprParser::parse_items() {
  std::vector<ExprNodePtr> items;
  if (text_.size() > kMaxLength)
    return syntax(fmt::format("the shape has more than {} characters", kMaxLength),
                  "use a prefix such as B..");
  if (at_end()) return items;
  do {
    OPKIT_TRY(ExprNodePtr item, parse_item());
    items.push_back(std::move(item));
  } while (take(","));
  if (!at_end())
    return syntax(fmt::format("unexpected {}", rest()), "separate dims with commas: \"B.., M, K\"");
  return items;
}

ExprParser::Node ExprParser::parse_item() {
  OPKIT_TRY(ExprNodePtr node, parse_or());
  if (node->type() == Type::kTruth)
    return Error("OPK-EXPR-002", "a dim cannot be a condition", "put conditions under 'where'")
        .at(node->where);
  if (node->kind == Kind::kNumberName && take("|")) {
    if (!take("1")) return syntax("'|' is only used as in N|1", "write N|1");
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
  for (Location here = place(); take_word("or"); here = place()) {
    OPKIT_TRY(ExprNodePtr right, parse_and());
    OPKIT_TRY(left, binary(Kind::kOr, left, right, here));
  }
  return left;
}

ExprParser::Node ExprParser::parse_and() {
  OPKIT_TRY(ExprNodePtr left, parse_not());
  for (Location here = place(); take_word("and"); here = place()) {
    OPKIT_TRY(ExprNodePtr right, parse_not());
    OPKIT_TRY(left, binary(Kind::kAnd, left, right, here));
  }
  return left;
}

ExprParser::Node ExprParser::parse_not() {
  DepthGuard guard(depth_);
  if (guard.exceeded()) return syntax("too many 'not' in a row", "remove pairs of them");
  skip_blanks();
  const Location here = place();
  if (!take_word("not")) return parse_comparison();
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
  skip_blanks();
  const Location here = place();
  if (take_word("in")) return parse_membership(std::move(left), here);
  ExprNode chain = node_at(Kind::kCompare, here);
  chain.operands.push_back(left);
  for (bool more = true; more;) {
    more = false;
    for (const auto& [symbol, relation] : kRelations) {
      if (!take(symbol)) continue;
      const bool textual = peek_is("'") || peek_is("\"");
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
    if (peek_is("=")) return syntax("'=' is no operator", "compare with ==");
    return left;
  }
  OPKIT_CHECK(as_number(left));
  return share(std::move(chain));
}

ExprParser::Node ExprParser::parse_membership(ExprNodePtr left, const Location& here) {
  OPKIT_CHECK(as_number(left));
  if (!take("[")) return syntax("'in' needs a list of numbers", "write e.g. K in [1, 2, 4]");
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
  } while (take(","));
  if (!take("]")) return syntax(fmt::format("expected ']' before {}", rest()));
  return any;
}

ExprParser::Node ExprParser::parse_text_comparison(const ExprNodePtr& left, bool equal) {
  if (left->kind != Kind::kNumberName)
    return syntax("only a string attribute can be compared with text", "name the attribute");
  skip_blanks();
  const char quote = text_[position_++];
  const size_t end = text_.find(quote, position_);
  if (end == text_.npos) return syntax("the text has no closing quote", "close it");
  ExprNode node = node_at(equal ? Kind::kTextEqual : Kind::kTextUnequal, left->where);
  node.name = left->name;
  node.text = std::string(text_.substr(position_, end - position_));
  position_ = end + 1;
  return share(std::move(node));
}

ExprParser::Node ExprParser::parse_sum() {
  OPKIT_TRY(ExprNodePtr left, parse_product());
  for (;;) {
    skip_blanks();
    const Location here = place();
    const bool plus = take("+");
    if (!plus && !take("-")) return left;
    OPKIT_TRY(ExprNodePtr right, parse_product());
    OPKIT_TRY(left, binary(plus ? Kind::kAdd : Kind::kSubtract, left, right, here));
  }
}

ExprParser::Node ExprParser::parse_product() {
  OPKIT_TRY(ExprNodePtr left, parse_unary());
  for (;;) {
    skip_blanks();
    const Location here = place();
    Kind kind = Kind::kMultiply;
    if (take("//")) {
      kind = Kind::kFloorDivide;
    } else if (peek_is("/")) {
      return syntax("'/' is no operator", "use // (rounds down) or ceildiv(a, b)");
    } else if (take("%")) {
      kind = Kind::kModulo;
    } else if (!take("*")) {
      return left;
    }
    OPKIT_TRY(ExprNodePtr right, parse_unary());
    OPKIT_TRY(left, binary(kind, left, right, here));
  }
}

ExprParser::Node ExprParser::parse_unary() {
  DepthGuard guard(depth_);
  if (guard.exceeded()) return syntax("too many signs or powers in a row", "simplify");
  skip_blanks();
  const Location here = place();
  if (!take("-")) return parse_power();
  OPKIT_TRY(ExprNodePtr operand, parse_unary());
  OPKIT_TRY(operand, as_number(operand));
  ExprNode node = node_at(Kind::kNegative, here);
  node.operands = {std::move(operand)};
  return share(std::move(node));
}

ExprParser::Node ExprParser::parse_power() {
  OPKIT_TRY(ExprNodePtr base, parse_postfix());
  skip_blanks();
  const Location here = place();
  if (!take("**")) return base;
  OPKIT_TRY(ExprNodePtr exponent, parse_unary());
  return binary(Kind::kPower, base, exponent, here);
}

ExprParser::Node ExprParser::parse_postfix() {
  OPKIT_TRY(ExprNodePtr node, parse_primary());
  for (Location here = place(); take("["); here = place()) {
    if (node->kind == Kind::kNumberName && take("]")) {
      ExprNode each = *node;
      each.kind = Kind::kPerTensor;
      return share(std::move(each));
    }
    OPKIT_TRY(ExprNodePtr list, as_list(node));
    OPKIT_TRY(ExprNodePtr index, parse_sum());
    OPKIT_TRY(index, as_number(index));
    if (!take("]")) return syntax(fmt::format("expected ']' before {}", rest()));
    ExprNode element = node_at(Kind::kIndex, here);
    element.operands = {std::move(list), std::move(index)};
    node = share(std::move(element));
  }
  return node;
}

ExprParser::Node ExprParser::parse_primary() {
  if (at_end()) return syntax("the expression ends too early");
  if (take("(")) {
    OPKIT_TRY(ExprNodePtr inner, parse_or());
    if (!take(")")) return syntax(fmt::format("expected ')' before {}", rest()));
    return inner;
  }
  if (is_digit(text_[position_])) return parse_integer();
  if (is_name_start(text_[position_])) return parse_named();
  return syntax(fmt::format("unexpected {}", rest()));
}

ExprParser::Node ExprParser::parse_integer() {
  ExprNode node = node_at(Kind::kInteger, place());
  const char* begin = text_.data() + position_;
  const auto [stop, code] = std::from_chars(begin, text_.data() + text_.size(), node.integer);
  if (code != std::errc()) return syntax("the number does not fit 64 bits", "use a smaller number");
  position_ = static_cast<size_t>(stop - text_.data());
  if (position_ < text_.size() && (text_[position_] == '.' || is_name_start(text_[position_])))
    return syntax("only integers are numbers here",
                  "use an integer; bound float attributes with their 'range'");
  return share(std::move(node));
}

ExprParser::Node ExprParser::parse_named() {
  const Location here = place();
  const std::string name = take_name();
  if (is_keyword(name))
    return Error("OPK-EXPR-001", fmt::format("'{}' stands where a value is needed", name),
                 kGrammarHint)
        .at(here);
  if (take("(")) return parse_call(name, here);
  ExprNode node = node_at(Kind::kNumberName, here);
  node.name = name;
  return parse_suffix(share(std::move(node)));
}

// A name, or a name followed by "..".
ExprParser::Node ExprParser::parse_suffix(ExprNodePtr name) {
  if (!text_.substr(position_).starts_with("..")) return name;
  position_ += 2;
  return as_list(name);
}

ExprParser::Node ExprParser::parse_call(const std::string& name, const Location& here) {
  DepthGuard guard(depth_);
  const Signature* signature = signature_of(name);
  if (!signature) {
    return Error("OPK-EXPR-003", fmt::format("there is no function '{}'", name),
                 suggest(name, function_names()))
        .at(here);
  }
  std::vector<ExprNodePtr> arguments;
  if (!take(")")) {
    do {
      OPKIT_TRY(ExprNodePtr argument, parse_or());
      arguments.push_back(std::move(argument));
    } while (take(","));
    if (!take(")")) return syntax(fmt::format("expected ')' before {}", rest()));
  }
  ExprNode call = node_at(Kind::kCall, here);
  call.function = signature->function;
  OPKIT_TRY(ExprNodePtr node, finish_call(std::move(call), std::move(arguments)));
  if (node->type() == Type::kList && text_.substr(position_).starts_with("..")) position_ += 2;
  return node;
}

// Checks the arguments' number and types.
ExprParser::Node ExprParser::finish_call(ExprNode call, std::vector<ExprNodePtr> arguments) {
  const std::string_view name = name_of(call.function);
  const std::string_view letters = signature_of(name)->arguments;
  const size_t least = letters.ends_with('+') ? letters.size() - 1 : letters.size();
  if (arguments.size() < least ||
      !(arguments.empty() || letter_at(letters, arguments.size() - 1))) {
    return Error("OPK-EXPR-004",
                 fmt::format("{}() takes {}{} argument{}, not {}", name,
                             letters.ends_with('+') ? "at least " : "", least,
                             least == 1 ? "" : "s", arguments.size()),
                 kGrammarHint)
        .at(call.where);
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const char letter = letter_at(letters, i);
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
