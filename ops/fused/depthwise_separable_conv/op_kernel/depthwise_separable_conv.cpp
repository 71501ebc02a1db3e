// y = relu(bn(pointwise(relu(bn(depthwise(x)))))). The vector cores leave planes of the first half
// in the workspace, which stay in L2; from there the cube cores multiply them.
#include "depthwise.h"
#include "pointwise.h"
#include "split_cores.h"

using namespace AscendC;

namespace separable {

template <typename T>
class Kernel {
 public:
  __aicore__ inline Kernel(const DepthwiseSeparableTiling& t, GM_ADDR workspace)
      : t_(t),
        planes_((t.channels + kC0 - 1) / kC0),
        tiles_(t.images * t.window.tiles),
        core_(static_cast<uint64_t>(GetBlockIdx())),
        cores_(static_cast<uint64_t>(GetBlockNum() * GetTaskRation())) {
    slots_.SetGlobalBuffer((__gm__ T*)GetUserWorkspace(workspace));
  }

  // Each core multiplies the tiles that it convolved. The first plane of a tile is on its way while
  // the tile before is multiplied.
  __aicore__ inline void RunOwn() {
    uint64_t next = 0;
    const uint64_t units = core_ < tiles_ ? ((tiles_ - 1 - core_) / cores_ + 1) * planes_ : 0;
    const auto unit_at = [&](uint64_t i) {
      return (core_ + i / planes_ * cores_) * planes_ + i % planes_;
    };
    for (uint64_t tile = core_; tile < tiles_; tile += cores_) {
      Convolve(next, next + planes_, units, unit_at, [&](uint64_t) { return Slot(core_); });
      next += planes_;
      PipeBarrier<PIPE_ALL>();  // the slot is there
      Multiply(tile, Slot(core_), 0, t_.out_channels);
    }
  }

  // All cores convolve planes of all tiles; then they multiply parts of y.
  __aicore__ inline void RunShared() {
    const uint64_t all = tiles_ * planes_;
    const uint64_t units = core_ < all ? (all - 1 - core_) / cores_ + 1 : 0;
    Convolve(
        0, units, units, [&](uint64_t i) { return core_ + i * cores_; },
        [&](uint64_t tile) { return Slot(tile); });
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    const uint64_t deep = (t_.out_channels + t_.part_channels - 1) / t_.part_channels;
    for (uint64_t part = core_; part < t_.parts; part += cores_) {
      const auto channel = static_cast<uint32_t>(part % deep) * t_.part_channels;
      Multiply(part / deep, Slot(part / deep), channel,
               window::Least(t_.part_channels, t_.out_channels - channel));
    }
  }

  Depthwise<T> depth;
  Pointwise<T> point;

 private:
  static constexpr uint32_t kC0 = 32 / sizeof(T);

  __aicore__ inline GlobalTensor<T> Slot(uint64_t index) const {
    return slots_[index * planes_ * t_.slot_pixels * kC0];
  }
  // Units are planes of tiles.
  __aicore__ inline Plane PlaneAt(uint64_t unit) const {
    const uint64_t tile = unit / planes_;
    return {tile / t_.window.tiles, static_cast<uint32_t>(unit % planes_) * kC0,
            window::TileAt(t_.window, tile % t_.window.tiles)};
  }

  // This core's units first.. end of `units`; loads one ahead.
  template <typename UnitAt, typename SlotOf>
  __aicore__ inline void Convolve(uint64_t first, uint64_t end, uint64_t units,
                                  const UnitAt& unit_at, const SlotOf& slot_of) {
    if (first == 0 && units > 0) depth.Load(PlaneAt(unit_at(0)));
    for (uint64_t i = first; i < end; ++i) {
      if (i + 1 < units) depth.Load(PlaneAt(unit_at(i + 1)));
      const uint64_t unit = unit_at(i);
      depth.Run(PlaneAt(unit), slot_of(unit / planes_)[unit % planes_ * t_.slot_pixels * kC0]);
    }
  }
  __aicore__ inline void Multiply(uint64_t tile, const GlobalTensor<T>& slot, uint32_t channel,
                                  uint32_t channels) {
    point.Run(tile / t_.window.tiles, window::TileAt(t_.window, tile % t_.window.tiles), slot,
              channel, channels);
  }

  const DepthwiseSeparableTiling& t_;
  uint64_t planes_, tiles_, core_, cores_;
  GlobalTensor<T> slots_;
};

}  // namespace separable

extern "C" __global__ __aicore__ void depthwise_separable_conv(
    GM_ADDR x, GM_ADDR depth_w, GM_ADDR depth_scale, GM_ADDR depth_bias, GM_ADDR depth_mean,
    GM_ADDR depth_variance, GM_ADDR point_w, GM_ADDR point_scale, GM_ADDR point_bias,
    GM_ADDR point_mean, GM_ADDR point_variance, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(DepthwiseSeparableTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const separable::Vectors depth{{depth_scale, depth_bias, depth_mean, depth_variance}},
      point{{point_scale, point_bias, point_mean, point_variance}};
  if (TILING_KEY_IS(3)) {  // kSplitCores
    separable::RunSplit<DTYPE_X>(data, pipe, {x, depth_w, point_w, y, workspace}, depth, point);
  } else if (TILING_KEY_IS(4)) {  // kByTurns
    separable::RunByTurns<DTYPE_X>(data, pipe, {x, depth_w, point_w, y, workspace}, depth, point);
  } else if (TILING_KEY_IS(1) || TILING_KEY_IS(2)) {  // kOwnTiles, kSharedTiles
    separable::Kernel<DTYPE_X> op(data, workspace);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.point.mm, &data.cube);
    op.depth.Init(data, pipe, x, depth_w, depth);
    op.point.Init(data, pipe, point_w, point, y);
    if (TILING_KEY_IS(1)) {
      op.RunOwn();
    } else {
      op.RunShared();
    }
    op.point.mm.End();
  }
}
