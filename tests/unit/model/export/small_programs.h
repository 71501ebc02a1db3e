// Programs of a few operators behind one another.
#ifndef OPKIT_TESTS_UNIT_MODEL_EXPORT_SMALL_PROGRAMS_H_
#define OPKIT_TESTS_UNIT_MODEL_EXPORT_SMALL_PROGRAMS_H_

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "opkit/model/export/program.h"

namespace opkit::model_export {

inline graph::ValueInfo value_of(DType dtype, Shape shape, bool constant = false) {
  graph::ValueInfo value{dtype, shape, Format::kND, nullptr};
  if (!constant) return value;
  graph::RefTensor tensor{dtype, shape, {}};
  tensor.values.assign(static_cast<size_t>(shape.elements()), 0.5);
  value.constant = std::make_shared<const graph::RefTensor>(tensor);
  return value;
}

// Returns a program from x of [1, 4, 5, 5] to y, with weights for one Conv.
inline ExportedProgram program_with(std::vector<graph::Node> nodes) {
  ExportedProgram program;
  program.inputs = {{"x", "x"}, {"other", "other"}};
  program.outputs = {{"y", "y"}};
  program.calls = {{"Fused", "nodes"}};
  program.values["x"] = program.values["other"] = value_of(DType::kFloat32, {1, 4, 5, 5});
  program.values["w"] = value_of(DType::kFloat32, {4, 4, 1, 1}, true);
  program.values["channels"] = value_of(DType::kFloat32, {4, 1, 1}, true);
  program.values["row"] = value_of(DType::kFloat32, {5}, true);
  for (graph::Node& node : nodes) {
    node.name = node.op_type;
    program.operations.push_back({std::move(node), 20, 0});
  }
  EXPECT_TRUE(complete(program).ok());
  return program;
}

}  // namespace opkit::model_export

#endif  // OPKIT_TESTS_UNIT_MODEL_EXPORT_SMALL_PROGRAMS_H_
