// Builds ONNX models as exporters write them, with weights that are random and always the same.
#ifndef OPKIT_TESTS_MODELS_NETWORK_WRITER_H_
#define OPKIT_TESTS_MODELS_NETWORK_WRITER_H_

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace opkit::models {

using Dims = std::vector<int64_t>;
using Names = std::vector<std::string>;

class NetworkWriter {
 public:
  NetworkWriter(const std::string& name, int opset, uint32_t seed) : random_(seed) {
    model_.set_ir_version(7);
    model_.set_producer_name("opkit tests");
    model_.add_opset_import()->set_version(opset);
    model_.mutable_graph()->set_name(name);
  }

  std::string input(const std::string& name, onnx::TensorProto::DataType type, const Dims& dims) {
    describe(*model_.mutable_graph()->add_input(), name, type, dims);
    return name;
  }
  void output(const std::string& name, const Dims& dims) {
    describe(*model_.mutable_graph()->add_output(), name, onnx::TensorProto::FLOAT, dims);
  }

  // Draws from a uniform distribution.
  std::string weight(const Dims& dims, float low, float high) {
    onnx::TensorProto& tensor = initializer(onnx::TensorProto::FLOAT, dims);
    int64_t count = 1;
    for (const int64_t dim : dims) count *= dim;
    // Not std::uniform_real_distribution: its numbers are each library's own.
    for (int64_t i = 0; i < count; ++i) {
      const auto drawn = static_cast<float>(random_() >> 8) / static_cast<float>(1 << 24);
      tensor.add_float_data(low + (high - low) * drawn);
    }
    return tensor.name();
  }
  // Keeps what passes through at its size: the variance is 2 or 1 over the number of factors.
  std::string kernel(const Dims& dims, int64_t factors, float variance = 2) {
    const float most = std::sqrt(3 * variance / static_cast<float>(factors));
    return weight(dims, -most, most);
  }
  std::string integers(const Dims& values) {
    onnx::TensorProto& tensor =
        initializer(onnx::TensorProto::INT64, {static_cast<int64_t>(values.size())});
    for (const int64_t value : values) tensor.add_int64_data(value);
    return tensor.name();
  }
  std::string index(int64_t value) {
    onnx::TensorProto& tensor = initializer(onnx::TensorProto::INT64, {});
    tensor.add_int64_data(value);
    return tensor.name();
  }
  std::string number(float value) { return numbers({}, {value}); }
  std::string numbers(const Dims& dims, const std::vector<float>& values) {
    onnx::TensorProto& tensor = initializer(onnx::TensorProto::FLOAT, dims);
    for (const float value : values) tensor.add_float_data(value);
    return tensor.name();
  }

  struct Attribute {
    std::string name;
    Dims integers = {};     // a list
    int64_t integer = 0;    // when there is no list
    std::string text = {};  // when there is one
  };
  static Attribute list(const std::string& name, Dims values) { return {name, std::move(values)}; }
  static Attribute one(const std::string& name, int64_t value) { return {name, {}, value}; }
  static Attribute text(const std::string& name, const std::string& value) {
    return {name, {}, 0, value};
  }

  // Returns the names of the results.
  Names nodes(const std::string& op, const Names& inputs, size_t results,
              const std::vector<Attribute>& attributes = {}) {
    onnx::NodeProto& node = *model_.mutable_graph()->add_node();
    node.set_op_type(op);
    node.set_name(fmt::format("{}_{}", op, count_++));
    for (const std::string& input : inputs) node.add_input(input);
    for (const Attribute& attribute : attributes) add(node, attribute);
    Names names;
    for (size_t i = 0; i < results; ++i) {
      names.push_back(fmt::format("{}_output_{}", node.name(), i));
      node.add_output(names.back());
    }
    return names;
  }
  std::string node(const std::string& op, const Names& inputs,
                   const std::vector<Attribute>& attributes = {}) {
    return nodes(op, inputs, 1, attributes).front();
  }
  // The value under a name that the model's users know.
  void rename(const std::string& value, const std::string& name) {
    onnx::NodeProto& last = *model_.mutable_graph()->mutable_node()->rbegin();
    for (std::string& output : *last.mutable_output()) {
      if (output == value) output = name;
    }
  }

  std::string bytes() const { return model_.SerializeAsString(); }

 private:
  static void describe(onnx::ValueInfoProto& info, const std::string& name,
                       onnx::TensorProto::DataType type, const Dims& dims) {
    info.set_name(name);
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    for (const int64_t dim : dims) tensor.mutable_shape()->add_dim()->set_dim_value(dim);
  }
  onnx::TensorProto& initializer(onnx::TensorProto::DataType type, const Dims& dims) {
    onnx::TensorProto& tensor = *model_.mutable_graph()->add_initializer();
    tensor.set_name(fmt::format("w{}", model_.graph().initializer_size()));
    tensor.set_data_type(type);
    for (const int64_t dim : dims) tensor.add_dims(dim);
    return tensor;
  }
  static void add(onnx::NodeProto& node, const Attribute& attribute) {
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute.name);
    if (!attribute.text.empty()) {
      proto.set_type(onnx::AttributeProto::STRING);
      proto.set_s(attribute.text);
    } else if (!attribute.integers.empty()) {
      proto.set_type(onnx::AttributeProto::INTS);
      for (const int64_t value : attribute.integers) proto.add_ints(value);
    } else {
      proto.set_type(onnx::AttributeProto::INT);
      proto.set_i(attribute.integer);
    }
  }

  onnx::ModelProto model_;
  std::mt19937 random_;
  size_t count_ = 0;
};

}  // namespace opkit::models

#endif  // OPKIT_TESTS_MODELS_NETWORK_WRITER_H_
