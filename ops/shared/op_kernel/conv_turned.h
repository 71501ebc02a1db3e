// y = finish(convolution(x, w)) for dense images of one group, on chips with cube cores of their
// own. All vector cores turn x and w into NC1HWC0 and FRACTAL_Z, which the cube cores multiply
// (conv_cube.h); the vector cores turn tiles of the sums so that a channel is a row, call a finish
// of conv_dense.h and store rows of y.
//
//   const auto make = [&] { return BiasFinish<After>(pipe, data.conv); };
//   conv_dense::RunTurned<DTYPE_X>(make, data.conv, pipe, x, w, y, workspace, bias);
//
// Behind the workspace come the tensors with a number for every channel; a null address: absent.
#ifndef OPS_SHARED_CONV_TURNED_H_
#define OPS_SHARED_CONV_TURNED_H_

#include "channel_numbers.h"
#include "conv_cube.h"
#include "conv_dense_tiling.h"
#include "conv_turn.h"
#include "conv_vector.h"

namespace conv_dense {

using namespace AscendC;
using product::Block;
using product::IsPlaced;

constexpr uint16_t kTurned = 2;     // a block's vector cores know that all have turned their parts
constexpr uint16_t kAllTurned = 3;  // all vector cores have

// Tells the cube cores, when all vector cores have come here, that what these wrote may be read.
__aicore__ inline void TellCubes(TPipe& pipe) {
  CrossCoreSetFlag<0x0, PIPE_MTE3>(kAllTurned);  // every cube core reads what all have written
  CrossCoreWaitFlag(kAllTurned);
  CrossCoreSetFlag<0x2, PIPE_MTE3>(kTurned);
  PipeBarrier<PIPE_ALL>();
  pipe.Reset();
}

// Turns this core's units of a turner, behind `before` units that were dealt out to all cores.
template <typename T, typename Turner>
__aicore__ inline void TurnShare(conv::TurnMemory<T>& memory, Turner& turner, uint64_t& before) {
  const auto core = static_cast<uint64_t>(GetBlockIdx()),
             cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
  const uint64_t units = turner.Units(), first = (core + cores - before % cores) % cores;
  for (uint64_t unit = first; unit < units; unit += cores) turner.Turn(memory, unit);
  before += units;
}

// Turns this core's shares of images and filters. `t`: whose buffers suffice for all of them.
template <typename T, typename... Turners>
__aicore__ inline void TurnShares(TPipe& pipe, const ConvTurnedTiling& t, Turners... turners) {
  conv::TurnMemory<T> memory(t, pipe);
  uint64_t before = 0;
  (TurnShare(memory, turners, before), ...);
}

// Deals out images and filters to all vector cores, beside which there are cube cores.
template <typename T, typename... Turners>
__aicore__ inline void TurnAll(TPipe& pipe, const ConvTurnedTiling& t, Turners... turners) {
  TurnShares<T>(pipe, t, turners...);
  TellCubes(pipe);
}

// The vector cores' part behind the products, or that of the vector unit of cores that are both
// kinds (conv_turned_by_turns.h).
template <typename Finish, typename T, typename Flags = conv::BetweenCores>
class RowsOfSums {
 public:
  template <typename... Vectors>
  __aicore__ inline RowsOfSums(const ConvDenseTiling& t, TPipe& pipe, GM_ADDR y, Vectors... vectors)
      : t_(t), conv_(t.turned.conv), pieces_(conv_, static_cast<uint32_t>(t.cube.baseM)) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    const auto rows = static_cast<uint32_t>(t.cube.baseM),
               columns = static_cast<uint32_t>(t.cube.baseN);
    pipe.InitBuffer(sums_, kBuffers, kRoom * sizeof(float));
    pipe.InitBuffer(rows_, rows * columns * sizeof(float));
    store_.Init(pipe, rows * columns);
    const uint32_t panels = conv::Parts(conv_.tile_channels, kPanel);
    numbers_.Init(pipe, conv::Parts(panels, Flags::Cores()) * kPanel, vectors...);
    // The last pixels are turned in squares, with what lies behind them.
    for (int32_t i = 0; i < kBuffers; ++i) {
      LocalTensor<float> sums = sums_.template AllocTensor<float>();
      Duplicate(sums, 0.0f, kRoom);
      sums_.EnQue(sums);
      sums_.FreeTensor(sums_.template DeQue<float>());
    }
  }

  __aicore__ inline void Run(const Finish& finish, GM_ADDR workspace) {
    EmptySlots(finish, conv::SlotsOf<float>(conv_, workspace, Flags::Block()), conv::kAllTiles,
               Flags());
  }

  // Empties the slots in parts, as conv::VectorCore does: up to those of the first `tiles` tiles.
  __aicore__ inline void Begin() const {}
  __aicore__ inline void EmptySlots(const Finish& finish, const GlobalTensor<float>& slots,
                                    uint32_t tiles, const Flags& flags) {
    conv::EveryPiece(
        conv_, slots, pieces_, tiles, flags,
        [&](const GlobalTensor<float>& slot, const conv::Piece& piece) {
          LocalTensor<float> sums = sums_.template AllocTensor<float>();
          DataCopy(sums, slot, piece.count);
          sums_.EnQue(sums);
        },
        [&](const conv::Piece& piece, const conv::Tile& tile) { OnePiece(finish, piece, tile); });
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kPanel = 16;                         // channels
  static constexpr uint32_t kSide = 16;                          // pixels of a square
  static constexpr uint32_t kHalf = 8;                           // floats of a block
  static constexpr uint32_t kRoom = conv::kPieceSums + 16 * 16;  // measures a buffer of sums

  __aicore__ inline void OnePiece(const Finish& finish, const conv::Piece& piece,
                                  const conv::Tile& tile) {
    LocalTensor<float> sums = sums_.template DeQue<float>();
    const LocalTensor<float> rows = rows_.template Get<float>();
    const uint32_t pitch = conv::UpTo(piece.pixels, kSide);
    for (uint32_t p = 0; p < piece.planes; ++p)
      TurnPanel(rows[p * kPanel * pitch], sums[p * piece.pixels * kPanel], pitch);
    sums_.FreeTensor(sums);
    const uint64_t pixel = uint64_t{tile.row} * conv_.out_width + tile.column;
    const uint64_t at =
        (uint64_t{tile.image} * conv_.out_channels + piece.channel) * t_.image_pixels + pixel;
    const Block block{piece.channel, 0, conv::Least(piece.given, piece.planes * kPanel),
                      piece.pixels, pitch};
    numbers_.Bring(finish, block, pieces_.FirstChannel(), pieces_.Channels());
    if constexpr (IsPlaced<Finish>::value) {
      finish.Apply(numbers_.unit(), rows, block, at);
    } else {
      finish.Apply(numbers_.unit(), rows, block.elements());
    }
    store_.Out(y_[at], t_.image_pixels, rows, block);
  }

  // Pixels of 16 channels become 16 rows of pixels, eight of them at a time.
  __aicore__ inline void TurnPanel(const LocalTensor<float>& rows, const LocalTensor<float>& sums,
                                   uint32_t pitch) {
    TransDataTo5HDParams params;
    params.repeatTimes = static_cast<uint8_t>(pitch / kSide);
    params.srcRepStride = params.repeatTimes > 1 ? kSide * kPanel / kHalf : 0;
    params.dstRepStride = params.repeatTimes > 1 ? kSide / kHalf : 0;
    LocalTensor<float> to[kSide], from[kSide];
    for (uint32_t channel = 0; channel < kPanel; channel += kHalf) {
      for (uint32_t i = 0; i < kSide; ++i) {
        from[i] = sums[i * kPanel + channel];
        to[i] = rows[(channel + i / 2) * pitch + i % 2 * kHalf];
      }
      TransDataTo5HD<float>(to, from, params);
    }
  }

  const ConvDenseTiling& t_;
  const ConvTiling& conv_;
  conv::Pieces<half, Flags> pieces_;  // have 16 channels to a plane
  GlobalTensor<T> y_;
  ChannelNumbers<Finish, T> numbers_;
  product::Store<T, float, kBuffers> store_;
  TQue<QuePosition::VECIN, kBuffers> sums_;
  TBuf<TPosition::VECCALC> rows_;
};

// The cube cores' part: turned image and filters, sums into slots.
template <typename T>
__aicore__ inline void MultiplyTurned(const ConvTurnedTiling& t, TPipe& pipe, GM_ADDR workspace) {
  GM_ADDR user = GetUserWorkspace(workspace);
  conv::CubeCore<T> core(t.conv, pipe, user + t.image_at, user + t.filters_at, nullptr);
  CrossCoreWaitFlag(kTurned);
  conv::FillSlots<float, half>(core, t.conv, workspace);
}

template <typename T, typename Make, typename... Vectors>
__aicore__ inline void FinishTurned(const Make& make, const ConvDenseTiling& t, TPipe& pipe,
                                    GM_ADDR y, GM_ADDR workspace, Vectors... vectors) {
  const auto finish = make();
  RowsOfSums<decltype(make()), T> rows(t, pipe, y, vectors...);
  rows.Run(finish, workspace);
}

// Image: who turns x. `make`: makes the finish, on vector cores only.
template <typename T, typename Image = conv::ImageTurner<T>, typename Make, typename... Vectors>
__aicore__ inline void RunTurned(const Make& make, const ConvDenseTiling& t, TPipe& pipe, GM_ADDR x,
                                 GM_ADDR w, GM_ADDR y, GM_ADDR workspace, Vectors... vectors) {
  if ASCEND_IS_AIC {
    MultiplyTurned<T>(t.turned, pipe, workspace);
  }
  if ASCEND_IS_AIV {
    GM_ADDR user = GetUserWorkspace(workspace);
    TurnAll<T>(pipe, t.turned, conv::FilterTurner<T>(t.turned, w, user + t.turned.filters_at),
               Image(t.turned, x, user + t.turned.image_at));
    FinishTurned<T>(make, t, pipe, y, workspace, vectors...);
  }
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_TURNED_H_
