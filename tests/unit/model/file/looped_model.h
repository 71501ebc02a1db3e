// A small offline model with a Loop.
#ifndef OPKIT_TESTS_UNIT_MODEL_FILE_LOOPED_MODEL_H_
#define OPKIT_TESTS_UNIT_MODEL_FILE_LOOPED_MODEL_H_

#include "opkit/graph/bodies.h"
#include "small_model.h"

namespace opkit::model {

inline ModelTensor typed(const std::string& name, DType dtype, Shape shape, Place place,
                         uint64_t offset) {
  ModelTensor made = tensor(name, std::move(shape), place, offset);
  made.desc.dtype = dtype;
  made.bytes = bytes_of(dtype, static_cast<uint64_t>(made.desc.shape.elements()));
  return made;
}

// y, all = Loop(n, go, x): y = Neg(x) in each iteration, all of them in `all`, three times.
inline OfflineModel looped() {
  OfflineModel model;
  model.name = "looped";
  model.soc = "Ascend910B1";
  model.tensors = {typed("n", DType::kInt64, {}, Place::kInput, 0),
                   typed("go", DType::kBool, {}, Place::kInput, 1),
                   typed("x", DType::kFloat32, {4}, Place::kInput, 2),
                   typed("y", DType::kFloat32, {4}, Place::kOutput, 0),
                   typed("all", DType::kFloat32, {3, 4}, Place::kOutput, 1)};
  model.inputs = {0, 1, 2};
  model.outputs = {3, 4};
  Step loop = step(StepKind::kControl, "loop", {0, 1, 2}, 3);
  loop.out = {{3, 4}};
  loop.node.op_type = "Loop";
  loop.node.attributes[graph::kCaptured] = int64_t{0};
  model.steps = {loop};
  Body body;
  body.tensors = {typed("i", DType::kInt64, {}, Place::kInput, 0),
                  typed("v", DType::kFloat32, {4}, Place::kInput, 1),
                  typed("on", DType::kBool, {}, Place::kOutput, 0),
                  typed("w", DType::kFloat32, {4}, Place::kOutput, 1),
                  typed("part", DType::kFloat32, {4}, Place::kOutput, 2)};
  body.inputs = {0, 1};
  body.outputs = {2, 3, 4};
  body.steps = {step(StepKind::kHost, "cast", {0}, 2), step(StepKind::kHost, "neg", {1}, 3),
                step(StepKind::kCopy, "copy", {3}, 4)};
  body.steps[0].node.op_type = "Cast";
  body.steps[0].node.attributes["to"] = std::string("bool");
  body.steps[1].node.op_type = "Neg";
  model.bodies = {body};
  return model;
}

}  // namespace opkit::model

#endif  // OPKIT_TESTS_UNIT_MODEL_FILE_LOOPED_MODEL_H_
