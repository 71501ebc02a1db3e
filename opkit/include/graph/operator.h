// ge::Operator: a node of a graph that a program builds. A handle: copies are the same node.
#ifndef OPKIT_INCLUDE_GRAPH_OPERATOR_H_
#define OPKIT_INCLUDE_GRAPH_OPERATOR_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/tensor.h"
#include "graph/types.h"

namespace opkit_graph {

using Int = int64_t;
using Float = float;
using Bool = bool;
using String = std::string;
using ListInt = std::vector<int64_t>;
using ListFloat = std::vector<float>;
using ListBool = std::vector<bool>;
using ListString = std::vector<std::string>;
using Tensor = ge::Tensor;
using AttrValue =
    std::variant<Int, Float, Bool, String, ListInt, ListFloat, ListBool, ListString, Tensor>;

struct OperatorData;

// Which output of whom an input reads: by name, or by number when the name is empty.
struct Link {
  std::shared_ptr<OperatorData> source;
  std::string output;
  uint32_t index = 0;
};

struct OperatorData {
  OperatorData() = default;
  OperatorData(const OperatorData&) = delete;
  inline ~OperatorData();

  std::string name, type;
  std::map<std::string, Link> inputs;  // is keyed by name; a dynamic one's has its number: "x0"
  std::map<uint32_t, Link> numbered_inputs;     // those that were set by number
  std::map<std::string, uint32_t> dynamic;      // tensors of each dynamic input and output
  std::map<std::string, AttrValue> attributes;  // those that were set
  std::map<std::string, ge::TensorDesc> input_descs, output_descs;
  std::vector<std::shared_ptr<OperatorData>> after;  // control inputs
};

// Graphs may be deep: what nobody else holds is taken apart in a loop, not by recursion.
inline OperatorData::~OperatorData() {
  std::vector<std::shared_ptr<OperatorData>> left;
  const auto take = [&left](OperatorData& op) {
    for (auto& input : op.inputs) left.push_back(std::move(input.second.source));
    for (auto& input : op.numbered_inputs) left.push_back(std::move(input.second.source));
    for (auto& other : op.after) left.push_back(std::move(other));
    op.after.clear();
  };
  for (take(*this); !left.empty();) {
    const std::shared_ptr<OperatorData> last = std::move(left.back());
    left.pop_back();
    if (last && last.use_count() == 1) take(*last);
  }
}

}  // namespace opkit_graph

namespace ge {

class Operator {
 public:
  using OpInt = int64_t;
  using OpFloat = float;
  using OpBool = bool;
  using OpString = std::string;
  using OpTensor = Tensor;
  using OpListInt = std::vector<int64_t>;
  using OpListFloat = std::vector<float>;
  using OpListBool = std::vector<bool>;
  using OpListString = std::vector<std::string>;

  Operator() : Operator("", "") {}
  explicit Operator(const char* type) : Operator("", type) {}
  Operator(const char* name, const char* type)
      : data_(std::make_shared<opkit_graph::OperatorData>()) {
    data_->name = name != nullptr ? name : "";
    data_->type = type != nullptr ? type : "";
  }
  Operator(const AscendString& name, const AscendString& type)
      : Operator(name.GetString(), type.GetString()) {}
  Operator(const std::string& name, const std::string& type)
      : Operator(name.c_str(), type.c_str()) {}
  virtual ~Operator() = default;
  Operator(const Operator&) = default;
  Operator& operator=(const Operator&) = default;

  bool IsEmpty() const { return data_->type.empty(); }
  graphStatus GetName(AscendString& name) const {
    return name = AscendString(data_->name.c_str()), GRAPH_SUCCESS;
  }
  std::string GetName() const { return data_->name; }
  graphStatus GetOpType(AscendString& type) const {
    return type = AscendString(data_->type.c_str()), GRAPH_SUCCESS;
  }
  std::string GetOpType() const { return data_->type; }

  Operator& SetInput(const char* input, const Operator& source) {
    return SetInput(input, source, 0U);
  }
  Operator& SetInput(const char* input, const Operator& source, const char* output) {
    data_->inputs[input] = {source.data_, output, 0};
    return *this;
  }
  Operator& SetInput(const char* input, const Operator& source, uint32_t output) {
    data_->inputs[input] = {source.data_, "", output};
    return *this;
  }
  Operator& SetInput(const std::string& input, const Operator& source) {
    return SetInput(input.c_str(), source);
  }
  Operator& SetInput(const std::string& input, const Operator& source, const std::string& output) {
    return SetInput(input.c_str(), source, output.c_str());
  }
  Operator& SetInput(const std::string& input, const Operator& source, uint32_t output) {
    return SetInput(input.c_str(), source, output);
  }
  Operator& SetInput(uint32_t input, const Operator& source, uint32_t output) {
    data_->numbered_inputs[input] = {source.data_, "", output};
    return *this;
  }
  // Runs behind the other one. Kernels of a model run one after the other as it is.
  Operator& AddControlInput(const Operator& source) {
    data_->after.push_back(source.data_);
    return *this;
  }

  Operator& SetAttr(const char* name, bool value) { return set(name, value); }
  Operator& SetAttr(const char* name, int64_t value) { return set(name, value); }
  Operator& SetAttr(const char* name, int32_t value) {
    return set(name, static_cast<int64_t>(value));
  }
  Operator& SetAttr(const char* name, uint32_t value) {
    return set(name, static_cast<int64_t>(value));
  }
  Operator& SetAttr(const char* name, float value) { return set(name, value); }
  Operator& SetAttr(const char* name, const char* value) { return set(name, std::string(value)); }
  Operator& SetAttr(const char* name, const AscendString& value) {
    return set(name, std::string(value.GetString()));
  }
  Operator& SetAttr(const char* name, const std::string& value) { return set(name, value); }
  Operator& SetAttr(const char* name, DataType value) {
    return set(name, static_cast<int64_t>(value));
  }
  Operator& SetAttr(const char* name, const std::vector<int64_t>& value) {
    return set(name, value);
  }
  Operator& SetAttr(const char* name, const std::vector<int32_t>& value) {
    return set(name, std::vector<int64_t>(value.begin(), value.end()));
  }
  Operator& SetAttr(const char* name, const std::vector<float>& value) { return set(name, value); }
  Operator& SetAttr(const char* name, const std::vector<bool>& value) { return set(name, value); }
  Operator& SetAttr(const char* name, const std::vector<AscendString>& value) {
    std::vector<std::string> texts;
    for (const AscendString& one : value) texts.push_back(one.GetString());
    return set(name, std::move(texts));
  }
  Operator& SetAttr(const char* name, const Tensor& value) { return set(name, value); }
  template <typename T>
  Operator& SetAttr(const std::string& name, const T& value) {
    return SetAttr(name.c_str(), value);
  }

  // GRAPH_FAILED: it was not set, or is of another type.
  template <typename T>
  graphStatus GetAttr(const char* name, T& value) const {
    const auto found = data_->attributes.find(name);
    if (found == data_->attributes.end()) return GRAPH_FAILED;
    const T* held = std::get_if<T>(&found->second);
    if (held == nullptr) return GRAPH_FAILED;
    value = *held;
    return GRAPH_SUCCESS;
  }

  TensorDesc GetInputDescByName(const char* name) const { return desc(data_->input_descs, name); }
  TensorDesc GetOutputDescByName(const char* name) const { return desc(data_->output_descs, name); }
  graphStatus UpdateInputDesc(const char* name, const TensorDesc& desc) {
    return data_->input_descs[name] = desc, GRAPH_SUCCESS;
  }
  graphStatus UpdateOutputDesc(const char* name, const TensorDesc& desc) {
    return data_->output_descs[name] = desc, GRAPH_SUCCESS;
  }

  // Gives opkit's front end what it reads.
  const std::shared_ptr<opkit_graph::OperatorData>& opkit_data() const { return data_; }

 protected:
  void create_dynamic_input(const char* name, uint32_t count) { data_->dynamic[name] = count; }
  void create_dynamic_output(const char* name, uint32_t count) { data_->dynamic[name] = count; }

 private:
  template <typename T>
  Operator& set(const char* name, T value) {
    data_->attributes[name] = opkit_graph::AttrValue(std::move(value));
    return *this;
  }
  static TensorDesc desc(const std::map<std::string, TensorDesc>& descs, const char* name) {
    const auto found = descs.find(name);
    return found == descs.end() ? TensorDesc() : found->second;
  }

  std::shared_ptr<opkit_graph::OperatorData> data_;
};

}  // namespace ge

#endif  // OPKIT_INCLUDE_GRAPH_OPERATOR_H_
