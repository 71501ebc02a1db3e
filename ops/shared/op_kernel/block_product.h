// Products of matrices in GM, a block of sums in UB at a time, of any depth: for ops that decide
// themselves which rows meet which columns.
//
//   BlockProduct<DTYPE_X> product;
//   REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product.mm, &data.cube);   // block_plan.h
//   product.Init(pipe, data.cube);
//   product.InitRow(pipe);                     // for AddRow
//   LocalTensor<float> sums = product.Of(x[row * depth], w[column], block, depth, width);
//   product.AddRow(sums, bias[column], block);
//   product.Free(sums);                        // and at last: product.End();
#ifndef OPS_SHARED_BLOCK_PRODUCT_H_
#define OPS_SHARED_BLOCK_PRODUCT_H_

#include "layout.h"
#include "lib/matmul_intf.h"
#include "product_store.h"
#include "widened.h"

template <typename T>
class BlockProduct {
 public:
  using Sums = AscendC::LocalTensor<float>;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const AscendC::tiling::TCubeTiling& cube) {
    rows_ = cube.baseM;
    pitch_ = static_cast<uint32_t>(cube.baseN);
    pipe.InitBuffer(sums_, 1, static_cast<uint32_t>(rows_) * pitch_ * sizeof(float));
  }
  // Serves ops that call AddRow, behind Init.
  __aicore__ inline void InitRow(AscendC::TPipe& pipe) {
    pipe.InitBuffer(row_, 1, pitch_ * sizeof(T));
    wide_.Init(pipe, pitch_);
  }
  __aicore__ inline void End() { mm.End(); }

  // Rows of the block's sums are so many elements apart.
  __aicore__ inline uint32_t Pitch() const { return pitch_; }

  // Rows of a, which are `depth` long, times columns of b, whose rows are `width` long: both begin
  // where the block does.
  __aicore__ inline Sums Of(const AscendC::GlobalTensor<T>& a, const AscendC::GlobalTensor<T>& b,
                            const product::Block& block, uint64_t depth, uint64_t width) {
    const auto k = static_cast<int32_t>(depth);
    mm.SetOrgShape(rows_, static_cast<int32_t>(width), k);
    mm.SetTail(static_cast<int32_t>(block.rows), static_cast<int32_t>(block.columns), k);
    mm.SetTensorA(a);
    mm.SetTensorB(b);
    mm.template Iterate<true>();
    Sums sums = sums_.template AllocTensor<float>();
    mm.template GetTensorC<true>(sums, 0, true);
    sums_.EnQue(sums);
    return sums_.template DeQue<float>();
  }
  __aicore__ inline void Free(Sums& sums) { sums_.FreeTensor(sums); }

  // Adds a row of numbers to every row.
  __aicore__ inline void AddRow(const Sums& sums, const AscendC::GlobalTensor<T>& numbers,
                                const product::Block& block) {
    AscendC::LocalTensor<T> in = row_.template AllocTensor<T>();
    layout::Rows<T>(1, block.columns, block.columns, block.pitch).Load(in, numbers);
    row_.EnQue(in);
    in = row_.template DeQue<T>();
    const Sums row = wide_(in, block.columns);
    for (uint32_t i = 0; i < block.rows; ++i)
      AscendC::Add(sums[i * block.pitch], sums[i * block.pitch], row, block.columns);
    row_.FreeTensor(in);
  }

  AscendC::Matmul<AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>,
                  AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>,
                  AscendC::MatmulType<AscendC::TPosition::VECIN, CubeFormat::ND, float>>
      mm;

 private:
  int32_t rows_ = 0;
  uint32_t pitch_ = 0;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> sums_, row_;
  Widened<T> wide_;
};

#endif  // OPS_SHARED_BLOCK_PRODUCT_H_
