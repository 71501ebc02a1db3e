#include "opkit/model/run/host_step.h"

#include <fmt/format.h>

#include <cstring>

#include "opkit/call/layout/storage_layout.h"
#include "opkit/core/state/float_mode.h"
#include "opkit/reference/evaluate.h"

namespace opkit::model_run {
namespace {

using model::ModelTensor;
using model::Step;
using model::StepKind;

Tensor dense(const Located& located) {
  const TensorDesc& desc = located.tensor->desc;
  Tensor tensor(desc.dtype, desc.shape, desc.name);
  std::memcpy(tensor.data(), located.at, tensor.size_bytes());
  return tensor;
}

Status store(const Tensor& tensor, const Located& to) {
  std::memcpy(to.at, tensor.data(), tensor.size_bytes());
  return {};
}

Error unlike(const Step& step, const ModelTensor& tensor, const graph::RefTensor& got) {
  return Error(model::kWrongOm,
               fmt::format("step '{}' gives {}{}, the model says {}", step.name, name_of(got.dtype),
                           got.shape.to_string(), tensor.desc.to_string()),
               "make the model again with atc");
}

}  // namespace

Status run_operator(const Step& step, int opset, const std::vector<Located>& in,
                    const std::vector<Located>& out) {
  const core::FloatMode mode;
  std::vector<graph::RefTensor> values(in.size());
  std::vector<const graph::RefTensor*> operands;
  graph::Node node = step.node;
  for (size_t i = 0; i < in.size(); ++i) {
    node.inputs.push_back(in[i].tensor ? fmt::format("i{}", i) : "");
    operands.push_back(in[i].tensor ? &values[i] : nullptr);
    if (!in[i].tensor) continue;
    OPKIT_TRY(values[i], reference::from_tensor(dense(in[i])));
  }
  for (size_t i = 0; i < out.size(); ++i)
    node.outputs.push_back(out[i].tensor ? fmt::format("o{}", i) : "");
  OPKIT_TRY(const std::vector<graph::RefTensor> results,
            reference::evaluate_node(node, operands, opset, {reference::Precision::kRounded}));
  for (size_t i = 0; i < out.size(); ++i) {
    if (!out[i].tensor) continue;
    const TensorDesc& desc = out[i].tensor->desc;
    if (results[i].dtype != desc.dtype || results[i].shape != desc.shape)
      return unlike(step, *out[i].tensor, results[i]);
    OPKIT_TRY(const Tensor tensor, reference::to_tensor(results[i]));
    OPKIT_CHECK(store(tensor, out[i]));
  }
  return {};
}

Status turn(const Step& step, const Located& from, const Located& to) {
  if (step.kind == StepKind::kCopy) {
    std::memmove(to.at, from.at, to.tensor->bytes);
    return {};
  }
  const bool storing = step.kind == StepKind::kStore;
  const TensorDesc& stored = (storing ? to : from).tensor->desc;
  OPKIT_TRY(const StorageLayout layout,
            StorageLayout::of(stored.format, stored.dtype, stored.shape));
  if (storing) {
    OPKIT_TRY(const Tensor tensor, layout.to_storage(dense(from)));
    return store(tensor, to);
  }
  Tensor tensor(stored.dtype, layout.storage(), stored.name);
  std::memcpy(tensor.data(), from.at, tensor.size_bytes());
  return store(layout.to_origin(tensor), to);
}

}  // namespace opkit::model_run
