// AIPP of models: questions, and settings of dynamic AIPP.
#include <algorithm>
#include <cstring>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/models/aipp.h"
#include "opkit/acl/models/input_place.h"
#include "opkit/acl/models/model.h"
#include "opkit/acl/models/model_dataset.h"

namespace opkit::acl {
namespace {

using model::Aipp;
using model::AippInput;

// answer(what the model shows of itself), with the lock held.
template <typename Answer>
aclError ask_model(uint32_t id, Answer answer) {
  const Lock lock;
  const std::shared_ptr<Model> model = models().find(id);
  return model ? answer(*model->ends) : no_model(id);
}

const AippInput* of_settings(const ModelEnds& ends, size_t input) {
  const auto found = std::ranges::find_if(
      ends.aipp, [&](const AippInput& a) { return a.dynamic && a.settings == input; });
  return found == ends.aipp.end() ? nullptr : &*found;
}

void write_dims(const std::vector<int64_t>& from, const std::string& name, aclmdlIODims& to) {
  std::memcpy(to.name, name.c_str(), name.size());
  to.dimCount = from.size();
  std::copy(from.begin(), from.end(), to.dims);
}

void write_shapes(const AippInput& aipp, const std::string& name, aclAippInfo& info) {
  info.srcFormat = ACL_FORMAT_NCHW;
  info.srcDatatype = static_cast<aclDataType>(aipp.dtype);
  info.srcDimNum = 4;
  info.shapeCount = aipp.dims.size();
  for (size_t g = 0; g < aipp.dims.size(); ++g) {
    aclAippDims& dims = info.outDims[g];
    write_dims(aipp.dims[g], name, dims.srcDims);
    write_dims(aipp.dims[g], name, dims.aippOutdims);
    const auto elements = static_cast<uint64_t>(Shape(aipp.dims[g]).elements());
    dims.srcSize = dims.aippOutSize = bytes_of(aipp.dtype, elements);
  }
}

aclAippInputFormat format_of(Aipp::Format format) {
  switch (format) {
    case Aipp::Format::kYuv420: return ACL_YUV420SP_U8;
    case Aipp::Format::kXrgb: return ACL_XRGB8888_U8;
    case Aipp::Format::kRgb: return ACL_RGB888_U8;
    case Aipp::Format::kGray: return ACL_YUV400_U8;
  }
  return ACL_AIPP_RESERVED;
}

template <typename From, size_t N, typename... To>
void spread(const std::array<From, N>& from, To&... to) {
  size_t i = 0;
  (..., (to = static_cast<To>(from[i++])));
}

void write_settings(const Aipp& aipp, aclAippInfo& info) {
  const auto number = [](int64_t value) { return static_cast<int32_t>(value); };
  info.inputFormat = format_of(aipp.format);
  info.srcImageSizeW = number(aipp.width), info.srcImageSizeH = number(aipp.height);
  info.cropSwitch = aipp.crop;
  info.loadStartPosW = number(aipp.crop_left), info.loadStartPosH = number(aipp.crop_top);
  info.cropSizeW = number(aipp.crop_width), info.cropSizeH = number(aipp.crop_height);
  info.paddingSwitch = aipp.pad;
  info.leftPaddingSize = number(aipp.left), info.rightPaddingSize = number(aipp.right);
  info.topPaddingSize = number(aipp.top), info.bottomPaddingSize = number(aipp.bottom);
  info.cscSwitch = aipp.convert;
  info.rbuvSwapSwitch = aipp.swap_outer, info.axSwapSwitch = aipp.alpha_behind;
  spread(aipp.matrix, info.matrixR0C0, info.matrixR0C1, info.matrixR0C2, info.matrixR1C0,
         info.matrixR1C1, info.matrixR1C2, info.matrixR2C0, info.matrixR2C1, info.matrixR2C2);
  spread(aipp.output_bias, info.outputBias0, info.outputBias1, info.outputBias2);
  spread(aipp.input_bias, info.inputBias0, info.inputBias1, info.inputBias2);
  spread(aipp.mean, info.meanChn0, info.meanChn1, info.meanChn2, info.meanChn3);
  spread(aipp.least, info.minChn0, info.minChn1, info.minChn2, info.minChn3);
  spread(aipp.factor, info.varReciChn0, info.varReciChn1, info.varReciChn2, info.varReciChn3);
}

// What the model takes in the gear with most images.
const std::vector<int64_t>& largest(const AippInput& aipp) {
  return *std::ranges::max_element(aipp.dims, {}, [](const auto& dims) { return dims[0]; });
}

aclError write_settings(const ModelEnds& ends, const AippInput& to, aclmdlDataset& dataset,
                        const aclmdlAIPP& aipp) {
  if (!aipp.has_format || !aipp.has_size)
    return fail(ACL_ERROR_INVALID_PARAM, "the settings have no %s; call %s first",
                aipp.has_format ? "size of the image" : "format",
                aipp.has_format ? "aclmdlSetAIPPSrcImageSize" : "aclmdlSetAIPPInputFormat");
  const auto rows = model::aipp_rows(aipp.images, Shape(largest(to)), ends.inputs[to.input].bytes);
  if (!rows.ok()) return fail(ACL_ERROR_INVALID_PARAM, rows.error());
  std::byte* at = nullptr;
  if (const aclError code = place_of(ends, dataset, to.settings, at)) return code;
  std::memcpy(at, rows->data(), rows->size() * sizeof(model::AippRow));
  dataset.with_aipp.insert(to.settings);
  return ACL_SUCCESS;
}

// find(the model's ends): the AIPP that the index means, or nullptr.
template <typename Find>
aclError set_aipp(uint32_t id, aclmdlDataset* dataset, size_t index, const aclmdlAIPP* aipp,
                  const char* wanted, Find find) {
  return ask_model(id, [&](const ModelEnds& ends) -> aclError {
    aclmdlDataset* const into = datasets().find(dataset);
    if (!into) return datasets().unknown(dataset);
    const aclmdlAIPP* const settings = aipps().find(aipp);
    if (!settings) return aipps().unknown(aipp);
    const AippInput* const to = find(ends);
    if (!to || !to->dynamic)
      return fail(ACL_ERROR_INVALID_PARAM,
                  "input %zu of the model %s; aclmdlGetAippType tells which ones do", index,
                  wanted);
    return write_settings(ends, *to, *into, *settings);
  });
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlGetAippType(uint32_t id, size_t index, aclmdlInputAippType* type,
                                            size_t* attached) {
  return ask_model(id, [&](const ModelEnds& ends) -> aclError {
    if (!type || !attached || index >= ends.inputs.size())
      return fail(ACL_ERROR_INVALID_PARAM, "AIPP of input %zu of a model with %zu, and two places",
                  index, ends.inputs.size());
    *type = ACL_DATA_WITHOUT_AIPP;
    *attached = 0xFFFFFFFF;
    if (of_settings(ends, index)) {
      *type = ACL_DYNAMIC_AIPP_NODE;
    } else if (const AippInput* const aipp = ends.aipp_of(index)) {
      *type = aipp->dynamic ? ACL_DATA_WITH_DYNAMIC_AIPP : ACL_DATA_WITH_STATIC_AIPP;
      if (aipp->dynamic) *attached = aipp->settings;
    }
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlGetFirstAippInfo(uint32_t id, size_t index, aclAippInfo* info) {
  return ask_model(id, [&](const ModelEnds& ends) -> aclError {
    if (!info || index >= ends.inputs.size())
      return fail(ACL_ERROR_INVALID_PARAM, "AIPP of input %zu of a model with %zu, and a place",
                  index, ends.inputs.size());
    const AippInput* const aipp = ends.aipp_of(index);
    if (!aipp)
      return fail(ACL_ERROR_NOT_STATIC_AIPP, "input %zu (%s) takes no images by AIPP", index,
                  ends.inputs[index].shown.c_str());
    *info = {};
    write_shapes(*aipp, ends.inputs[index].shown, *info);
    if (!aipp->dynamic) write_settings(aipp->aipp, *info);
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclmdlSetInputAIPP(uint32_t id, aclmdlDataset* dataset, size_t index,
                                             const aclmdlAIPP* aipp) {
  return set_aipp(id, dataset, index, aipp, "takes no settings of AIPP",
                  [&](const ModelEnds& ends) { return of_settings(ends, index); });
}

OPKIT_ACL_EXPORT aclError aclmdlSetAIPPByInputIndex(uint32_t id, aclmdlDataset* dataset,
                                                    size_t index, const aclmdlAIPP* aipp) {
  return set_aipp(id, dataset, index, aipp, "has no dynamic AIPP",
                  [&](const ModelEnds& ends) { return ends.aipp_of(index); });
}
