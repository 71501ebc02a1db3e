// Models of tests as protobuf text.
#ifndef OPKIT_TESTS_ONNX_MODEL_TEXT_H_
#define OPKIT_TESTS_ONNX_MODEL_TEXT_H_

#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cctype>
#include <string>

#include "opkit/rewrite/onnx/import.h"

namespace opkit::onnx_frontend {

// The bytes of a model whose graph is this protobuf text.
inline std::string model_of(const std::string& graph, int opset = 13) {
  onnx::ModelProto model;
  const std::string text = fmt::format(
      "ir_version: 8 opset_import {{ version: {} }} graph {{ name: \"m\" {} }}", opset, graph);
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &model)) << text;
  return model.SerializeAsString();
}

inline std::string input(const std::string& name, const std::string& dims, int type = 1) {
  std::string shape;
  size_t begin = 0;
  while (begin < dims.size()) {
    const size_t end = std::min(dims.find(',', begin), dims.size());
    const std::string dim = dims.substr(begin, end - begin);
    shape += std::isdigit(static_cast<unsigned char>(dim[0]))
                 ? "dim { dim_value: " + dim + " } "
                 : "dim { dim_param: \"" + dim + "\" } ";
    begin = end + 1;
  }
  return fmt::format(
      "{{ name: \"{}\" type {{ tensor_type {{ elem_type: {} shape {{ {} }} }} }} }} ", name, type,
      shape);
}

inline std::string refused(const std::string& bytes, const ImportOptions& options = {}) {
  const auto graph = import_model(bytes, options);
  EXPECT_FALSE(graph.ok());
  return graph.ok() ? "" : graph.error().to_string();
}

inline const std::string kRelu =
    "input " + input("x", "2,3") + "output " + input("y", "2,3") +
    "node { op_type: \"Relu\" input: \"x\" output: \"y\" name: \"act\" } ";

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_TESTS_ONNX_MODEL_TEXT_H_
