// The Matmul object: C = A * B (+ bias) in blocks of baseM x baseN, as a TCubeTiling says.
// (Vendor's pages "Matmul使用说明", "REGIST_MATMUL_OBJ", "Iterate", "GetTensorC", "IterateAll",
// "TCubeTiling结构体".)
//
// The core that calls computes; a cube core of a mixed launch returns from REGIST_MATMUL_OBJ.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_H_

#include "opkit/include/ascendc/matmul_callback.h"
#include "opkit/include/ascendc/matmul_policy.h"
#include "opkit/include/ascendc/matmul_settings.h"

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM, class MM_CB = MatmulCallBackFunc<>,
          template <const auto&, typename...> class MM_POLICY = Impl::Detail::MatmulPolicy>
class MatmulImpl : public detail::MatmulSettings<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG> {
  using Settings = detail::MatmulSettings<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG>;
  using typename Settings::A;
  using typename Settings::B;
  using typename Settings::Blocks;
  using typename Settings::C;
  using Batch = typename Blocks::Batch;
  using Settings::batch_a_;
  using Settings::batch_b_;
  using Settings::begin;
  using Settings::cursor_;
  using Settings::data_of_copies_;
  using Settings::kConfig;
  using Settings::kTakesValues;
  using Settings::tiling_of_copies_;
  using Settings::to_;
  using Settings::value_of_a_;
  using Settings::value_of_b_;
  using Settings::values_;
  using Settings::workspace_;

  static constexpr bool kOwnInputs = MM_CB::kOwn & (detail::kOwnCopyOfA | detail::kOwnCopyOfB);
  static constexpr bool kOwnOutput = MM_CB::kOwn & detail::kOwnCopyOfC;
  static constexpr detail::Triangle kTriangle = MM_POLICY<MM_CFG>::kTriangle;
  static_assert(!Blocks::kSparse || !kOwnInputs,
                "Matmul: copies of the author's do not know the index of a sparse B");
  static_assert(!Blocks::kInt4 || !kOwnInputs,
                "Matmul: copies of the author's are not emulated for matrices of int4b_t");

 public:
  // The next block; false when all are done.
  template <bool sync = true>
  OPKIT_INLINE bool Iterate(bool enPartialSum = false) {
    asynchronous_ = !sync;
    return compute<sync>(enPartialSum);
  }
  // Into a block of the author's in L0C, which keeps its own sum.
  template <bool sync = true, typename T>
  OPKIT_INLINE bool Iterate(bool enPartialSum, const LocalTensor<T>& localCmatrix) {
    static_assert(C_TYPE::pos == TPosition::CO1 && Blocks::kNzC && std::is_same<C, T>::value &&
                      (std::is_same<T, float>::value || std::is_same<T, int32_t>::value),
                  "Matmul: a block of the author's needs a C at CO1, NZ, of float or int32_t");
    to_.owner = detail::operand(localCmatrix).address;
    if (!compute<sync>(enPartialSum)) return false;
    opk_matmul_v1 x = to_.block_call(current_);
    x.c = detail::operand(localCmatrix);
    x.c_pitch = detail::round16(x.m);
    store(x, 0);
    return true;
  }

  template <bool sync = true>
  OPKIT_INLINE void GetTensorC(const GlobalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false) {
    if (!next_block()) return;
    opk_matmul_v1 x = to_.block_call(current_);
    to_.to_global(x, dst, current_, enSequentialWrite);
    x.steps.wait = sync;
    store(x, enAtomic);
  }
  // In sequence a local destination holds just the block: rows of baseN, or panels of baseM rows.
  // Otherwise the block goes to its place, as IterateAll has it.
  // The last four arguments are those of doPad, which the page gives up.
  template <bool sync = true, bool doPad = false>
  OPKIT_INLINE void GetTensorC(const LocalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, uint32_t = 0, uint32_t = 0,
                               uint32_t = 0, uint32_t = 0) {
    static_assert(!doPad, "GetTensorC: doPad is not emulated: leave it false");
    if (!next_block()) return;
    into_local<sync>(dst, enAtomic, enSequentialWrite);
  }
  template <bool sync = true>
  OPKIT_INLINE void GetTensorC(const GlobalTensor<C>& gm, const LocalTensor<C>& co2Local,
                               uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    GetTensorC<false>(gm, enAtomic, enSequentialWrite);
    into_local<sync>(co2Local, 0, enSequentialWrite);
  }
  // A block of baseM x baseN in the workspace, one behind the other.
  template <bool sync = true>
  OPKIT_INLINE GlobalTensor<C> GetTensorC(uint8_t enAtomic = 0, bool = false) {
    GlobalTensor<C> block;
    if (!next_block() || !detail::require(workspace_, detail::kNoWorkspace)) return block;
    block.SetGlobalBuffer(reinterpret_cast<C*>(workspace_) + current_ * to_.shape.block_elements());
    opk_matmul_v1 x = to_.block_call(current_);
    to_.to_global(x, block, current_, true);
    x.steps.wait = 1;
    store(x, enAtomic);
    return block;
  }
  OPKIT_INLINE void AsyncGetTensorC(const LocalTensor<C>& c) { GetTensorC<false>(c); }
  OPKIT_INLINE void WaitGetTensorC() { this->WaitIterateAll(); }

  // Waits once, behind the last block.
  template <bool sync = true>
  OPKIT_INLINE void IterateAll(const GlobalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, bool = false, bool fakeMsg = false) {
    if (is_fake(fakeMsg)) return;
    while (compute<false>(false)) {
      opk_matmul_v1 x = to_.block_call(current_);
      to_.place(x, dst, current_, enSequentialWrite);
      x.steps.wait = sync && is_last();
      store(x, enAtomic);
    }
  }
  // A local destination holds singleCoreM x singleCoreN of the tiling, whatever SetTail says: rows
  // of singleCoreN (ND_ALIGN: rounded up to 32 bytes), or panels of singleCoreM rows rounded up to
  // 16; blocks in sequence as in GM.
  template <bool sync = true>
  OPKIT_INLINE void IterateAll(const LocalTensor<C>& dst, uint8_t enAtomic = 0,
                               bool enSequentialWrite = false, bool = false, bool fakeMsg = false) {
    if (is_fake(fakeMsg)) return;
    while (compute<false>(false)) {
      opk_matmul_v1 x = to_.block_call(current_);
      x.steps.wait = sync && is_last();
      to_.place(x, dst, current_, enSequentialWrite);
      store(x, enAtomic);
    }
  }

  // Batches: batchA matrices A and batchB matrices B, the smaller number repeated for each of the
  // larger. The cube-only form says (enPartialSum, enAtomic) where the other one says the numbers.
  template <bool sync = true, bool waitIterateBatch = false, typename Dst, typename First,
            typename Second>
  OPKIT_INLINE void IterateBatch(const Dst& dst, First first, Second second, bool enSequentialWrite,
                                 const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                                 const uint32_t = 0, const bool enPartialSum = false,
                                 const uint8_t enAtomic = 0) {
    if constexpr (std::is_same<First, bool>::value) {
      batches<sync>(dst, {batch_a_, batch_b_, matrixStrideA, matrixStrideB, 0}, enSequentialWrite,
                    first, static_cast<uint8_t>(second));
    } else {
      batches<sync>(
          dst, {detail::positive(first), detail::positive(second), matrixStrideA, matrixStrideB, 0},
          enSequentialWrite, enPartialSum, enAtomic);
    }
  }
  OPKIT_INLINE void WaitIterateBatch() { this->WaitIterateAll(); }

  // batchLoop times IterateBatch: matrices of singleCoreM x singleCoreN in the workspace, one
  // behind the other. Without waiting they are computed when GetBatchTensorC asks.
  template <bool sync = true, bool waitIterateBatch = false>
  OPKIT_INLINE void IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool,
                                  const uint32_t matrixStrideA = 0,
                                  const uint32_t matrixStrideB = 0, const uint32_t = 0) {
    static_assert(kConfig.isNBatch, "IterateNBatch: set isNBatch in the MatmulConfig");
    n_batch_ = {batchA, batchB, matrixStrideA, matrixStrideB, 0};
    loops_ = batchLoop;
    if constexpr (sync || waitIterateBatch) {
      for (uint32_t loop = 0; loop < batchLoop; ++loop) batch_in_workspace<sync>(loop);
    }
  }
  template <bool sync = true>
  OPKIT_INLINE GlobalTensor<C> GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool = false) {
    if (!has_batch(batchA, batchB)) return GlobalTensor<C>();
    return batch_in_workspace<true>(take_batch().loop);
  }
  template <bool sync = true>
  OPKIT_INLINE void GetBatchTensorC(const LocalTensor<C>& c, uint32_t batchA, uint32_t batchB,
                                    bool = false) {
    if (has_batch(batchA, batchB)) batches<true>(c, take_batch(), false);
  }
  template <bool sync = true>
  OPKIT_INLINE GlobalTensor<C> GetBatchC(uint32_t batchA, uint32_t batchB, bool = false) {
    return GetBatchTensorC<sync>(batchA, batchB);
  }
  template <bool sync = true>
  OPKIT_INLINE void GetBatchC(const LocalTensor<C>& c, uint32_t batchA, uint32_t batchB,
                              bool = false) {
    GetBatchTensorC<sync>(c, batchA, batchB);
  }

 private:
  // A call that only keeps the calls of the vector cores that share a matrix in pairs.
  static constexpr bool is_fake(bool fake_message) {
    return fake_message && (kConfig.doIBShareNorm || A_TYPE::ibShare || B_TYPE::ibShare);
  }
  template <bool wait>
  OPKIT_INLINE bool compute(bool partial_sum) {
    if (!begin(true) || !find_block()) return false;
    opk_matmul_v1 x = to_.block_call(cursor_);
    x.compute = 1;
    x.accumulate = partial_sum && computed_;
    x.steps.wait = wait;
    x.steps.restart = cursor_ == 0;
    x.steps.own_copies = own_inputs();
    to_.compute(x);
    current_ = cursor_++;
    if constexpr (kOwnInputs || kTakesValues) {
      if (own_inputs()) multiply_own_copies();
    }
    computed_ = true;
    fetched_ = false;
    return true;
  }
  // Operands that the object does not copy: the author's functions do, or they are values.
  uint8_t own_inputs() const { return static_cast<uint8_t>((MM_CB::kOwn & 3) | values_); }
  bool find_block() {
    while (cursor_ < to_.shape.blocks() &&
           detail::is_left_out(kTriangle, to_.shape.row_of(cursor_), to_.shape.column_of(cursor_),
                               to_.shape.base_m, to_.shape.base_n))
      ++cursor_;
    return cursor_ < to_.shape.blocks();
  }
  bool is_last() {
    const uint32_t here = cursor_;
    const bool last = !find_block();
    cursor_ = here;
    return last;
  }

  // The block to fetch. After one asynchronous Iterate every fetch goes on to the next block.
  OPKIT_INLINE bool next_block() {
    if (!detail::require(computed_, detail::kNoBlock)) return false;
    if (asynchronous_ && fetched_ && !detail::require(compute<false>(false), detail::kNoMoreBlocks))
      return false;
    fetched_ = true;
    return true;
  }
  template <bool sync>
  OPKIT_INLINE void into_local(const LocalTensor<C>& dst, uint8_t atomic, bool in_sequence) {
    opk_matmul_v1 x = to_.block_call(current_);
    to_.to_local(x, dst, in_sequence ? 0 : current_, in_sequence);
    x.steps.wait = sync;
    store(x, atomic);
  }
  detail::OwnCopies own_copies() const {
    return {to_.a.address,
            to_.b.address,
            to_.shape.row_of(current_) / to_.shape.base_m,
            to_.shape.column_of(current_) / to_.shape.base_n,
            to_.a_transposed,
            to_.b_transposed,
            tiling_of_copies_,
            data_of_copies_};
  }
  void multiply_own_copies() {
    const detail::LentMemories lent;
    const uint32_t step = to_.steps.base_k ? to_.steps.base_k : to_.shape.single_k;
    for (uint32_t k0 = 0; k0 < to_.shape.single_k; k0 += step) {
      opk_matmul_v1 x = to_.block_call(current_);
      x.compute = x.accumulate = 1;
      x.k = to_.shape.single_k - k0 < step ? to_.shape.single_k - k0 : step;
      x.bias = {};
      x.a.col0 += k0;
      x.b.row0 += k0;
      detail::bring_own_copies<MM_CB, A, B>(x, own_copies(), k0 / step);
      if constexpr (kTakesValues) bring_values(x);
      detail::issue(x);
    }
  }

  void bring_values(opk_matmul_v1& x) const {
    if (values_ & detail::kOwnCopyOfA)
      x.a = detail::block_of_value<A>(value_of_a_, TPosition::A1, 0, x.m, x.k);
    if (values_ & detail::kOwnCopyOfB)
      x.b = detail::block_of_value<B>(value_of_b_, TPosition::B1, detail::kLentL1Half, x.k, x.n);
  }

  // Computes one block of product i, or adds it to the one before.
  OPKIT_INLINE void multiply(const Batch& batch, uint32_t i, uint32_t block, bool add) {
    const uint32_t most = batch.a > batch.b ? batch.a : batch.b;
    opk_matmul_v1 x = to_.block_call(block);
    const uint64_t a = uint64_t{batch.loop} * batch.a + i / (most / batch.a);
    const uint64_t b = uint64_t{batch.loop} * batch.b + i / (most / batch.b);
    to_.advance(x.a.data, detail::bytes_before<A>(to_.a_offset(a, batch.stride_a)));
    to_.advance(x.b.data, detail::bytes_before<B>(to_.b_offset(b, batch.stride_b)));
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
  // One matrix behind the other, rows of singleCoreN: the workspace of IterateNBatch.
  template <bool sync>
  OPKIT_INLINE GlobalTensor<C> batch_in_workspace(uint32_t loop) {
    GlobalTensor<C> part;
    if (!begin() || !detail::require(workspace_, detail::kNoWorkspace)) return part;
    const uint64_t matrix = uint64_t{to_.shape.single_m} * to_.packed_columns();
    const uint32_t most = n_batch_.a > n_batch_.b ? n_batch_.a : n_batch_.b;
    part.SetGlobalBuffer(reinterpret_cast<C*>(workspace_) + loop * (most / to_.summed()) * matrix);
    Batch batch = n_batch_;
    batch.loop = loop;
    to_.packed = true;
    batches<sync>(part, batch, false);
    to_.packed = false;
    return part;
  }
  OPKIT_INLINE bool has_batch(uint32_t a, uint32_t b) const {
    return detail::require(n_batch_.loop < loops_ && a == n_batch_.a && b == n_batch_.b,
                           detail::kNoBatch);
  }
  Batch take_batch() {
    const Batch batch = n_batch_;
    ++n_batch_.loop;
    return batch;
  }
  template <bool sync, typename Dst>
  OPKIT_INLINE void batches(const Dst& dst, const Batch& batch, bool contiguous,
                            bool partial = false, uint8_t atomic = 0) {
    static_assert(!Blocks::kSparse, "Matmul: there are no batches with a sparse B");
    if (!begin()) return;
    const uint32_t most = batch.a > batch.b ? batch.a : batch.b;
    const uint32_t group = to_.summed();
    if (!detail::require(
            batch.a && batch.b && most % batch.a == 0 && most % batch.b == 0 && most % group == 0,
            detail::kOddBatches))
      return;
    for (uint32_t c = 0; c < most / group; ++c) {
      for (uint32_t block = 0; block < to_.shape.blocks(); ++block) {
        for (uint32_t i = 0; i < group; ++i)
          multiply(batch, c * group + i, block, i > 0 || (partial && computed_));
        opk_matmul_v1 x = to_.block_call(block);
        const uint64_t offset = to_.c_offset(dst, c, contiguous);
        to_.place(x, dst[static_cast<decltype(dst.GetSize())>(offset)], block, contiguous);
        x.steps.wait = sync && c + 1 == most / group && block + 1 == to_.shape.blocks();
        store(x, atomic);
      }
    }
  }

  OPKIT_INLINE void store(opk_matmul_v1& x, uint8_t atomic) const {
    to_.store(
        x, atomic, [this](opk_matmul_v1 & ready) __attribute__((always_inline)) {
          if (kOwnOutput && ready.c.memory == OPK_MEM_GM)
            detail::store_own_copy<MM_CB, C>(ready, own_copies(), Blocks::kNzC, Blocks::kIntegers);
          else
            detail::issue(ready);
        });
  }

  uint32_t current_ = 0;  // last block
  Batch n_batch_{};
  uint32_t loops_ = 0;
  bool computed_ = false, asynchronous_ = false, fetched_ = false;
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_H_
