// The tiling of conv.h: pixels and channels of y in tiles, dealt to a grid of blocks. Of the grids
// and tiles that the memories have room for, the one that should take least time: conv_time.h.
#ifndef OPS_SHARED_CONV_PLAN_H_
#define OPS_SHARED_CONV_PLAN_H_

#include <vector>

#include "conv_time.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tuning.h"

namespace conv {

// Places of what the op's contract calls strides, pads (top, left, bottom, right) and dilations,
// and of the bias among its inputs.
struct Places {
  size_t strides = 0, pads = 1, dilations = 2, bias = 2;
};

// Leaves rows in GM that no window sees. Cores that bring fractals bring rows of that many pixels.
inline void SetRowStep(ConvTiling& t, bool one_kind = false) {
  const bool skips = (!one_kind || t.width >= kFractal) && t.filter_height == 1 &&
                     (t.stride_height - 1) * t.width <= 65535;
  t.row_step = skips ? t.stride_height : 1;
}

inline void SetSizes(gert::TilingContext* context, const Places& places, ConvTiling& t) {
  const gert::Shape& x = context->GetInputShape(0)->GetOriginShape();
  const gert::Shape& w = context->GetInputShape(1)->GetOriginShape();
  const gert::Shape& y = context->GetOutputShape(0)->GetOriginShape();
  const auto dim = [](const gert::Shape& shape, size_t i) {
    return static_cast<uint32_t>(shape.GetDim(i));
  };
  const auto attr = [context](size_t place, size_t i) {
    return static_cast<uint32_t>(context->GetAttrs()->GetListInt(place)->GetData()[i]);
  };
  t.images = dim(x, 0);
  t.channels = dim(x, 1);
  t.height = dim(x, 2);
  t.width = dim(x, 3);
  t.out_channels = dim(y, 1);
  t.out_height = dim(y, 2);
  t.out_width = dim(y, 3);
  t.filter_height = dim(w, 2);
  t.filter_width = dim(w, 3);
  t.stride_height = attr(places.strides, 0);
  t.stride_width = attr(places.strides, 1);
  t.pad_top = attr(places.pads, 0);
  t.pad_left = attr(places.pads, 1);
  t.pad_bottom = attr(places.pads, 2);
  t.pad_right = attr(places.pads, 3);
  t.dilation_height = attr(places.dilations, 0);
  t.dilation_width = attr(places.dilations, 1);
  t.has_bias = context->GetOptionalInputShape(places.bias) != nullptr ? 1 : 0;
}

// Tells whether a tile brings less than a fractal of a plane, or of whole planes, into L1.
inline bool BringsLess(const Work& work, const ConvTiling& t) {
  const uint32_t planes = Planes(work, t), rest = planes % t.chunk_planes;
  const uint32_t least = rest == 0 ? t.chunk_planes : rest;
  for (uint32_t row = 0; row < t.out_height; row += t.tile_rows) {
    const uint32_t rows = RowsSeen(t, row, Least(t.tile_rows, t.out_height - row));
    const uint32_t pixels = rows * t.width * (rows == t.height ? least : 1);
    if ((t.row_step > 1 ? t.width : pixels) < kFractal) return true;
  }
  return false;
}

// Such images are staged, with room behind them.
inline void SetStage(const Work& work, ConvTiling& t) {
  t.stage_lines = 0;
  if (work.has_room || !BringsLess(work, t)) return;
  const uint64_t bytes = uint64_t{t.images} * Planes(work, t) * t.height * t.width * 32;
  t.stage_lines = static_cast<uint32_t>(bytes / kConvLine) + 2;
}

// Tries tiles on grids of blocks and keeps the best of each number of blocks.
class Search {
 public:
  struct Best {
    double time = 1e300;  // nothing fits
    ConvTiling tiling{};
  };

  Search(const Chip& chip, const Work& work, const ConvTiling& sizes)
      : chip_(chip), work_(work), sizes_(sizes), best_(chip.cores + 1) {}

  // Returns the best tilings with at most as many blocks as their place says. All take forever: L1
  // does not hold the rows that a pixel sees.
  const std::vector<Best>& Run() {
    const uint32_t step = Most(kFractal, 32 / work_.out_bytes);  // whole fractals and planes of y
    const uint32_t all = UpTo(sizes_.out_channels, step);
    uint32_t before = 0;
    for (uint32_t wanted : {16u, 32u, 48u, 64u, 96u, 128u, 192u, 256u}) {
      const uint32_t channels = Least(wanted, all);
      if (channels % step == 0 && channels != before) EveryHeight(before = channels);
    }
    for (size_t i = 1; i < best_.size(); ++i) {
      if (best_[i - 1].time <= best_[i].time) best_[i] = best_[i - 1];
    }
    return best_;
  }

 private:
  void EveryHeight(uint32_t channels) {
    const uint32_t pixels = work_.out_bytes == 1 ? kConvMostPixels / 2 : kConvMostPixels;
    const uint32_t most = Least(pixels, kConvMostSums / channels / kFractal * kFractal);
    if (sizes_.out_width > most) {
      for (uint32_t columns = most; columns >= 64 || columns == most; columns /= 2)
        EveryGrid(channels, 1, columns / kFractal * kFractal);
      return;
    }
    uint32_t before = 0;
    for (uint32_t parts = 1; parts <= sizes_.out_height; ++parts) {
      const uint32_t rows = CeilDiv(sizes_.out_height, parts);
      if (rows == before || rows * sizes_.out_width > most) continue;
      EveryGrid(channels, before = rows, sizes_.out_width);
    }
  }

  void EveryGrid(uint32_t channels, uint32_t rows, uint32_t columns) {
    ConvTiling t = sizes_;
    t.tile_channels = channels;
    t.tile_rows = rows;
    t.tile_columns = columns;
    if (SetMemory(chip_, work_, t)) EveryDeal(t);
    if (!chip_.one_kind) return;
    for (bool filters : {false, true}) {
      if (SetHeld(chip_, work_, filters, t)) EveryDeal(t);
    }
  }

  // Deals out the tiles to every grid of blocks.
  void EveryDeal(ConvTiling t) {
    if (chip_.one_kind) SetStage(work_, t);
    const uint32_t deep = CeilDiv(t.out_channels, t.tile_channels);
    const uint64_t wide = PixelTiles(t);
    const uint32_t cores = t.stage_lines > 0 ? 1 : chip_.cores;  // one stages for itself
    for (uint32_t across = 1; across <= Least(deep, cores); ++across) {
      for (uint32_t down = 1; across * down <= cores && down <= wide; ++down) {
        t.channel_blocks = across;
        t.pixel_blocks = down;
        const double time = TimeOf(chip_, work_, t);
        Best& best = best_[across * down];
        if (time < best.time) best = {time, t};
      }
    }
  }

  const Chip& chip_;
  const Work& work_;
  const ConvTiling& sizes_;
  std::vector<Best> best_;  // holds one for each number of blocks
};

// Sets tilings of convolutions one behind the other in one launch; how many blocks it has, 0: one
// of them has no tiling. `spread`: cycles of one block for what all blocks share out beside them.
inline uint32_t Choose(const Chip& chip, const std::vector<Work>& works,
                       const std::vector<ConvTiling*>& tilings, double spread = 0) {
  std::vector<double> times(chip.cores + 1, 0);
  std::vector<std::vector<Search::Best>> all;
  for (size_t i = 0; i < works.size(); ++i) {
    const ConvTiling sizes = *tilings[i];
    all.push_back(Search(chip, works[i], sizes).Run());
    for (size_t c = 0; c < times.size(); ++c) times[c] += all.back()[c].time;
  }
  if (times.back() >= Search::Best().time) return 0;
  const auto whole = [&](size_t c) {
    return times[c] + works[0].block_start * double(c) + spread / double(c);
  };
  size_t least = times.size() - 1;
  for (size_t c = 1; c < times.size(); ++c)
    if (whole(c) < whole(least)) least = c;
  uint32_t blocks = 0;
  for (size_t i = 0; i < works.size(); ++i) {
    *tilings[i] = all[i][least].tiling;
    blocks = Most(blocks, tilings[i]->channel_blocks * tilings[i]->pixel_blocks);
  }
  return blocks;
}

// Up to whole lines of GM.
inline uint64_t LineUp(uint64_t bytes) { return (bytes + 511) / 512 * 512; }

inline Chip ChipOf(gert::TilingContext* context) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  Chip chip;
  chip.one_kind = platform.GetCoreNumAiv() == platform.GetCoreNumAic();
  if (chip.one_kind) {
    uint64_t memory = 0, l2 = 0;
    platform.GetCoreMemBw(platform_ascendc::CoreMemType::HBM, memory);
    platform.GetCoreMemBw(platform_ascendc::CoreMemType::L2, l2);
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::L2, chip.l2_bytes);
    chip.miss = double(memory);
    chip.hit = chip.all = double(l2);
    chip.from_sums = chip.from_ub = 2 * double(memory);
  }
  chip.cores = static_cast<uint32_t>(tuning::KnobUpTo(context, "cores", platform.GetCoreNumAic()));
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::L1, chip.l1_bytes);
  return chip;
}

// Sets the lines of the bias as fractals, where there is no other way to the cube unit.
inline void SetBiasLines(const Chip& chip, uint32_t in_bytes, ConvTiling& t) {
  const bool is_product = chip.one_kind && t.has_bias != 0 && in_bytes > 1;
  t.bias_lines = is_product ? CeilDiv(t.out_channels, kFractal) : 0;
}

inline uint32_t KeyOf(const Chip& chip, const Work& work) {
  if (chip.one_kind) return work.on_vector_cores ? kConvByTurns : kConvByFractals;
  return work.on_vector_cores ? kConvOnBoth : kConvOnCubes;
}

// Returns the bytes of the workspace in front of slots: those of conv_lay_out.h.
inline uint64_t LaidOutBytes(const ConvTiling& t, uint32_t blocks) {
  return (uint64_t{blocks} * t.bias_lines + t.stage_lines) * kConvLine;
}

// Plans the call of an op whose first inputs are x and w. `work`: what the vector cores do.
inline ge::graphStatus Plan(gert::TilingContext* context, ConvTiling& t, const Places& places = {},
                            Work work = {}) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  t = {};
  SetSizes(context, places, t);
  work.in_bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  work.out_bytes =
      static_cast<uint32_t>(ge::GetSizeByDataType(context->GetOutputDesc(0)->GetDataType()));
  const Chip chip = ChipOf(context);
  SetRowStep(t, chip.one_kind);
  SetBiasLines(chip, work.in_bytes, t);
  const uint32_t blocks = Choose(chip, {work}, {&t});
  if (blocks == 0) return ge::GRAPH_FAILED;
  t.slot_sums = work.on_vector_cores ? MostPixels(t) * t.tile_channels : 0;
  context->SetBlockDim(blocks);
  context->SetTilingKey(KeyOf(chip, work));
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + LaidOutBytes(t, blocks) +
                                     uint64_t{blocks} * kConvSlots * t.slot_sums * 4;
  return ge::GRAPH_SUCCESS;
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_PLAN_H_
