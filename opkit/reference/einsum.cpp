// Einsum: the sum over every index that the output does not name.
#include <algorithm>
#include <map>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// Dims of "..." get the labels '0', '1', ..., the last dim the highest, so that they broadcast from
// the right; letters stand for themselves.
constexpr size_t kMaxEllipsis = 10;

struct Equation {
  std::vector<std::string> operands;
  std::string result;
  bool explicit_result = false;
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Equation parse(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  Equation equation;
  const size_t arrow = text.find("->");
  equation.explicit_result = arrow != std::string::npos;
  if (equation.explicit_result) equation.result = text.substr(arrow + 2);
  const std::string left = text.substr(0, arrow);
  size_t begin = 0;
  for (size_t comma; (comma = left.find(',', begin)) != std::string::npos; begin = comma + 1) {
    equation.operands.push_back(left.substr(begin, comma - begin));
  }
  equation.operands.push_back(left.substr(begin));
  return equation;
}

// Replaces "..." by labels for that many dims.
std::string expanded(const std::string& term, size_t dims) {
  const size_t dots = term.find("...");
  if (dots == std::string::npos) return term;
  std::string labels;
  for (size_t i = kMaxEllipsis - dims; i < kMaxEllipsis; ++i) labels += static_cast<char>('0' + i);
  return term.substr(0, dots) + labels + term.substr(dots + 3);
}

Status check_term(const OperatorCall& call, const std::string& term) {
  std::string letters = term;
  const size_t dots = letters.find("...");
  if (dots != std::string::npos) letters.erase(dots, 3);
  if (std::all_of(letters.begin(), letters.end(), is_letter)) return {};
  return call.attribute_error("the term '" + term + "' of the equation is malformed");
}

// Labels of each operand's dims; their sizes; the labels of the result.
struct Labels {
  std::vector<std::string> operands;
  std::map<char, int64_t> sizes;
  std::string result;
};

// Without "->": the ellipsis, then the letters that occur once, in alphabetic order.
std::string implied_result(const std::vector<std::string>& operands) {
  std::map<char, int> counts;
  for (const std::string& term : operands) {
    for (char label : term) ++counts[label];
  }
  std::string result;
  for (const auto& [label, count] : counts) {
    if (!is_letter(label) || count == 1) result += label;
  }
  return result;
}

Status add_operand(const OperatorCall& call, const std::string& term, size_t input,
                   Labels& labels) {
  OPKIT_CHECK(check_term(call, term));
  const Shape& shape = call.input(input).shape;
  const bool dots = term.find("...") != std::string::npos;
  const size_t named = dots ? term.size() - 3 : term.size();
  if (named > shape.rank() || (!dots && named != shape.rank()) ||
      shape.rank() - named > kMaxEllipsis) {
    return call.shape_error("the term '" + term + "' does not fit " + shape.to_string());
  }
  const std::string expanded_term = expanded(term, shape.rank() - named);
  for (size_t d = 0; d < shape.rank(); ++d) {
    int64_t& size = labels.sizes.emplace(expanded_term[d], 1).first->second;
    if (size != 1 && shape[d] != 1 && size != shape[d]) {
      return call.shape_error("a label of the equation has two sizes");
    }
    if (size == 1) size = shape[d];
  }
  labels.operands.push_back(expanded_term);
  return {};
}

Result<Labels> resolve(const OperatorCall& call) {
  const Equation equation = parse(call.text("equation"));
  if (equation.operands.size() != call.input_count()) {
    return call.attribute_error("the equation has another number of operands than the node");
  }
  Labels labels;
  for (size_t i = 0; i < call.input_count(); ++i) {
    if (!call.has_input(i)) return call.shape_error("an operand is absent");
    OPKIT_CHECK(add_operand(call, equation.operands[i], i, labels));
  }
  OPKIT_CHECK(check_term(call, equation.result));
  size_t ellipsis = 0;
  for (const auto& [label, size] : labels.sizes) ellipsis += is_letter(label) ? 0 : 1;
  labels.result = equation.explicit_result ? expanded(equation.result, ellipsis)
                                           : implied_result(labels.operands);
  for (char label : labels.result) {
    if (!labels.sizes.contains(label)) return call.attribute_error("an output label of no operand");
    if (std::count(labels.result.begin(), labels.result.end(), label) > 1) {
      return call.attribute_error("an output label occurs twice");
    }
  }
  return labels;
}

double operand_value(const RefTensor& tensor, const std::string& term,
                     const std::map<char, int64_t>& at) {
  Index index;
  for (char label : term) index.push_back(at.at(label));
  return tensor[broadcast_offset(tensor.shape, index)];
}

// Result labels first, then the summed ones: the values to sum lie next to each other.
Result<Outputs> einsum(const OperatorCall& call) {
  OPKIT_TRY(const Labels labels, resolve(call));
  std::string order = labels.result;
  for (const auto& [label, size] : labels.sizes) {
    if (order.find(label) == std::string::npos) order += label;
  }
  std::vector<int64_t> all;
  for (char label : order) all.push_back(labels.sizes.at(label));
  const size_t kept = labels.result.size();
  OPKIT_TRY(RefTensor out, call.result());
  std::map<char, int64_t> at;
  for_each_index(Shape(all), [&](const Index& index) {
    for (size_t i = 0; i < order.size(); ++i) at[order[i]] = index[i];
    double term = 1;
    for (size_t i = 0; i < call.input_count(); ++i) {
      term *= operand_value(call.input(i), labels.operands[i], at);
    }
    out[offset_of(out.shape, Index(index.begin(), index.begin() + kept))] += term;
  });
  return only(std::move(out));
}

Result<Shapes> einsum_shape(const OperatorCall& call) {
  OPKIT_TRY(const Labels labels, resolve(call));
  Shape shape;
  for (char label : labels.result) shape.dims().push_back(labels.sizes.at(label));
  return checked(call, std::move(shape));
}

}  // namespace

Operators einsum_operators() {
  return {{.name = "Einsum",
           .most_inputs = kAnyNumber,
           .attributes = {required(text("equation"))},
           .evaluate = einsum,
           .types = same_float_type,
           .shapes = einsum_shape,
           .bound = Bound::by(BoundRule::kContraction, "n roundings")}};
}

}  // namespace opkit::reference
