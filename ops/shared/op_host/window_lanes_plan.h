// The tiling of window_lanes.h: rows of y of 16 planes, as many as UB holds together with what they
// see of x, and so that cores share them evenly.
#ifndef OPS_SHARED_WINDOW_LANES_PLAN_H_
#define OPS_SHARED_WINDOW_LANES_PLAN_H_

#include "window_plan.h"

namespace window {

constexpr uint64_t kLanes = 16;           // planes at once
constexpr uint64_t kLeastPlanes = 6;      // fewer leave most lanes empty
constexpr uint64_t kMostLaneStride = 15;  // limits strides of instructions: blocks of eight pixels
constexpr uint64_t kTileOverhead = 3;     // rows that a tile could have instead of its start

// What a kernel takes in UB for each lane of x and of y, in bytes, beside what the planes take.
struct LaneNeeds {
  bool widens = false;  // computes in float
  uint64_t pixel = 0;   // counts those of y alone
  uint64_t fixed = 0;   // counts those beside pixels
  uint64_t ub_percent = 80;
};

// Plans tiles of rows of images whose planes number `channels` each.
class LanePlanner {
 public:
  LanePlanner(uint64_t ub_bytes, uint64_t bytes, uint64_t channels, const LaneNeeds& needs,
              WindowTiling& t)
      : channels_(channels), t_(t) {
    const uint64_t room = ub_bytes * needs.ub_percent / 100;
    room_ = room > needs.fixed ? room - needs.fixed : 0;
    of_x_ = 3 * bytes + (needs.widens ? 4 : 0);
    of_y_ = 2 * bytes + (needs.widens ? 4 : bytes) + needs.pixel;
    const uint64_t seen = (t.out_width - 1) * uint64_t{t.stride_width} +
                          (t.window_width - 1) * uint64_t{t.dilation_width} + 1;
    const uint64_t there = uint64_t{t.pad_left} + t.width;
    const uint64_t right = seen > there ? seen - there : 0;
    pitch_ = Up(Most(t.width + Most(t.pad_left, right), uint64_t{t.out_width} * t.stride_width),
                kLanes * t.stride_width);
  }

  // False: lanes would be empty, or UB does not hold a row.
  bool Plan(uint64_t cores) {
    if (channels_ < kLeastPlanes || t_.stride_width > kMostLaneStride || !Fits(1)) return false;
    const uint64_t groups = t_.planes / channels_ * CeilDiv(channels_, kLanes);
    uint64_t best = 0, least = ~uint64_t{0};
    for (uint64_t rows = 1; rows <= t_.out_height && Fits(rows); ++rows) {
      const uint64_t tiles = groups * CeilDiv(t_.out_height, rows);
      const uint64_t time =
          CeilDiv(tiles, cores) * (rows * t_.stride_height + t_.window_height + kTileOverhead);
      if (time > least) continue;
      least = time;
      best = rows;
    }
    t_.tile_planes = kLanes;
    t_.tile_rows = static_cast<uint32_t>(best);
    t_.tile_columns = t_.out_width;
    t_.pitch = static_cast<uint32_t>(pitch_);
    t_.slab = static_cast<uint32_t>(SlabPixels(best) * kLanes);
    t_.pixels = static_cast<uint32_t>(best * pitch_ / t_.stride_width * kLanes);
    t_.tiles = groups * CeilDiv(t_.out_height, best);
    t_.core_tiles = Most(1, CeilDiv(t_.tiles, cores));
    return true;
  }

 private:
  static uint64_t Up(uint64_t n, uint64_t step) { return CeilDiv(n, step) * step; }

  // Rows of x come in phases, a stride apart.
  uint64_t SlabPixels(uint64_t rows) const {
    const uint64_t seen =
        (rows - 1) * t_.stride_height + uint64_t{t_.window_height - 1} * t_.dilation_height + 1;
    return CeilDiv(seen, t_.stride_height) * t_.stride_height * pitch_;
  }
  bool Fits(uint64_t rows) const {
    const uint64_t x = (SlabPixels(rows) + pitch_) * kLanes;
    const uint64_t y = rows * pitch_ / t_.stride_width * kLanes;
    return SlabPixels(rows) / pitch_ <= kMostRows && x * of_x_ + y * of_y_ <= room_;
  }

  uint64_t channels_, room_, of_x_, of_y_, pitch_;
  WindowTiling& t_;
};

// Plans the call of an op on x whose window is known in lanes, or else by window.h.
inline ge::graphStatus PlanLanes(gert::TilingContext* context, uint64_t channels,
                                 const LaneNeeds& lanes, const Needs& needs, WindowTiling& t) {
  const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  uint64_t ub_bytes = 0;
  platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_bytes);
  const auto bytes =
      static_cast<uint64_t>(ge::GetSizeByDataType(context->GetInputDesc(0)->GetDataType()));
  if (t.planes == 0 ||
      !LanePlanner(ub_bytes, bytes, channels, lanes, t).Plan(platform.GetCoreNumAiv()))
    return Plan(context, needs, t);
  context->SetBlockDim(static_cast<uint32_t>(CeilDiv(t.tiles, t.core_tiles)));
  context->SetTilingKey(0);
  context->GetWorkspaceSizes(1)[0] = 0;
  return ge::GRAPH_SUCCESS;
}

}  // namespace window

#endif  // OPS_SHARED_WINDOW_LANES_PLAN_H_
