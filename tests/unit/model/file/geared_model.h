// A small offline model with three gears: y = x * w for batches of 1, 2 and 4, with w = [2, 3] and
// another weight, that has the gear's dims.
#ifndef OPKIT_TESTS_UNIT_MODEL_FILE_GEARED_MODEL_H_
#define OPKIT_TESTS_UNIT_MODEL_FILE_GEARED_MODEL_H_

#include "opkit/model/file/gears.h"
#include "small_model.h"

namespace opkit::model {

inline OfflineModel one_gear(int64_t batch) {
  OfflineModel model;
  model.name = "geared";
  model.soc = "Ascend910B1";
  const Shape dims{batch, 2}, row{2};
  const float two = 2, three = 3;
  const auto bytes = [](const float& number) {
    return std::string(reinterpret_cast<const char*>(&number), sizeof number);
  };
  model.tensors = {tensor("x", dims, Place::kInput, 0), tensor("w", row, Place::kWeight, 0),
                   tensor("b", dims, Place::kWeight, 512), tensor("y", dims, Place::kOutput, 0)};
  model.inputs = {0};
  model.outputs = {3};
  model.steps = {step(StepKind::kHost, "scale", {0, 1}, 3)};
  model.steps[0].node.op_type = "Mul";
  model.weights = bytes(two) + bytes(three);
  model.weight_parts = {{0, 8, 0, false, ""}, {512, model.tensors[2].bytes, 0, true, bytes(three)}};
  model.weight_bytes = 1024;
  model.plugins = {{"acme", "AddRelu", "1.0.0", std::string(64, 'a'), std::string(64, 'b')}};
  return model;
}

inline OfflineModel geared_model() {
  GearJoin join(GearKind::kBatch);
  for (const int64_t batch : {1, 2, 4}) join.add({batch}, one_gear(batch));
  return join.take();
}

}  // namespace opkit::model

#endif  // OPKIT_TESTS_UNIT_MODEL_FILE_GEARED_MODEL_H_
