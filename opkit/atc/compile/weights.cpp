#include "opkit/atc/compile/weights.h"

#include <algorithm>

#include "opkit/atc/memory/plan.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/reference/tensor.h"

namespace opkit::compile {
namespace {

using model::ModelTensor;
using model::OfflineModel;
using model::WeightPart;

constexpr int64_t kLeastFilled = 64;  // elements; fewer are not worth it

bool is_filled(const graph::RefTensor& constant, Format format) {
  const auto& values = constant.values;
  return is_dense(format) && constant.elements() >= kLeastFilled && bits_of(constant.dtype) >= 8 &&
         std::all_of(values.begin(), values.end(),
                     [&](double value) { return value == values.front(); });
}

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes()};
}

// Returns one element's bytes.
Result<std::string> element_of(const graph::RefTensor& constant) {
  OPKIT_TRY(const Tensor one,
            reference::to_tensor({constant.dtype, Shape{}, {constant.values.front()}}));
  return std::string(bytes_of(one));
}

Status add_bytes(OfflineModel& model, const graph::RefTensor& constant, const StorageLayout& layout,
                 WeightPart& part) {
  OPKIT_TRY(Tensor tensor, reference::to_tensor(constant));
  if (!layout.dense()) {
    OPKIT_TRY(tensor, layout.to_storage(tensor));
  }
  model.weights.resize(memory_plan::aligned(model.weights.size()));
  part.file_offset = model.weights.size();
  model.weights += bytes_of(tensor);
  return {};
}

}  // namespace

uint64_t room_for(uint64_t bytes) { return memory_plan::aligned((bytes + 31) / 32 * 32 + 32); }

Result<ModelTensor> add_weight(OfflineModel& model, const std::string& name,
                               const graph::RefTensor& constant, Format format) {
  ModelTensor tensor;
  tensor.desc = {name, constant.dtype, constant.shape, format};
  OPKIT_TRY(const StorageLayout layout, StorageLayout::of(format, constant.dtype, constant.shape));
  tensor.bytes =
      opkit::bytes_of(constant.dtype, static_cast<uint64_t>(layout.storage().elements()));
  tensor.place = model::Place::kWeight;
  tensor.offset = model.weight_bytes;
  WeightPart part{tensor.offset, tensor.bytes, 0, is_filled(constant, format), {}};
  if (part.filled) {
    OPKIT_TRY(part.element, element_of(constant));
  } else {
    OPKIT_CHECK(add_bytes(model, constant, layout, part));
  }
  model.weight_bytes += room_for(tensor.bytes);
  model.weight_parts.push_back(std::move(part));
  return tensor;
}

}  // namespace opkit::compile
