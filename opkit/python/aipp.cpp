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

void show_image(const aclAippInfo& info, py::dict& all) {
  all["inputFormat"] = static_cast<int>(info.inputFormat);
  all["srcImageSizeW"] = info.srcImageSizeW;
  all["srcImageSizeH"] = info.srcImageSizeH;
  all["cropSwitch"] = static_cast<int>(info.cropSwitch);
  all["loadStartPosW"] = info.loadStartPosW;
  all["loadStartPosH"] = info.loadStartPosH;
  all["cropSizeW"] = info.cropSizeW;
  all["cropSizeH"] = info.cropSizeH;
  all["resizeSwitch"] = static_cast<int>(info.resizeSwitch);
  all["resizeOutputW"] = info.resizeOutputW;
  all["resizeOutputH"] = info.resizeOutputH;
  all["paddingSwitch"] = static_cast<int>(info.paddingSwitch);
  all["leftPaddingSize"] = info.leftPaddingSize;
  all["rightPaddingSize"] = info.rightPaddingSize;
  all["topPaddingSize"] = info.topPaddingSize;
  all["bottomPaddingSize"] = info.bottomPaddingSize;
}

void show_colors(const aclAippInfo& info, py::dict& all) {
  all["cscSwitch"] = static_cast<int>(info.cscSwitch);
  all["rbuvSwapSwitch"] = static_cast<int>(info.rbuvSwapSwitch);
  all["axSwapSwitch"] = static_cast<int>(info.axSwapSwitch);
  all["singleLineMode"] = static_cast<int>(info.singleLineMode);
  all["matrixR0C0"] = info.matrixR0C0;
  all["matrixR0C1"] = info.matrixR0C1;
  all["matrixR0C2"] = info.matrixR0C2;
  all["matrixR1C0"] = info.matrixR1C0;
  all["matrixR1C1"] = info.matrixR1C1;
  all["matrixR1C2"] = info.matrixR1C2;
  all["matrixR2C0"] = info.matrixR2C0;
  all["matrixR2C1"] = info.matrixR2C1;
  all["matrixR2C2"] = info.matrixR2C2;
  all["outputBias0"] = info.outputBias0;
  all["outputBias1"] = info.outputBias1;
  all["outputBias2"] = info.outputBias2;
  all["inputBias0"] = info.inputBias0;
  all["inputBias1"] = info.inputBias1;
  all["inputBias2"] = info.inputBias2;
}

void show_scale(const aclAippInfo& info, py::dict& all) {
  all["meanChn0"] = info.meanChn0;
  all["meanChn1"] = info.meanChn1;
  all["meanChn2"] = info.meanChn2;
  all["meanChn3"] = info.meanChn3;
  all["minChn0"] = info.minChn0;
  all["minChn1"] = info.minChn1;
  all["minChn2"] = info.minChn2;
  all["minChn3"] = info.minChn3;
  all["varReciChn0"] = info.varReciChn0;
  all["varReciChn1"] = info.varReciChn1;
  all["varReciChn2"] = info.varReciChn2;
  all["varReciChn3"] = info.varReciChn3;
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
  show_image(info, all);
  show_colors(info, all);
  show_scale(info, all);
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
