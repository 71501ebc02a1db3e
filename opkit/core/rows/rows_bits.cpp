#include "opkit/core/rows/rows_bits.h"

#include "opkit/core/rows/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "opkit/core/rows/rows_bits.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "opkit/core/rows/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace opkit::core::HWY_NAMESPACE {

template <uint32_t kMode, class V>
HWY_INLINE auto Compared(V a, V b) {
  if constexpr (kMode == 0) {
    return hn::Lt(a, b);
  } else if constexpr (kMode == 1) {
    return hn::Gt(a, b);
  } else if constexpr (kMode == 2) {
    return hn::Eq(a, b);
  } else if constexpr (kMode == 3) {
    return hn::Le(a, b);
  } else if constexpr (kMode == 4) {
    return hn::Ge(a, b);
  } else {
    return hn::Not(hn::Eq(a, b));  // Highway's Ne is false for NaN on some targets
  }
}

template <class D, class M>
HWY_INLINE uint64_t WordOf(D d, M mask) {
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

template <class Io, uint32_t kMode>
void CompareElements(uint8_t* bits, const void* a_bytes, const void* b_bytes, uint64_t scalar,
                     size_t n) {
  const typename Io::D d;
  const size_t lanes = hn::Lanes(d);
  const auto* a = static_cast<const typename Io::T*>(a_bytes);
  const auto* b = static_cast<const typename Io::T*>(b_bytes);
  const auto other = Io::Scalar(scalar);
  for (size_t i = 0; i < n; i += 64) {
    uint64_t word = 0;
    for (size_t k = 0; k < 64; k += lanes) {
      const auto right = b ? Io::Load(b + i + k) : other;
      word |= WordOf(d, Compared<kMode>(Io::Load(a + i + k), right)) << k;
    }
    std::memcpy(bits + i / 8, &word, sizeof word);
  }
}

template <class Io>
CompareRow CompareOf(uint32_t mode) {
  switch (mode) {
    case 0: return &CompareElements<Io, 0>;
    case 1: return &CompareElements<Io, 1>;
    case 2: return &CompareElements<Io, 2>;
    case 3: return &CompareElements<Io, 3>;
    case 4: return &CompareElements<Io, 4>;
    case 5: return &CompareElements<Io, 5>;
    default: return nullptr;
  }
}

CompareRow FindCompare(uint32_t dtype, uint32_t mode) {
  if (dtype == OPK_FLOAT32) return CompareOf<AsFloat>(mode);
  if (dtype == OPK_FLOAT16) return CompareOf<AsHalf>(mode);
  if (dtype == OPK_INT32 && mode == 2) return &CompareElements<AsInt32, 2>;
  return nullptr;
}

template <typename T>
void SelectElements(void* dst_bytes, const void* a_bytes, const void* b_bytes, uint64_t scalar,
                    const uint8_t* bits, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  auto* dst = static_cast<T*>(dst_bytes);
  const auto* a = static_cast<const T*>(a_bytes);
  const auto* b = static_cast<const T*>(b_bytes);
  const auto other = hn::Set(d, static_cast<T>(scalar));
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    uint8_t part[8] = {};
    std::memcpy(part, bits + i / 8, lanes < 8 ? 1 : lanes / 8);
    part[0] = static_cast<uint8_t>(part[0] >> i % 8);
    const auto mask = hn::LoadMaskBits(d, part);
    const auto right = b ? hn::LoadU(d, b + i) : other;
    hn::StoreU(hn::IfThenElse(mask, hn::LoadU(d, a + i), right), d, dst + i);
  }
  for (; i < n; ++i) dst[i] = bits[i / 8] >> i % 8 & 1 ? a[i] : b ? b[i] : static_cast<T>(scalar);
}

SelectRow FindSelect(uint32_t bytes) {
  if (bytes == 2) return &SelectElements<uint16_t>;
  if (bytes == 4) return &SelectElements<uint32_t>;
  return nullptr;
}

}  // namespace opkit::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace opkit::core {

HWY_EXPORT(FindCompare);
HWY_EXPORT(FindSelect);

CompareRow find_compare_row(uint32_t dtype, uint32_t mode) {
  return HWY_DYNAMIC_DISPATCH(FindCompare)(dtype, mode);
}
SelectRow find_select_row(uint32_t element_bytes) {
  return HWY_DYNAMIC_DISPATCH(FindSelect)(element_bytes);
}

}  // namespace opkit::core
#endif
