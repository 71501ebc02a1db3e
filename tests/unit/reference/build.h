// Short ways to write nodes and tensors in tests.
#ifndef OPKIT_TESTS_UNIT_REFERENCE_BUILD_H_
#define OPKIT_TESTS_UNIT_REFERENCE_BUILD_H_

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "opkit/reference/evaluate.h"

namespace opkit::reference {

inline RefTensor tensor(Shape shape, std::vector<double> values, DType dtype = DType::kFloat32) {
  return RefTensor{dtype, std::move(shape), std::move(values)};
}

inline RefTensor list(std::vector<double> values, DType dtype = DType::kFloat32) {
  const Shape shape{static_cast<int64_t>(values.size())};
  return tensor(shape, std::move(values), dtype);
}

using Attributes = std::map<std::string, Attribute>;

// A node with inputs a, b, ... and as many outputs as wanted, evaluated.
inline Result<std::vector<RefTensor>> apply(const std::string& op,
                                            const std::vector<RefTensor>& inputs,
                                            const Attributes& attributes = {}, size_t outputs = 1,
                                            int opset = kDefaultOpset,
                                            Precision precision = Precision::kDouble) {
  Node node;
  node.op_type = op;
  node.name = "n";
  node.attributes = attributes;
  std::vector<const RefTensor*> operands;
  for (const RefTensor& input : inputs) {
    node.inputs.push_back(fmt::format("i{}", operands.size()));
    operands.push_back(&input);
  }
  for (size_t i = 0; i < outputs; ++i) node.outputs.push_back(fmt::format("o{}", i));
  return evaluate_node(node, operands, opset, {precision});
}

// The first output; a failure of the node is a failure of the test.
inline RefTensor value(const std::string& op, const std::vector<RefTensor>& inputs,
                       const Attributes& attributes = {}, int opset = kDefaultOpset) {
  auto result = apply(op, inputs, attributes, 1, opset);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().to_string();
    return {};
  }
  return (*result)[0];
}

inline void expect_near(const RefTensor& got, const std::vector<double>& wanted,
                        double tolerance = 1e-13) {
  ASSERT_EQ(got.values.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_NEAR(got.values[i], wanted[i], tolerance) << "element " << i;
  }
}

inline void expect_error(const Result<std::vector<RefTensor>>& result, const char* code,
                         const char* text) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, code) << result.error().to_string();
  EXPECT_THAT(result.error().message, ::testing::HasSubstr(text));
  EXPECT_FALSE(result.error().action.empty());
}

}  // namespace opkit::reference

#endif  // OPKIT_TESTS_UNIT_REFERENCE_BUILD_H_
