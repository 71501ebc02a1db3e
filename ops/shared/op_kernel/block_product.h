// Products of matrices in GM, a block of sums in UB at a time, of any depth: for ops that decide
// themselves which rows meet which columns.
//
//   BlockProduct<DTYPE_X> product;
//   REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product.mm, &data.cube);   // block_plan.h
//   product.Begin(pipe, data.cube, workspace);
//   product.InitUb(pipe);                      // behind each Reset of the pipe
//   LocalTensor<float> sums = product.Of(x[row * depth], w[column], block, depth, width);
//   product.Free(sums);                        // and at last: product.End();
#ifndef OPS_SHARED_BLOCK_PRODUCT_H_
#define OPS_SHARED_BLOCK_PRODUCT_H_

#include "lib/matmul_intf.h"
#include "product_store.h"

template <typename T>
class BlockProduct {
 public:
  using Sums = AscendC::LocalTensor<float>;

  // The calls from here to NextStep are those of SlotProduct (slot_product.h).
  __aicore__ inline void Begin(AscendC::TPipe&, const AscendC::tiling::TCubeTiling& cube, GM_ADDR) {
    rows_ = cube.baseM;
    pitch_ = static_cast<uint32_t>(cube.baseN);
  }
  __aicore__ inline void InitUb(AscendC::TPipe& pipe) {
    pipe.InitBuffer(sums_, 1, static_cast<uint32_t>(rows_) * pitch_ * sizeof(float));
  }
  // Vector cores deal out tasks among themselves.
  __aicore__ inline static uint64_t Workers() {
    return static_cast<uint64_t>(AscendC::GetBlockNum() * AscendC::GetTaskRation());
  }
  __aicore__ inline static uint64_t Worker() {
    return static_cast<uint64_t>(AscendC::GetBlockIdx());
  }
  __aicore__ inline static product::Block Mine(const product::Block& block) { return block; }
  template <typename Use>
  __aicore__ inline void Multiply(const AscendC::GlobalTensor<T>& a,
                                  const AscendC::GlobalTensor<T>& b, const product::Block& block,
                                  uint64_t depth, uint64_t width, const Use& use) {
    Sums sums = Of(a, b, block, depth, width);
    use(sums, block);
    Free(sums);
  }
  __aicore__ inline void NextStep(AscendC::TPipe& pipe) {
    AscendC::PipeBarrier<PIPE_ALL>();
    if (Workers() > 1) AscendC::SyncAll();
    pipe.Reset();
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

  AscendC::Matmul<AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>,
                  AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>,
                  AscendC::MatmulType<AscendC::TPosition::VECIN, CubeFormat::ND, float>>
      mm;

 private:
  int32_t rows_ = 0;
  uint32_t pitch_ = 0;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> sums_;
};

#endif  // OPS_SHARED_BLOCK_PRODUCT_H_
