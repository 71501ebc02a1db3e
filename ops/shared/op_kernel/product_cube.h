// The cube core's part of a product: shares of y by a Matmul object of its own, into y or into
// slots of the workspace, which the vector cores empty (product_vector.h).
#ifndef OPS_SHARED_PRODUCT_CUBE_H_
#define OPS_SHARED_PRODUCT_CUBE_H_

#include "epilogue.h"
#include "product_blocks.h"
#include "product_operands.h"

namespace product {

constexpr uint16_t kFilled = 0;   // the cube core has left sums in a slot
constexpr uint16_t kEmptied = 1;  // the vector cores have read a slot

// In: of a and b. C: what a block of sums becomes on its way to GM, or float where kTo is CO1 and
// this class stores the sums.
template <typename In, typename C, CubeFormat kB, typename Plan, TPosition kTo = TPosition::GM>
class CubeCore {
  using Bias = typename SumOf<In>::Bias;

 public:
  __aicore__ inline CubeCore(const Plan& plan, TPipe& pipe, GM_ADDR a, GM_ADDR b, GM_ADDR bias)
      : plan_(plan), operands_(plan) {
    a_.SetGlobalBuffer((__gm__ In*)a);
    b_.SetGlobalBuffer((__gm__ In*)b);
    bias_.SetGlobalBuffer((__gm__ Bias*)bias);
    mm_.Init(&plan.cube, &pipe);
  }

  // Writes y, of C, without anybody's help.
  __aicore__ inline void Store(GM_ADDR y) {
    GlobalTensor<C> to;
    to.SetGlobalBuffer((__gm__ C*)y);
    for (Shares<Plan> shares(plan_, Block(), static_cast<uint64_t>(GetBlockNum()));
         !shares.IsDone(); shares.Next()) {
      const Share share = shares.Get();
      Begin(share);
      mm_.IterateAll(to[PlaceInY(plan_, share.batch, share.row, share.column)]);
    }
    mm_.End();
  }

  // Writes max(sums, 0), as T, without anybody's help: Fixpipe does both on the way out of L0C.
  template <typename T>
  __aicore__ inline void StoreRelu(TPipe& pipe, GM_ADDR y) {
    GlobalTensor<T> to;
    to.SetGlobalBuffer((__gm__ T*)y);
    TQue<TPosition::CO1, 1> queue;
    pipe.InitBuffer(queue, 1, plan_.cube.baseM * plan_.cube.baseN * sizeof(float));
    for (Shares<Plan> shares(plan_, Block(), static_cast<uint64_t>(GetBlockNum()));
         !shares.IsDone(); shares.Next()) {
      const Share share = shares.Get();
      Begin(share);
      for (Blocks<Plan> blocks(plan_, share); !blocks.IsDone(); blocks.Next()) {
        LocalTensor<float> sums = queue.AllocTensor<float>();
        mm_.Iterate(false, sums);
        queue.EnQue(sums);
        sums = queue.DeQue<float>();
        Out(to, share.batch, blocks.Get(), sums);
        queue.FreeTensor(sums);
      }
    }
    mm_.End();
  }

  // Leaves each block of sums in the next slot; behind the last one all are empty again.
  __aicore__ inline void FillSlots(GM_ADDR workspace) {
    const GlobalTensor<C> slots = SlotsOf<C>(plan_, workspace, Block());
    uint32_t number = 0;
    for (Shares<Plan> shares(plan_, Block(), static_cast<uint64_t>(GetBlockNum()));
         !shares.IsDone(); shares.Next()) {
      Begin(shares.Get());
      while (mm_.template Iterate<true>()) {
        if (number >= kSlots) CrossCoreWaitFlag(kEmptied);
        mm_.template GetTensorC<true>(SlotOf(plan_, slots, number++), 0, true);
        CrossCoreSetFlag<0x2, PIPE_FIX>(kFilled);
      }
    }
    mm_.End();
    for (uint32_t open = 0; open < number && open < kSlots; ++open) CrossCoreWaitFlag(kEmptied);
  }

 private:
  __aicore__ static inline uint64_t Block() { return static_cast<uint64_t>(GetBlockIdx()); }

  template <typename T>
  __aicore__ inline void Out(const GlobalTensor<T>& y, uint64_t batch, const product::Block& block,
                             const LocalTensor<float>& sums) const {
    constexpr uint32_t kSide = 16;
    FixpipeParamsV220 store(static_cast<uint16_t>(block.columns), static_cast<uint16_t>(block.rows),
                            static_cast<uint16_t>((block.rows + kSide - 1) / kSide * kSide),
                            static_cast<uint32_t>(plan_.cube.N), true);
    if constexpr (IsSameType<T, half>::value) store.quantPre = QuantMode_t::F322F16;
    Fixpipe<T, float, CFG_ROW_MAJOR>(y[PlaceInY(plan_, batch, block.row, block.column)], sums,
                                     store);
  }

  __aicore__ inline void Begin(const Share& share) {
    mm_.SetTail(share.rows, share.columns, plan_.cube.Ka);
    mm_.SetTensorA(a_[operands_.PlaceInA(share.batch, share.row)], operands_.ATurned());
    mm_.SetTensorB(b_[operands_.PlaceInB(share.batch, share.column)], operands_.BTurned());
    if (plan_.cube.isBias) mm_.SetBias(bias_[share.column]);
  }

  const Plan& plan_;
  const Operands<kB, Plan> operands_;
  GlobalTensor<In> a_, b_;
  GlobalTensor<Bias> bias_;
  MatmulImpl<MatmulType<TPosition::GM, CubeFormat::ND, In, true>,
             MatmulType<TPosition::GM, kB, In, kB == CubeFormat::ND>,
             MatmulType<kTo, kTo == TPosition::GM ? CubeFormat::ND : CubeFormat::NZ, C>,
             MatmulType<TPosition::GM, CubeFormat::ND, Bias>, CFG_MDL>
      mm_;
};

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_CUBE_H_
