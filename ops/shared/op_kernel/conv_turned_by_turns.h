// y = finish(convolution(x, w)) for dense images of one group, on cores that are both kinds: what
// conv_turned.h does where cube cores are others. The vector units turn x and w into NC1HWC0 and
// FRACTAL_Z; then each core multiplies a tile while it finishes the one before (conv_turns.h).
//
//   conv_dense::RunTurnedByTurns<DTYPE_X>(make, data.conv, pipe, x, w, y, workspace, bias);
#ifndef OPS_SHARED_CONV_TURNED_BY_TURNS_H_
#define OPS_SHARED_CONV_TURNED_BY_TURNS_H_

#include "conv_turned.h"
#include "conv_turns.h"

namespace conv_dense {

// Multiplies the turned image and filters of a round and finishes the sums.
template <typename T, typename Make, typename... Vectors>
__aicore__ inline void MultiplyRound(const Make& make, const ConvDenseTiling& t, TPipe& pipe,
                                     GM_ADDR y, GM_ADDR workspace, Vectors... vectors) {
  const ConvTurnedTiling& turned = t.turned;
  GM_ADDR user = GetUserWorkspace(workspace);
  conv::CubeCore<T, conv::Fractals<T>> cube(turned.conv, pipe, user + turned.image_at,
                                            user + turned.filters_at, nullptr);
  const auto finish = make();
  RowsOfSums<decltype(make()), T, conv::OneCore> rows(t, pipe, y, vectors...);
  conv::RunByTurns<float, half>(pipe, cube, rows, finish, turned.conv, workspace);
}

// Multiplies all rounds: the image and the first one's filters have been turned. `make`: makes the
// finish, once for each round.
template <typename T, typename Make, typename... Vectors>
__aicore__ inline void MultiplyByTurns(const Make& make, const ConvDenseTiling& t, TPipe& pipe,
                                       GM_ADDR w, GM_ADDR y, GM_ADDR workspace,
                                       Vectors... vectors) {
  ConvDenseTiling now = t;
  ConvTurnedTiling& turned = now.turned;
  MultiplyRound<T>(make, now, pipe, y, workspace, vectors...);
  const uint32_t tiles = conv::Parts(turned.conv.out_channels, turned.conv.tile_channels);
  while (conv::EndOfRound(turned.conv) < tiles) {
    ++turned.conv.round;
    conv::MeetAll(pipe);
    TurnShares<T>(
        pipe, turned,
        conv::FilterTurner<T>(turned, w, GetUserWorkspace(workspace) + turned.filters_at));
    conv::MeetAll(pipe);
    MultiplyRound<T>(make, now, pipe, y, workspace, vectors...);
  }
}

// Image: who turns x. `make`: makes the finish, when x and w have been turned.
template <typename T, typename Image = conv::ImageTurner<T>, typename Make, typename... Vectors>
__aicore__ inline void RunTurnedByTurns(const Make& make, const ConvDenseTiling& t, TPipe& pipe,
                                        GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace,
                                        Vectors... vectors) {
  if ASCEND_IS_AIC {
    const ConvTurnedTiling& turned = t.turned;
    GM_ADDR user = GetUserWorkspace(workspace);
    TurnShares<T>(pipe, turned, conv::FilterTurner<T>(turned, w, user + turned.filters_at),
                  Image(turned, x, user + turned.image_at));
    conv::MeetAll(pipe);
    MultiplyByTurns<T>(make, t, pipe, w, y, workspace, vectors...);
  }
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_TURNED_BY_TURNS_H_
