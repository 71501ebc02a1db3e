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
// x and y lie in NC1HWC0, w in FRACTAL_Z. Convolutions of int8 are summed in int32, bias included.
// An epilogue that needs memory of its own says kScratch, as in matmul_epilogue.h. Where y is of
// int8 an epilogue leaves whole numbers and has at least two bytes of it for each element
// (requant.h).
#ifndef OPS_SHARED_CONV_H_
#define OPS_SHARED_CONV_H_

#include "conv_cube.h"
#include "plane_numbers.h"
#include "quantized.h"

namespace conv {

// Scales whole sums: one factor for every channel, or one for all.
struct Scale {
  GM_ADDR numbers = nullptr;
  bool one = false;
  GM_ADDR outside = nullptr;  // of x beside the image, one number; null: 0
};

// The vector cores' part. In: of x and w; whole sums of int8 are made floats by scales of the
// channels, which `scale` says.
template <typename Epilogue, typename In, typename T>
class VectorCore {
  using Sum = typename product::SumOf<In>::Type;
  using Bias = typename product::SumOf<In>::Bias;

 public:
  __aicore__ inline VectorCore(const ConvTiling& tiling, TPipe& pipe, GM_ADDR bias,
                               const Scale& scale, GM_ADDR y)
      : t_(tiling), one_scale_(scale.one) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe.InitBuffer(sums_, kBuffers, kPlane * sizeof(Sum));
    bias_.Init(pipe, bias, kC0);
    if constexpr (kIntegers) scale_.Init(pipe, scale.numbers, kC0);
    if constexpr (kScratch > 0) pipe.InitBuffer(scratch_, kPlane * kScratch);
    pipe.InitBuffer(out_, kBuffers, kPlane * sizeof(T));
  }

  // Finishes this core's planes of a tile whose sums lie at `from`.
  __aicore__ inline void OneTile(const Epilogue& epilogue, const Tile& tile,
                                 const GlobalTensor<Sum>& from) {
    const uint32_t end = Least(t_.out_channels, tile.channel + tile.channels);
    const uint32_t cores = static_cast<uint32_t>(GetSubBlockNum());
    const uint32_t step = cores * kC0;
    for (uint32_t c = tile.channel + static_cast<uint32_t>(GetSubBlockIdx()) * kC0; c < end;
         c += step)
      OnePlane(epilogue, tile, c, from[c - tile.channel]);
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr bool kIntegers = IsSameType<Sum, int32_t>::value;
  static constexpr uint32_t kScratch = product::ScratchOf<Epilogue>::kBytes;
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kPlane = kConvTilePixels * kC0;

  __aicore__ inline void OnePlane(const Epilogue& epilogue, const Tile& tile, uint32_t channel,
                                  const GlobalTensor<Sum>& from) {
    const uint32_t count = tile.pixels() * kC0;
    LocalTensor<Sum> sums = Sums(tile, tile.channel + tile.channels - channel, from);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    const LocalTensor<float> values = Floats(sums, channel, count);
    if constexpr (kScratch > 0) {
      epilogue(values, scratch_.template Get<uint8_t>(), count);
    } else {
      epilogue(values, count);
    }
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, values, 0.0f, count);
    } else if constexpr (IsSameType<T, int8_t>::value) {
      const LocalTensor<half> narrow = scratch_.template Get<half>();
      quantized::Narrow(narrow, values, count);
      Cast(out, narrow, RoundMode::CAST_RINT, count);
    } else {
      Cast(out, values, RoundMode::CAST_RINT, count);
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

  // A plane's sums, of which the cube core left `given` channels: the others are 0.
  __aicore__ inline LocalTensor<Sum> Sums(const Tile& tile, uint32_t given,
                                          const GlobalTensor<Sum>& from) {
    constexpr uint32_t kBlock = 32 / sizeof(Sum);
    LocalTensor<Sum> sums = sums_.template AllocTensor<Sum>();
    const uint32_t lanes = Least(kC0, given);
    if (lanes < kC0) {
      Duplicate(sums, static_cast<Sum>(0), tile.pixels() * kC0);
      const auto event = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
      SetFlag<HardEvent::V_MTE2>(event);
      WaitFlag<HardEvent::V_MTE2>(event);
    }
    const DataCopyExtParams copy{
        static_cast<uint16_t>(tile.pixels()), lanes * static_cast<uint32_t>(sizeof(Sum)),
        (t_.tile_channels - lanes) * static_cast<uint32_t>(sizeof(Sum)), (kC0 - lanes) / kBlock, 0};
    DataCopyPad(sums, from, copy, DataCopyPadExtParams<Sum>{false, 0, 0, 0});
    sums_.EnQue(sums);
    return sums_.template DeQue<Sum>();
  }

  // Sums with their bias, in their place.
  __aicore__ inline LocalTensor<float> Floats(const LocalTensor<Sum>& sums, uint32_t channel,
                                              uint32_t count) {
    const uint32_t given = Least(kC0, t_.out_channels - channel);
    if (t_.has_bias != 0)
      bias_.Join(sums, channel, given, count, [](const auto&... operands) { Add(operands...); });
    const LocalTensor<float> values = sums.template ReinterpretCast<float>();
    if constexpr (kIntegers) {
      Cast(values, sums, RoundMode::CAST_RINT, count);
      if (one_scale_) {
        Muls(values, values, scale_.First(), count);
      } else {
        scale_.Join(values, channel, given, count,
                    [](const auto&... operands) { Mul(operands...); });
      }
    }
    return values;
  }

  const ConvTiling& t_;
  bool one_scale_;
  PlaneNumbers<Bias, Sum> bias_;
  PlaneNumbers<float, float> scale_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECIN, kBuffers> sums_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> scratch_;
};

constexpr uint16_t kFilled = 0;   // the cube core has left sums in a slot
constexpr uint16_t kEmptied = 1;  // the vector cores have read a slot

// Calls `call(tile, slot's sums, number)` for the tiles of this block, counted from 0; how many
// they were.
template <typename Sum, typename Call>
__aicore__ inline uint64_t EveryTile(const ConvTiling& t, GM_ADDR workspace, uint64_t block,
                                     const Call& call) {
  const uint64_t slot = uint64_t{kConvTilePixels} * t.tile_channels;
  GlobalTensor<Sum> slots;
  slots.SetGlobalBuffer((__gm__ Sum*)GetUserWorkspace(workspace));
  uint64_t number = 0;
  for (uint64_t tile = block; tile < t.tiles;
       tile += static_cast<uint64_t>(GetBlockNum()), ++number)
    call(TileAt(t, tile), slots[(block * kConvSlots + number % kConvSlots) * slot], number);
  return number;
}

// The number at an address, or 0.
template <typename T>
__aicore__ inline T NumberAt(GM_ADDR address) {
  if (address == nullptr) return static_cast<T>(0);
  GlobalTensor<T> number;
  number.SetGlobalBuffer((__gm__ T*)address);
  return number.GetValue(0);
}

// In: of x and w. T: of y.
template <typename In, typename T = In, typename Epilogue>
__aicore__ inline void Run(const Epilogue& epilogue, const ConvTiling& t, GM_ADDR x, GM_ADDR w,
                           GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, const Scale& scale = {}) {
  using Sum = typename product::SumOf<In>::Type;
  TPipe pipe;
  if ASCEND_IS_AIC {
    CubeCore<In> core(t, pipe, x, w, NumberAt<In>(scale.outside));
    const uint64_t tiles =
        EveryTile<Sum>(t, workspace, GetBlockIdx(),
                       [&](const Tile& tile, const GlobalTensor<Sum>& sums, uint64_t number) {
                         if (number >= kConvSlots) CrossCoreWaitFlag(kEmptied);
                         core.OneTile(tile, sums);
                         CrossCoreSetFlag<0x2, PIPE_FIX>(kFilled);
                       });
    for (uint64_t open = 0; open < tiles && open < kConvSlots; ++open) CrossCoreWaitFlag(kEmptied);
  }
  if ASCEND_IS_AIV {
    VectorCore<Epilogue, In, T> core(t, pipe, bias, scale, y);
    EveryTile<Sum>(t, workspace, GetBlockIdx() / GetSubBlockNum(),
                   [&](const Tile& tile, const GlobalTensor<Sum>& sums, uint64_t) {
                     CrossCoreWaitFlag(kFilled);
                     core.OneTile(epilogue, tile, sums);
                     CrossCoreSetFlag<0x2, PIPE_MTE2>(kEmptied);
                   });
  }
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_H_
