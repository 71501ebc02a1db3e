// The Matmul object: C = A * B (+ bias) in blocks of baseM x baseN, as a TCubeTiling says.
// (Vendor's pages "Matmul使用说明", "REGIST_MATMUL_OBJ", "Iterate", "GetTensorC", "IterateAll",
// "TCubeTiling结构体".)
//
// The core that calls computes; a cube core of a mixed launch returns from REGIST_MATMUL_OBJ.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_H_

#include <cstddef>

#include "opkit/include/ascendc/matmul_batch.h"
#include "opkit/include/ascendc/sync.h"
#include "opkit/include/kernel_tiling/kernel_tiling.h"

namespace AscendC {

namespace detail {

// The entry is younger than the others.
OPKIT_INLINE void issue(const opk_matmul_v1& x) {
  const opk_isa_v1* isa = core()->isa;
  if (__builtin_expect(isa->struct_size < offsetof(opk_isa_v1, matmul) + sizeof isa->matmul, 0)) {
    return fault(
        "EK1717",
        "Matmul: this engine is older than the Matmul object; run the kernel with the opkit "
        "that compiled it, or a later one");
  }
  isa->matmul(core(), &x);
}

}  // namespace detail

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>>
class MatmulImpl {
  using A = typename A_TYPE::T;
  using B = typename B_TYPE::T;
  using C = typename C_TYPE::T;
  using Bias = typename BIAS_TYPE::T;
  static constexpr bool kIntegers = std::is_same<A, int8_t>::value;

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
    org_m_ = positive(m);
    org_n_ = positive(n);
    org_ka_ = positive(ka);
    org_kb_ = positive(kb);
    org_c_ = positive(kc);
  }
  void SetSingleShape(int m, int n, int k) { SetTail(m, n, k); }
  void SetTail(int m = -1, int n = -1, int k = -1) {
    if (m != -1) single_m_ = positive(m);
    if (n != -1) single_n_ = positive(n);
    if (k != -1) single_k_ = positive(k);
    restart();
  }

  template <typename Tensor>
  void SetTensorA(const Tensor& tensor, bool isTransposeA = false) {
    require_transposable(isTransposeA && !A_TYPE::isTrans);
    a_ = detail::operand(tensor);
    a_transposed_ = isTransposeA;
    restart();
  }
  template <typename Tensor>
  void SetTensorB(const Tensor& tensor, bool isTransposeB = false) {
    require_transposable(isTransposeB && !B_TYPE::isTrans);
    b_ = detail::operand(tensor);
    b_transposed_ = isTransposeB;
    restart();
  }
  template <typename Tensor>
  void SetBias(const Tensor& bias) {
    bias_ = detail::operand(bias);
  }
  void ClearBias() { bias_ = {}; }
  void DisableBias() { bias_ = {}; }
  void SetQuantScalar(uint64_t word) {
    quant_word_ = word;
    quant_ = Quant::kScalar;
  }
  template <typename Tensor>
  void SetQuantVector(const Tensor& words) {
    quant_vector_ = detail::operand(words);
    quant_ = Quant::kVector;
  }
  void SetHF32(bool enable = false, int transMode = 0) {
    hf32_ = std::is_same<A, float>::value && enable ? (transMode ? 2 : 1) : 0;
  }

  // Hints and services of the vendor's client and server: nothing to do on one core.
  void SetSubBlockIdx(uint8_t) {}
  template <typename Tensor>
  void SetWorkspace(const Tensor&) {}
  void SetWorkspace(const uint8_t*, int) {}
  template <typename Tensor>
  void SetLocalWorkspace(const Tensor&) {}
  OPKIT_INLINE void WaitIterateAll() {
    opk_matmul_v1 x{};
    x.owner = reinterpret_cast<uint64_t>(this);
    x.has_steps = x.steps.wait = 1;
    detail::issue(x);
  }
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
    opk_matmul_v1 x = block_call(current_);
    to_global(x, dst, current_, enSequentialWrite);
    x.steps.wait = sync;
    store(x, enAtomic);
  }
  // A local destination holds just the block: rows of baseN, or panels of baseM rows.
  template <bool sync = true>
  OPKIT_INLINE void GetTensorC(const LocalTensor<C>& dst, uint8_t enAtomic = 0, bool = false) {
    if (!require_block()) return;
    opk_matmul_v1 x = block_call(current_);
    x.c = detail::operand(dst);
    x.c_pitch = kNzC ? round16(base_m_) : base_n_;
    x.steps.wait = sync;
    store(x, enAtomic);
  }

  // Waits once, behind the last block.
  template <bool sync = true>
  OPKIT_INLINE void IterateAll(const GlobalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, bool = false, bool = false) {
    while (compute<false>(false)) {
      opk_matmul_v1 x = block_call(current_);
      to_global(x, sequential(dst, enSequentialWrite), current_, enSequentialWrite);
      x.steps.wait = sync && cursor_ == blocks();
      store(x, enAtomic);
    }
  }
  // A local destination holds singleCoreM x singleCoreN: rows of singleCoreN (ND_ALIGN: rounded up
  // to 32 bytes), or panels of singleCoreM rows rounded up to 16; blocks in sequence as in GM.
  template <bool sync = true>
  OPKIT_INLINE void IterateAll(const LocalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, bool = false, bool = false) {
    while (compute<false>(false)) {
      opk_matmul_v1 x = block_call(current_);
      x.steps.wait = sync && cursor_ == blocks();
      to_local(x, dst, current_, enSequentialWrite);
      store(x, enAtomic);
    }
  }

  // Batches: batchA matrices A and batchB matrices B, the smaller number repeated for each of the
  // larger. The cube-only form says (enPartialSum, enAtomic) where the other one says the numbers.
  void SetBatchNum(int batchA, int batchB) {
    batch_a_ = positive(batchA);
    batch_b_ = positive(batchB);
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
      batches<sync>(dst, {positive(first), positive(second), matrixStrideA, matrixStrideB},
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
  enum class Quant : uint8_t { kNone, kScalar, kVector };
  static constexpr bool kNzC = C_TYPE::format == CubeFormat::NZ;

  static constexpr uint32_t positive(int64_t value) {
    return value > 0 ? static_cast<uint32_t>(value) : 0;
  }
  static uint32_t round16(uint32_t n) { return (n + 15) / 16 * 16; }
  static uint32_t parts(uint32_t size, uint32_t base) { return (size + base - 1) / base; }

  template <typename Tiling>
  void take(const Tiling& t) {
    SetOrgShape(t.M, t.N, t.Ka, t.Kb);
    single_m_ = positive(t.singleCoreM);
    single_n_ = positive(t.singleCoreN);
    single_k_ = positive(t.singleCoreK);
    base_m_ = positive(t.baseM);
    base_n_ = positive(t.baseN);
    n_first_ = t.iterateOrder == 1 || (kConfig.scheduleType == ScheduleType::OUTER_PRODUCT &&
                                       kConfig.iterateOrder == IterateOrder::ORDER_N);
    wants_bias_ = t.isBias != 0;
    if constexpr (detail::HasBatchAxes<Tiling>::value) {
      a_axes_ = detail::axes_of_a(t);
      b_axes_ = detail::axes_of_b(t);
      c_axes_ = detail::axes_of_c(t);
    }
    take_steps(t);
    restart();
  }
  static uint16_t narrow(int value) {
    return static_cast<uint16_t>(value < 1 ? 1 : value > 65535 ? 65535 : value);
  }
  static uint16_t buffers(int depth, int packet) { return narrow(depth / packet); }
  template <typename Tiling>
  void take_steps(const Tiling& t) {
    steps_ = {};
    steps_.base_m = base_m_;
    steps_.base_n = base_n_;
    steps_.base_k = positive(t.baseK);
    constexpr bool big = kConfig.big_packets();
    steps_.step_m = big ? narrow(t.stepM) : 1;
    steps_.step_n = big ? narrow(t.stepN) : 1;
    steps_.step_ka = big ? narrow(t.stepKa) : 1;
    steps_.step_kb = big ? narrow(t.stepKb) : 1;
    steps_.buffers_a1 = buffers(t.depthA1, steps_.step_m * steps_.step_ka);
    steps_.buffers_b1 = buffers(t.depthB1, steps_.step_n * steps_.step_kb);
    steps_.db_l0a = static_cast<uint8_t>(positive(t.dbL0A));
    steps_.db_l0b = static_cast<uint8_t>(positive(t.dbL0B));
    steps_.db_l0c = static_cast<uint8_t>(positive(t.dbL0C));
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
    if (__builtin_expect(!base_m_ || !base_n_ || !single_m_ || !single_n_ || !single_k_, 0)) {
      return detail::fault("EK1713",
                           "Matmul: there is no tiling, or one of its sizes is not positive; pass "
                           "a filled TCubeTiling to REGIST_MATMUL_OBJ or Init"),
             false;
    }
    if (__builtin_expect(!a_.address || !b_.address, 0)) {
      return detail::fault(
                 "EK1714",
                 "Matmul: A or B is not set; call SetTensorA and SetTensorB before Iterate"),
             false;
    }
    if (__builtin_expect(bias_.address && !wants_bias_, 0)) {
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
    if (!begin() || cursor_ == blocks()) return false;
    opk_matmul_v1 x = block_call(cursor_);
    x.compute = 1;
    x.accumulate = partial_sum && computed_;
    x.steps.wait = wait;
    x.steps.restart = cursor_ == 0;
    detail::issue(x);
    computed_ = true;
    current_ = cursor_++;
    return true;
  }

  uint32_t blocks() const { return parts(single_m_, base_m_) * parts(single_n_, base_n_); }
  // Row and column of a block, in elements. M runs first, or N.
  uint32_t row_of(uint32_t block) const {
    return (n_first_ ? block / parts(single_n_, base_n_) : block % parts(single_m_, base_m_)) *
           base_m_;
  }
  uint32_t column_of(uint32_t block) const {
    return (n_first_ ? block % parts(single_n_, base_n_) : block / parts(single_m_, base_m_)) *
           base_n_;
  }

  opk_matrix matrix(const opk_operand& data, CubeFormat format, bool transposed, uint32_t rows,
                    uint32_t columns) const {
    opk_matrix m{};
    m.data = data;
    m.nz = format == CubeFormat::NZ;
    m.transposed = transposed;
    const uint32_t stored_rows = transposed ? columns : rows;
    m.pitch = m.nz ? round16(stored_rows) : transposed ? rows : columns;
    return m;
  }
  static void set_pitch(opk_matrix& m, uint64_t pitch) {
    if (pitch && !m.nz) m.pitch = pitch;
  }

  opk_matmul_v1 block_call(uint32_t block) const {
    const uint32_t row = row_of(block), column = column_of(block);
    opk_matmul_v1 x{};
    x.owner = reinterpret_cast<uint64_t>(this);
    x.m = single_m_ - row < base_m_ ? single_m_ - row : base_m_;
    x.n = single_n_ - column < base_n_ ? single_n_ - column : base_n_;
    x.k = single_k_;
    x.hf32 = hf32_;
    x.quant = quant_of_c();
    x.to_nd = !kNzC;
    x.quant_word = quant_word_;
    x.a = matrix(a_, A_TYPE::format, a_transposed_, org_m_, org_ka_);
    x.a.row0 = row;
    set_pitch(x.a, a_axes_.pitch(A_TYPE::layout));
    x.b = matrix(b_, B_TYPE::format, b_transposed_, org_kb_, org_n_);
    x.b.col0 = column;
    set_pitch(x.b, b_axes_.pitch(B_TYPE::layout));
    x.bias = bias_;
    if (bias_.address) advance(x.bias, column * sizeof(Bias));
    x.quant_vector = quant_vector_;
    if (quant_vector_.address) advance(x.quant_vector, column * 8);
    x.c.dtype = detail::dtype_of<C>();
    x.has_steps = 1;
    x.steps = steps_;
    x.steps.single_m = single_m_;
    x.steps.single_n = single_n_;
    return x;
  }
  static void advance(opk_operand& o, uint64_t bytes) {
    o.address = static_cast<uint8_t*>(o.address) + bytes;
    o.bytes = bytes < o.bytes ? o.bytes - bytes : 0;
  }

  uint8_t quant_of_c() const {
    if constexpr (std::is_same<C, float>::value || std::is_same<C, int32_t>::value)
      return OPK_Q_NONE;
    else if constexpr (std::is_same<C, bfloat16_t>::value)
      return OPK_Q_F32_BF16;
    else if constexpr (std::is_same<C, half>::value)
      return !kIntegers                 ? OPK_Q_F32_F16
             : quant_ == Quant::kScalar ? OPK_Q_S32_F16
             : quant_ == Quant::kVector ? OPK_Q_S32_F16_VEC
                                        : OPK_Q_NONE;
    else
      return quant_ == Quant::kNone     ? OPK_Q_NONE
             : quant_ == Quant::kScalar ? (kIntegers ? OPK_Q_S32_B8 : OPK_Q_F32_B8)
                                        : (kIntegers ? OPK_Q_S32_B8_VEC : OPK_Q_F32_B8_VEC);
  }

  // Elements from row to row of C in GM.
  uint64_t global_pitch() const {
    if (const uint64_t pitch = c_axes_.pitch(C_TYPE::layout)) return pitch;
    const uint64_t n = org_c_ ? org_c_ : org_n_;
    const uint64_t unit = 32 / sizeof(C);
    return C_TYPE::format == CubeFormat::ND_ALIGN ? (n + unit - 1) / unit * unit : n;
  }
  void to_global(opk_matmul_v1& x, const GlobalTensor<C>& dst, uint32_t block,
                 bool contiguous) const {
    const uint64_t width = sizeof(C) == 1 ? 32 : 16;  // of a panel
    x.c_pitch = kNzC         ? round16(contiguous ? base_m_ : org_m_)
                : contiguous ? base_n_
                             : global_pitch();
    const uint64_t row = contiguous ? 0 : row_of(block), column = contiguous ? 0 : column_of(block);
    const uint64_t offset = kNzC ? (column / width * x.c_pitch + row) * width + column % width
                                 : row * x.c_pitch + column;
    x.c = detail::operand(dst[offset]);
  }
  void to_local(opk_matmul_v1& x, const LocalTensor<C>& dst, uint32_t block,
                bool contiguous) const {
    constexpr uint32_t width = sizeof(C) == 1 ? 32 : 16;
    const uint64_t row = row_of(block), column = column_of(block);
    uint64_t offset = uint64_t{block} * base_m_ * base_n_;
    if (contiguous) {
      x.c_pitch = kNzC ? round16(base_m_) : base_n_;
    } else {
      x.c_pitch = kNzC ? round16(single_m_) : local_columns();
      offset = kNzC ? (column / width * x.c_pitch + row) * width + column % width
                    : row * x.c_pitch + column;
    }
    x.c = detail::operand(dst[static_cast<uint32_t>(offset)]);
  }
  uint64_t local_columns() const {
    constexpr uint32_t unit = 32 / sizeof(C);
    return C_TYPE::format == CubeFormat::ND_ALIGN ? uint64_t{parts(single_n_, unit)} * unit
                                                  : single_n_;
  }

  struct Batch {
    uint32_t a, b;                // matrices
    uint64_t stride_a, stride_b;  // elements from matrix to matrix; 0: as the layout says
  };
  // Elements of a matrix that lies on its own.
  template <typename Type>
  static uint64_t alone(uint32_t rows, uint32_t columns, bool transposed) {
    if (Type::format != CubeFormat::NZ) return uint64_t{rows} * columns;
    constexpr uint32_t c0 = 32 / sizeof(typename Type::T);
    const uint32_t stored = transposed ? columns : rows, width = transposed ? rows : columns;
    return uint64_t{round16(stored)} * parts(width, c0) * c0;
  }
  uint64_t a_offset(uint64_t i, uint64_t stride) const {
    return stride
               ? i * stride
               : a_axes_.offset(A_TYPE::layout, i, alone<A_TYPE>(org_m_, org_ka_, a_transposed_));
  }
  uint64_t b_offset(uint64_t i, uint64_t stride) const {
    return stride
               ? i * stride
               : b_axes_.offset(B_TYPE::layout, i, alone<B_TYPE>(org_kb_, org_n_, b_transposed_));
  }
  // In GM, and in local memory, where matrices of one core follow each other.
  uint64_t c_offset(const GlobalTensor<C>&, uint64_t i, bool contiguous) const {
    if (contiguous) return i * blocks() * base_m_ * base_n_;
    const uint64_t own =
        kNzC ? uint64_t{round16(org_m_)} * parts(org_n_, 16) * 16 : org_m_ * global_pitch();
    return c_axes_.offset(C_TYPE::layout, i, own);
  }
  uint64_t c_offset(const LocalTensor<C>&, uint64_t i, bool contiguous) const {
    if (contiguous) return i * blocks() * base_m_ * base_n_;
    return i * (kNzC ? uint64_t{round16(single_m_)} * parts(single_n_, 16) * 16
                     : single_m_ * local_columns());
  }
  void place(opk_matmul_v1& x, const GlobalTensor<C>& dst, uint32_t block, bool contiguous) const {
    if (!contiguous) return to_global(x, dst, block, false);
    to_global(x, dst[uint64_t{block} * base_m_ * base_n_], block, true);
  }
  void place(opk_matmul_v1& x, const LocalTensor<C>& dst, uint32_t block, bool contiguous) const {
    to_local(x, dst, block, contiguous);
  }
  // Matrices A and B that are summed into one C: C has no axis G, and A or B has one.
  uint32_t summed() const {
    if (C_TYPE::layout == LayoutMode::NONE || C_TYPE::layout == LayoutMode::NORMAL) return 1;
    const uint64_t g = a_axes_.g > b_axes_.g ? a_axes_.g : b_axes_.g;
    return c_axes_.g == 1 && g > 1 ? static_cast<uint32_t>(g) : 1;
  }

  // Computes one block of product i, or adds it to the one before.
  OPKIT_INLINE void multiply(const Batch& batch, uint32_t i, uint32_t block, bool add) {
    const uint32_t most = batch.a > batch.b ? batch.a : batch.b;
    opk_matmul_v1 x = block_call(block);
    advance(x.a.data, a_offset(i / (most / batch.a), batch.stride_a) * sizeof(A));
    advance(x.b.data, b_offset(i / (most / batch.b), batch.stride_b) * sizeof(B));
    if (add)
      x.bias = {};
    else if (x.bias.address && kConfig.isBiasBatch)
      advance(x.bias, uint64_t{i / summed()} * org_n_ * sizeof(Bias));
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
    const uint32_t group = summed();
    if (__builtin_expect(!batch.a || !batch.b || most % batch.a || most % batch.b || most % group,
                         0)) {
      return detail::fault(
          "EK1718",
          "IterateBatch: of batchA and batchB one must be a multiple of the other, "
          "and neither 0; pass the numbers, or SetBatchNum for the cube-only form");
    }
    for (uint32_t c = 0; c < most / group; ++c) {
      for (uint32_t block = 0; block < blocks(); ++block) {
        for (uint32_t i = 0; i < group; ++i)
          multiply(batch, c * group + i, block, i > 0 || (partial && computed_));
        opk_matmul_v1 x = block_call(block);
        const uint64_t offset = c_offset(dst, c, contiguous);
        place(x, dst[static_cast<decltype(dst.GetSize())>(offset)], block, contiguous);
        x.steps.wait = sync && c + 1 == most / group && block + 1 == blocks();
        store(x, atomic);
      }
    }
  }

  GlobalTensor<C> sequential(const GlobalTensor<C>& dst, bool contiguous) const {
    return contiguous ? dst[uint64_t{current_} * base_m_ * base_n_] : dst;
  }

  OPKIT_INLINE void store(opk_matmul_v1& x, uint8_t atomic) const {
    opk_core* c = detail::core();
    const uint32_t old = c->atomic;
    const int32_t old_dtype = c->atomic_dtype;
    if (atomic) {
      c->atomic = atomic;
      c->atomic_dtype = detail::dtype_of<C>();
    }
    x.store = 1;
    detail::issue(x);
    c->atomic = old;
    c->atomic_dtype = old_dtype;
  }

  opk_operand a_{}, b_{}, bias_{}, quant_vector_{};
  opk_matmul_steps steps_{};
  uint64_t quant_word_ = 0;
  uint32_t org_m_ = 0, org_n_ = 0, org_ka_ = 0, org_kb_ = 0, org_c_ = 0;
  uint32_t single_m_ = 0, single_n_ = 0, single_k_ = 0;
  uint32_t base_m_ = 0, base_n_ = 0;
  uint32_t cursor_ = 0, current_ = 0;  // next block, last block
  uint32_t batch_a_ = 1, batch_b_ = 1;
  detail::BatchAxes a_axes_, b_axes_, c_axes_;
  Quant quant_ = Quant::kNone;
  uint8_t hf32_ = 0;
  bool a_transposed_ = false, b_transposed_ = false;
  bool n_first_ = false, wants_bias_ = false, computed_ = false;
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
