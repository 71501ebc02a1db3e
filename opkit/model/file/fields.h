// What an offline model's parts consist of, in the order of the file. Private to this folder.
#ifndef OPKIT_MODEL_FILE_FIELDS_H_
#define OPKIT_MODEL_FILE_FIELDS_H_

#include "opkit/base/wire.h"
#include "opkit/graph/tensor_fields.h"
#include "opkit/model/file/offline_model.h"

namespace opkit {

template <typename Archive>
void fields(Archive& archive, TensorDesc& desc) {
  archive(desc.name);
  archive.number(desc.dtype);
  archive(desc.shape.dims());
  archive.number(desc.format);
}

namespace graph {

template <typename Archive>
void fields(Archive& archive, Node& node) {
  archive(node.op_type, node.attributes);
}

}  // namespace graph

namespace model {

template <typename Archive>
void fields(Archive& archive, ModelTensor& tensor) {
  archive(tensor.desc);
  archive.number(tensor.place);
  archive(tensor.offset, tensor.bytes);
}

template <typename Archive>
void fields(Archive& archive, WeightPart& part) {
  archive(part.offset, part.bytes, part.file_offset, part.filled, part.element);
}

template <typename Archive>
void fields(Archive& archive, PluginId& plugin) {
  archive(plugin.vendor, plugin.op, plugin.version, plugin.library_sha256, plugin.contract_sha256);
}

template <typename Archive>
void fields(Archive& archive, Step& step) {
  archive.number(step.kind);
  archive(step.name, step.in, step.out, step.plugin, step.column, step.tiling_key, step.block_dim,
          step.attrs, step.workspace, step.workspace_bytes, step.nanoseconds, step.measured,
          step.node);
}

template <typename Archive>
void fields(Archive& archive, Aipp& aipp) {
  archive.number(aipp.format);
  archive(aipp.width, aipp.height, aipp.crop, aipp.crop_left, aipp.crop_top, aipp.crop_width,
          aipp.crop_height, aipp.pad, aipp.left, aipp.right, aipp.top, aipp.bottom, aipp.pad_value,
          aipp.convert, aipp.swap_outer, aipp.alpha_behind, aipp.matrix, aipp.input_bias,
          aipp.output_bias, aipp.mean, aipp.least, aipp.factor);
}

template <typename Archive>
void fields(Archive& archive, AippInput& input) {
  archive(input.input, input.dynamic, input.settings, input.aipp);
  archive.number(input.dtype);
  archive(input.dims);
}

// All but the steps.
template <typename Archive>
void fields(Archive& archive, Plan& plan) {
  archive(plan.inputs, plan.outputs, plan.tensors, plan.block_bytes, plan.block_bound, plan.cover);
}

// All but the steps.
template <typename Archive>
void fields(Archive& archive, Body& body) {
  fields(archive, static_cast<Plan&>(body));
  archive(body.gear, body.inside, body.step);
}

// The file's parts. Behind the definition of a model with AIPP or bodies stands OfflineModel::aipp,
// behind that OfflineModel::bodies if there are any.
template <typename Archive>
void definition_fields(Archive& archive, OfflineModel& model) {
  archive(model.name, model.soc, model.made_by, model.command, model.opset, model.weight_parts,
          model.weight_bytes, static_cast<Plan&>(model));
  archive.number(model.gear_kind);
  archive(model.gears, model.more);
}

// REQUIRES: the definition's fields are there.
template <typename Archive>
void task_fields(Archive& archive, OfflineModel& model) {
  archive(model.steps);
  for (Plan& plan : model.more) archive(plan.steps);
  for (Body& body : model.bodies) archive(body.steps);
}

template <typename Archive>
void plugin_fields(Archive& archive, OfflineModel& model) {
  archive(model.plugins);
}

}  // namespace model
}  // namespace opkit

#endif  // OPKIT_MODEL_FILE_FIELDS_H_
