// A small offline model of host steps.
#ifndef OPKIT_TESTS_UNIT_MODEL_FILE_SMALL_MODEL_H_
#define OPKIT_TESTS_UNIT_MODEL_FILE_SMALL_MODEL_H_

#include "opkit/model/file/offline_model.h"

namespace opkit::model {

inline ModelTensor tensor(const std::string& name, Shape shape, Place place, uint64_t offset,
                          Format format = Format::kND) {
  ModelTensor tensor;
  tensor.desc = {name, DType::kFloat32, std::move(shape), format};
  tensor.place = place;
  tensor.offset = offset;
  tensor.bytes = 4 * static_cast<uint64_t>(tensor.desc.shape.elements());
  return tensor;
}

inline Step step(StepKind kind, const std::string& name, std::vector<uint32_t> in, uint32_t out) {
  Step step;
  step.kind = kind;
  step.name = name;
  step.in = {std::move(in)};
  step.out = {{out}};
  return step;
}

// y = clip(x * w), turned to NC1HWC0 and back on the way.
inline OfflineModel small_model() {
  OfflineModel model;
  model.name = "small";
  model.soc = "Ascend910B1";
  model.made_by = "opkit";
  model.command = "atc --model=small.onnx";
  const Shape image{1, 3, 2, 2};
  model.tensors = {tensor("x", image, Place::kInput, 0),
                   tensor("w", image, Place::kWeight, 0),
                   tensor("p", image, Place::kBlock, 0),
                   tensor("p", image, Place::kBlock, 512, Format::kNC1HWC0),
                   tensor("p", image, Place::kBlock, 0),
                   tensor("y", image, Place::kOutput, 0)};
  model.tensors[3].bytes = 4 * 8 * 4;
  model.inputs = {0};
  model.outputs = {5};
  model.steps = {step(StepKind::kHost, "scale", {0, 1}, 2), step(StepKind::kStore, "p", {2}, 3),
                 step(StepKind::kDense, "p", {3}, 4), step(StepKind::kHost, "clip", {4}, 5)};
  model.steps[0].node.op_type = "Mul";
  model.steps[3].node.op_type = "LeakyRelu";
  model.steps[3].node.attributes = {{"alpha", 0.5}};
  for (float i = 1; i <= 12; ++i)
    model.weights.append(reinterpret_cast<const char*>(&i), sizeof(i));
  model.weight_parts = {{0, 48, 0, false, ""}};
  model.weight_bytes = 512;
  model.block_bytes = 1024;
  model.block_bound = 1024;
  model.cover = "optimal";
  model.plugins = {{"acme", "AddRelu", "1.0.0", std::string(64, 'a'), std::string(64, 'b')}};
  return model;
}

// The small model with images of bytes in front of it, and settings for them.
inline OfflineModel with_images(bool dynamic) {
  OfflineModel model = small_model();
  ModelTensor bytes = tensor("x", dynamic ? Shape{12} : Shape{1, 2, 2, 3}, Place::kInput, 0);
  bytes.desc.dtype = DType::kUInt8, bytes.bytes = 12;
  ModelTensor rows = tensor("s", {1, kAippNumbers}, Place::kInput, 1);
  rows.desc.dtype = DType::kFloat64, rows.bytes *= 2;
  model.tensors[0] = tensor("cast", {1, 3, 2, 2}, Place::kBlock, 576);
  model.tensors.push_back(bytes);
  model.inputs = {6};
  if (dynamic) model.tensors.push_back(rows), model.inputs.push_back(7);
  model.steps.insert(model.steps.begin(), step(StepKind::kHost, "aipp", {6}, 0));
  AippInput aipp;
  aipp.dynamic = dynamic, aipp.settings = dynamic ? 1 : 0;
  aipp.dtype = DType::kFloat32;
  aipp.dims = {{1, 3, 2, 2}};
  aipp.aipp.format = Aipp::Format::kRgb;
  aipp.aipp.mean[1] = 7, aipp.aipp.matrix[8] = -3;
  model.aipp = {aipp};
  return model;
}

}  // namespace opkit::model

#endif  // OPKIT_TESTS_UNIT_MODEL_FILE_SMALL_MODEL_H_
