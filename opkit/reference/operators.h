// The list of operators the interpreter knows. Each family file offers its own list; operators.cpp
// joins them.
#ifndef OPKIT_REFERENCE_OPERATORS_H_
#define OPKIT_REFERENCE_OPERATORS_H_

#include <initializer_list>
#include <string_view>
#include <vector>

#include "opkit/reference/call.h"

namespace opkit::reference {

enum class AttributeKind { kInteger, kNumber, kText, kIntegers, kNumbers, kTexts, kTensor, kType };

// kType is an element type: ONNX's number for it or opkit's name ("float16").
struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
  bool required = false;
  int until = 1000;  // the last version that has it
};

inline constexpr size_t kAnyNumber = 1000000;

struct Operator {
  std::string_view name;
  size_t least_inputs;  // these must be present; the others may be absent
  size_t most_inputs;
  size_t most_outputs;
  std::vector<AttributeSpec> attributes;
  Result<Outputs> (*evaluate)(const Call&);
};

using Operators = std::vector<Operator>;

Operators arithmetic_operators();
Operators math_operators();
Operators logic_operators();
Operators activation_operators();
Operators softmax_operators();
Operators matmul_operators();
Operators einsum_operators();
Operators conv_operators();
Operators conv_transpose_operators();
Operators normalization_operators();
Operators pooling_operators();
Operators reduce_operators();
Operators search_operators();
Operators shape_operators();
Operators arrange_operators();
Operators pad_operators();
Operators slice_operators();
Operators gather_operators();
Operators scatter_operators();
Operators generate_operators();
Operators cast_operators();
Operators quantize_operators();
Operators resize_operators();
Operators recurrent_operators();
Operators loss_operators();
Operators sample_operators();
Operators window_function_operators();
Operators detection_operators();
Operators determinant_operators();
Operators unpool_operators();

// Null when unknown.
const Operator* find_operator(std::string_view name);
// In alphabetic order.
const Operators& all_operators();

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_OPERATORS_H_
