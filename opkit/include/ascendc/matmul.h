// The Matmul object: C = A * B (+ bias) in blocks of baseM x baseN, as a TCubeTiling says.
// (Vendor's pages "Matmul使用说明", "REGIST_MATMUL_OBJ", "Iterate", "GetTensorC", "IterateAll",
// "TCubeTiling结构体".)
//
// The core that calls computes; a cube core of a mixed launch returns from REGIST_MATMUL_OBJ.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_H_

#include "opkit/include/ascendc/matmul_blocks.h"
#include "opkit/include/kernel_tiling/kernel_tiling.h"

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>>
class MatmulImpl {
  using A = typename A_TYPE::T;
  using B = typename B_TYPE::T;
  using C = typename C_TYPE::T;
  using Blocks = detail::MatmulBlocks<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>;
  using Batch = typename Blocks::Batch;

  static constexpr bool readable(CubeFormat f) {
    return f == CubeFormat::ND || f == CubeFormat::NZ || f == CubeFormat::VECTOR;
  }
  static_assert(std::is_same<A, B>::value &&
                    (std::is_same<A, half>::value || std::is_same<A, bfloat16_t>::value ||
                     std::is_same<A, float>::value || std::is_same<A, int8_t>::value),
                "Matmul: A and B have one type: half, bfloat16_t, float or int8_t");
  static_assert(readable(A_TYPE::format) && readable(B_TYPE::format),
                "Matmul: A and B are in the format ND, NZ or VECTOR");
  static_assert(C_TYPE::format == CubeFormat::ND || C_TYPE::format == CubeFormat::NZ ||
                    C_TYPE::format == CubeFormat::ND_ALIGN,
                "Matmul: C is in the format ND, ND_ALIGN or NZ");
  static_assert(A_TYPE::layout == B_TYPE::layout, "Matmul: A and B have one LayoutMode");
  static_assert(MM_CB::kNone,
                "Matmul: callbacks (MatmulCallBackFunc) are not emulated: copy before SetTensorA "
                "and after GetTensorC");
  static constexpr MatmulConfig kConfig = detail::config_of(MM_CFG);
  static_assert(!kConfig.isPartialOutput && !kConfig.isEnableChannelSplit &&
                    !kConfig.intraBlockPartSum && !kConfig.enableMixDualMaster,
                "Matmul: isPartialOutput, isEnableChannelSplit, intraBlockPartSum and "
                "enableMixDualMaster are not emulated: leave them false");

 public:
  template <typename Tiling>
  void Init(const Tiling* tiling, TPipe* = nullptr) {
    if constexpr (!std::is_same<Tiling, std::nullptr_t>::value) {
      if (tiling) return take(*tiling);
    }
    Init(nullptr);
  }
  void Init(std::nullptr_t, TPipe* = nullptr) {
    if constexpr (detail::is_whole(MM_CFG)) take(MM_CFG);
  }

  void SetOrgShape(int m, int n, int k) { SetOrgShape(m, n, k, k); }
  void SetOrgShape(int m, int n, int ka, int kb, int kc = 0) {
    to_.shape.set_org(m, n, ka, kb, kc);
  }
  void SetSingleShape(int m, int n, int k) { SetTail(m, n, k); }
  void SetTail(int m = -1, int n = -1, int k = -1) {
    if (m != -1) to_.shape.single_m = detail::positive(m);
    if (n != -1) to_.shape.single_n = detail::positive(n);
    if (k != -1) to_.shape.single_k = detail::positive(k);
    restart();
  }

  template <typename Tensor>
  void SetTensorA(const Tensor& tensor, bool isTransposeA = false) {
    require_transposable(isTransposeA && !A_TYPE::isTrans);
    to_.a = detail::operand(tensor);
    to_.a_transposed = isTransposeA;
    restart();
  }
  template <typename Tensor>
  void SetTensorB(const Tensor& tensor, bool isTransposeB = false) {
    require_transposable(isTransposeB && !B_TYPE::isTrans);
    to_.b = detail::operand(tensor);
    to_.b_transposed = isTransposeB;
    restart();
  }
  template <typename Tensor>
  void SetBias(const Tensor& bias) {
    to_.bias = detail::operand(bias);
  }
  void ClearBias() { to_.bias = {}; }
  void DisableBias() { to_.bias = {}; }
  void SetQuantScalar(uint64_t word) {
    to_.quant_word = word;
    to_.quant = Blocks::Quant::kScalar;
  }
  template <typename Tensor>
  void SetQuantVector(const Tensor& words) {
    to_.quant_vector = detail::operand(words);
    to_.quant = Blocks::Quant::kVector;
  }
  void SetHF32(bool enable = false, int transMode = 0) {
    to_.hf32 = std::is_same<A, float>::value && enable ? (transMode ? 2 : 1) : 0;
  }

  // Hints and services of the vendor's client and server: nothing to do on one core.
  void SetSubBlockIdx(uint8_t) {}
  template <typename Tensor>
  void SetWorkspace(const Tensor&) {}
  void SetWorkspace(const uint8_t*, int) {}
  template <typename Tensor>
  void SetLocalWorkspace(const Tensor&) {}
  OPKIT_INLINE void WaitIterateAll() { to_.wait(); }
  void End() {}

  // The next block; false when all are done.
  template <bool sync = true>
  OPKIT_INLINE bool Iterate(bool enPartialSum = false) {
    return compute<sync>(enPartialSum);
  }

  template <bool sync = true>
  OPKIT_INLINE void GetTensorC(const GlobalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false) {
    if (!require_block()) return;
    opk_matmul_v1 x = to_.block_call(current_);
    to_.to_global(x, dst, current_, enSequentialWrite);
    x.steps.wait = sync;
    to_.store(x, enAtomic);
  }
  // A local destination holds just the block: rows of baseN, or panels of baseM rows.
  template <bool sync = true>
  OPKIT_INLINE void GetTensorC(const LocalTensor<C>& dst, uint8_t enAtomic = 0, bool = false) {
    if (!require_block()) return;
    opk_matmul_v1 x = to_.block_call(current_);
    x.c = detail::operand(dst);
    x.c_pitch = Blocks::kNzC ? detail::round16(to_.shape.base_m) : to_.shape.base_n;
    x.steps.wait = sync;
    to_.store(x, enAtomic);
  }

  // Waits once, behind the last block.
  template <bool sync = true>
  OPKIT_INLINE void IterateAll(const GlobalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, bool = false, bool = false) {
    while (compute<false>(false)) {
      opk_matmul_v1 x = to_.block_call(current_);
      to_.place(x, dst, current_, enSequentialWrite);
      x.steps.wait = sync && cursor_ == to_.shape.blocks();
      to_.store(x, enAtomic);
    }
  }
  // A local destination holds singleCoreM x singleCoreN: rows of singleCoreN (ND_ALIGN: rounded up
  // to 32 bytes), or panels of singleCoreM rows rounded up to 16; blocks in sequence as in GM.
  template <bool sync = true>
  OPKIT_INLINE void IterateAll(const LocalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, bool = false, bool = false) {
    while (compute<false>(false)) {
      opk_matmul_v1 x = to_.block_call(current_);
      x.steps.wait = sync && cursor_ == to_.shape.blocks();
      to_.place(x, dst, current_, enSequentialWrite);
      to_.store(x, enAtomic);
    }
  }

  // Batches: batchA matrices A and batchB matrices B, the smaller number repeated for each of the
  // larger. The cube-only form says (enPartialSum, enAtomic) where the other one says the numbers.
  void SetBatchNum(int batchA, int batchB) {
    batch_a_ = detail::positive(batchA);
    batch_b_ = detail::positive(batchB);
  }
  template <bool sync = true, bool waitIterateBatch = false, typename Dst, typename First,
            typename Second>
  OPKIT_INLINE void IterateBatch(const Dst& dst, First first, Second second, bool enSequentialWrite,
                                 const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                                 const uint32_t = 0, const bool enPartialSum = false,
                                 const uint8_t enAtomic = 0) {
    if constexpr (std::is_same<First, bool>::value) {
      batches<sync>(dst, {batch_a_, batch_b_, matrixStrideA, matrixStrideB}, enSequentialWrite,
                    first, static_cast<uint8_t>(second));
    } else {
      batches<sync>(
          dst, {detail::positive(first), detail::positive(second), matrixStrideA, matrixStrideB},
          enSequentialWrite, enPartialSum, enAtomic);
    }
  }
  OPKIT_INLINE void WaitIterateBatch() { WaitIterateAll(); }

  // Not there: an error that says what to write instead.
#define OPKIT_NO_METHOD(Name, sentence)                                           \
  template <typename... Any>                                                      \
  void Name(Any&&...) {                                                           \
    static_assert(sizeof...(Any) > 1000000, #Name " is not emulated: " sentence); \
  }
  OPKIT_NO_METHOD(IterateNBatch, "loop over IterateBatch")
  OPKIT_NO_METHOD(GetBatchTensorC, "give IterateBatch the place of C")
  OPKIT_NO_METHOD(GetBatchC, "give IterateBatch the place of C")
  OPKIT_NO_METHOD(AsyncGetTensorC, "use GetTensorC")
  OPKIT_NO_METHOD(WaitGetTensorC, "use GetTensorC")
  OPKIT_NO_METHOD(SetSparseIndex, "expand the weights and use SetTensorB")
  OPKIT_NO_METHOD(SetUserDefInfo,
                  "callbacks are not there; copy before SetTensorA and after GetTensorC")
  OPKIT_NO_METHOD(SetSelfDefineData,
                  "callbacks are not there; copy before SetTensorA and after GetTensorC")
#undef OPKIT_NO_METHOD

 private:
  template <typename Tiling>
  void take(const Tiling& t) {
    to_.take(t,
             kConfig.scheduleType == ScheduleType::OUTER_PRODUCT &&
                 kConfig.iterateOrder == IterateOrder::ORDER_N,
             kConfig.big_packets());
    wants_bias_ = t.isBias != 0;
    restart();
  }
  void restart() { cursor_ = 0; }

  OPKIT_INLINE static void require_transposable(bool missing) {
    if (__builtin_expect(missing, 0)) {
      detail::fault("EK1712",
                    "Matmul: this operand's MatmulType has isTrans = false; set it to true to "
                    "transpose");
    }
  }
  OPKIT_INLINE bool begin() const {
    if (__builtin_expect(!to_.shape.is_complete(), 0)) {
      return detail::fault("EK1713",
                           "Matmul: there is no tiling, or one of its sizes is not positive; pass "
                           "a filled TCubeTiling to REGIST_MATMUL_OBJ or Init"),
             false;
    }
    if (__builtin_expect(!to_.a.address || !to_.b.address, 0)) {
      return detail::fault(
                 "EK1714",
                 "Matmul: A or B is not set; call SetTensorA and SetTensorB before Iterate"),
             false;
    }
    if (__builtin_expect(to_.bias.address && !wants_bias_, 0)) {
      return detail::fault("EK1715",
                           "Matmul: SetBias needs a tiling with isBias = 1; call SetBias(true) on "
                           "the host's tiling object"),
             false;
    }
    return true;
  }
  OPKIT_INLINE bool require_block() const {
    if (__builtin_expect(!computed_, 0))
      return detail::fault("EK1716", "Matmul: GetTensorC before Iterate; call Iterate first"),
             false;
    return true;
  }

  template <bool wait>
  OPKIT_INLINE bool compute(bool partial_sum) {
    if (!begin() || cursor_ == to_.shape.blocks()) return false;
    opk_matmul_v1 x = to_.block_call(cursor_);
    x.compute = 1;
    x.accumulate = partial_sum && computed_;
    x.steps.wait = wait;
    x.steps.restart = cursor_ == 0;
    detail::issue(x);
    computed_ = true;
    current_ = cursor_++;
    return true;
  }

  // Computes one block of product i, or adds it to the one before.
  OPKIT_INLINE void multiply(const Batch& batch, uint32_t i, uint32_t block, bool add) {
    const uint32_t most = batch.a > batch.b ? batch.a : batch.b;
    opk_matmul_v1 x = to_.block_call(block);
    to_.advance(x.a.data, to_.a_offset(i / (most / batch.a), batch.stride_a) * sizeof(A));
    to_.advance(x.b.data, to_.b_offset(i / (most / batch.b), batch.stride_b) * sizeof(B));
    if (add)
      x.bias = {};
    else if (x.bias.address && kConfig.isBiasBatch)
      to_.advance(x.bias,
                  uint64_t{i / to_.summed()} * to_.shape.org_n * sizeof(typename BIAS_TYPE::T));
    x.compute = 1;
    x.accumulate = add;
    x.steps.restart = block == 0;
    detail::issue(x);
    computed_ = true;
  }
  template <bool sync, typename Dst>
  OPKIT_INLINE void batches(const Dst& dst, const Batch& batch, bool contiguous, bool partial,
                            uint8_t atomic) {
    if (!begin()) return;
    const uint32_t most = batch.a > batch.b ? batch.a : batch.b;
    const uint32_t group = to_.summed();
    if (__builtin_expect(!batch.a || !batch.b || most % batch.a || most % batch.b || most % group,
                         0)) {
      return detail::fault(
          "EK1718",
          "IterateBatch: of batchA and batchB one must be a multiple of the other, "
          "and neither 0; pass the numbers, or SetBatchNum for the cube-only form");
    }
    for (uint32_t c = 0; c < most / group; ++c) {
      for (uint32_t block = 0; block < to_.shape.blocks(); ++block) {
        for (uint32_t i = 0; i < group; ++i)
          multiply(batch, c * group + i, block, i > 0 || (partial && computed_));
        opk_matmul_v1 x = to_.block_call(block);
        const uint64_t offset = to_.c_offset(dst, c, contiguous);
        to_.place(x, dst[static_cast<decltype(dst.GetSize())>(offset)], block, contiguous);
        x.steps.wait = sync && c + 1 == most / group && block + 1 == to_.shape.blocks();
        to_.store(x, atomic);
      }
    }
  }

  Blocks to_;
  uint32_t cursor_ = 0, current_ = 0;  // next block, last block
  uint32_t batch_a_ = 1, batch_b_ = 1;
  bool wants_bias_ = false, computed_ = false;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB>;

namespace detail {

#ifdef ASCENDC_CUBE_ONLY
constexpr bool kMatmulOnCubeCore = true;
#else
constexpr bool kMatmulOnCubeCore = false;
#endif

inline void regist_matmul() {}
template <typename Object>
void regist_matmul(Object& object) {
  object.Init(nullptr);
}
template <typename Object, typename Tiling, typename... Rest>
void regist_matmul(Object& object, Tiling tiling, Rest&&... rest) {
  object.Init(tiling);
  regist_matmul(rest...);
}

}  // namespace detail

}  // namespace AscendC

// Without ASCENDC_CUBE_ONLY the vector cores work, and the cube core has nothing to do.
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...)                                                  \
  if constexpr (::AscendC::g_coreType == ::AscendC::AIC && !::AscendC::detail::kMatmulOnCubeCore) \
    return;                                                                                       \
  ::AscendC::detail::regist_matmul(__VA_ARGS__)

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_H_
