// What a Matmul object is told before it computes: sizes, operands, ways of storing. (Vendor's
// pages "SetTensorA" to "SetWorkspace", "SetSparseIndex".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_SETTINGS_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_SETTINGS_H_

#include "opkit/include/ascendc/matmul_blocks.h"
#include "opkit/include/ascendc/matmul_callback.h"
#include "opkit/include/ascendc/matmul_refusals.h"
#include "opkit/include/ascendc/matmul_types.h"
#include "opkit/include/kernel_tiling/kernel_tiling.h"

namespace AscendC {
namespace detail {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE, const auto& MM_CFG>
class MatmulSettings {
 protected:
  using A = typename A_TYPE::T;
  using B = typename B_TYPE::T;
  using C = typename C_TYPE::T;
  using Blocks = MatmulBlocks<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE>;
  static constexpr MatmulConfig kConfig = config_of(MM_CFG);

  // A value instead of a matrix.
  static constexpr bool kTakesValues =
      (std::is_same<A, half>::value || std::is_same<A, float>::value) && !Blocks::kSparse;

  static_assert(types_fit<A_TYPE, B_TYPE, C_TYPE>(), "");
  static_assert(!std::is_same<A, int4b_t>::value || takes_int4(kConfig),
                "Matmul: matrices of int4b_t go with the templates Norm, MDL and IBShare only");
  static_assert(!kConfig.isPartialOutput && !kConfig.isEnableChannelSplit &&
                    !kConfig.intraBlockPartSum && !kConfig.enableMixDualMaster,
                "Matmul: isPartialOutput, isEnableChannelSplit, intraBlockPartSum and "
                "enableMixDualMaster are not emulated: leave them false");
  static_assert(sparse_type_fits<B_TYPE>(kConfig), "SparseMatmulType: use CFG_MDL");

 public:
  template <typename Tiling>
  void Init(const Tiling* tiling, TPipe* = nullptr) {
    if constexpr (!std::is_same<Tiling, std::nullptr_t>::value) {
      if (tiling) return take(*tiling);
    }
    Init(nullptr);
  }
  void Init(std::nullptr_t, TPipe* = nullptr) {
    if constexpr (is_whole(MM_CFG)) take(MM_CFG);
  }

  // Calls that the MatmulConfig switches off (enableSetOrgShape ...) do nothing.
  void SetOrgShape(int m, int n, int k) { SetOrgShape(m, n, k, k); }
  void SetOrgShape(int m, int n, int ka, int kb, int kc = 0) {
    if constexpr (kConfig.enableSetOrgShape) to_.shape.set_org(m, n, ka, kb, kc);
  }
  void SetSingleShape(int m, int n, int k) { set_single(m, n, k); }
  void SetTail(int m = -1, int n = -1, int k = -1) {
    if constexpr (kConfig.enableSetTail) set_single(m, n, k);
  }

  template <typename T>
  void SetTensorA(const GlobalTensor<T>& gm, bool isTransposeA = false) {
    set_a(operand(gm), isTransposeA);
  }
  template <typename T>
  void SetTensorA(const LocalTensor<T>& leftMatrix, bool isTransposeA = false) {
    set_a(operand(leftMatrix), isTransposeA);
  }
  template <typename T>
  void SetTensorB(const GlobalTensor<T>& gm, bool isTransposeB = false) {
    set_b(operand(gm), isTransposeB);
  }
  template <typename T>
  void SetTensorB(const LocalTensor<T>& rightMatrix, bool isTransposeB = false) {
    set_b(operand(rightMatrix), isTransposeB);
  }
  // A value instead of a matrix: it counts as K of them. (Pages "SetTensorA", "SetTensorB".)
  void SetTensorA(A aScalar, bool = false) {
    static_assert(kTakesValues, "SetTensorA: a value is of half or float");
    set_value(to_.a, kOwnCopyOfA);
    to_.a_transposed = false;
    value_of_a_ = aScalar;
  }
  void SetTensorB(B bScalar, bool = false) {
    static_assert(kTakesValues, "SetTensorB: a value is of half or float");
    set_value(to_.b, kOwnCopyOfB);
    to_.b_transposed = false;
    value_of_b_ = bScalar;
  }
  template <typename Tensor>
  void SetBias(const Tensor& bias) {
    if constexpr (kConfig.enableSetBias) to_.bias = operand(bias);
  }
  void ClearBias() { to_.bias = {}; }
  void DisableBias() { to_.bias = {}; }
  void SetQuantScalar(uint64_t word) {
    if constexpr (!kConfig.enableQuantVector) return;
    to_.quant_word = word;
    to_.quant = Blocks::Quant::kScalar;
  }
  template <typename Tensor>
  void SetQuantVector(const Tensor& words) {
    if constexpr (!kConfig.enableQuantVector) return;
    to_.quant_vector = operand(words);
    to_.quant = Blocks::Quant::kVector;
  }
  void SetHF32(bool enable = false, int transMode = 0) {
    to_.hf32 = std::is_same<A, float>::value && enable ? (transMode ? 2 : 1) : 0;
  }

  void SetUserDefInfo(const uint64_t tilingPtr) { tiling_of_copies_ = tilingPtr; }
  void SetSelfDefineData(const uint64_t dataPtr) {
    if constexpr (kConfig.enableSetDefineData) data_of_copies_ = dataPtr;
  }

  void SetSubBlockIdx(uint8_t subBlockIdx) { sub_block_ = subBlockIdx; }
  uint8_t GetSubBlockIdx() {
    return sub_block_ == 0xff ? static_cast<uint8_t>(core()->sub_block_idx) : sub_block_;
  }
  // Where GetTensorC and IterateNBatch put blocks that no tensor was given for.
  template <typename T>
  void SetWorkspace(GlobalTensor<T>& addr) {
    workspace_ = reinterpret_cast<uint8_t*>(addr.GetPhyAddr());
  }
  template <typename T>
  void SetWorkspace(__gm__ const T* addr, int) {
    workspace_ = reinterpret_cast<uint8_t*>(const_cast<T*>(addr));
  }
  template <typename Tensor>
  void SetLocalWorkspace(const Tensor&) {}
  OPKIT_INLINE void WaitIterateAll() { to_.wait(); }
  void End() {}

  // How many matrices A and B IterateBatch's cube-only form takes.
  void SetBatchNum(int batchA, int batchB) {
    batch_a_ = positive(batchA);
    batch_b_ = positive(batchB);
  }
  // indexGlobal: of a B that is a SparseMatmulType.
  void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) {
    static_assert(Blocks::kSparse, "SetSparseIndex: B has to be a SparseMatmulType");
    require(core()->kind == OPK_CORE_AIC, kSparseOnVectorCore);
    to_.index = operand(indexGlobal);
  }

 protected:
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
  void set_single(int m, int n, int k) {
    if (m != -1) to_.shape.single_m = positive(m);
    if (n != -1) to_.shape.single_n = positive(n);
    if (k != -1) to_.shape.single_k = positive(k);
    restart();
  }
  OPKIT_INLINE void set_a(const opk_operand& a, bool transposed) {
    require(!transposed || A_TYPE::isTrans, kNotTransposable);
    to_.a = a;
    to_.a_transposed = transposed;
    values_ &= ~uint32_t{kOwnCopyOfA};
    restart();
  }
  OPKIT_INLINE void set_b(const opk_operand& b, bool transposed) {
    require(!transposed || B_TYPE::isTrans, kNotTransposable);
    require(transposed || !Blocks::kSparse, kSparseNotTurned);
    to_.b = b;
    to_.b_transposed = transposed;
    values_ &= ~uint32_t{kOwnCopyOfB};
    restart();
  }
  void set_value(opk_operand& matrix, uint8_t which) {
    matrix = {};
    matrix.dtype = dtype_of<A>();
    values_ |= which;
    restart();
  }

  // Tells whether a call may begin; where `with_values`, an operand may be a value.
  OPKIT_INLINE bool begin(bool with_values = false) const {
    const uint32_t values = with_values ? values_ : 0;
    return require(to_.shape.is_complete(), kNoTiling) &&
           require((to_.a.address || (values & kOwnCopyOfA)) &&
                       (to_.b.address || (values & kOwnCopyOfB)),
                   kNoOperand) &&
           require(!Blocks::kSparse || to_.index.address, kNoIndex) &&
           require(!to_.bias.address || wants_bias_, kUnknownBias);
  }

  Blocks to_;
  uint32_t cursor_ = 0;  // next block
  uint32_t batch_a_ = 1, batch_b_ = 1;
  uint8_t* workspace_ = nullptr;
  uint64_t tiling_of_copies_ = 0, data_of_copies_ = 0;
  A value_of_a_{};
  B value_of_b_{};
  uint32_t values_ = 0;  // operands that are values: kOwnCopyOfA, kOwnCopyOfB
  bool wants_bias_ = false;
  uint8_t sub_block_ = 0xff;  // 0xff: as the core says
};

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_SETTINGS_H_
