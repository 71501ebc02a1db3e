// y = relu(a * b): the cube core of a block multiplies, its two vector cores finish the tile. Flags say
// whose turn it is.
#include "tile_product.h"

using namespace AscendC;

constexpr uint16_t kFilled = 0, kEmptied = 1;  // flags

// What both parts agree on: the tiles of the block, in order, and where they pass.
class Kernel@OP@ {
 public:
  __aicore__ inline void Init(GM_ADDR workspace, const @OP@TilingData& tiling, uint32_t block) {
    tiling_ = tiling;
    block_ = block;
    slot_.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace) + block * kTile * kTile,
                          kTile * kTile);
  }

  __aicore__ inline void Multiply(GM_ADDR a, GM_ADDR b) {
    TileProduct product;
    product.Init(pipe_, a, b, tiling_);
    for (uint32_t i = block_; i < CountTiles(tiling_); i += GetBlockNum()) {
      const ProductTile tile = TileAt(tiling_, i);
      product.Multiply(tile);
      if (i != block_) CrossCoreWaitFlag(kEmptied);
      product.Store(slot_, tile, tile.columns);
      CrossCoreSetFlag<2, PIPE_FIX>(kFilled);
    }
  }

  __aicore__ inline void Finish(GM_ADDR y) {
    y_.SetGlobalBuffer((__gm__ half*)y, static_cast<uint64_t>(tiling_.m) * tiling_.n);
    pipe_.InitBuffer(in_, 1, kTile * kTile / 2 * sizeof(float));
    pipe_.InitBuffer(out_, 2, kTile * kTile / 2 * sizeof(half));
    for (uint32_t i = block_; i < CountTiles(tiling_); i += GetBlockNum()) {
      const ProductTile tile = TileAt(tiling_, i);
      const uint32_t rows = tile.rows / 2, first = GetSubBlockIdx() * rows;
      CrossCoreWaitFlag(kFilled);
      CopyIn(tile, first, rows);
      if (i + GetBlockNum() < CountTiles(tiling_)) CrossCoreSetFlag<2, PIPE_MTE2>(kEmptied);
      Compute(rows * tile.columns);
      CopyOut(tile, first, rows);
    }
  }

 private:
  __aicore__ inline void CopyIn(const ProductTile& tile, uint32_t first, uint32_t rows) {
    LocalTensor<float> product = in_.AllocTensor<float>();
    DataCopy(product, slot_[first * tile.columns], rows * tile.columns);
    in_.EnQue(product);
  }

  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<float> product = in_.DeQue<float>();
    LocalTensor<half> result = out_.AllocTensor<half>();
    Relu(product, product, static_cast<int32_t>(count));
    Cast(result, product, RoundMode::CAST_RINT, count);
    out_.EnQue(result);
    in_.FreeTensor(product);
  }

  __aicore__ inline void CopyOut(const ProductTile& tile, uint32_t first, uint32_t rows) {
    LocalTensor<half> result = out_.DeQue<half>();
    DataCopyExtParams copy{static_cast<uint16_t>(rows),
                           static_cast<uint32_t>(tile.columns * sizeof(half)), 0,
                           static_cast<uint32_t>((tiling_.n - tile.columns) * sizeof(half)), 0};
    DataCopyPad(y_[static_cast<uint64_t>(tile.row + first) * tiling_.n + tile.column], result, copy);
    out_.FreeTensor(result);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 2> out_;
  GlobalTensor<float> slot_;
  GlobalTensor<half> y_;
  @OP@TilingData tiling_;
  uint32_t block_ = 0;
};

extern "C" __global__ __aicore__ void @op@(GM_ADDR a, GM_ADDR b, GM_ADDR y,
                                                  GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(@OP@TilingData);
  GET_TILING_DATA(data, tiling);
  Kernel@OP@ op;
  if ASCEND_IS_AIC {
    op.Init(workspace, data, GetBlockIdx());
    op.Multiply(a, b);
  }
  if ASCEND_IS_AIV {
    op.Init(workspace, data, GetBlockIdx() / GetSubBlockNum());
    op.Finish(y);
  }
}
