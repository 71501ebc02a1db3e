// A C3Bottleneck whose vector units turn x and both filters for the cube unit; what lies between
// the convolutions stays in its format. Run: on cube cores of their own. RunByTurns: on cores that
// are both kinds.
#ifndef C3_BOTTLENECK_TURNED_BOTTLENECK_H_
#define C3_BOTTLENECK_TURNED_BOTTLENECK_H_

#include "c3_bottleneck_tiling.h"
#include "conv.h"
#include "conv_turned_by_turns.h"
#include "shortcut_finish.h"

struct SiluEpilogue {
  static constexpr uint32_t kScratch = sizeof(float);  // bytes for an element

  __aicore__ inline void operator()(const AscendC::LocalTensor<float>& sums,
                                    const AscendC::LocalTensor<uint8_t>& scratch,
                                    uint32_t count) const {
    conv_dense::SiluAfter()(sums, scratch.ReinterpretCast<float>(), count);
  }
};

// Bends the sums of the first convolution and clears the channels that the last plane has beyond
// them: filters of zeros times an infinity left NaN there, and the second convolution reads it.
template <typename T>
class NarrowFinish {
 public:
  __aicore__ inline explicit NarrowFinish(AscendC::TPipe& pipe) : bend_(silu_, pipe, {}, 0) {}

  __aicore__ inline void operator()(const AscendC::LocalTensor<T>& out,
                                    const AscendC::LocalTensor<float>& sums,
                                    const AscendC::LocalTensor<T>& beside,
                                    const conv::Piece& piece) {
    bend_(out, sums, beside, piece);
    if (piece.given < piece.planes * kC0) Clear(out, piece);
  }

 private:
  static constexpr uint32_t kC0 = conv::PlaneChannels<T>();
  static constexpr uint32_t kPixels = 8;  // counts the pixels of a repeat

  __aicore__ inline void Clear(const AscendC::LocalTensor<T>& out, const conv::Piece& piece) const {
    uint64_t lanes[2] = {0, 0};
    for (uint32_t lane = 0; lane < kPixels * kC0; ++lane)
      if (lane % kC0 >= piece.given % kC0) lanes[lane / 64] |= uint64_t{1} << (lane % 64);
    const auto repeats = static_cast<uint8_t>(conv::Parts(piece.pixels, kPixels));
    AscendC::Duplicate(out[piece.given / kC0 * piece.pixels * kC0], static_cast<T>(0), lanes,
                       repeats, 1, 8);
  }

  SiluEpilogue silu_;
  conv::FloatFinish<SiluEpilogue, float, T> bend_;
};

template <typename T>
class TurnedBottleneck {
 public:
  struct Tensors {
    GM_ADDR x;
    GM_ADDR narrow_w;
    GM_ADDR narrow_bias;
    GM_ADDR w;
    GM_ADDR bias;
    GM_ADDR y;
  };

  __aicore__ inline TurnedBottleneck(const C3BottleneckTiling& t, AscendC::TPipe& pipe,
                                     GM_ADDR workspace)
      : t_(t), pipe_(pipe), workspace_(workspace), user_(AscendC::GetUserWorkspace(workspace)) {}

  __aicore__ inline void Run(const Tensors& tensors) {
    if ASCEND_IS_AIC {
      Multiply(tensors);
    }
    if ASCEND_IS_AIV {
      Finish(tensors);
    }
  }

  __aicore__ inline void RunByTurns(const Tensors& tensors) {
    if ASCEND_IS_AIC {
      const auto make = [&] { return Shortcut(tensors); };
      conv_dense::TurnShares<T>(pipe_, t_.narrow.turned, WideFilters(tensors),
                                NarrowFilters(tensors), Image(tensors));
      conv::MeetAll(pipe_);
      NarrowByTurns(tensors);
      conv::MeetAll(pipe_);
      conv_dense::MultiplyByTurns<T>(make, t_.wide, pipe_, tensors.w, tensors.y, workspace_,
                                     tensors.bias);
    }
  }

 private:
  __aicore__ inline conv::FilterTurner<T> WideFilters(const Tensors& tensors) const {
    return {t_.wide.turned, tensors.w, user_ + t_.wide.turned.filters_at};
  }
  __aicore__ inline conv::FilterTurner<T> NarrowFilters(const Tensors& tensors) const {
    return {t_.narrow.turned, tensors.narrow_w, user_ + t_.narrow.turned.filters_at};
  }
  __aicore__ inline conv::ImageTurner<T> Image(const Tensors& tensors) const {
    return {t_.narrow.turned, tensors.x, user_ + t_.narrow.turned.image_at};
  }
  __aicore__ inline ShortcutFinish<T> Shortcut(const Tensors& tensors) const {
    return {pipe_, t_.wide, tensors.x, t_.shortcut != 0};
  }

  __aicore__ inline void NarrowByTurns(const Tensors& tensors) {
    const ConvTurnedTiling& narrow = t_.narrow.turned;
    GM_ADDR image = user_ + narrow.image_at;
    GM_ADDR bias = tensors.narrow_bias;
    conv::LayOut<T>(narrow.conv, pipe_, image, bias, workspace_);
    conv::CubeCore<T, conv::Fractals<T>> cube(narrow.conv, pipe_, image, user_ + narrow.filters_at,
                                              bias);
    NarrowFinish<T> bend(pipe_);
    conv::VectorCore<float, T, conv::OneCore> vector(narrow.conv, pipe_,
                                                     user_ + t_.wide.turned.image_at);
    conv::RunByTurns<float, T>(pipe_, cube, vector, bend, narrow.conv, workspace_);
  }

  __aicore__ inline void Multiply(const Tensors& tensors) {
    const ConvTurnedTiling& narrow = t_.narrow.turned;
    AscendC::CrossCoreWaitFlag(conv_dense::kTurned);
    conv::CubeCore<T> core(narrow.conv, pipe_, user_ + narrow.image_at, user_ + narrow.filters_at,
                           tensors.narrow_bias);
    conv::FillSlots<float, T>(core, narrow.conv, workspace_);
    AscendC::PipeBarrier<PIPE_ALL>();
    pipe_.Reset();
    conv_dense::MultiplyTurned<T>(t_.wide.turned, pipe_, workspace_);
  }

  __aicore__ inline void Finish(const Tensors& tensors) {
    const ConvTurnedTiling &narrow = t_.narrow.turned, &wide = t_.wide.turned;
    conv_dense::TurnAll<T>(pipe_, narrow, WideFilters(tensors), NarrowFilters(tensors),
                           Image(tensors));
    NarrowFinish<T> bend(pipe_);
    conv::VectorCore<float, T> core(narrow.conv, pipe_, user_ + wide.image_at);
    core.EmptySlots(bend, workspace_);
    conv_dense::TellCubes(pipe_);
    const auto make = [&] { return Shortcut(tensors); };
    conv_dense::FinishTurned<T>(make, t_.wide, pipe_, tensors.y, workspace_, tensors.bias);
  }

  const C3BottleneckTiling& t_;
  AscendC::TPipe& pipe_;
  GM_ADDR workspace_;
  GM_ADDR user_;
};

#endif  // C3_BOTTLENECK_TURNED_BOTTLENECK_H_
