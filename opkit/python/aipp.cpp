// AIPP of models. (Vendor's pages "Function: set_input_aipp" and its neighbours.)
#include "opkit/python/model_dims.h"

namespace opkit::python {
namespace {

py::tuple aipp_type(uint32_t model, size_t index) {
  aclmdlInputAippType type{};
  size_t attached = 0;
  const aclError code = aclmdlGetAippType(model, index, &type, &attached);
  return py::make_tuple(static_cast<int>(type), attached, code);
}

// A member of the description under its own name.
template <typename T>
struct Named {
  const char* name;
  T aclAippInfo::*member;
};
#define OPKIT_NAMED(member) \
  { #member, &aclAippInfo::member }
constexpr Named<int8_t> kSwitches[] = {OPKIT_NAMED(cropSwitch),     OPKIT_NAMED(resizeSwitch),
                                       OPKIT_NAMED(paddingSwitch),  OPKIT_NAMED(cscSwitch),
                                       OPKIT_NAMED(rbuvSwapSwitch), OPKIT_NAMED(axSwapSwitch),
                                       OPKIT_NAMED(singleLineMode)};
constexpr Named<int32_t> kIntegers[] = {
    OPKIT_NAMED(srcImageSizeW),    OPKIT_NAMED(srcImageSizeH),  OPKIT_NAMED(loadStartPosW),
    OPKIT_NAMED(loadStartPosH),    OPKIT_NAMED(cropSizeW),      OPKIT_NAMED(cropSizeH),
    OPKIT_NAMED(resizeOutputW),    OPKIT_NAMED(resizeOutputH),  OPKIT_NAMED(leftPaddingSize),
    OPKIT_NAMED(rightPaddingSize), OPKIT_NAMED(topPaddingSize), OPKIT_NAMED(bottomPaddingSize),
    OPKIT_NAMED(matrixR0C0),       OPKIT_NAMED(matrixR0C1),     OPKIT_NAMED(matrixR0C2),
    OPKIT_NAMED(matrixR1C0),       OPKIT_NAMED(matrixR1C1),     OPKIT_NAMED(matrixR1C2),
    OPKIT_NAMED(matrixR2C0),       OPKIT_NAMED(matrixR2C1),     OPKIT_NAMED(matrixR2C2),
    OPKIT_NAMED(outputBias0),      OPKIT_NAMED(outputBias1),    OPKIT_NAMED(outputBias2),
    OPKIT_NAMED(inputBias0),       OPKIT_NAMED(inputBias1),     OPKIT_NAMED(inputBias2),
    OPKIT_NAMED(meanChn0),         OPKIT_NAMED(meanChn1),       OPKIT_NAMED(meanChn2),
    OPKIT_NAMED(meanChn3)};
constexpr Named<float> kReals[] = {OPKIT_NAMED(minChn0),     OPKIT_NAMED(minChn1),
                                   OPKIT_NAMED(minChn2),     OPKIT_NAMED(minChn3),
                                   OPKIT_NAMED(varReciChn0), OPKIT_NAMED(varReciChn1),
                                   OPKIT_NAMED(varReciChn2), OPKIT_NAMED(varReciChn3)};
#undef OPKIT_NAMED

void show_settings(const aclAippInfo& info, py::dict& all) {
  all["inputFormat"] = static_cast<int>(info.inputFormat);
  for (const auto& [name, member] : kSwitches) all[name] = static_cast<int>(info.*member);
  for (const auto& [name, member] : kIntegers) all[name] = info.*member;
  for (const auto& [name, member] : kReals) all[name] = info.*member;
}

void show_shapes(const aclAippInfo& info, py::dict& all) {
  all["srcFormat"] = static_cast<int>(info.srcFormat);
  all["srcDatatype"] = static_cast<int>(info.srcDatatype);
  all["srcDimNum"] = info.srcDimNum;
  all["shapeCount"] = info.shapeCount;
  py::list shapes;
  for (size_t i = 0; i < info.shapeCount; ++i) {
    py::dict shape;
    shape["srcDims"] = shown(info.outDims[i].srcDims);
    shape["srcSize"] = info.outDims[i].srcSize;
    shape["aippOutdims"] = shown(info.outDims[i].aippOutdims);
    shape["aippOutSize"] = info.outDims[i].aippOutSize;
    shapes.append(shape);
  }
  all["outDims"] = shapes;
}

py::tuple aipp_info(uint32_t model, size_t index) {
  aclAippInfo info{};
  const aclError code = aclmdlGetFirstAippInfo(model, index, &info);
  py::dict all;
  show_settings(info, all);
  show_shapes(info, all);
  return py::make_tuple(all, code);
}

}  // namespace

void add_aipp(py::module_& mdl) {
  mdl.def("get_aipp_type", aipp_type);
  mdl.def("get_first_aipp_info", aipp_info);
  gives_last(mdl, "get_aipp_data_size", aclmdlGetAippDataSize);
  plain(mdl, "create_aipp", aclmdlCreateAIPP);
  plain(mdl, "destroy_aipp", aclmdlDestroyAIPP);
  plain(mdl, "set_aipp_input_format", aclmdlSetAIPPInputFormat);
  plain(mdl, "set_aipp_csc_params", aclmdlSetAIPPCscParams);
  plain(mdl, "set_aipp_rbuv_swap_switch", aclmdlSetAIPPRbuvSwapSwitch);
  plain(mdl, "set_aipp_ax_swap_switch", aclmdlSetAIPPAxSwapSwitch);
  plain(mdl, "set_aipp_src_image_size", aclmdlSetAIPPSrcImageSize);
  plain(mdl, "set_aipp_scf_params", aclmdlSetAIPPScfParams);
  plain(mdl, "set_aipp_crop_params", aclmdlSetAIPPCropParams);
  plain(mdl, "set_aipp_padding_params", aclmdlSetAIPPPaddingParams);
  plain(mdl, "set_aipp_dtc_pixel_mean", aclmdlSetAIPPDtcPixelMean);
  plain(mdl, "set_aipp_dtc_pixel_min", aclmdlSetAIPPDtcPixelMin);
  plain(mdl, "set_aipp_pixel_var_reci", aclmdlSetAIPPPixelVarReci);
  plain(mdl, "set_input_aipp", aclmdlSetInputAIPP);
  plain(mdl, "set_aipp_by_input_index", aclmdlSetAIPPByInputIndex);
}

}  // namespace opkit::python
