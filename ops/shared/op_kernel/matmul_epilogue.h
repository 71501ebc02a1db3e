// y = epilogue(a * b + bias) for any number of matrices. Each vector core owns parts of y: the
// Matmul object leaves a base block of sums in UB, the op's epilogue works on them in float, and
// they are narrowed and stored. Products of int8 are summed in int32, bias included; an epilogue
// that leaves floats in their place says `using Result = float`.
//
//   struct LeakyReluEpilogue {
//     float slope;
//     __aicore__ inline void operator()(const LocalTensor<float>& sums, uint32_t count) const {
//       LeakyRelu(sums, sums, slope, count);
//     }
//   };
//   matmul::Kernel<LeakyReluEpilogue, DTYPE_Y, DTYPE_X, CubeFormat::ND, MatmulPlan> op;
//   REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &plan.cube);
//   op.Run(epilogue, plan, pipe, x, w, bias, y);
//
// An epilogue that needs memory of its own says how many bytes for each element, `static constexpr
// uint32_t kScratch`, takes a LocalTensor<uint8_t> between the two arguments, and tells the host
// the same number (matmul_plan.h). One that works by rows and columns of y says `static constexpr
// bool kPlaced = true` and takes a product::Block in place of the count.
#ifndef OPS_SHARED_MATMUL_EPILOGUE_H_
#define OPS_SHARED_MATMUL_EPILOGUE_H_

#include "kernel_operator.h"
#include "lib/matmul_intf.h"
#include "product_store.h"

namespace matmul {

using namespace AscendC;
using product::Block;

template <typename Epilogue, typename = void>
struct ScratchOf {
  static constexpr uint32_t kBytes = 0;
};
template <typename Epilogue>
struct ScratchOf<Epilogue, decltype(static_cast<void>(Epilogue::kScratch))> {
  static constexpr uint32_t kBytes = Epilogue::kScratch;
};

template <typename Epilogue, typename = void>
struct IsPlaced {
  static constexpr bool value = false;
};
template <typename Epilogue>
struct IsPlaced<Epilogue, decltype(static_cast<void>(Epilogue::kPlaced))> {
  static constexpr bool value = true;
};

struct NoEpilogue {
  template <typename Sum>
  __aicore__ inline void operator()(const LocalTensor<Sum>&, uint32_t) const {}
};

// What products of In are summed in, and what a bias is of.
template <typename In>
struct SumOf {
  using Type = float;
  using Bias = In;
};
template <>
struct SumOf<int8_t> {
  using Type = int32_t;
  using Bias = int32_t;
};

template <typename Epilogue, typename Sum, typename = void>
struct ResultOf {
  using Type = Sum;
};
template <typename Epilogue, typename Sum>
struct ResultOf<Epilogue, Sum, decltype(static_cast<void>(sizeof(typename Epilogue::Result)))> {
  using Type = typename Epilogue::Result;
};

// T: of y. In: of a and b. kB: how a matrix b lies in GM; in NZ there is one for all.
template <typename Epilogue, typename T, typename In, CubeFormat kB, typename Plan>
class Kernel {
  using Sum = typename SumOf<In>::Type;
  using Bias = typename SumOf<In>::Bias;
  using Result = typename ResultOf<Epilogue, Sum>::Type;

 public:
  __aicore__ inline void Run(const Epilogue& epilogue, const Plan& plan, TPipe& pipe, GM_ADDR a,
                             GM_ADDR b, GM_ADDR bias, GM_ADDR y) {
    plan_ = &plan;
    a_.SetGlobalBuffer((__gm__ In*)a);
    b_.SetGlobalBuffer((__gm__ In*)b);
    bias_.SetGlobalBuffer((__gm__ Bias*)bias);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const uint32_t block = static_cast<uint32_t>(plan.cube.baseM) * plan.cube.baseN;
    pipe.InitBuffer(sums_, 1, block * sizeof(Sum));
    store_.Init(pipe, block);
    if constexpr (kScratch > 0) pipe.InitBuffer(scratch_, block * kScratch);

    const int32_t parts =
        Ceil(plan.cube.M, plan.cube.singleCoreM) * Ceil(plan.cube.N, plan.cube.singleCoreN);
    const uint64_t shares = plan.batches * parts;
    const uint64_t cores = GetBlockNum() * GetTaskRation();
    for (uint64_t share = GetBlockIdx(); share < shares; share += cores)
      OneShare(epilogue, share / parts, static_cast<int32_t>(share % parts));
    mm.End();
  }

  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, In, true>,
         MatmulType<TPosition::GM, kB, In, kB == CubeFormat::ND>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, Sum>,
         MatmulType<TPosition::GM, CubeFormat::ND, Bias>>
      mm;

 private:
  static constexpr int32_t kC0 = 32 / sizeof(In);  // columns of a fractal panel
  static constexpr uint32_t kScratch = ScratchOf<Epilogue>::kBytes;
  static constexpr uint32_t kTurnsA = 1, kTurnsB = 2;  // bits of plan.turned

  __aicore__ static inline int32_t Ceil(int32_t a, int32_t b) { return (a + b - 1) / b; }
  __aicore__ static inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }

  // A rectangle of one matrix y.
  __aicore__ inline void OneShare(const Epilogue& epilogue, uint64_t batch, int32_t part) {
    const auto& cube = plan_->cube;
    const int32_t high = Ceil(cube.M, cube.singleCoreM);
    const int32_t row = part % high * cube.singleCoreM, column = part / high * cube.singleCoreN;
    const int32_t height = Least(cube.singleCoreM, cube.M - row),
                  width = Least(cube.singleCoreN, cube.N - column);
    mm.SetTail(height, width, cube.Ka);
    mm.SetTensorA(a_[Start(batch, plan_->a_stride) + RowOfA(row)], ATurned());
    mm.SetTensorB(b_[Start(batch, plan_->b_stride) + ColumnOfB(column)], BTurned());
    if (cube.isBias) mm.SetBias(bias_[column]);
    const uint64_t y = batch * cube.M * cube.N + static_cast<uint64_t>(row) * cube.N + column;
    const int32_t blocks_high = Ceil(height, cube.baseM);
    for (int32_t block = 0; mm.template Iterate<true>(); ++block) {
      const int32_t down = block % blocks_high * cube.baseM,
                    right = block / blocks_high * cube.baseN;
      Finish(epilogue, y + static_cast<uint64_t>(down) * cube.N + right,
             {static_cast<uint32_t>(row + down), static_cast<uint32_t>(column + right),
              static_cast<uint32_t>(Least(cube.baseM, height - down)),
              static_cast<uint32_t>(Least(cube.baseN, width - right)),
              static_cast<uint32_t>(cube.baseN)});
    }
  }

  // Where the matrix of a batch begins: batches are counted row-major over plan's dims; a stride of
  // 0 repeats the matrix.
  template <typename Strides>
  __aicore__ inline uint64_t Start(uint64_t batch, const Strides& strides) const {
    uint64_t at = 0;
    for (uint32_t dim = plan_->batch_dims; dim-- > 0;) {
      at += batch % plan_->batch_size[dim] * strides[dim];
      batch /= plan_->batch_size[dim];
    }
    return at;
  }
  // A core's first column is a multiple of 16, hence of C0.
  __aicore__ inline uint64_t ColumnOfB(int32_t column) const {
    if constexpr (kB == CubeFormat::NZ)
      return static_cast<uint64_t>(Ceil(plan_->cube.Kb, 16)) * 16 * column;
    return BTurned() ? static_cast<uint64_t>(column) * plan_->cube.Kb : column;
  }
  __aicore__ inline uint64_t RowOfA(int32_t row) const {
    return ATurned() ? row : static_cast<uint64_t>(row) * plan_->cube.Ka;
  }
  __aicore__ inline bool ATurned() const { return (plan_->turned & kTurnsA) != 0; }
  __aicore__ inline bool BTurned() const { return (plan_->turned & kTurnsB) != 0; }

  // Rows of a base block in UB are baseN apart, however narrow the block is.
  __aicore__ inline void Finish(const Epilogue& epilogue, uint64_t at, const Block& block) {
    const auto& cube = plan_->cube;
    LocalTensor<Sum> sums = sums_.template AllocTensor<Sum>();
    mm.template GetTensorC<true>(sums, 0, true);
    sums_.EnQue(sums);
    sums = sums_.template DeQue<Sum>();
    if constexpr (IsPlaced<Epilogue>::value) {
      epilogue(sums, block);
    } else if constexpr (kScratch > 0) {
      epilogue(sums, scratch_.template Get<uint8_t>(), block.elements());
    } else {
      epilogue(sums, block.elements());
    }
    store_.Out(y_[at], cube.N, sums.template ReinterpretCast<Result>(), block);
    sums_.FreeTensor(sums);
  }

  const Plan* plan_ = nullptr;
  GlobalTensor<In> a_, b_;
  GlobalTensor<Bias> bias_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECIN, 1> sums_;
  product::Store<T, Result> store_;
  TBuf<TPosition::VECCALC> scratch_;
};

}  // namespace matmul

#endif  // OPS_SHARED_MATMUL_EPILOGUE_H_
