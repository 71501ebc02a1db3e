#include "opkit/reference/operators.h"

#include <algorithm>

namespace opkit::reference {
namespace {

Operators joined() {
  constexpr Operators (*kFamilies[])() = {
      arithmetic_operators,    math_operators,        logic_operators,
      activation_operators,    softmax_operators,     matmul_operators,
      einsum_operators,        conv_operators,        conv_transpose_operators,
      normalization_operators, pooling_operators,     reduce_operators,
      search_operators,        shape_operators,       arrange_operators,
      pad_operators,           slice_operators,       gather_operators,
      scatter_operators,       generate_operators,    cast_operators,
      quantize_operators,      resize_operators,      recurrent_operators,
      loss_operators,          sample_operators,      window_function_operators,
      detection_operators,     determinant_operators, unpool_operators};
  Operators all;
  for (const auto family : kFamilies) {
    for (Operator& op : family()) all.push_back(std::move(op));
  }
  std::sort(all.begin(), all.end(),
            [](const Operator& a, const Operator& b) { return a.name < b.name; });
  return all;
}

}  // namespace

const Operators& all_operators() {
  static const Operators all = joined();
  return all;
}

const Operator* find_operator(std::string_view name) {
  for (const Operator& op : all_operators()) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

}  // namespace opkit::reference
