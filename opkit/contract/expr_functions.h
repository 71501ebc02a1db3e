// The functions of expressions and what each takes. Private to the expression parser.
#ifndef OPKIT_CONTRACT_EXPR_FUNCTIONS_H_
#define OPKIT_CONTRACT_EXPR_FUNCTIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/contract/expr_node.h"

namespace opkit {

struct ExprFunction {
  const char* name;
  ExprNode::Function function;
  const char* arguments;  // n number, t truth, l list, p port; + repeats the last one

  size_t least_arguments() const;
  // Returns the letter of the argument at `index`; '\0' when there are too many.
  char letter_at(size_t index) const;
  bool repeats() const;
};

// nullptr: there is none of the name.
const ExprFunction* find_function(std::string_view name);
const ExprFunction& function_of(ExprNode::Function function);
std::string_view name_of(ExprNode::Function function);
std::vector<std::string> function_names();

}  // namespace opkit

#endif  // OPKIT_CONTRACT_EXPR_FUNCTIONS_H_
