// Products of matrices in GM for ops that decide themselves which rows meet which columns, on chips
// with cube cores of their own. The cube core multiplies block after block into slots of the
// workspace, and its vector cores take half of the rows of each. Both kinds of cores make the same
// calls, which are those of BlockProduct (block_product.h), in the same order.
//
//   SlotProduct<DTYPE_X> product;
//   product.Begin(pipe, data.cube, workspace);  // slots come first in the user's workspace
//   product.InitUb(pipe);                       // behind each Reset of the pipe
//   for (uint64_t task = product.Worker(); task < tasks; task += product.Workers())
//     product.Multiply(x[row * depth], w[column], block, depth, width,
//                      [&](const LocalTensor<float>& sums, const product::Block& mine) {});
//   product.NextStep(pipe);                     // all cores have stored what they will
//   product.End();
#ifndef OPS_SHARED_SLOT_PRODUCT_H_
#define OPS_SHARED_SLOT_PRODUCT_H_

#include "lib/matmul_intf.h"
#include "product_blocks.h"
#include "product_cube.h"

template <typename T>
class SlotProduct {
 public:
  using Sums = AscendC::LocalTensor<float>;

  __aicore__ inline void Begin(AscendC::TPipe& pipe, const AscendC::tiling::TCubeTiling& cube,
                               GM_ADDR workspace) {
    cube_ = &cube;
    const uint64_t block = Elements();
    slots_.SetGlobalBuffer((__gm__ float*)AscendC::GetUserWorkspace(workspace) +
                           Worker() * product::kSlots * block);
    if ASCEND_IS_AIC {
      mm_.Init(&cube, &pipe);
    }
  }
  __aicore__ inline void InitUb(AscendC::TPipe& pipe) {
    constexpr int32_t kBuffers = 2;
    pipe.InitBuffer(sums_, kBuffers, Elements() / kVectorCores * sizeof(float));
  }

  // Blocks of cores deal out tasks among themselves.
  __aicore__ inline static uint64_t Workers() {
    return static_cast<uint64_t>(AscendC::GetBlockNum());
  }
  __aicore__ inline static uint64_t Worker() {
    if ASCEND_IS_AIC {
      return static_cast<uint64_t>(AscendC::GetBlockIdx());
    }
    return static_cast<uint64_t>(AscendC::GetBlockIdx() / AscendC::GetSubBlockNum());
  }

  // Rows of a, which are `depth` long, times columns of b, whose rows are `width` long: both begin
  // where the block does. Calls use(sums, block) on vector cores that have rows of it.
  template <typename Use>
  __aicore__ inline void Multiply(const AscendC::GlobalTensor<T>& a,
                                  const AscendC::GlobalTensor<T>& b, const product::Block& block,
                                  uint64_t depth, uint64_t width, const Use& use) {
    const AscendC::GlobalTensor<float> slot = slots_[number_ % product::kSlots * Elements()];
    if ASCEND_IS_AIC {
      Fill(slot, a, b, block, static_cast<int32_t>(depth), static_cast<int32_t>(width));
    }
    if ASCEND_IS_AIV {
      Take(slot, block, use);
    }
    ++number_;
  }

  // Returns the rows of a block that are this vector core's.
  __aicore__ inline static product::Block Mine(const product::Block& block) {
    const auto core = static_cast<uint32_t>(AscendC::GetSubBlockIdx());
    const uint32_t half = (block.rows + kVectorCores - 1) / kVectorCores;
    const uint32_t begin = core * half < block.rows ? core * half : block.rows;
    const uint32_t end = begin + half < block.rows ? begin + half : block.rows;
    return {block.row + begin, block.column, end - begin, block.columns, block.pitch};
  }

  // Ends a step: what vector cores have stored so far may be read by all cores. UB is free.
  __aicore__ inline void NextStep(AscendC::TPipe& pipe) {
    if ASCEND_IS_AIC {
      AscendC::CrossCoreWaitFlag(kStepDone);
    }
    if ASCEND_IS_AIV {
      AscendC::PipeBarrier<PIPE_ALL>();
      AscendC::SyncAll();
      AscendC::CrossCoreSetFlag<0x2, PIPE_MTE3>(kStepDone);
      pipe.Reset();
    }
  }
  __aicore__ inline void End() {
    if ASCEND_IS_AIC {
      mm_.End();
      for (uint64_t open = 0; open < number_ && open < product::kSlots; ++open)
        AscendC::CrossCoreWaitFlag(product::kEmptied);
    }
  }

 private:
  static constexpr uint16_t kStepDone = 2;  // beside kFilled and kEmptied
  static constexpr uint32_t kVectorCores = 2;

  __aicore__ inline uint64_t Elements() const {
    return static_cast<uint64_t>(cube_->baseM) * cube_->baseN;
  }

  __aicore__ inline void Fill(const AscendC::GlobalTensor<float>& slot,
                              const AscendC::GlobalTensor<T>& a, const AscendC::GlobalTensor<T>& b,
                              const product::Block& block, int32_t depth, int32_t width) {
    mm_.SetOrgShape(cube_->baseM, width, depth);
    mm_.SetTail(static_cast<int32_t>(block.rows), static_cast<int32_t>(block.columns), depth);
    mm_.SetTensorA(a);
    mm_.SetTensorB(b);
    mm_.template Iterate<true>();
    if (number_ >= product::kSlots) AscendC::CrossCoreWaitFlag(product::kEmptied);
    mm_.template GetTensorC<true>(slot, 0, true);
    AscendC::CrossCoreSetFlag<0x2, PIPE_FIX>(product::kFilled);
  }

  template <typename Use>
  __aicore__ inline void Take(const AscendC::GlobalTensor<float>& slot, const product::Block& block,
                              const Use& use) {
    const product::Block mine = Mine(block);
    AscendC::CrossCoreWaitFlag(product::kFilled);
    if (mine.rows == 0) {
      AscendC::CrossCoreSetFlag<0x2, PIPE_MTE2>(product::kEmptied);
      return;
    }
    Sums sums = sums_.template AllocTensor<float>();
    const uint64_t first = mine.row - block.row;
    AscendC::DataCopy(sums, slot[first * mine.pitch], mine.elements());
    sums_.EnQue(sums);
    AscendC::CrossCoreSetFlag<0x2, PIPE_MTE2>(product::kEmptied);
    sums = sums_.template DeQue<float>();
    use(sums, mine);
    sums_.FreeTensor(sums);
  }

  const AscendC::tiling::TCubeTiling* cube_ = nullptr;
  uint64_t number_ = 0;  // counts the blocks so far
  AscendC::GlobalTensor<float> slots_;
  AscendC::TQue<AscendC::QuePosition::VECIN, 2> sums_;
  AscendC::MatmulImpl<AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>,
                      AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, T>,
                      AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>,
                      AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, float>, CFG_MDL>
      mm_;
};

#endif  // OPS_SHARED_SLOT_PRODUCT_H_
