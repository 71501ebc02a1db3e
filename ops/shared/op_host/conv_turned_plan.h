// The tiling of conv_turned.h: tiles for the cube cores as conv_plan.h finds them, and the units in
// which the vector cores turn the image and the filters.
#ifndef OPS_SHARED_CONV_TURNED_PLAN_H_
#define OPS_SHARED_CONV_TURNED_PLAN_H_

#include "../op_kernel/conv_dense_tiling.h"
#include "conv_plan.h"

namespace conv_dense {

// What the finish of a block takes in UB.
struct Finish {
  uint64_t numbers = 1;  // kNumbers
  uint64_t scratch = 0;  // bytes for each element of a block
  double cycles = 0.1;   // takes the vector unit for each element
};

// What turns the image in place of conv::ImageTurner needs; no row: nothing does.
struct Turning {
  uint32_t row = 0;   // elements of its longest row
  uint32_t room = 0;  // elements of a buffer in UB
};

// Sizes of the products of a convolution of one group whose own sizes are set.
inline ConvTiling TurnedSizes(const ConvDenseTiling& t) {
  const WindowTiling& w = t.window;
  ConvTiling sizes{};
  sizes.images = static_cast<uint32_t>(t.images);
  sizes.channels = t.in_channels;
  sizes.height = w.height;
  sizes.width = w.width;
  sizes.out_channels = t.out_channels;
  sizes.out_height = w.out_height;
  sizes.out_width = w.out_width;
  sizes.filter_height = w.window_height;
  sizes.filter_width = w.window_width;
  sizes.stride_height = w.stride_height;
  sizes.stride_width = w.stride_width;
  sizes.dilation_height = w.dilation_height;
  sizes.dilation_width = w.dilation_width;
  sizes.pad_top = w.pad_top;
  sizes.pad_left = w.pad_left;
  return sizes;
}

// Rows, or columns, behind the image that windows see.
inline uint32_t PadBehind(uint32_t count, uint32_t filter, uint32_t stride, uint32_t dilation,
                          uint32_t pad, uint32_t size) {
  const uint32_t seen = WindowSees(count, filter, stride, dilation);
  return seen > pad + size ? seen - pad - size : 0;
}

// Tells whether the cube's loads count so far (page "LoadData_3D"), and every window sees a pixel.
inline bool IsLoadable(const ConvTiling& t) {
  constexpr uint32_t kMostStride = 63, kMostTaps = 2047, kMostSide = 32767, kMostRow = 6144;
  const uint32_t high = (t.filter_height - 1) * t.dilation_height,
                 wide = (t.filter_width - 1) * t.dilation_width;
  return t.images > 0 && t.images <= 65535 && t.stride_height <= kMostStride &&
         t.stride_width <= kMostStride && t.filter_height * t.filter_width <= kMostTaps &&
         t.height <= kMostSide && t.width <= kMostSide &&
         uint64_t{high + 1} * t.width <= kMostRow && conv::Most(t.pad_top, t.pad_bottom) <= high &&
         conv::Most(t.pad_left, t.pad_right) <= wide;
}

// Plans one convolution: Begin sets its sizes, conv::Choose its tiles, End the rest.
class TurnedPlanner {
 public:
  TurnedPlanner(gert::TilingContext* context, ConvDenseTiling& t)
      : platform_(context->GetPlatformInfo()),
        chip_(conv::ChipOf(context)),
        bytes_(
            static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()))),
        t_(t) {
    platform_.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes_);
  }

  // Sets the sizes of the products; false: this way is not open. Where they have a bias, the cube
  // unit adds it.
  bool Begin(const ConvTiling& sizes) {
    ConvTiling& conv = t_.turned.conv = sizes;
    conv.pad_bottom = PadBehind(conv.out_height, conv.filter_height, conv.stride_height,
                                conv.dilation_height, conv.pad_top, conv.height);
    conv.pad_right = PadBehind(conv.out_width, conv.filter_width, conv.stride_width,
                               conv.dilation_width, conv.pad_left, conv.width);
    if (!IsLoadable(conv)) return false;
    conv::SetRowStep(conv, chip_.one_kind);
    conv::SetBiasLines(chip_, bytes_, conv);
    return true;
  }

  conv::Work GetWork(const Finish& finish) const {
    constexpr double kTurn = 0.06;  // cycles to turn a sum and to narrow it
    conv::Work work;
    work.finish = kTurn + finish.cycles;
    work.image_in_l2 = work.has_room = true;
    work.in_bytes = work.out_bytes = bytes_;
    return work;
  }
  const conv::Chip& GetChip() const { return chip_; }
  ConvTiling* Tiles() { return &t_.turned.conv; }
  uint64_t ImageBytes() const { return t_.turned.conv.images * Pixels() * Planes() * 32; }
  uint64_t FilterBytes() const {
    return PanelBytes() * conv::CeilDiv(t_.turned.conv.out_channels, conv::kFractal);
  }
  // Returns the bytes of what blocks lay out and of their slots.
  uint64_t SlotBytes(uint32_t blocks) const {
    const ConvTiling& conv = t_.turned.conv;
    return conv::LaidOutBytes(conv, blocks) +
           conv::LineUp(uint64_t{blocks} * kConvSlots * conv.slot_sums * sizeof(float));
  }

  // Tells whether windows take less on cores that are both kinds: those of one tap, of which there
  // is one for each pixel of y, where L2 has no room for an image beside the one that is turned.
  bool PrefersWindows() const {
    return chip_.one_kind && Taps() == 1 && 2 * ImageBytes() > chip_.l2_bytes;
  }

  // Lets filters be turned in rounds, each of which L2 holds twice with room for the image, where
  // it does not hold all of them.
  void SetRounds() {
    ConvTiling& conv = t_.turned.conv;
    if (!chip_.one_kind || 2 * FilterBytes() <= chip_.l2_bytes) return;
    const uint64_t tile = PanelBytes() * (conv.tile_channels / conv::kFractal);
    const auto tiles = static_cast<uint32_t>(chip_.l2_bytes / 4 / tile);
    conv.round_tiles = conv::UpTo(conv::Most(1, tiles), conv.channel_blocks);
  }

  // Sets what follows from the tiles; false: UB has no room.
  bool End(uint32_t blocks, const Finish& finish, const Turning& turning = {}) {
    t_.turned.conv.slot_sums = conv::MostPixels(t_.turned.conv) * t_.turned.conv.tile_channels;
    return SetTurn(blocks, turning) && SetBlock(finish);
  }

  // Sets what the kernel is launched with; `bytes` of the workspace are the op's own.
  void SetLaunch(gert::TilingContext* context, uint32_t blocks, uint64_t bytes) const {
    context->SetBlockDim(blocks);
    context->SetTilingKey(chip_.one_kind ? kConvTurnedByTurns : kConvTurned);
    context->GetWorkspaceSizes(1)[0] = platform_.GetLibApiWorkSpaceSize() + bytes;
  }

 private:
  static constexpr uint32_t kLines = 16;  // counts the lines that are turned at once
  static constexpr uint64_t kUbPercent = 95;

  uint32_t VectorCores() const { return chip_.one_kind ? 1 : 2; }  // counts those of a block
  uint32_t C0() const { return 32 / bytes_; }
  uint32_t Planes() const { return conv::CeilDiv(t_.turned.conv.channels, C0()); }
  uint64_t PanelBytes() const { return uint64_t{Planes()} * Taps() * conv::kFractal * 32; }
  uint32_t Taps() const { return t_.turned.conv.filter_height * t_.turned.conv.filter_width; }
  uint64_t Pixels() const { return uint64_t{t_.turned.conv.height} * t_.turned.conv.width; }

  // Chooses units of which every core has some, as large as UB's buffers hold.
  bool SetTurn(uint32_t blocks, const Turning& turning) {
    constexpr uint32_t kRowBytes = 1024, kBuffers = 5, kMostRepeats = 255;
    ConvTurnedTiling& turned = t_.turned;
    const uint32_t most = kRowBytes / bytes_;
    const uint64_t cores = uint64_t{blocks} * VectorCores();
    const uint64_t share = turned.conv.images * Pixels() * Planes() / cores + 1;
    turned.pixels = turning.row > 0
                        ? turning.row
                        : conv::UpTo(static_cast<uint32_t>(share < most ? share : most), kLines);
    const uint32_t plane = C0() * Taps();
    const uint64_t units =
        uint64_t{conv::CeilDiv(turned.conv.out_channels, kLines)} * Planes() / cores;
    turned.planes =
        conv::Most(1, units < most / plane ? static_cast<uint32_t>(units) : most / plane);
    turned.planes = conv::Least(turned.planes, Planes());
    const uint32_t filters = turned.planes * plane;
    turned.row = conv::Most(turned.pixels, conv::Most(filters, Taps() * kLines));
    turned.room = conv::Most(turning.room, kLines * conv::Most(turned.pixels, filters));
    const uint64_t bytes = (uint64_t{turned.room} * kBuffers + turned.row) * bytes_;
    return filters / C0() <= kMostRepeats && turned.pixels / kLines <= kMostRepeats &&
           bytes <= ub_bytes_ * kUbPercent / 100;
  }

  // Sets the rows and columns of a block that is finished at once; tells whether UB has room.
  bool SetBlock(const Finish& finish) {
    constexpr uint32_t kBuffers = 2;  // is as many as conv_vector.h has
    const ConvTiling& conv = t_.turned.conv;
    const uint32_t pixels = conv::MostPixels(conv);
    const uint32_t share = conv::CeilDiv(conv::CeilDiv(conv.tile_channels, kLines), VectorCores());
    const uint32_t most = conv::Least(kConvPieceSums / (kLines * pixels), kConvMostRows / kLines);
    const uint32_t rows = kLines * conv::Least(share, most);
    const uint32_t columns = conv::UpTo(pixels, kLines);
    t_.cube.baseM = static_cast<int32_t>(rows);
    t_.cube.baseN = static_cast<int32_t>(columns);
    const uint64_t block = uint64_t{rows} * columns;
    const uint64_t sums = kBuffers * (kConvPieceSums + kLines * kLines) * sizeof(float);
    const uint64_t numbers = kLines * share * ((finish.numbers + 1) * 4 + finish.numbers * 36);
    return sums + block * (sizeof(float) + kBuffers * bytes_ + finish.scratch) + numbers <=
           ub_bytes_ * kUbPercent / 100;
  }

  platform_ascendc::PlatformAscendC platform_;
  conv::Chip chip_;
  uint64_t ub_bytes_ = 0;
  uint32_t bytes_;  // measures an element
  ConvDenseTiling& t_;
};

// Cycles that one block would turn so many bytes for.
inline double TurnCycles(uint64_t bytes) {
  constexpr double kRate = 40, kVectorCores = 2;  // bytes per cycle of a core, in and out
  return 2 * double(bytes) / kRate / kVectorCores;
}

// Plans the call of an op whose products have `sizes`; false: this way is not open.
inline bool PlanTurned(gert::TilingContext* context, const ConvTiling& sizes, ConvDenseTiling& t,
                       const Finish& finish, const Turning& turning = {}) {
  TurnedPlanner planner(context, t);
  if (!planner.Begin(sizes)) return false;
  const uint64_t turned = planner.ImageBytes() + planner.FilterBytes();
  const uint32_t blocks = planner.PrefersWindows()
                              ? 0
                              : conv::Choose(planner.GetChip(), {planner.GetWork(finish)},
                                             {planner.Tiles()}, TurnCycles(turned));
  if (blocks == 0 || !planner.End(blocks, finish, turning)) {
    t.turned = {};
    return false;
  }
  planner.SetRounds();
  t.turned.image_at = planner.SlotBytes(blocks);
  t.turned.filters_at = t.turned.image_at + conv::LineUp(planner.ImageBytes());
  planner.SetLaunch(context, blocks, t.turned.filters_at + planner.FilterBytes());
  return true;
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_TURNED_PLAN_H_
