// ReduceSum, ReduceMax, ReduceMin, ReduceMean, ReduceProd, ReduceAll and ReduceAny of one axis of a
// matrix, and ReduceXorSum. (Pages of those names in the advanced API.) The shape is {first, last};
// AR reduces the last axis, RA the first.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_REDUCE_AXIS_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_REDUCE_AXIS_H_

#include "opkit/include/ascendc/advanced_broadcast.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {
namespace Pattern {
namespace Reduce {
struct AR {};
struct RA {};
}  // namespace Reduce
}  // namespace Pattern

namespace detail {

struct Matrix {
  uint32_t rows, columns, pitch;
};
template <typename pattern, typename T>
OPKIT_INLINE bool is_matrix(const char* name, const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const LocalTensor<uint8_t>& tmp, const uint32_t shape[], bool padded,
                            Matrix& m) {
  m = {shape[0], shape[1], padded ? align_to(shape[1], block_lanes<T>()) : shape[1]};
  if (!is_whole_row<T>(name, m.pitch)) return false;
  if (__builtin_expect(m.rows == 0, 0)) {
    refuse_shape(name, "the first axis must not be 0", m.rows);
    return false;
  }
  const uint32_t results = std::is_same<pattern, Pattern::Reduce::RA>::value ? m.columns : m.rows;
  return !excludes_any(name, tmp, extent(dst, results), extent(src, m.rows * m.pitch));
}

// dst[j] = op of column j.
template <typename T>
OPKIT_INLINE void reduce_rows(opk_vector_op op, const LocalTensor<T>& dst,
                              const LocalTensor<T>& src, const Matrix& m) {
  copy_elements(dst, src, m.columns);
  for (uint32_t i = 1; i < m.rows; ++i) binary(op, dst, dst, src[i * m.pitch], m.columns);
}
// dst[i] = sum or extreme of row i.
template <ReduceType type, typename T>
OPKIT_INLINE void reduce_columns(const char* name, const LocalTensor<T>& dst,
                                 const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                                 const Matrix& m) {
  Scratch scratch(name, tmp);
  const LocalTensor<T> work = scratch.take<T>(fold_room<T>(m.columns));
  for (uint32_t i = 0; i < m.rows; ++i)
    reduce_to_one<type>(dst[i], src[i * m.pitch], work, m.columns);
}

template <ReduceType type, typename pattern, typename T>
OPKIT_INLINE bool reduce_axis(const char* name, const LocalTensor<T>& dst,
                              const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                              const uint32_t shape[], bool padded, Matrix& m) {
  static_assert(one_of<pattern, Pattern::Reduce::AR, Pattern::Reduce::RA>(),
                "the pattern is Pattern::Reduce::AR or Pattern::Reduce::RA");
  if (!is_matrix<pattern>(name, dst, src, tmp, shape, padded, m)) return false;
  if constexpr (std::is_same<pattern, Pattern::Reduce::AR>::value) {
    reduce_columns<type>(name, dst, src, tmp, m);
  } else {
    reduce_rows(type == ReduceType::SUM   ? OPK_V_ADD
                : type == ReduceType::MAX ? OPK_V_MAX
                                          : OPK_V_MIN,
                dst, src, m);
  }
  return true;
}

template <typename pattern>
OPKIT_INLINE void reduce_mean(const LocalTensor<float>& dst, const LocalTensor<float>& src,
                              const LocalTensor<uint8_t>& tmp, const uint32_t shape[],
                              bool padded) {
  Matrix m;
  if (!reduce_axis<ReduceType::SUM, pattern>("ReduceMean", dst, src, tmp, shape, padded, m)) return;
  constexpr bool kRows = std::is_same<pattern, Pattern::Reduce::RA>::value;
  Muls(dst, dst, 1.0f / static_cast<float>(kRows ? m.rows : m.columns),
       static_cast<int32_t>(kRows ? m.columns : m.rows));
}

// Rooms of a product of a row: 64 partial products, two blocks of which the second stays 1, and the
// lanes 4, 2 and 1 further on.
class RowProduct {
 public:
  OPKIT_INLINE explicit RowProduct(Scratch& scratch) {
    part_ = scratch.take<float>(64);
    pair_ = scratch.take<float>(16);
    moved_ = scratch.take<float>(8);
    for (int i = 0; i < 3; ++i) {
      moves_[i] = scratch.take<uint32_t>(8);
      const LocalTensor<int32_t> lanes = moves_[i].ReinterpretCast<int32_t>();
      CreateVecIndex(lanes, 4 >> i, 8);
      Muls(lanes, lanes, 4, 8);
    }
    Duplicate(pair_, 1.0f, 16);
  }
  OPKIT_INLINE void operator()(const LocalTensor<float>& dst, const LocalTensor<float>& row,
                               uint32_t n) const {
    Duplicate(part_, 1.0f, 64);
    for (uint32_t at = 0; at < n; at += 64)
      Mul(part_, part_, row[at], static_cast<int32_t>(n - at < 64 ? n - at : 64));
    Mul(part_, part_, part_[32], 32);
    Mul(part_, part_, part_[16], 16);
    Mul(pair_, part_, part_[8], 8);
    for (const LocalTensor<uint32_t>& move : moves_) {
      Gather(moved_, pair_, move, 0, 8);
      Mul(pair_, pair_, moved_, 8);
    }
    reduce_iterations<ReduceType::MAX>(dst, pair_, 1, 1, 8);
  }

 private:
  LocalTensor<float> part_, pair_, moved_;
  LocalTensor<uint32_t> moves_[3];
};

template <typename pattern>
OPKIT_INLINE void reduce_product(const LocalTensor<float>& dst, const LocalTensor<float>& src,
                                 const LocalTensor<uint8_t>& tmp, const uint32_t shape[],
                                 bool padded) {
  Matrix m;
  if (!is_matrix<pattern>("ReduceProd", dst, src, tmp, shape, padded, m)) return;
  if constexpr (std::is_same<pattern, Pattern::Reduce::AR>::value) {
    Scratch scratch("ReduceProd", tmp);
    const RowProduct product(scratch);
    for (uint32_t i = 0; i < m.rows; ++i) product(dst[i], src[i * m.pitch], m.columns);
  } else {
    reduce_rows(OPK_V_MUL, dst, src, m);
  }
}

// Bytes that are 0 or 1: the minimum is their conjunction, the maximum their disjunction. Results
// of rows stay half until all are there.
template <ReduceType type, typename pattern>
OPKIT_INLINE void reduce_truth(const char* name, const LocalTensor<uint8_t>& dst,
                               const LocalTensor<uint8_t>& src, const LocalTensor<uint8_t>& tmp,
                               const uint32_t shape[], bool padded) {
  Matrix m;
  if (!is_matrix<pattern>(name, dst, src, tmp, shape, padded, m)) return;
  constexpr bool kRows = std::is_same<pattern, Pattern::Reduce::RA>::value;
  Scratch scratch(name, tmp);
  const uint32_t results = kRows ? m.columns : m.rows;
  const LocalTensor<half> result = scratch.take<half>(results), row = scratch.take<half>(m.columns);
  const LocalTensor<half> work = scratch.take<half>(fold_room<half>(m.columns));
  for (uint32_t i = 0; i < m.rows; ++i) {
    Cast(kRows && i == 0 ? result : row, src[i * m.pitch], RoundMode::CAST_NONE, m.columns);
    if constexpr (!kRows) {
      reduce_to_one<type>(result[i], row, work, m.columns);
    } else if (i > 0) {
      binary(type == ReduceType::MAX ? OPK_V_MAX : OPK_V_MIN, result, result, row, m.columns);
    }
  }
  Cast(dst, result, RoundMode::CAST_RINT, results);
}
template <ReduceType type, typename pattern>
OPKIT_INLINE void reduce_truth(const char* name, const LocalTensor<float>& dst,
                               const LocalTensor<float>& src, const LocalTensor<uint8_t>& tmp,
                               const uint32_t shape[], bool padded) {
  Matrix m;
  reduce_axis<type, pattern>(name, dst, src, tmp, shape, padded, m);
}

// The sum of a xor b, saturated to int16_t.
OPKIT_INLINE void reduce_xor_sum(const LocalTensor<int16_t>& dst, const LocalTensor<int16_t>& a,
                                 const LocalTensor<int16_t>& b, const LocalTensor<uint8_t>& tmp,
                                 uint32_t count) {
  if (excludes_any("ReduceXorSum", tmp, extent(dst, 1), extent(a, count), extent(b, count))) return;
  Scratch scratch("ReduceXorSum", tmp);
  const LocalTensor<float> sum = scratch.take<float>(8), block = scratch.take<float>(8);
  const LocalTensor<float> work = scratch.take<float>(fold_room<float>(4096));
  Duplicate(sum, 0.0f, 8);
  const LocalTensor<uint8_t> rest = scratch.take<uint8_t>(scratch.left() / 32 * 32);
  in_pieces("ReduceXorSum", rest, 2, count, [&](uint32_t first, uint32_t all, const Floats& t) {
    for (uint32_t at = 0; at < all; at += 4096) {
      const uint32_t n = all - at < 4096 ? all - at : 4096;
      const LocalTensor<int16_t> bits = t[1].ReinterpretCast<int16_t>();
      binary(OPK_V_XOR, bits, a[first + at], b[first + at], n);
      Cast(t[0], bits, RoundMode::CAST_NONE, n);
      reduce_to_block<ReduceType::SUM>(block, t[0], work, n);
      Add(sum, sum, block, 8);
    }
  });
  Cast(dst, sum, RoundMode::CAST_RINT, 1);
}

}  // namespace detail

#define OPKIT_REDUCE_AXIS(Name, accepted, sentence, call)                                        \
  template <class T, class pattern, bool isReuseSource = false>                                  \
  OPKIT_INLINE void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,       \
                         const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t srcShape[], \
                         bool srcInnerPad) {                                                     \
    const detail::LibraryCall in_library(#Name);                                                 \
    static_assert(accepted, #Name " of an axis exists for " sentence);                           \
    call(dstTensor, srcTensor, sharedTmpBuffer, srcShape, srcInnerPad);                          \
  }                                                                                              \
  template <class T, class pattern, bool isReuseSource = false>                                  \
  OPKIT_INLINE void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,       \
                         const uint32_t srcShape[], bool srcInnerPad) {                          \
    const detail::LibraryCall in_library(#Name);                                                 \
    Name<T, pattern, isReuseSource>(dstTensor, srcTensor, detail::rest_of_ub(), srcShape,        \
                                    srcInnerPad);                                                \
  }
#define OPKIT_REDUCE_KIND(type, name)                                              \
  [](const auto& d, const auto& s, const auto& t, const uint32_t* shape, bool p) { \
    detail::Matrix m;                                                              \
    detail::reduce_axis<ReduceType::type, pattern>(name, d, s, t, shape, p, m);    \
  }
#define OPKIT_REDUCE_TRUTH(type, name)                                             \
  [](const auto& d, const auto& s, const auto& t, const uint32_t* shape, bool p) { \
    detail::reduce_truth<ReduceType::type, pattern>(name, d, s, t, shape, p);      \
  }
OPKIT_REDUCE_AXIS(ReduceSum, (std::is_same<T, float>::value), "float only: Cast to float first",
                  OPKIT_REDUCE_KIND(SUM, "ReduceSum"))
OPKIT_REDUCE_AXIS(ReduceMax, (detail::is_real<T>()), "half and float only: Cast to float first",
                  OPKIT_REDUCE_KIND(MAX, "ReduceMax"))
OPKIT_REDUCE_AXIS(ReduceMin, (detail::is_real<T>()), "half and float only: Cast to float first",
                  OPKIT_REDUCE_KIND(MIN, "ReduceMin"))
OPKIT_REDUCE_AXIS(ReduceMean, (std::is_same<T, float>::value), "float only: Cast to float first",
                  detail::reduce_mean<pattern>)
OPKIT_REDUCE_AXIS(ReduceProd, (std::is_same<T, float>::value), "float only: Cast to float first",
                  detail::reduce_product<pattern>)
OPKIT_REDUCE_AXIS(ReduceAll, (detail::one_of<T, uint8_t, float>()),
                  "uint8_t and float only: Cast to float first",
                  OPKIT_REDUCE_TRUTH(MIN, "ReduceAll"))
OPKIT_REDUCE_AXIS(ReduceAny, (detail::one_of<T, uint8_t, float>()),
                  "uint8_t and float only: Cast to float first",
                  OPKIT_REDUCE_TRUTH(MAX, "ReduceAny"))
#undef OPKIT_REDUCE_TRUTH
#undef OPKIT_REDUCE_KIND
#undef OPKIT_REDUCE_AXIS

template <typename T, bool isReuseSource = false>
OPKIT_INLINE void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                               const LocalTensor<T>& src1Tensor,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const uint32_t calCount) {
  const detail::LibraryCall in_library("ReduceXorSum");
  static_assert(std::is_same<T, int16_t>::value, "ReduceXorSum exists for int16_t only");
  detail::reduce_xor_sum(dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, calCount);
}
template <typename T, bool isReuseSource = false>
OPKIT_INLINE void ReduceXorSum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                               const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  const detail::LibraryCall in_library("ReduceXorSum");
  static_assert(std::is_same<T, int16_t>::value, "ReduceXorSum exists for int16_t only");
  detail::reduce_xor_sum(dstTensor, src0Tensor, src1Tensor, detail::rest_of_ub(), calCount);
}

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_REDUCE_AXIS_H_
