// y = epilogue(convolution(x, w) + bias). The cube core of a block multiplies tiles and leaves the
// sums in its workspace; its two vector cores add the bias, call the op's epilogue in float, narrow
// and store, plane by plane of C0 channels.
//
//   struct LeakyReluEpilogue {
//     float alpha;
//     __aicore__ inline void operator()(const LocalTensor<float>& sums, uint32_t count) const {
//       LeakyRelu(sums, sums, alpha, count);
//     }
//   };
//   conv::Run<DTYPE_X>(epilogue, tiling, x, w, bias, y, workspace);
//
// x and y lie in NC1HWC0, w in FRACTAL_Z.
#ifndef OPS_SHARED_CONV_H_
#define OPS_SHARED_CONV_H_

#include "conv_cube.h"

namespace conv {

// The vector cores' part.
template <typename Epilogue, typename T>
class VectorCore {
 public:
  __aicore__ inline VectorCore(const ConvTiling& tiling, TPipe& pipe, GM_ADDR bias, GM_ADDR y)
      : t_(tiling) {
    bias_.SetGlobalBuffer((__gm__ T*)bias);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe.InitBuffer(sums_, kBuffers, kPlane * sizeof(float));
    pipe.InitBuffer(stored_bias_, kBuffers, 32);
    pipe.InitBuffer(wide_bias_, kRepeat * sizeof(float));
    pipe.InitBuffer(out_, kBuffers, kPlane * sizeof(T));
  }

  // Finishes this core's planes of a tile whose sums lie at `from`.
  __aicore__ inline void OneTile(const Epilogue& epilogue, const Tile& tile,
                                 const GlobalTensor<float>& from) {
    const uint32_t end = Least(t_.out_channels, tile.channel + tile.channels);
    const uint32_t cores = static_cast<uint32_t>(GetSubBlockNum());
    const uint32_t step = cores * kC0;
    for (uint32_t c = tile.channel + static_cast<uint32_t>(GetSubBlockIdx()) * kC0; c < end;
         c += step)
      OnePlane(epilogue, tile, c, from[c - tile.channel]);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kPlane = kConvTilePixels * kC0;
  static constexpr uint32_t kRepeat = 64;  // floats of an instruction's iteration

  __aicore__ inline void OnePlane(const Epilogue& epilogue, const Tile& tile, uint32_t channel,
                                  const GlobalTensor<float>& from) {
    const uint32_t count = tile.pixels() * kC0;
    LocalTensor<float> sums = sums_.template AllocTensor<float>();
    const DataCopyExtParams copy{
        static_cast<uint16_t>(tile.pixels()), kC0 * static_cast<uint32_t>(sizeof(float)),
        (t_.tile_channels - kC0) * static_cast<uint32_t>(sizeof(float)), 0, 0};
    DataCopyPad(sums, from, copy, DataCopyPadExtParams<float>{false, 0, 0, 0});
    sums_.EnQue(sums);
    sums = sums_.template DeQue<float>();
    if (t_.has_bias != 0) AddBias(sums, channel, count);
    epilogue(sums, count);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, sums, 0.0f, count);
    } else {
      Cast(out, sums, RoundMode::CAST_RINT, count);
    }
    sums_.FreeTensor(sums);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const uint64_t planes = UpTo(t_.out_channels, kC0) / kC0;
    const uint64_t plane = tile.image * planes + channel / kC0;
    const uint64_t pixel = (plane * t_.out_height + tile.row) * t_.out_width + tile.column;
    DataCopy(y_[pixel * kC0], out, count);
    out_.FreeTensor(out);
  }

  // The bias of C0 channels, which comes again with every pixel.
  __aicore__ inline void AddBias(const LocalTensor<float>& sums, uint32_t channel, uint32_t count) {
    const uint32_t given = Least(kC0, t_.out_channels - channel);
    LocalTensor<T> stored = stored_bias_.template AllocTensor<T>();
    DataCopyPad(stored, bias_[channel],
                DataCopyExtParams{1, given * static_cast<uint32_t>(sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{true, 0, static_cast<uint8_t>(kC0 - given), T(0)});
    stored_bias_.EnQue(stored);
    stored = stored_bias_.template DeQue<T>();
    const LocalTensor<float> wide = wide_bias_.Get<float>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(wide, stored, 0.0f, kC0);
    } else {
      Cast(wide, stored, RoundMode::CAST_NONE, kC0);
    }
    stored_bias_.FreeTensor(stored);
    for (uint32_t done = kC0; done < kRepeat; done *= 2) Muls(wide[done], wide, 1.0f, done);
    const BinaryRepeatParams strides(1, 1, 1, 8, 8, 0);
    const uint32_t whole = count / kRepeat, rest = count % kRepeat;
    if (whole > 0)
      Add(sums, sums, wide, static_cast<uint64_t>(kRepeat), static_cast<uint8_t>(whole), strides);
    if (rest > 0) {
      const LocalTensor<float> last = sums[whole * kRepeat];
      Add(last, last, wide, static_cast<uint64_t>(rest), 1, strides);
    }
  }

  const ConvTiling& t_;
  GlobalTensor<T> bias_, y_;
  TQue<QuePosition::VECIN, kBuffers> sums_, stored_bias_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> wide_bias_;
};

constexpr uint16_t kFilled = 0;   // the cube core has left sums in a slot
constexpr uint16_t kEmptied = 1;  // the vector cores have read a slot

// Calls `call(tile, slot's sums, number)` for the tiles of this block, counted from 0; how many
// they were.
template <typename Call>
__aicore__ inline uint64_t EveryTile(const ConvTiling& t, GM_ADDR workspace, uint64_t block,
                                     const Call& call) {
  const uint64_t slot = uint64_t{kConvTilePixels} * t.tile_channels;
  GlobalTensor<float> slots;
  slots.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace));
  uint64_t number = 0;
  for (uint64_t tile = block; tile < t.tiles;
       tile += static_cast<uint64_t>(GetBlockNum()), ++number)
    call(TileAt(t, tile), slots[(block * kConvSlots + number % kConvSlots) * slot], number);
  return number;
}

template <typename T, typename Epilogue>
__aicore__ inline void Run(const Epilogue& epilogue, const ConvTiling& t, GM_ADDR x, GM_ADDR w,
                           GM_ADDR bias, GM_ADDR y, GM_ADDR workspace) {
  TPipe pipe;
  if ASCEND_IS_AIC {
    CubeCore<T> core(t, pipe, x, w);
    const uint64_t tiles =
        EveryTile(t, workspace, GetBlockIdx(),
                  [&](const Tile& tile, const GlobalTensor<float>& sums, uint64_t number) {
                    if (number >= kConvSlots) CrossCoreWaitFlag(kEmptied);
                    core.OneTile(tile, sums);
                    CrossCoreSetFlag<0x2, PIPE_FIX>(kFilled);
                  });
    for (uint64_t open = 0; open < tiles && open < kConvSlots; ++open) CrossCoreWaitFlag(kEmptied);
  }
  if ASCEND_IS_AIV {
    VectorCore<Epilogue, T> core(t, pipe, bias, y);
    EveryTile(t, workspace, GetBlockIdx() / GetSubBlockNum(),
              [&](const Tile& tile, const GlobalTensor<float>& sums, uint64_t) {
                CrossCoreWaitFlag(kFilled);
                core.OneTile(epilogue, tile, sums);
                CrossCoreSetFlag<0x2, PIPE_MTE2>(kEmptied);
              });
  }
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_H_
