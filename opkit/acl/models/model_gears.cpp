// Gears of batch, image sizes and dims.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/models/input_place.h"
#include "opkit/acl/models/model.h"
#include "opkit/acl/models/model_dataset.h"
#include "opkit/acl/models/model_desc.h"

namespace opkit::acl {
namespace {

using model::GearKind;

// answer(the gears); none where the model has gears of another kind.
template <typename Answer>
aclError ask_gears(const aclmdlDesc* desc, GearKind kind, Answer answer) {
  return ask(model_descs(), desc, [&](const aclmdlDesc& d) -> aclError {
    if (!d.ends) return told_of_none();
    static const std::vector<std::vector<int64_t>> kNone;
    return answer(*d.ends, d.ends->gear_kind == kind ? d.ends->gears : kNone);
  });
}

std::string text_of(const std::vector<std::vector<int64_t>>& gears) {
  std::string text;
  for (const std::vector<int64_t>& gear : gears) {
    text += text.empty() ? "" : "; ";
    text += fmt::format("{}", fmt::join(gear, ","));
  }
  return text;
}

// REQUIRES: the lock is held.
aclError choose(const char* call, const ModelEnds& ends, aclmdlDataset& dataset, size_t index,
                size_t gear) {
  if (index != ends.gear_input())
    return fail(ACL_ERROR_INVALID_PARAM, "input %zu does not choose the gear, %zu (%s) does", index,
                ends.gear_input(), ACL_DYNAMIC_TENSOR_NAME);
  std::byte* at = nullptr;
  if (const aclError code = place_of(ends, dataset, index, at)) return code;
  if (gear == ends.gears.size())
    return fail(ACL_ERROR_INVALID_PARAM,
                "%s: the model was not compiled for this; its gears are %s", call,
                text_of(ends.gears).c_str());
  dataset.gear = ends.gears[gear];
  std::memcpy(at, dataset.gear.data(), dataset.gear.size() * sizeof(int64_t));
  ends.current = gear;
  return ACL_SUCCESS;
}

// find(ends): the gear, or how many there are.
template <typename Find>
aclError set_gear(const char* call, GearKind kind, uint32_t id, aclmdlDataset* dataset,
                  size_t index, Find find) {
  const Lock lock;
  const std::shared_ptr<Model> model = models().find(id);
  if (!model) return no_model(id);
  aclmdlDataset* const found = datasets().find(dataset);
  if (!found) return datasets().unknown(dataset);
  const ModelEnds& ends = *model->ends;
  if (ends.gear_kind == GearKind::kNone)
    return fail(ACL_ERROR_MODEL_NOT_DYNAMIC,
                "%s: model %u was compiled for one shape and has no gears", call, id);
  if (ends.gear_kind != kind)
    return fail(ACL_ERROR_MODEL_NOT_DYNAMIC, "%s: the gears of model %u are of another kind (%s)",
                call, id, std::string(model::name_of(ends.gear_kind)).c_str());
  return choose(call, ends, *found, index, find(ends));
}

size_t find_values(const ModelEnds& ends, const std::vector<uint64_t>& values) {
  const std::vector<int64_t> wanted(values.begin(), values.end());
  return static_cast<size_t>(std::find(ends.gears.begin(), ends.gears.end(), wanted) -
                             ends.gears.begin());
}

// Returns the dims of all inputs in a gear, one behind the other.
std::vector<int64_t> all_dims(const ModelEnds& ends, size_t gear) {
  std::vector<int64_t> all;
  for (size_t i = 0; i < ends.data_inputs(); ++i) {
    const std::vector<int64_t>& dims = ends.inputs[i].shapes[gear].dims();
    all.insert(all.end(), dims.begin(), dims.end());
  }
  return all;
}

size_t find_dims(const ModelEnds& ends, const aclmdlIODims& dims) {
  const std::vector<int64_t> wanted(dims.dims, dims.dims + dims.dimCount);
  size_t gear = 0;
  while (gear < ends.gears.size() && all_dims(ends, gear) != wanted) ++gear;
  return gear;
}

aclError write_all_dims(const ModelEnds& ends, size_t gear, aclmdlIODims& dims) {
  const std::vector<int64_t> all = all_dims(ends, gear);
  if (all.size() > ACL_MAX_DIM_CNT)
    return fail(ACL_ERROR_INVALID_PARAM, "the inputs have %zu dims, 128 have room", all.size());
  dims = {};
  dims.dimCount = all.size();
  std::copy(all.begin(), all.end(), dims.dims);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;
using opkit::model::GearKind;

OPKIT_ACL_EXPORT aclError aclmdlGetDynamicBatch(const aclmdlDesc* desc, aclmdlBatch* batch) {
  if (!batch) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetDynamicBatch wants a place");
  return ask_gears(desc, GearKind::kBatch, [&](const ModelEnds&, const auto& gears) -> aclError {
    batch->batchCount = gears.size();
    for (size_t g = 0; g < gears.size(); ++g) batch->batch[g] = static_cast<uint64_t>(gears[g][0]);
    return ACL_SUCCESS;
  });
}

// index: -1, or an input.
OPKIT_ACL_EXPORT aclError aclmdlGetDynamicHW(const aclmdlDesc* desc, size_t index, aclmdlHW* hw) {
  if (!hw) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetDynamicHW wants a place");
  return ask_gears(desc, GearKind::kImage,
                   [&](const ModelEnds& ends, const auto& gears) -> aclError {
                     if (index != static_cast<size_t>(-1) && index >= ends.inputs.size())
                       return fail(ACL_ERROR_INVALID_PARAM, "input %zu of a model with %zu", index,
                                   ends.inputs.size());
                     hw->hwCount = gears.size();
                     for (size_t g = 0; g < gears.size(); ++g)
                       std::copy(gears[g].begin(), gears[g].end(), hw->hw[g]);
                     return ACL_SUCCESS;
                   });
}

OPKIT_ACL_EXPORT aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* desc, size_t,
                                                         size_t* count) {
  if (!count) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetInputDynamicGearCount wants a place");
  return ask_gears(desc, GearKind::kDims, [&](const ModelEnds&, const auto& gears) -> aclError {
    *count = gears.size();
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlGetInputDynamicDims(const aclmdlDesc* desc, size_t,
                                                    aclmdlIODims* dims, size_t count) {
  return ask_gears(desc, GearKind::kDims,
                   [&](const ModelEnds& ends, const auto& gears) -> aclError {
                     if (count > gears.size() || (count > 0 && !dims))
                       return fail(ACL_ERROR_INVALID_PARAM,
                                   "%zu gears of a model that has %zu, and a place for them", count,
                                   gears.size());
                     for (size_t g = 0; g < count; ++g) {
                       if (const aclError code = write_all_dims(ends, g, dims[g])) return code;
                     }
                     return ACL_SUCCESS;
                   });
}

OPKIT_ACL_EXPORT aclError aclmdlSetDynamicBatchSize(uint32_t id, aclmdlDataset* dataset,
                                                    size_t index, uint64_t batch) {
  return set_gear("aclmdlSetDynamicBatchSize", GearKind::kBatch, id, dataset, index,
                  [&](const ModelEnds& ends) { return find_values(ends, {batch}); });
}

OPKIT_ACL_EXPORT aclError aclmdlSetDynamicHWSize(uint32_t id, aclmdlDataset* dataset, size_t index,
                                                 uint64_t height, uint64_t width) {
  return set_gear("aclmdlSetDynamicHWSize", GearKind::kImage, id, dataset, index,
                  [&](const ModelEnds& ends) {
                    return find_values(ends, {height, width});
                  });
}

// dims: of all inputs, one behind the other, as aclmdlGetInputDynamicDims gives them.
OPKIT_ACL_EXPORT aclError aclmdlSetInputDynamicDims(uint32_t id, aclmdlDataset* dataset,
                                                    size_t index, const aclmdlIODims* dims) {
  if (!dims || dims->dimCount > ACL_MAX_DIM_CNT)
    return fail(ACL_ERROR_INVALID_PARAM, "aclmdlSetInputDynamicDims wants at most 128 dims");
  return set_gear("aclmdlSetInputDynamicDims", GearKind::kDims, id, dataset, index,
                  [&](const ModelEnds& ends) { return find_dims(ends, *dims); });
}
