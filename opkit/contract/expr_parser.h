// The recursive-descent parser of expressions. Private to this folder.
#ifndef OPKIT_CONTRACT_EXPR_PARSER_H_
#define OPKIT_CONTRACT_EXPR_PARSER_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/contract/expr_node.h"
#include "opkit/contract/expr_scanner.h"

namespace opkit {

class ExprParser {
 public:
  // Borrows the text.
  ExprParser(std::string_view text, Location origin);
  ExprParser(std::string&& text, Location origin) = delete;

  Result<ExprNodePtr> parse_single();
  Result<ExprNodePtr> parse_condition();
  Result<std::vector<ExprNodePtr>> parse_items();

 private:
  using Kind = ExprNode::Kind;
  using Type = ExprType;
  using Node = Result<ExprNodePtr>;

  Node parse_or();
  Node parse_and();
  Node parse_not();
  Node parse_comparison();
  Node parse_membership(ExprNodePtr left, const Location& place);
  Node parse_text_comparison(const ExprNodePtr& left, bool equal);
  Node parse_sum();
  Node parse_product();
  Node parse_unary();
  Node parse_power();
  Node parse_postfix();
  Node parse_primary();
  Node parse_integer();
  Node parse_named();
  Node parse_call(const std::string& name, const Location& place);
  Node finish_call(ExprNode call, std::vector<ExprNodePtr> arguments);
  Node parse_item();
  Node parse_suffix(ExprNodePtr name);

  Node binary(Kind kind, ExprNodePtr a, ExprNodePtr b, const Location& place);
  Node as_number(const ExprNodePtr& node) const;
  Node as_truth(const ExprNodePtr& node) const;
  Node as_list(const ExprNodePtr& node) const;

  Error syntax(std::string message, std::string action = {}) const;

  ExprScanner scan_;
  int depth_ = 0;
  int operations_ = 0;
};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_PARSER_H_
