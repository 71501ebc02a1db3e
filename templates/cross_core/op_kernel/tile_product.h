#ifndef TILE_PRODUCT_H_
#define TILE_PRODUCT_H_

#include "kernel_operator.h"
#include "@op@_tiling.h"

// A rectangle of the result.
struct ProductTile {
  uint32_t row, column, rows, columns;
};

__aicore__ inline uint32_t CountTiles(const @OP@TilingData& tiling) {
  return (tiling.m + kTile - 1) / kTile * ((tiling.n + kTile - 1) / kTile);
}

__aicore__ inline ProductTile TileAt(const @OP@TilingData& tiling, uint32_t index) {
  const uint32_t across = (tiling.n + kTile - 1) / kTile;
  const uint32_t row = index / across * kTile, column = index % across * kTile;
  return {row, column, tiling.m - row < kTile ? tiling.m - row : kTile,
          tiling.n - column < kTile ? tiling.n - column : kTile};
}

class TileProduct {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe, GM_ADDR a, GM_ADDR b,
                              const @OP@TilingData& tiling) {
    n_ = tiling.n;
    k_ = tiling.k;
    a_.SetGlobalBuffer((__gm__ half*)a, static_cast<uint64_t>(tiling.m) * k_);
    b_.SetGlobalBuffer((__gm__ half*)b, static_cast<uint64_t>(k_) * n_);
    pipe.InitBuffer(a1_, 2, kTile * kTile * sizeof(half));
    pipe.InitBuffer(b1_, 2, kTile * kTile * sizeof(half));
    pipe.InitBuffer(a2_, 2, kTile * kTile * sizeof(half));
    pipe.InitBuffer(b2_, 2, kTile * kTile * sizeof(half));
    pipe.InitBuffer(c_, 1, kTile * kTile * sizeof(float));
  }

  // Leaves the tile in L0C.
  __aicore__ inline void Multiply(const ProductTile& tile) {
    AscendC::LocalTensor<float> c = c_.AllocTensor<float>();
    for (uint32_t k = 0; k < k_; k += kTile) {
      const uint32_t depth = k_ - k < kTile ? k_ - k : kTile;
      CopyIn(tile, k, depth);
      SplitA(tile.rows, depth);
      SplitB(depth, tile.columns);
      Step(c, tile, depth, k == 0);
    }
    c_.EnQue(c);
  }

  // Takes it from there. `pitch`: elements from row to row in `to`.
  __aicore__ inline void Store(const AscendC::GlobalTensor<float>& to, const ProductTile& tile,
                               uint32_t pitch) {
    AscendC::LocalTensor<float> c = c_.DeQue<float>();
    AscendC::FixpipeParamsV220 params;
    params.mSize = tile.rows;
    params.nSize = tile.columns;
    params.srcStride = tile.rows;
    params.dstStride = pitch;
    AscendC::Fixpipe(to, c, params);
    c_.FreeTensor(c);
  }

 private:
  static constexpr uint32_t kSide = 16, kFractal = kSide * kSide;

  __aicore__ inline void CopyIn(const ProductTile& tile, uint32_t k, uint32_t depth) {
    AscendC::LocalTensor<half> a = a1_.AllocTensor<half>(), b = b1_.AllocTensor<half>();
    CopyRows(a, a_[static_cast<uint64_t>(tile.row) * k_ + k], tile.rows, depth, k_);
    CopyRows(b, b_[static_cast<uint64_t>(k) * n_ + tile.column], depth, tile.columns, n_);
    a1_.EnQue(a);
    b1_.EnQue(b);
  }

  __aicore__ inline void CopyRows(const AscendC::LocalTensor<half>& to,
                                  const AscendC::GlobalTensor<half>& from, uint32_t rows,
                                  uint32_t columns, uint32_t pitch) {
    AscendC::Nd2NzParams params;
    params.ndNum = 1;
    params.nValue = rows;
    params.dValue = columns;
    params.srcDValue = pitch;
    params.dstNzC0Stride = rows;
    params.dstNzNStride = 1;
    AscendC::DataCopy(to, from, params);
  }

  __aicore__ inline void SplitA(uint32_t rows, uint32_t depth) {
    AscendC::LocalTensor<half> a1 = a1_.DeQue<half>(), a2 = a2_.AllocTensor<half>();
    AscendC::LoadData2DParams params;
    params.repeatTimes = depth / kSide;
    params.srcStride = rows / kSide;
    params.ifTranspose = false;
    for (uint32_t i = 0; i < rows / kSide; ++i)
      AscendC::LoadData(a2[i * depth / kSide * kFractal], a1[i * kFractal], params);
    a2_.EnQue(a2);
    a1_.FreeTensor(a1);
  }

  __aicore__ inline void SplitB(uint32_t depth, uint32_t columns) {
    AscendC::LocalTensor<half> b1 = b1_.DeQue<half>(), b2 = b2_.AllocTensor<half>();
    AscendC::LoadData2DParams params;
    params.repeatTimes = columns / kSide;
    params.srcStride = depth / kSide;
    params.ifTranspose = true;
    for (uint32_t i = 0; i < depth / kSide; ++i)
      AscendC::LoadData(b2[i * columns / kSide * kFractal], b1[i * kFractal], params);
    b2_.EnQue(b2);
    b1_.FreeTensor(b1);
  }

  // The first step overwrites L0C, the others add to it. Small products in a row need PIPE_M
  // between them: the unit does not wait for its own results by itself.
  __aicore__ inline void Step(const AscendC::LocalTensor<float>& c, const ProductTile& tile,
                              uint32_t depth, bool first) {
    AscendC::LocalTensor<half> a2 = a2_.DeQue<half>(), b2 = b2_.DeQue<half>();
    AscendC::MmadParams params;
    params.m = tile.rows;
    params.n = tile.columns;
    params.k = depth;
    params.cmatrixInitVal = first;
    AscendC::Mmad(c, a2, b2, params);
    AscendC::PipeBarrier<PIPE_M>();
    a2_.FreeTensor(a2);
    b2_.FreeTensor(b2);
  }

  AscendC::TQue<AscendC::TPosition::A1, 2> a1_;
  AscendC::TQue<AscendC::TPosition::B1, 2> b1_;
  AscendC::TQue<AscendC::TPosition::A2, 2> a2_;
  AscendC::TQue<AscendC::TPosition::B2, 2> b2_;
  AscendC::TQue<AscendC::TPosition::CO1, 1> c_;
  AscendC::GlobalTensor<half> a_, b_;
  uint32_t n_ = 0, k_ = 0;
};

#endif  // TILE_PRODUCT_H_
