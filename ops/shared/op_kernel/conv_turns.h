// A convolution on cores that are both kinds: the cube unit leaves a tile of sums in a slot of the
// workspace, and while it multiplies the next one, the vector unit finishes that.
//
//   conv::LayOut<T>(t, pipe, x, bias, workspace);
//   conv::CubeCore<T, conv::Fractals<T>> cube(t, pipe, x, w, bias);
//   conv::VectorCore<Slot, T, conv::OneCore> vector(t, pipe, y, beside);
//   conv::RunByTurns<Slot, T>(cube, vector, finish, t, workspace);
#ifndef OPS_SHARED_CONV_TURNS_H_
#define OPS_SHARED_CONV_TURNS_H_

#include "conv_cube.h"
#include "conv_fractals.h"
#include "conv_lay_out.h"
#include "conv_vector.h"

namespace conv {

// Waits until what all cores have written may be read; UB and L1 are free then.
__aicore__ inline void MeetAll(TPipe& pipe) {
  PipeBarrier<PIPE_ALL>();
  if (GetBlockNum() > 1) SyncAll();
  pipe.Reset();
}

// How one core knows of its slots: flags between its pipes, two for two tiles in flight.
class OneCore {
 public:
  __aicore__ static inline uint32_t Block() { return static_cast<uint32_t>(GetBlockIdx()); }
  __aicore__ static inline uint32_t Core() { return 0; }
  __aicore__ static inline uint32_t Cores() { return 1; }

  __aicore__ inline explicit OneCore(TPipe& pipe) : pipe_(pipe) {
    for (uint32_t i = 0; i < kInFlight; ++i) {
      filled_[i] = pipe.AllocEventID<HardEvent::FIX_MTE2>();
      emptied_[i] = pipe.AllocEventID<HardEvent::MTE2_FIX>();
    }
  }
  // tiles: as many as there were.
  __aicore__ inline void End(uint32_t tiles) const {
    for (uint32_t i = 0; i < kInFlight; ++i) {
      if (i < tiles) WaitFlag<HardEvent::MTE2_FIX>(emptied_[i]);
      pipe_.ReleaseEventID<HardEvent::FIX_MTE2>(filled_[i]);
      pipe_.ReleaseEventID<HardEvent::MTE2_FIX>(emptied_[i]);
    }
  }

  __aicore__ inline void WaitEmptied(uint32_t number) const {
    if (number >= kInFlight) WaitFlag<HardEvent::MTE2_FIX>(emptied_[number % kInFlight]);
  }
  __aicore__ inline void TellFilled(uint32_t number) const {
    SetFlag<HardEvent::FIX_MTE2>(filled_[number % kInFlight]);
  }
  __aicore__ inline void WaitFilled(uint32_t number) const {
    WaitFlag<HardEvent::FIX_MTE2>(filled_[number % kInFlight]);
  }
  __aicore__ inline void TellEmptied(uint32_t number) const {
    SetFlag<HardEvent::MTE2_FIX>(emptied_[number % kInFlight]);
  }

 private:
  static constexpr uint32_t kInFlight = 2;

  TPipe& pipe_;
  int32_t filled_[kInFlight], emptied_[kInFlight];
};

template <typename Slot, typename T, typename Cube, typename Vector, typename Finish>
__aicore__ inline void RunByTurns(TPipe& pipe, Cube& cube, Vector& vector, Finish& finish,
                                  const ConvTiling& t, GM_ADDR workspace) {
  const OneCore flags(pipe);
  const GlobalTensor<Slot> slots = SlotsOf<Slot>(t, workspace + LaidOutBytes(t), OneCore::Block());
  vector.Begin();
  const uint32_t tiles = cube.Run([&](const Tile& tile, uint32_t number, const auto& sums) {
    flags.WaitEmptied(number);
    StorePanels(SlotOf(t, slots, number), sums, tile, PanelChannels<T>(), tile.pixels(), false);
    flags.TellFilled(number);
    vector.EmptySlots(finish, slots, number, flags);
  });
  vector.EmptySlots(finish, slots, tiles, flags);
  flags.End(tiles);
}

// y = convolution(x, w) + bias, or relu of it, by the cube unit alone.
template <typename T>
__aicore__ inline void RunByFractals(TPipe& pipe, bool relu, const ConvTiling& t, GM_ADDR x,
                                     GM_ADDR w, GM_ADDR bias, GM_ADDR y, GM_ADDR workspace) {
  LayOut<T>(t, pipe, x, bias, workspace);
  CubeCore<T, Fractals<T>> core(t, pipe, x, w, bias);
  StoreInY<T>(core, t, relu, y);
}

}  // namespace conv

#endif  // OPS_SHARED_CONV_TURNS_H_
