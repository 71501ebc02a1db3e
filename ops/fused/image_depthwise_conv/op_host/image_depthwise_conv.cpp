#include "../op_kernel/image_depthwise_tiling.h"

#include "bending_plan.h"
#include "image_pool_plan.h"

namespace {

constexpr size_t kActivation = 4, kMin = 5, kMax = 6, kAlpha = 7;  // name places of attributes
constexpr size_t kW = 1, kBias = 2;                                // name places of inputs

void SetSizes(gert::TilingContext* context, ImagePoolTiling& t) {
  image_pool::SetSizes(context, {-1, 0, 1, 2}, t);
  const gert::Shape& w = context->GetInputShape(kW)->GetOriginShape();
  t.window_height = static_cast<uint32_t>(w.GetDim(2));
  t.window_width = static_cast<uint32_t>(w.GetDim(3));
}

// x and y twice; in float, where they are not, x and sums; what an activation works in; filters.
image_pool::Needs NeedsOf(const ImageDepthwiseTiling& t, bool widens) {
  constexpr uint64_t kBlock = 32;
  const uint64_t numbers = 2 * 256 * (widens ? 2 : 4) + 256;  // bytes of conv::PlaneNumbers
  const uint64_t pixel = widens ? 2 * kBlock : kBlock;        // in float
  const uint64_t taps = (uint64_t{t.image.window_height} * t.image.window_width + 15) / 16 * 16;
  const uint64_t work = t.which >= kBendSilu ? 2 * pixel : 0;
  const uint64_t floats = widens ? pixel : 0;
  return {2 * kBlock + floats, 0, 0, 2 * kBlock + floats + work,
          taps * 16 * (widens ? 2 + 2 + 4 : 4 + 4) + numbers};
}

ge::graphStatus TilingImageDepthwiseConv(gert::TilingContext* context) {
  auto& t = *context->GetTilingData<ImageDepthwiseTiling>();
  t = {};
  SetSizes(context, t.image);
  const gert::RuntimeAttrs* attrs = context->GetAttrs();
  t.channels = static_cast<uint32_t>(context->GetInputShape(0)->GetOriginShape().GetDim(1));
  t.has_bias = context->GetOptionalInputShape(kBias) != nullptr ? 1 : 0;
  t.which = bend::NumberOf(attrs->GetStr(kActivation));
  t.least = *attrs->GetFloat(kMin);
  t.most = *attrs->GetFloat(kMax);
  t.alpha = *attrs->GetFloat(kAlpha);
  const bool widens = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT16;
  return image_pool::Plan(context, NeedsOf(t, widens), t.image);
}

}  // namespace

IMPL_OP_OPTILING(ImageDepthwiseConv).Tiling(TilingImageDepthwiseConv);
