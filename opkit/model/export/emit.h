// Writes the source of operators: for each a call of a loop, with dims and attributes written out.
#ifndef OPKIT_MODEL_EXPORT_EMIT_H_
#define OPKIT_MODEL_EXPORT_EMIT_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/graph/graph.h"

namespace opkit::model_export {

// A value as the source names it.
struct Variable {
  std::string name;  // "v7"; empty: an absent operand
  DType dtype = DType::kUndefined;
  Shape shape;
  const graph::RefTensor* constant = nullptr;  // where its elements are known

  bool absent() const { return name.empty(); }
};

// A node with what its operands are.
class NodeSource {
 public:
  NodeSource(const graph::Node& node, int opset, std::vector<Variable> in,
             std::vector<Variable> out)
      : node_(node), opset_(opset), in_(std::move(in)), out_(std::move(out)) {}

  const std::string& op() const { return node_.op_type; }
  int opset() const { return opset_; }
  size_t inputs() const { return in_.size(); }
  bool has(size_t i) const { return i < in_.size() && !in_[i].absent(); }
  const Variable& in(size_t i = 0) const { return in_.at(i); }
  const Variable& out(size_t i = 0) const { return out_.at(i); }
  size_t outputs() const { return out_.size(); }
  bool wants(size_t i) const { return i < out_.size() && !out_[i].absent(); }

  int64_t integer(const std::string& name, int64_t otherwise) const;
  double number(const std::string& name, double otherwise) const;
  std::string text(const std::string& name, const std::string& otherwise) const;
  std::vector<int64_t> integers(const std::string& name, std::vector<int64_t> otherwise) const;
  bool says(const std::string& name) const { return node_.attributes.count(name) > 0; }
  // Returns the axis of a tensor of this rank, counted from the front.
  size_t axis(int64_t otherwise, size_t rank) const;
  // Integers of a constant operand. Error: OPK-EXPORT-001 it depends on data.
  Result<std::vector<int64_t>> constant_integers(size_t i) const;

  Error refused(const std::string& why) const;  // OPK-EXPORT-001
  // OPK-EXPORT-001: some operand or result is no float.
  Status check_floats() const;
  // Checks that the first operand is a float. Error: OPK-EXPORT-001.
  Status check_floats_of_data() const;

 private:
  const graph::Node& node_;
  const int opset_;
  const std::vector<Variable> in_, out_;
};

using EmitSource = Result<std::string> (*)(const NodeSource& node);
struct OperatorSource {
  std::string_view op;
  EmitSource emit;
};

// Returns the families of operators.
const std::vector<OperatorSource>& elementwise_sources();
const std::vector<OperatorSource>& arrange_sources();
const std::vector<OperatorSource>& product_sources();
const std::vector<OperatorSource>& window_sources();
const std::vector<OperatorSource>& row_sources();

// Null: no operator of this name has source.
EmitSource source_of(std::string_view op);
// Tells whether the operator's result is its first operand's elements in their order.
bool is_same_elements(std::string_view op);

// "float" for the floats of 32 bits and less; empty where the source has no such type.
std::string c_type(DType dtype);
// 0.5f, 1e-05f, infinity.
std::string float_code(double value);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_EMIT_H_
