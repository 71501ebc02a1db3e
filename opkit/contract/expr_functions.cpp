#include "opkit/contract/expr_functions.h"

#include <algorithm>
#include <iterator>

namespace opkit {
namespace {

using Function = ExprNode::Function;

constexpr ExprFunction kFunctions[] = {
    {"ceildiv", Function::kCeilDiv, "nn"},   {"min", Function::kMin, "nn+"},
    {"max", Function::kMax, "nn+"},          {"select", Function::kSelect, "tnn"},
    {"prod", Function::kProd, "l"},          {"sum", Function::kSum, "l"},
    {"rank", Function::kRank, "l"},          {"min_of", Function::kMinOf, "l"},
    {"max_of", Function::kMaxOf, "l"},       {"broadcast", Function::kBroadcast, "ll+"},
    {"permute", Function::kPermute, "ll"},   {"drop", Function::kDrop, "ll"},
    {"collapse", Function::kCollapse, "ll"}, {"tile", Function::kTile, "ll"},
    {"pad", Function::kPad, "ll"},           {"slice", Function::kSlice, "lllll"},
    {"present", Function::kPresent, "p"},    {"count", Function::kCount, "p"},
};

}  // namespace

bool ExprFunction::repeats() const { return std::string_view(arguments).ends_with('+'); }

size_t ExprFunction::least_arguments() const {
  return std::string_view(arguments).size() - (repeats() ? 1 : 0);
}

char ExprFunction::letter_at(size_t index) const {
  const size_t least = least_arguments();
  if (index < least) return arguments[index];
  return repeats() ? arguments[least - 1] : '\0';
}

const ExprFunction* find_function(std::string_view name) {
  const auto found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                  [name](const ExprFunction& f) { return name == f.name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

const ExprFunction& function_of(Function function) {
  return *std::find_if(std::begin(kFunctions), std::end(kFunctions),
                       [function](const ExprFunction& f) { return function == f.function; });
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const ExprFunction& f : kFunctions) names.push_back(f.name);
  return names;
}

std::string_view name_of(Function function) { return function_of(function).name; }

}  // namespace opkit
