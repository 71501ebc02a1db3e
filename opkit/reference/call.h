// OperatorCall: one operator being inferred or evaluated, as its functions see it. Arity, attribute
// names and attribute types have been checked against the Operator before a function runs, so
// reading them cannot fail. While types and shapes are inferred, inputs have a dtype and a shape;
// only some have values.
#ifndef OPKIT_REFERENCE_CALL_H_
#define OPKIT_REFERENCE_CALL_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/reference/attribute_spec.h"
#include "opkit/reference/tensor.h"

namespace opkit::reference {

using graph::Attribute;
using graph::kDefaultOpset;
using graph::Node;
using Outputs = std::vector<RefTensor>;

// What is known of a result before it is computed; no shape: it depends on values.
struct Fact {
  DType dtype = DType::kUndefined;
  std::optional<Shape> shape;
};

// Error codes of the interpreter.
inline constexpr const char* kUnknownOperator = "OPK-REF-001";
inline constexpr const char* kBadArity = "OPK-REF-002";
inline constexpr const char* kMissingAttribute = "OPK-REF-003";
inline constexpr const char* kUnknownAttribute = "OPK-REF-004";
inline constexpr const char* kBadAttribute = "OPK-REF-005";
inline constexpr const char* kBadShape = "OPK-REF-006";
inline constexpr const char* kBadDType = "OPK-REF-007";
inline constexpr const char* kInexactInteger = "OPK-REF-008";
inline constexpr const char* kBadIndex = "OPK-REF-010";
inline constexpr const char* kNotImplemented = "OPK-REF-011";
inline constexpr const char* kUndefinedResult = "OPK-REF-012";
inline constexpr const char* kTooLarge = "OPK-REF-013";

// Elements a result may have. A guard against shapes that came out of wrong values.
inline constexpr int64_t kMaxElements = int64_t{1} << 28;

class OperatorCall {
 public:
  // attributes: of the Operator. A null input is absent. REQUIRES: node, attributes and inputs
  // outlive the call.
  OperatorCall(const Node& node, const AttributeSpecs& attributes,
               std::vector<const RefTensor*> inputs, int opset)
      : node_(node), attributes_(attributes), inputs_(std::move(inputs)), opset_(opset) {}

  int opset() const { return opset_; }
  const std::string& op() const { return node_.op_type; }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return node_.outputs.size(); }
  bool has_input(size_t i) const { return i < inputs_.size() && inputs_[i] != nullptr; }
  // REQUIRES: has_input(i).
  const RefTensor& input(size_t i) const { return *inputs_[i]; }
  // Tells whether the values of an input, or that it is absent, are known.
  bool known(size_t i) const;

  // Tells whether the node states the attribute itself.
  bool has_attribute(std::string_view name) const;
  // Returns what the node states, else what its Operator has for it; null when neither does.
  const Attribute* attribute(std::string_view name) const;
  // REQUIRES: the node states it or the Operator has a value for it.
  int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  std::string text(std::string_view name) const;
  // Returns the attribute, or `otherwise` for a value that depends on the version or on the inputs.
  int64_t integer(std::string_view name, int64_t otherwise) const;
  double number(std::string_view name, double otherwise) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  std::vector<int64_t> integers(std::string_view name, std::vector<int64_t> otherwise = {}) const;
  std::vector<double> numbers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const RefTensor* tensor(std::string_view name) const;

  // What was inferred of result i, of all that the operator may have. REQUIRES: it is being
  // evaluated.
  const Fact& fact(size_t i) const { return facts_[i]; }
  void set_facts(std::vector<Fact> facts) { facts_ = std::move(facts); }
  // Result i, filled with zeros. REQUIRES: fact(i) has a shape.
  Result<RefTensor> result(size_t i = 0) const { return make(fact(i).dtype, *fact(i).shape); }

  // Returns the axis counted from the front, or OPK-REF-005. Accepts -rank .. rank - 1.
  Result<size_t> axis(int64_t axis, size_t rank) const;
  // Distinct axes in ascending order.
  Result<std::vector<size_t>> axes(const std::vector<int64_t>& axes, size_t rank) const;
  // Returns the integers of an input, which must be an integer tensor.
  Result<std::vector<int64_t>> integers_of(size_t input) const;
  // Returns the only element of an input.
  Result<double> scalar_of(size_t input) const;
  // Returns the only element of an input, an integer of whatever dtype.
  Result<int64_t> integer_of(size_t input) const;
  // Integers from the input if present, else from the attribute; nothing when both are absent.
  Result<std::optional<std::vector<int64_t>>> integers_from(size_t input,
                                                            std::string_view attribute) const;

  // Every present input has the dtype of input 0, which is one of the stated kind.
  Status require_same_dtype() const;
  Status require_float(size_t input) const;
  Status require_integer(size_t input) const;
  Status require_one_element(size_t input) const;
  Status require_rank(size_t input, size_t least, size_t most) const;

  // No dim is negative, and the number of elements fits.
  Status check_size(const Shape& shape) const;
  // Returns a tensor of zeros, with at most kMaxElements.
  Result<RefTensor> make(DType dtype, const Shape& shape) const;
  // Returns an integer result in a dtype: wrapped to its range, refused beyond 2^53.
  Result<double> integer_result(DType dtype, Wide value) const;

  Error error(const char* code, std::string message, std::string action) const;
  Error shape_error(std::string message) const;
  Error attribute_error(std::string message) const;
  Error not_implemented(std::string what) const;

 private:
  const Node& node_;
  const AttributeSpecs& attributes_;
  std::vector<const RefTensor*> inputs_;
  int opset_;
  std::vector<Fact> facts_;
};

// Returns an operator's only output.
Result<Outputs> only(Result<RefTensor> output);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_CALL_H_
