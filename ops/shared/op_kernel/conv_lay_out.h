// What a core that is both kinds lays out in its workspace before it multiplies by conv_fractals.h:
// the bias as fractals, and an image of less than a fractal, which must have room behind it.
#ifndef OPS_SHARED_CONV_LAY_OUT_H_
#define OPS_SHARED_CONV_LAY_OUT_H_

#include "conv_turn.h"

namespace conv {

// Returns where a block's bias begins, where x does, and what is behind both.
__aicore__ inline GM_ADDR BiasPlace(const ConvTiling& t, GM_ADDR workspace, uint32_t block) {
  return GetUserWorkspace(workspace) + uint64_t{block} * t.bias_lines * kConvLine;
}
__aicore__ inline GM_ADDR StagePlace(const ConvTiling& t, GM_ADDR workspace) {
  return BiasPlace(t, workspace, static_cast<uint32_t>(GetBlockNum()));
}
__aicore__ inline uint64_t LaidOutBytes(const ConvTiling& t) {
  return (static_cast<uint64_t>(GetBlockNum()) * t.bias_lines + t.stage_lines) * kConvLine;
}

// Writes for every 16 channels a fractal of FRACTAL_Z whose first element of each filter is the
// channel's bias, and the others zero.
template <typename T>
__aicore__ inline void LayOutBias(const ConvTiling& t, TPipe& pipe, GM_ADDR bias, GM_ADDR to) {
  constexpr uint32_t kC0 = 32 / sizeof(T), kMost = 1024;  // channels at once
  GlobalTensor<T> numbers, fractals;
  numbers.SetGlobalBuffer((__gm__ T*)bias);
  fractals.SetGlobalBuffer((__gm__ T*)to);
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  TBuf<TPosition::VECCALC> zeros;
  pipe.InitBuffer(in, 1, kMost * sizeof(T));
  pipe.InitBuffer(out, 1, kMost * kC0 * sizeof(T));
  pipe.InitBuffer(zeros, kMost * sizeof(T));
  Duplicate(zeros.Get<T>(), static_cast<T>(0), kMost);
  for (uint32_t done = 0; done < t.out_channels; done += kMost) {
    const uint32_t given = Least(kMost, t.out_channels - done), count = UpTo(given, 16);
    LocalTensor<T> row = in.AllocTensor<T>(), turned = out.AllocTensor<T>();
    const auto spare = static_cast<uint8_t>(UpTo(given, kC0) - given);
    DataCopyPad(row, numbers[done],
                DataCopyExtParams{1, given * static_cast<uint32_t>(sizeof(T)), 0, 0, 0},
                DataCopyPadExtParams<T>{spare > 0, 0, spare, static_cast<T>(0)});
    in.EnQue(row);
    row = in.DeQue<T>();
    if (UpTo(given, kC0) < count) Duplicate(row[UpTo(given, kC0)], static_cast<T>(0), kC0);
    TurnMemory<T>::RowsToPixels(turned, count,
                                [&](uint32_t k) { return k == 0 ? row : zeros.Get<T>(); });
    in.FreeTensor(row);
    out.EnQue(turned);
    turned = out.DeQue<T>();
    DataCopy(fractals[done * kC0], turned, count * kC0);
    out.FreeTensor(turned);
  }
}

// Copies x, whose planes have less than a fractal, to where there is room behind it.
template <typename T>
__aicore__ inline void Stage(const ConvTiling& t, TPipe& pipe, GM_ADDR x, GM_ADDR to) {
  constexpr uint32_t kC0 = 32 / sizeof(T), kMost = 16384;  // elements at once
  const uint64_t count = uint64_t{t.images} * Parts(t.channels, kC0) * t.height * t.width * kC0;
  GlobalTensor<T> from, staged;
  from.SetGlobalBuffer((__gm__ T*)x);
  staged.SetGlobalBuffer((__gm__ T*)to);
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
  pipe.InitBuffer(through, 1, kMost * sizeof(T));
  for (uint64_t done = 0; done < count; done += kMost) {
    const auto piece = static_cast<uint32_t>(count - done < kMost ? count - done : kMost);
    LocalTensor<T> tensor = through.template AllocTensor<T>();
    DataCopy(tensor, from[done], piece);
    through.EnQue(tensor);
    tensor = through.template DeQue<T>();
    DataCopy(staged[done], tensor, piece);
    through.FreeTensor(tensor);
  }
}

// Lays out what the tiling asks for. Sets x and bias to where conv_fractals.h finds them.
template <typename T>
__aicore__ inline void LayOut(const ConvTiling& t, TPipe& pipe, GM_ADDR& x, GM_ADDR& bias,
                              GM_ADDR workspace) {
  if constexpr (!IsSameType<T, int8_t>::value) {
    if (t.bias_lines > 0) {
      GM_ADDR to = BiasPlace(t, workspace, static_cast<uint32_t>(GetBlockIdx()));
      LayOutBias<T>(t, pipe, bias, to);
      bias = to;
    }
  }
  if (t.stage_lines > 0) {
    GM_ADDR to = StagePlace(t, workspace);
    Stage<T>(t, pipe, x, to);
    x = to;
  }
  if (t.bias_lines + t.stage_lines == 0) return;
  PipeBarrier<PIPE_ALL>();
  pipe.Reset();
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_LAY_OUT_H_
