// DropOut, and Select with a mask of one number per element (older name SelectWithBytesMask).
// (Pages "DropOut" and "Select" of the advanced API.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_FILTER_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_FILTER_H_

#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// Rows, elements of a row of the source, and uint8_t elements of a row of the mask.
struct DropOutShapeInfo {
  DropOutShapeInfo() {}
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};
// Rows, elements of a row of the source, and of the mask, which may be longer.
struct SelectWithBytesMaskShapeInfo {
  SelectWithBytesMaskShapeInfo() {}
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

namespace detail {

// What the numbers of a mask are compared in.
template <typename U>
using MaskWide = std::conditional_t<sizeof(U) == 4, float, half>;
template <typename U>
using MaskNumber = std::conditional_t<
    sizeof(U) == 4, int32_t,
    std::conditional_t<sizeof(U) == 2, int16_t,
                       std::conditional_t<std::is_same<U, int8_t>::value, int8_t, uint8_t>>>;

// Runs f(first, n, bits) for 16 numbers at a time, in 96 bytes: 32 numbers of 8 bits are the fewest
// that Cast takes, and Compares reads 256 bytes, here one block eight times.
template <typename U, typename F>
OPKIT_INLINE void with_few_mask_bits(const LocalTensor<U>& mask, CMPMODE mode,
                                     const LocalTensor<uint8_t>& tmp, uint32_t count, F&& f) {
  constexpr uint32_t kPiece = 32, kBlock = 16;
  const LocalTensor<half> wide = tmp.template ReinterpretCast<half>();
  const LocalTensor<uint8_t> bits = tmp[static_cast<uint32_t>(kPiece * sizeof(half))];
  const LocalTensor<MaskNumber<U>> numbers = mask.template ReinterpretCast<MaskNumber<U>>();
  for (uint32_t first = 0; first < count; first += kPiece) {
    const uint32_t n = count - first < kPiece ? count - first : kPiece;
    if (n < kPiece) Duplicate(wide, static_cast<half>(0.0f), kPiece);
    Cast(wide, numbers[first], RoundMode::CAST_NONE, n);
    for (uint32_t at = 0; at < n; at += kBlock) {
      Compares(bits, wide[at], static_cast<half>(0.0f), mode, uint64_t{8 * kBlock}, 1,
               UnaryRepeatParams(1, 0, 8, 0));
      f(first + at, n - at < kBlock ? n - at : kBlock, bits);
    }
  }
}

// Compares numbers with 0 and runs f(first, n, bits) piece by piece.
template <typename U, typename F>
OPKIT_INLINE void with_mask_bits(const char* name, const LocalTensor<U>& mask, CMPMODE mode,
                                 const LocalTensor<uint8_t>& tmp, uint32_t count, F&& f) {
  using Wide = MaskWide<U>;
  constexpr uint32_t kRepeat = 256, kUnit = kRepeat / sizeof(Wide);
  constexpr uint32_t kBits = 32;  // bytes of bits of two units or more
  // Units that fit with their bits.
  const uint32_t more = tmp.GetLength() - kBits, each = kRepeat + kUnit / 8;
  const uint32_t units = tmp.GetLength() < kRepeat + kBits ? 0 : more < each ? 1 : more / each;
  if (__builtin_expect(units == 0, 0)) {
    constexpr bool kNarrow = sizeof(U) < 4;
    const uint32_t least = kNarrow ? 96 : kRepeat + kBits;
    if (!kNarrow || tmp.GetLength() < least) return refuse_scratch(name, least, tmp.GetLength());
    if constexpr (kNarrow) with_few_mask_bits(mask, mode, tmp, count, f);
    return;
  }
  const uint32_t piece = units * kUnit;
  const LocalTensor<Wide> wide = tmp.template ReinterpretCast<Wide>();
  const LocalTensor<uint8_t> bits = tmp[units * kRepeat];
  const LocalTensor<MaskNumber<U>> numbers = mask.template ReinterpretCast<MaskNumber<U>>();
  for (uint32_t first = 0; first < count; first += piece) {
    const uint32_t n = count - first < piece ? count - first : piece;
    // Comparisons take whole units: nothing of the last one is left unwritten.
    if (n % kUnit) Duplicate(wide[n / kUnit * kUnit], static_cast<Wide>(0.0f), kUnit);
    Cast(wide, numbers[first], RoundMode::CAST_NONE, n);
    Compares(bits, wide, static_cast<Wide>(0.0f), mode, align_to(n, kUnit));
    f(first, n, bits);
  }
}

enum class DropOutMode : uint32_t { kInfer, kPaddedBytes, kBytes, kBits, kPaddedBits };

OPKIT_INLINE DropOutMode dropout_mode(uint32_t asked, const DropOutShapeInfo& info) {
  if (asked != 0) return static_cast<DropOutMode>(asked);
  if (info.srcLastAxis == info.maskLastAxis) return DropOutMode::kBytes;
  if (info.srcLastAxis < info.maskLastAxis) return DropOutMode::kPaddedBytes;
  return info.srcLastAxis == 8 * info.maskLastAxis ? DropOutMode::kBits : DropOutMode::kPaddedBits;
}

// One row: elements whose mask is set are divided by keepProb, the others become 0.
template <typename T>
OPKIT_INLINE void drop_row(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LocalTensor<uint8_t>& mask, bool bytes,
                           const LocalTensor<uint8_t>& tmp, T factor, uint32_t count) {
  const T zero = static_cast<T>(0.0f);
  if (bytes) {
    with_mask_bits("DropOut", mask, CMPMODE::NE, tmp, count,
                   [&](uint32_t first, uint32_t n, const LocalTensor<uint8_t>& bits) {
                     Select(dst[first], bits, src[first], zero, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                            n);
                   });
  } else {
    Select(dst, mask, src, zero, SELMODE::VSEL_TENSOR_SCALAR_MODE, count);
  }
  Muls(dst, dst, factor, static_cast<int32_t>(count));
}

template <typename T>
OPKIT_INLINE void dropout(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& mask, const LocalTensor<uint8_t>& tmp,
                          float keep, const DropOutShapeInfo& info, uint32_t asked) {
  static_assert(is_real<T>(), "DropOut exists for half and float only: Cast other types to float");
  if (info.firstAxis * info.srcLastAxis == 0 || info.maskLastAxis == 0)
    return refuse_shape("DropOut", "the axes must not be 0", info.maskLastAxis);
  const DropOutMode mode = dropout_mode(asked, info);
  const bool bytes = mode == DropOutMode::kBytes || mode == DropOutMode::kPaddedBytes;
  const bool whole = mode == DropOutMode::kBytes || mode == DropOutMode::kBits;
  if (info.maskLastAxis * (bytes ? 1 : 8) < info.srcLastAxis)
    return refuse_shape("DropOut", "the mask must have a value for every element of a row",
                        info.maskLastAxis);
  const T factor = static_cast<T>(1.0f / keep);
  if (whole) return drop_row(dst, src, mask, bytes, tmp, factor, info.firstAxis * info.srcLastAxis);
  if (!is_whole_row<T>("DropOut", info.srcLastAxis) ||
      !is_whole_row<uint8_t>("DropOut", info.maskLastAxis))
    return;
  for (uint32_t i = 0; i < info.firstAxis; ++i)
    drop_row(dst[i * info.srcLastAxis], src[i * info.srcLastAxis], mask[i * info.maskLastAxis],
             bytes, tmp, factor, info.srcLastAxis);
}

// keep_zero: elements whose mask is 0 come from src, otherwise those whose mask is not 0.
template <typename T, typename U>
OPKIT_INLINE void select_by_numbers(const LocalTensor<T>& dst, const LocalTensor<T>& src, T scalar,
                                    const LocalTensor<U>& mask, const LocalTensor<uint8_t>& tmp,
                                    const SelectWithBytesMaskShapeInfo& info, bool keep_zero) {
  static_assert(is_real<T>(), "Select exists for half and float only: Cast other types to float");
  static_assert(one_of<U, bool, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>(),
                "Select takes a mask of bool or of 8 to 32-bit integers");
  const CMPMODE mode = keep_zero ? CMPMODE::EQ : CMPMODE::NE;
  const bool flat = info.srcLastAxis == info.maskLastAxis;
  if (!is_whole_row<T>("Select", info.srcLastAxis) || !is_whole_row<U>("Select", info.maskLastAxis))
    return;
  if (info.maskLastAxis < info.srcLastAxis)
    return refuse_shape("Select", "maskLastAxis must be at least srcLastAxis", info.maskLastAxis);
  const uint32_t rows = flat ? 1 : info.firstAxis;
  const uint32_t length = flat ? info.firstAxis * info.srcLastAxis : info.srcLastAxis;
  for (uint32_t i = 0; i < rows; ++i) {
    const LocalTensor<T> to = dst[i * length], from = src[i * length];
    with_mask_bits("Select", mask[i * info.maskLastAxis], mode, tmp, length,
                   [&](uint32_t first, uint32_t n, const LocalTensor<uint8_t>& bits) {
                     Select(to[first], bits, from[first], scalar, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                            n);
                   });
  }
}

}  // namespace detail

template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
OPKIT_INLINE void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                          const LocalTensor<uint8_t>& maskLocal, const float keepProb,
                          const DropOutShapeInfo& info) {
  const detail::LibraryCall in_library("DropOut");
  static_assert(dropOutMode <= 4, "DropOut has the modes 0 to 4");
  detail::dropout(dstLocal, srcLocal, maskLocal, detail::rest_of_ub(), keepProb, info, dropOutMode);
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
OPKIT_INLINE void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                          const LocalTensor<uint8_t>& maskLocal,
                          const LocalTensor<uint8_t>& sharedTmpBuffer, const float keepProb,
                          const DropOutShapeInfo& info) {
  const detail::LibraryCall in_library("DropOut");
  static_assert(dropOutMode <= 4, "DropOut has the modes 0 to 4");
  detail::dropout(dstLocal, srcLocal, maskLocal, sharedTmpBuffer, keepProb, info, dropOutMode);
}

// Where the mask is 0 src0, elsewhere src1.
#define OPKIT_SELECT_BYTES(Name)                                                                  \
  template <typename T, typename U, bool isReuseMask = true>                                      \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, T src1,           \
                         const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer, \
                         const SelectWithBytesMaskShapeInfo& info) {                              \
    const detail::LibraryCall in_library(#Name);                                                  \
    detail::select_by_numbers(dst, src0, src1, mask, sharedTmpBuffer, info, true);                \
  }                                                                                               \
  template <typename T, typename U, bool isReuseMask = true>                                      \
  OPKIT_INLINE void Name(const LocalTensor<T>& dst, T src0, const LocalTensor<T>& src1,           \
                         const LocalTensor<U>& mask, const LocalTensor<uint8_t>& sharedTmpBuffer, \
                         const SelectWithBytesMaskShapeInfo& info) {                              \
    const detail::LibraryCall in_library(#Name);                                                  \
    detail::select_by_numbers(dst, src1, src0, mask, sharedTmpBuffer, info, false);               \
  }
OPKIT_SELECT_BYTES(Select)
OPKIT_SELECT_BYTES(SelectWithBytesMask)
#undef OPKIT_SELECT_BYTES

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_FILTER_H_
