// Both halves one behind the other: all vector units convolve planes of tiles into an image in the
// workspace, the cube units multiply its pixels (conv_cube.h), and the vector units normalise
// pieces of the sums. RunSplit: on cube cores of their own. RunByTurns: on cores that are both
// kinds.
#ifndef DEPTHWISE_SEPARABLE_CONV_SPLIT_CORES_H_
#define DEPTHWISE_SEPARABLE_CONV_SPLIT_CORES_H_

#include "conv_turned.h"
#include "conv_turns.h"
#include "depthwise.h"
#include "lane_batch_norm.h"

namespace separable {

struct Tensors {
  GM_ADDR x;
  GM_ADDR depth_w;
  GM_ADDR point_w;
  GM_ADDR y;
  GM_ADDR workspace;
};

// Normalises the sums of a piece, plane by plane of C0 channels.
template <typename T>
class LaneFinish {
 public:
  __aicore__ inline LaneFinish(const DepthwiseSeparableTiling& t, TPipe& pipe,
                               const Vectors& vectors)
      : epsilon_(t.point_epsilon), lanes_(conv::UpTo(t.conv.tile_channels, kC0)) {
    for (uint32_t i = 0; i < kVectors; ++i) vectors_[i].SetGlobalBuffer((__gm__ T*)vectors.at[i]);
    pipe.InitBuffer(stored_, 1, kVectors * lanes_ * sizeof(T));
    pipe.InitBuffer(wide_, kVectors * lanes_ * sizeof(float));
  }

  __aicore__ inline void operator()(const LocalTensor<T>& out, const LocalTensor<float>& sums,
                                    const LocalTensor<T>&, const conv::Piece& piece) {
    const uint32_t end = piece.channel + conv::Least(piece.given, piece.planes * kC0);
    if (piece.channel < channel_ || end > end_) Bring(piece.channel, piece.given);
    const LaneBatchNorm norm(wide_.Get<float>(), lanes_);
    const uint32_t lane = piece.channel - channel_;
    for (uint32_t p = 0; p < piece.planes; ++p)
      norm.Apply(sums[p * piece.pixels * kC0], lane + p * kC0, kC0 / kLane, piece.pixels);
    Narrow(out, sums, piece.count);
  }

 private:
  static constexpr uint32_t kC0 = conv::PlaneChannels<T>();

  // Brings the vectors of all that is left of a tile: its next pieces find them here.
  __aicore__ inline void Bring(uint32_t channel, uint32_t channels) {
    channel_ = channel;
    end_ = channel + channels;
    LocalTensor<T> stored = stored_.template AllocTensor<T>();
    for (uint32_t i = 0; i < kVectors; ++i)
      LoadPadded(stored[i * lanes_], vectors_[i][channel], channels);
    stored_.EnQue(stored);
    stored = stored_.template DeQue<T>();
    const LocalTensor<float> wide = wide_.Get<float>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(wide, stored, 0.0f, kVectors * lanes_);
    } else {
      Cast(wide, stored, RoundMode::CAST_NONE, kVectors * lanes_);
    }
    stored_.FreeTensor(stored);
    LaneBatchNorm(wide, lanes_).Prepare(epsilon_);
  }

  float epsilon_;
  uint32_t lanes_;  // channels of a tile
  GlobalTensor<T> vectors_[kVectors];
  TQue<QuePosition::VECIN, 1> stored_;
  TBuf<TPosition::VECCALC> wide_;
  uint32_t channel_ = 0, end_ = 0;  // the channels that are here
};

// This core's share of the planes of all tiles of the first half; loads are one ahead.
template <typename T>
__aicore__ inline void ConvolveShare(const DepthwiseSeparableTiling& t, TPipe& pipe,
                                     const Tensors& tensors, const Vectors& vectors) {
  constexpr uint32_t kC0 = conv::PlaneChannels<T>();
  Depthwise<T> depth;
  depth.Init(t, pipe, tensors.x, tensors.depth_w, vectors);
  GlobalTensor<T> image;
  image.SetGlobalBuffer((__gm__ T*)(GetUserWorkspace(tensors.workspace) + t.image_at));
  const uint64_t planes = (t.channels + kC0 - 1) / kC0, units = t.images * t.window.tiles * planes;
  const auto plane_at = [&](uint64_t unit) {
    const uint64_t tile = unit / planes;
    return Plane{tile / t.window.tiles, static_cast<uint32_t>(unit % planes) * kC0,
                 window::TileAt(t.window, tile % t.window.tiles)};
  };
  const auto core = static_cast<uint64_t>(GetBlockIdx()),
             cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
  if (core < units) depth.Load(plane_at(core));
  for (uint64_t unit = core; unit < units; unit += cores) {
    if (unit + cores < units) depth.Load(plane_at(unit + cores));
    const Plane plane = plane_at(unit);
    const uint64_t row =
        (plane.image * planes + plane.channel / kC0) * t.window.out_height + plane.tile.row;
    depth.Run(plane, image[(row * t.window.out_width + plane.tile.column) * kC0]);
  }
}

template <typename T>
__aicore__ inline void RunSplit(const DepthwiseSeparableTiling& t, TPipe& pipe,
                                const Tensors& tensors, const Vectors& depth,
                                const Vectors& point) {
  if ASCEND_IS_AIC {
    GM_ADDR image = GetUserWorkspace(tensors.workspace) + t.image_at;
    conv::CubeCore<T> core(t.conv, pipe, image, tensors.point_w, nullptr);
    CrossCoreWaitFlag(conv_dense::kTurned);
    conv::FillSlots<float, T>(core, t.conv, tensors.workspace);
  }
  if ASCEND_IS_AIV {
    ConvolveShare<T>(t, pipe, tensors, depth);
    conv_dense::TellCubes(pipe);
    LaneFinish<T> finish(t, pipe, point);
    conv::VectorCore<float, T> core(t.conv, pipe, tensors.y);
    core.EmptySlots(finish, tensors.workspace);
  }
}

template <typename T>
__aicore__ inline void RunByTurns(const DepthwiseSeparableTiling& t, TPipe& pipe,
                                  const Tensors& tensors, const Vectors& depth,
                                  const Vectors& point) {
  if ASCEND_IS_AIC {
    GM_ADDR image = GetUserWorkspace(tensors.workspace) + t.image_at;
    ConvolveShare<T>(t, pipe, tensors, depth);
    conv::MeetAll(pipe);
    conv::CubeCore<T, conv::Fractals<T>> cube(t.conv, pipe, image, tensors.point_w, nullptr);
    LaneFinish<T> finish(t, pipe, point);
    conv::VectorCore<float, T, conv::OneCore> vector(t.conv, pipe, tensors.y);
    conv::RunByTurns<float, T>(pipe, cube, vector, finish, t.conv, tensors.workspace);
  }
}

}  // namespace separable

#endif  // DEPTHWISE_SEPARABLE_CONV_SPLIT_CORES_H_
