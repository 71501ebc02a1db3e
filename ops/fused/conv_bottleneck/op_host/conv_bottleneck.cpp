#include "../op_kernel/conv_bottleneck_tiling.h"
#include "conv_plan.h"

namespace {

// Attributes of the contract, and inputs.
constexpr size_t kNarrowStrides = 0, kStrides = 1, kPads = 2;
constexpr size_t kX = 0, kNarrowW = 1, kW = 3, kWideW = 5;

uint32_t Dim(gert::TilingContext* context, size_t input, size_t i) {
  return static_cast<uint32_t>(context->GetInputShape(input)->GetOriginShape().GetDim(i));
}
uint32_t Attr(gert::TilingContext* context, size_t place, size_t i) {
  return static_cast<uint32_t>(context->GetAttrs()->GetListInt(place)->GetData()[i]);
}

// Returns the sizes of a convolution of an image of so many rows and columns; no padding yet.
ConvTiling SizesOf(gert::TilingContext* context, size_t filters, uint32_t height, uint32_t width) {
  ConvTiling t{};
  t.images = Dim(context, kX, 0);
  t.channels = Dim(context, filters, 1);
  t.height = height;
  t.width = width;
  t.out_channels = Dim(context, filters, 0);
  t.filter_height = Dim(context, filters, 2);
  t.filter_width = Dim(context, filters, 3);
  t.stride_height = t.stride_width = t.dilation_height = t.dilation_width = 1;
  t.has_bias = 1;
  return t;
}

void SetResult(bool one_kind, ConvTiling& t) {
  t.out_height = (t.height + t.pad_top + t.pad_bottom - t.filter_height) / t.stride_height + 1;
  t.out_width = (t.width + t.pad_left + t.pad_right - t.filter_width) / t.stride_width + 1;
  conv::SetRowStep(t, one_kind);
}

void SetSizes(gert::TilingContext* context, bool one_kind, ConvBottleneckTilingData& data) {
  data.narrow = SizesOf(context, kNarrowW, Dim(context, kX, 2), Dim(context, kX, 3));
  data.narrow.stride_height = Attr(context, kNarrowStrides, 0);
  data.narrow.stride_width = Attr(context, kNarrowStrides, 1);
  SetResult(one_kind, data.narrow);
  data.middle = SizesOf(context, kW, data.narrow.out_height, data.narrow.out_width);
  data.middle.stride_height = Attr(context, kStrides, 0);
  data.middle.stride_width = Attr(context, kStrides, 1);
  data.middle.pad_top = Attr(context, kPads, 0);
  data.middle.pad_left = Attr(context, kPads, 1);
  data.middle.pad_bottom = Attr(context, kPads, 2);
  data.middle.pad_right = Attr(context, kPads, 3);
  SetResult(one_kind, data.middle);
  data.wide = SizesOf(context, kWideW, data.middle.out_height, data.middle.out_width);
  SetResult(one_kind, data.wide);
}

// Returns the bytes that the result of a convolution takes as it is stored.
uint64_t ResultBytes(const ConvTiling& t, const conv::Work& work) {
  return uint64_t{t.images} * conv::CeilDiv(t.out_channels, conv::C0(work)) * t.out_height *
         t.out_width * 32;
}

// Deals the workspace out: what blocks lay out, slots, and the results of two convolutions. Returns
// its bytes. Behind either result there is room, for a fractal that is read with its end.
uint64_t SetWorkspace(uint32_t blocks, const conv::Work& work, ConvBottleneckTilingData& data) {
  data.wide.slot_sums = conv::MostPixels(data.wide) * data.wide.tile_channels;
  uint64_t front = conv::LaidOutBytes(data.wide, blocks) +
                   uint64_t{blocks} * kConvSlots * data.wide.slot_sums * work.slot_bytes;
  for (const ConvTiling* layer : {&data.narrow, &data.middle}) {
    const uint64_t laid_out = conv::LaidOutBytes(*layer, blocks);
    if (laid_out > front) front = laid_out;
  }
  data.narrow_at = conv::LineUp(front);
  data.between_at = data.narrow_at + conv::LineUp(ResultBytes(data.narrow, work)) + kConvLine;
  return data.between_at + conv::LineUp(ResultBytes(data.middle, work)) + kConvLine;
}

ge::graphStatus TilingConvBottleneck(gert::TilingContext* context) {
  auto& data = *context->GetTilingData<ConvBottleneckTilingData>();
  data = {};
  const conv::Chip chip = conv::ChipOf(context);
  SetSizes(context, chip.one_kind, data);
  conv::Work first;
  first.on_vector_cores = false;
  first.block_start = 2 * conv::kCoreStart;
  first.in_bytes = first.out_bytes = first.slot_bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(kX)->GetDataType()));
  conv::Work second = first;
  second.image_in_l2 = second.has_room = true;
  conv::Work third = second;
  third.on_vector_cores = third.reads = true;
  for (ConvTiling* layer : {&data.narrow, &data.middle, &data.wide})
    conv::SetBiasLines(chip, first.in_bytes, *layer);
  const uint32_t blocks =
      conv::Choose(chip, {first, second, third}, {&data.narrow, &data.middle, &data.wide});
  if (blocks == 0) return ge::GRAPH_FAILED;
  const uint64_t bytes = SetWorkspace(blocks, first, data);
  const platform_ascendc::PlatformAscendC platform(context->GetPlatformInfo());
  context->SetBlockDim(blocks);
  context->SetTilingKey(conv::KeyOf(chip, third));
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + bytes;
  return ge::GRAPH_SUCCESS;
}

}  // namespace

IMPL_OP_OPTILING(ConvBottleneck).Tiling(TilingConvBottleneck);
