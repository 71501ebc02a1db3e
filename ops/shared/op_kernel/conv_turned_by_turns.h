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

// Waits until what all cores have written may be read; UB and L1 are free then.
__aicore__ inline void MeetAll(TPipe& pipe) {
  PipeBarrier<PIPE_ALL>();
  if (GetBlockNum() > 1) SyncAll();
  pipe.Reset();
}

// Image: who turns x. `make`: makes the finish, when x and w have been turned.
template <typename T, typename Image = conv::ImageTurner<T>, typename Make, typename... Vectors>
__aicore__ inline void RunTurnedByTurns(const Make& make, const ConvDenseTiling& t, TPipe& pipe,
                                        GM_ADDR x, GM_ADDR w, GM_ADDR y, GM_ADDR workspace,
                                        Vectors... vectors) {
  if ASCEND_IS_AIC {
    const ConvTurnedTiling& turned = t.turned;
    GM_ADDR user = GetUserWorkspace(workspace);
    GM_ADDR image = user + turned.image_at;
    GM_ADDR filters = user + turned.filters_at;
    TurnShares<T>(pipe, turned, conv::FilterTurner<T>(turned, w, filters), Image(turned, x, image));
    MeetAll(pipe);
    conv::CubeCore<T, conv::Fractals<T>> cube(turned.conv, pipe, image, filters, nullptr);
    const auto finish = make();
    RowsOfSums<decltype(make()), T, conv::OneCore> rows(t, pipe, y, vectors...);
    conv::RunByTurns<float, half>(pipe, cube, rows, finish, turned.conv, workspace);
  }
}

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_TURNED_BY_TURNS_H_
