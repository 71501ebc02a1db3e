// y = epilogue(convolution(x, w) + bias). The cube core of a block multiplies tiles and leaves the
// sums in its workspace; its two vector cores call the op's epilogue in float, narrow and store,
// some planes of C0 channels at a time.
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
// An epilogue that needs memory of its own says kScratch, as in matmul_epilogue.h. One that says
// `static constexpr bool kBeside = true` is given the same elements of a tensor of y's type, too:
// epilogue(sums, scratch, beside, count). Where y is of
// int8 an epilogue leaves whole numbers and has at least two bytes of it for each element. Where
// the cube core alone can finish, conv::RunCube writes y without the vector cores.
#ifndef OPS_SHARED_CONV_H_
#define OPS_SHARED_CONV_H_

#include "conv_turns.h"
#include "plane_numbers.h"
#include "quantized.h"

namespace conv {

// Scales whole sums: one factor for every channel, or one for all.
struct Scale {
  GM_ADDR numbers = nullptr;
  bool one = false;
  GM_ADDR outside = nullptr;  // holds the one number of x beside the image; null: 0
};

// Tells whether an epilogue reads a tensor beside the sums.
template <typename Epilogue, typename = void>
struct ReadsBeside {
  static constexpr bool kValue = false;
};
template <typename Epilogue>
struct ReadsBeside<Epilogue, decltype(static_cast<void>(Epilogue::kBeside))> {
  static constexpr bool kValue = Epilogue::kBeside;
};

// Makes floats of a piece of sums, calls the epilogue and narrows. Whole sums of int8 are made
// floats by scales of the channels.
template <typename Epilogue, typename Sum, typename T>
class FloatFinish {
 public:
  // channels: counts those of y. bias: of whole sums that have none yet; null: they have it.
  __aicore__ inline FloatFinish(const Epilogue& epilogue, TPipe& pipe, const Scale& scale,
                                uint32_t channels, GM_ADDR bias = nullptr)
      : epilogue_(epilogue), one_scale_(scale.one), adds_bias_(bias != nullptr) {
    if constexpr (kIntegers) scale_.Init(pipe, scale.numbers, PlaneChannels<T>(), channels);
    if (adds_bias_) bias_.Init(pipe, bias, PlaneChannels<T>(), channels);
    if constexpr (kScratch > 0) pipe.InitBuffer(scratch_, PieceSums<T>() * kScratch);
  }

  __aicore__ inline void operator()(const LocalTensor<T>& out, const LocalTensor<Sum>& sums,
                                    const LocalTensor<T>& beside, const Piece& piece) {
    const LocalTensor<float> values = sums.template ReinterpretCast<float>();
    if constexpr (kIntegers) MakeFloats(values, sums, piece);
    if constexpr (ReadsBeside<Epilogue>::kValue) {
      epilogue_(values, scratch_.template Get<uint8_t>(), beside, piece.count);
    } else if constexpr (kScratch > 0) {
      epilogue_(values, scratch_.template Get<uint8_t>(), piece.count);
    } else {
      epilogue_(values, piece.count);
    }
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, values, 0.0f, piece.count);
    } else if constexpr (IsSameType<T, int8_t>::value) {
      const LocalTensor<half> narrow = scratch_.template Get<half>();
      quantized::Narrow(narrow, values, piece.count);
      Cast(out, narrow, RoundMode::CAST_RINT, piece.count);
    } else {
      Cast(out, values, RoundMode::CAST_RINT, piece.count);
    }
  }

 private:
  static constexpr bool kIntegers = IsSameType<Sum, int32_t>::value;
  static constexpr uint32_t kScratch = product::ScratchOf<Epilogue>::kBytes;

  __aicore__ inline void MakeFloats(const LocalTensor<float>& values, const LocalTensor<Sum>& sums,
                                    const Piece& piece) {
    if (adds_bias_)
      EveryPlane(bias_, sums, piece, [](const auto&... operands) { Add(operands...); });
    Cast(values, sums, RoundMode::CAST_RINT, piece.count);
    if (one_scale_) {
      Muls(values, values, scale_.First(), piece.count);
    } else {
      EveryPlane(scale_, values, piece, [](const auto&... operands) { Mul(operands...); });
    }
  }

  template <typename Numbers, typename C, typename Call>
  __aicore__ inline static void EveryPlane(Numbers& numbers, const LocalTensor<C>& planes,
                                           const Piece& piece, const Call& call) {
    constexpr uint32_t kC0 = PlaneChannels<T>();
    const uint32_t plane = piece.pixels * kC0;
    for (uint32_t p = 0; p < piece.planes; ++p)
      numbers.Join(planes[p * plane], piece.channel + p * kC0, piece.given - p * kC0, plane, call);
  }

  const Epilogue& epilogue_;
  bool one_scale_, adds_bias_;
  PlaneNumbers<float, float> scale_;
  PlaneNumbers<int32_t, int32_t> bias_;
  TBuf<TPosition::VECCALC> scratch_;
};

// Returns the number at an address, or 0.
template <typename T>
__aicore__ inline T NumberAt(GM_ADDR address) {
  if (address == nullptr) return static_cast<T>(0);
  GlobalTensor<T> number;
  number.SetGlobalBuffer((__gm__ T*)address);
  return number.GetValue(0);
}

// In: of x and w. T: of y. beside: what the epilogue reads beside the sums.
template <typename In, typename T = In, typename Epilogue>
__aicore__ inline void Run(const Epilogue& epilogue, const ConvTiling& t, GM_ADDR x, GM_ADDR w,
                           GM_ADDR bias, GM_ADDR y, GM_ADDR workspace, const Scale& scale = {},
                           GM_ADDR beside = nullptr) {
  using Sum = typename product::SumOf<In>::Type;
  TPipe pipe;
  if ASCEND_IS_AIC {
    CubeCore<In> core(t, pipe, x, w, bias, NumberAt<In>(scale.outside));
    FillSlots<Sum, T>(core, t, workspace);
  }
  if ASCEND_IS_AIV {
    FloatFinish<Epilogue, Sum, T> finish(epilogue, pipe, scale, t.out_channels);
    VectorCore<Sum, T> core(t, pipe, y, beside);
    core.EmptySlots(finish, workspace);
  }
}

// Computes what Run does on cores that are both kinds (conv_turns.h).
template <typename In, typename T = In, typename Epilogue>
__aicore__ inline void RunOnOneKind(const Epilogue& epilogue, const ConvTiling& t, GM_ADDR x,
                                    GM_ADDR w, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace,
                                    const Scale& scale = {}, GM_ADDR beside = nullptr) {
  using Sum = typename product::SumOf<In>::Type;
  TPipe pipe;
  if ASCEND_IS_AIC {
    LayOut<In>(t, pipe, x, bias, workspace);
    CubeCore<In, Fractals<In>> cube(t, pipe, x, w, bias, NumberAt<In>(scale.outside));
    GM_ADDR added = Fractals<In>::kBiasIsProduct || t.has_bias == 0 ? nullptr : bias;
    FloatFinish<Epilogue, Sum, T> finish(epilogue, pipe, scale, t.out_channels, added);
    VectorCore<Sum, T, OneCore> vector(t, pipe, y, beside);
    RunByTurns<Sum, T>(pipe, cube, vector, finish, t, workspace);
  }
}

// y = convolution(x, w) + bias, or relu of it, by the cube core alone.
template <typename T>
__aicore__ inline void RunCube(TPipe& pipe, bool relu, const ConvTiling& t, GM_ADDR x, GM_ADDR w,
                               GM_ADDR bias, GM_ADDR y) {
  CubeCore<T> core(t, pipe, x, w, bias);
  StoreInY<T>(core, t, relu, y);
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_H_
