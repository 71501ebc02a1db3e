// The vector cores' part of a product: they take blocks of sums out of the slots that their cube
// core fills (product_cube.h), some rows at a time, finish them and store y. Each has half of the
// rows of every block.
#ifndef OPS_SHARED_PRODUCT_VECTOR_H_
#define OPS_SHARED_PRODUCT_VECTOR_H_

#include "product_cube.h"

namespace product {

// T: of y. Sum: of the slots. Result: what the epilogue leaves in the place of the sums.
template <typename T, typename Sum, typename Result, typename Plan>
class VectorCore {
 public:
  __aicore__ inline VectorCore(const Plan& plan, TPipe& pipe, GM_ADDR y) : plan_(plan) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    const uint32_t piece = plan.piece_rows * static_cast<uint32_t>(plan.cube.baseN);
    pipe.InitBuffer(sums_, kBuffers, piece * sizeof(Sum));
    store_.Init(pipe, piece);
  }

  // Calls finish(sums, block) for every piece: its rows and columns of y, rows `pitch` apart.
  template <typename Finish>
  __aicore__ inline void EmptySlots(const Finish& finish, GM_ADDR workspace) {
    const auto block = static_cast<uint64_t>(GetBlockIdx() / GetSubBlockNum());
    const GlobalTensor<Sum> slots = SlotsOf<Sum>(plan_, workspace, block);
    uint32_t number = 0;
    for (Shares<Plan> shares(plan_, block, static_cast<uint64_t>(GetBlockNum())); !shares.IsDone();
         shares.Next()) {
      const Share share = shares.Get();
      for (Blocks<Plan> blocks(plan_, share); !blocks.IsDone(); blocks.Next())
        OneBlock(finish, share.batch, blocks.Get(), SlotOf(plan_, slots, number++));
    }
  }

 private:
  static constexpr int32_t kBuffers = 2;

  template <typename Finish>
  __aicore__ inline void OneBlock(const Finish& finish, uint64_t batch, const Block& whole,
                                  const GlobalTensor<Sum>& slot) {
    const auto cores = static_cast<uint32_t>(GetSubBlockNum()),
               core = static_cast<uint32_t>(GetSubBlockIdx());
    const uint32_t half = (whole.rows + cores - 1) / cores, begin = core * half;
    const uint32_t end = begin + half < whole.rows ? begin + half : whole.rows;
    CrossCoreWaitFlag(kFilled);
    if (begin >= end) CrossCoreSetFlag<0x2, PIPE_MTE2>(kEmptied);
    for (uint32_t row = begin; row < end; row += plan_.piece_rows) {
      const uint32_t rows = end - row < plan_.piece_rows ? end - row : plan_.piece_rows;
      LocalTensor<Sum> sums = sums_.template AllocTensor<Sum>();
      DataCopy(sums, slot[uint64_t{row} * whole.pitch], rows * whole.pitch);
      sums_.EnQue(sums);
      if (row + rows >= end) CrossCoreSetFlag<0x2, PIPE_MTE2>(kEmptied);
      const Block piece{whole.row + row, whole.column, rows, whole.columns, whole.pitch};
      OnePiece(finish, PlaceInY(plan_, batch, piece.row, piece.column), piece);
    }
  }

  template <typename Finish>
  __aicore__ inline void OnePiece(const Finish& finish, uint64_t at, const Block& piece) {
    LocalTensor<Sum> sums = sums_.template DeQue<Sum>();
    finish(sums, piece);
    store_.Out(y_[at], static_cast<uint64_t>(plan_.cube.N), sums.template ReinterpretCast<Result>(),
               piece);
    sums_.FreeTensor(sums);
  }

  const Plan& plan_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECIN, kBuffers> sums_;
  Store<T, Result, kBuffers> store_;
};

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_VECTOR_H_
