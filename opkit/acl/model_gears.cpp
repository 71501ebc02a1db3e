// Gears of batch and image sizes, and AIPP: a model that was compiled for one shape has neither.
#include "opkit/acl/ask.h"

namespace opkit::acl {
namespace {

// Whether the description tells of a model that has input `index`.
aclError check_input(const aclmdlDesc& desc, size_t index) {
  if (!desc.ends)
    return fail(ACL_ERROR_INVALID_PARAM, "the aclmdlDesc describes no model; call aclmdlGetDesc");
  if (index < desc.ends->inputs.size()) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "input %zu of a model with %zu", index,
              desc.ends->inputs.size());
}

aclError set_gear(const char* call, uint32_t id, const aclmdlDataset* dataset) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!runtime.models.find(id)) return no_model(id);
  if (!runtime.datasets.find(dataset)) return runtime.datasets.unknown(dataset);
  return fail(ACL_ERROR_MODEL_NOT_DYNAMIC,
              "%s: model %u was compiled for one shape and has no gears", call, id);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlGetDynamicBatch(const aclmdlDesc* desc, aclmdlBatch* batch) {
  if (!batch) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetDynamicBatch wants a place");
  return ask(&Runtime::model_descs, desc, [&](const aclmdlDesc& d) -> aclError {
    if (!d.ends) return check_input(d, 0);
    batch->batchCount = 0;
    return ACL_SUCCESS;
  });
}

// index: -1, or an input.
OPKIT_ACL_EXPORT aclError aclmdlGetDynamicHW(const aclmdlDesc* desc, size_t index, aclmdlHW* hw) {
  if (!hw) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetDynamicHW wants a place");
  return ask(&Runtime::model_descs, desc, [&](const aclmdlDesc& d) -> aclError {
    if (!d.ends || index != static_cast<size_t>(-1)) {
      if (const aclError code = check_input(d, index)) return code;
    }
    hw->hwCount = 0;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlGetInputDynamicGearCount(const aclmdlDesc* desc, size_t,
                                                         size_t* count) {
  if (!count) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlGetInputDynamicGearCount wants a place");
  return ask(&Runtime::model_descs, desc, [&](const aclmdlDesc& d) -> aclError {
    if (!d.ends) return check_input(d, 0);
    *count = 0;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlGetInputDynamicDims(const aclmdlDesc* desc, size_t, aclmdlIODims*,
                                                    size_t count) {
  return ask(&Runtime::model_descs, desc, [&](const aclmdlDesc& d) -> aclError {
    if (!d.ends) return check_input(d, 0);
    if (count == 0) return ACL_SUCCESS;
    return fail(ACL_ERROR_INVALID_PARAM, "%zu gears of a model that has none", count);
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetDynamicBatchSize(uint32_t id, aclmdlDataset* dataset, size_t,
                                                    uint64_t) {
  return set_gear("aclmdlSetDynamicBatchSize", id, dataset);
}

OPKIT_ACL_EXPORT aclError aclmdlSetDynamicHWSize(uint32_t id, aclmdlDataset* dataset, size_t,
                                                 uint64_t, uint64_t) {
  return set_gear("aclmdlSetDynamicHWSize", id, dataset);
}

OPKIT_ACL_EXPORT aclError aclmdlSetInputDynamicDims(uint32_t id, aclmdlDataset* dataset, size_t,
                                                    const aclmdlIODims*) {
  return set_gear("aclmdlSetInputDynamicDims", id, dataset);
}

OPKIT_ACL_EXPORT aclError aclmdlGetAippType(uint32_t id, size_t index, aclmdlInputAippType* type,
                                            size_t* attached) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const std::shared_ptr<Model> model = runtime.models.find(id);
  if (!model) return no_model(id);
  if (!type || !attached || index >= model->ends->inputs.size())
    return fail(ACL_ERROR_INVALID_PARAM, "AIPP of input %zu of a model with %zu, and two places",
                index, model->ends->inputs.size());
  *type = ACL_DATA_WITHOUT_AIPP;
  *attached = static_cast<size_t>(-1);
  return ACL_SUCCESS;
}
