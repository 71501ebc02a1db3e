// How elements are held in SIMD registers, per target. Included by rows_*.cpp under
// foreach_target.h, so the guard toggles.
#if defined(OPKIT_CORE_ISA_VECTOR_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef OPKIT_CORE_ISA_VECTOR_LANES_INL_H_
#undef OPKIT_CORE_ISA_VECTOR_LANES_INL_H_
#else
#define OPKIT_CORE_ISA_VECTOR_LANES_INL_H_
#endif

#include <cstring>
#include <type_traits>

#include "hwy/highway.h"
#include "opkit/core/lanes/half_inl.h"
#include "opkit/core/rows/rows.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One way to load, hold and store each element type. T is what lies in memory.
struct AsFloat {
  using T = float;
  using D = hn::ScalableTag<float>;
  static constexpr uint8_t kDType = OPK_FLOAT32;
  static HWY_INLINE hn::Vec<D> Load(const T* p) { return hn::LoadU(D(), p); }
  static HWY_INLINE void Store(hn::Vec<D> v, T* p) { hn::StoreU(v, D(), p); }
  static HWY_INLINE hn::Vec<D> Scalar(uint64_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return hn::Set(D(), value);
  }
};

struct AsHalf {
  using T = uint16_t;
  using D = hn::ScalableTag<float>;
  static constexpr uint8_t kDType = OPK_FLOAT16;
  static HWY_INLINE hn::Vec<D> Load(const T* p) { return LoadHalf(D(), p); }
  static HWY_INLINE void Store(hn::Vec<D> v, T* p) { StoreHalf(D(), v, p); }
  static HWY_INLINE hn::Vec<D> Scalar(uint64_t bits) {
    HWY_ALIGN uint16_t copies[HWY_MAX_BYTES / 2];
    for (uint16_t& copy : copies) copy = static_cast<uint16_t>(bits);
    return LoadHalf(D(), copies);
  }
};

template <typename Int, uint8_t kType>
struct AsInt {
  using T = Int;
  using D = hn::ScalableTag<Int>;
  static constexpr uint8_t kDType = kType;
  static HWY_INLINE hn::Vec<D> Load(const T* p) { return hn::LoadU(D(), p); }
  static HWY_INLINE void Store(hn::Vec<D> v, T* p) { hn::StoreU(v, D(), p); }
  static HWY_INLINE hn::Vec<D> Scalar(uint64_t bits) {
    return hn::Set(D(), static_cast<Int>(bits));
  }
};
using AsInt16 = AsInt<int16_t, OPK_INT16>;
using AsUint16 = AsInt<uint16_t, OPK_UINT16>;
using AsInt32 = AsInt<int32_t, OPK_INT32>;
using AsUint32 = AsInt<uint32_t, OPK_UINT32>;

// An operation says what it reads: bit 0 a, bit 1 b, bit 2 the old destination, bit 3 the scalar.
enum : unsigned { kA = 1, kB = 2, kOld = 4, kScalar = 8 };

template <class F, class Out, class In, class V>
HWY_INLINE void Step(typename Out::T* dst, const typename In::T* a, const typename In::T* b,
                     V scalar) {
  const typename Out::D d;
  const auto zero = hn::Zero(d);
  const auto va = (F::kReads & kA) ? In::Load(a) : zero;
  const auto vb = (F::kReads & kB) ? In::Load(b) : zero;
  const auto old = (F::kReads & kOld) ? Out::Load(dst) : zero;
  Out::Store(F::Apply(d, va, vb, old, scalar), dst);
}

// The elements behind the last whole register, through aligned copies so that nothing else is
// touched.
template <class F, class Out, class In, class V>
HWY_NOINLINE void Tail(typename Out::T* dst, const typename In::T* a, const typename In::T* b,
                       V scalar, size_t n) {
  HWY_ALIGN typename In::T in_a[HWY_MAX_BYTES / sizeof(typename In::T)] = {};
  HWY_ALIGN typename In::T in_b[HWY_MAX_BYTES / sizeof(typename In::T)] = {};
  HWY_ALIGN typename Out::T out[HWY_MAX_BYTES / sizeof(typename Out::T)] = {};
  if (F::kReads & kA) std::memcpy(in_a, a, n * sizeof(in_a[0]));
  if (F::kReads & kB) std::memcpy(in_b, b, n * sizeof(in_b[0]));
  if (F::kReads & kOld) std::memcpy(out, dst, n * sizeof(out[0]));
  Step<F, Out, In>(out, in_a, in_b, scalar);
  std::memcpy(dst, out, n * sizeof(out[0]));
}

template <class F, class Out, class In>
void RunRow(void* dst_bytes, const void* a_bytes, const void* b_bytes, const RowContext& context,
            size_t n) {
  auto* dst = static_cast<typename Out::T*>(dst_bytes);
  auto* a = static_cast<const typename In::T*>(a_bytes);
  auto* b = static_cast<const typename In::T*>(b_bytes);
  const auto scalar =
      (F::kReads & kScalar) ? In::Scalar(context.scalar[0]) : hn::Zero(typename In::D());
  const size_t lanes = hn::Lanes(typename Out::D());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) Step<F, Out, In>(dst + i, a + i, b + i, scalar);
  if (i < n) Tail<F, Out, In>(dst + i, a + i, b + i, scalar, n - i);
}

// As RunRow, with b read from copies of a block. The compiler must not keep them in a register: it
// would exchange the operands of a sum or a product, and of two NaN the other one would be the
// result.
template <class F, class Out, class In>
void RunFolded(void* dst_bytes, const void* a_bytes, const void* b_bytes, const RowContext&,
               size_t n) {
  constexpr size_t kBlock = 32 / sizeof(typename In::T);
  auto* dst = static_cast<typename Out::T*>(dst_bytes);
  auto* a = static_cast<const typename In::T*>(a_bytes);
  // Read before dst is written, where the block may lie.
  HWY_ALIGN typename In::T copies[HWY_MAX(HWY_MAX_BYTES / sizeof(typename In::T), kBlock)];
  const size_t lanes = hn::Lanes(typename Out::D());
  for (size_t k = 0; k < HWY_MAX(lanes, kBlock); k += kBlock) std::memcpy(copies + k, b_bytes, 32);
  const typename In::T* b = copies;
  asm("" : "+r"(b) : : "memory");
  const auto zero = hn::Zero(typename In::D());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) Step<F, Out, In>(dst + i, a + i, b + i % kBlock, zero);
  if (i < n) Tail<F, Out, In>(dst + i, a + i, b + i % kBlock, zero, n - i);
}

// Operations that kernels apply between rows and a number of each say `kFolds = true`.
template <class F, class = void>
struct Folds {
  static constexpr bool value = false;
};
template <class F>
struct Folds<F, std::enable_if_t<F::kFolds>> {
  static constexpr bool value = true;
};

template <class F, class Out, class In>
Row MakeRow() {
  Row row;
  row.fn = &RunRow<F, Out, In>;
  if constexpr (Folds<F>::value) row.folded = &RunFolded<F, Out, In>;
  row.sources = static_cast<uint8_t>(((F::kReads & kA) ? 1 : 0) + ((F::kReads & kB) ? 1 : 0));
  row.reads_dst = (F::kReads & kOld) != 0;
  row.saturates = Out::kDType == OPK_FLOAT16;
  return row;
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
