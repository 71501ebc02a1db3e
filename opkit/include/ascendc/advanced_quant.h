// AscendQuant, AscendAntiQuant and AscendDequant. (Pages of those names.) AscendQuant and
// AscendAntiQuant to half compute in half, as their pages say; AscendAntiQuant to bfloat16_t and
// AscendDequant compute in float.
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_QUANT_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_QUANT_H_

#include "opkit/include/ascendc/advanced_permute.h"
#include "opkit/include/ascendc/advanced_rows.h"

namespace AscendC {

// m rows of pitch n, of which the first calCount columns are computed.
struct DequantParams {
  uint32_t m = 0;
  uint32_t n = 0;
  uint32_t calCount = 0;
};
// SINGLE_ROW: one row of a multiple of calCount elements is that many rows of calCount, if these
// fill whole blocks of the destination.
enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW, DEQUANT_WITH_MULTI_ROW };

// Counts that are known when the kernel is compiled. They take the place of the arguments when
// calcCount and workLocalSize, and scaleCount where the call has one, are not 0.
struct AscendQuantConfig {
  uint32_t calcCount = 0;
  uint32_t offsetCount = 0;
  uint32_t scaleCount = 0;
  uint32_t workLocalSize = 0;
};
inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG{};

// Rows and columns of offset and scale; 0: as the tensors' shape information says.
struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0};
  uint32_t offsetWidth{0};
  uint32_t scaleHeight{0};
  uint32_t scaleWidth{0};
};

namespace detail {

// Rows of dst start at the next multiple of 32 bytes. f(row of floats, count) scales a row.
template <DeQuantMode mode, typename D, typename F>
OPKIT_INLINE void dequant(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                          const Extent& scales, Scratch& scratch, DequantParams p, F&& f) {
  static_assert(one_of<D, half, float, bfloat16_t>(),
                "AscendDequant writes half, float or bfloat16_t only");
  if (p.calCount == 0 || p.calCount > p.n)
    return refuse_shape("AscendDequant", "calCount must be from 1 to n", p.calCount);
  if (mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW && p.m == 1 && p.n % p.calCount == 0 &&
      p.calCount % block_lanes<D>() == 0)
    p = {p.n / p.calCount, p.calCount, p.calCount};
  if (!is_whole_row<int32_t>("AscendDequant", p.n)) return;
  const uint32_t pitch = align_to(p.n, block_lanes<D>());
  if (excludes_overlap("AscendDequant", extent(dst, p.m * pitch), extent(src, p.m * p.n), scales))
    return;
  const LocalTensor<float> row = scratch.take<float>(p.calCount);
  for (uint32_t i = 0; i < p.m; ++i) {
    const LocalTensor<float> y = result_of(dst[i * pitch], row);
    Cast(y, src[i * p.n], RoundMode::CAST_RINT, p.calCount);
    f(y, static_cast<int32_t>(p.calCount));
    if constexpr (!std::is_same<D, float>::value)
      Cast(dst[i * pitch], y, RoundMode::CAST_RINT, p.calCount);
  }
}

// Scales as floats: the tensor itself, its copy, or the low words of uint64_t.
template <typename S>
OPKIT_INLINE LocalTensor<float> float_scales(const LocalTensor<S>& scales, Scratch& scratch,
                                             uint32_t count) {
  static_assert(one_of<S, float, bfloat16_t, uint64_t>(),
                "AscendDequant takes scales of float, bfloat16_t or uint64_t only");
  if constexpr (std::is_same<S, float>::value) {
    return scales;
  } else {
    const LocalTensor<float> copy = scratch.take<float>(count);
    if constexpr (std::is_same<S, bfloat16_t>::value) {
      Cast(copy, scales, RoundMode::CAST_NONE, count);
    } else {
      uint64_t kept = 0;
      GatherMask(copy, scales.template ReinterpretCast<float>(), 1, true, 2 * count,
                 GatherMaskParams(1, 1, 0, 0), kept);
    }
    return copy;
  }
}

template <DeQuantMode mode, typename D, typename S>
OPKIT_INLINE void dequant_by_vector(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                                    const LocalTensor<S>& scales, const LocalTensor<uint8_t>& tmp,
                                    const DequantParams& p) {
  Scratch scratch("AscendDequant", tmp);
  const LocalTensor<float> k = float_scales(scales, scratch, p.calCount);
  dequant<mode>(dst, src, extent(scales, p.calCount), scratch, p,
                [&](const LocalTensor<float>& y, int32_t n) { Mul(y, y, k, n); });
}
template <DeQuantMode mode, typename D>
OPKIT_INLINE void dequant_by_scalar(const LocalTensor<D>& dst, const LocalTensor<int32_t>& src,
                                    float scale, const LocalTensor<uint8_t>& tmp,
                                    const DequantParams& p) {
  Scratch scratch("AscendDequant", tmp);
  dequant<mode>(dst, src, Extent{}, scratch, p,
                [&](const LocalTensor<float>& y, int32_t n) { Muls(y, y, scale, n); });
}

// Returns the elements of a piece when every element needs `bytes` of temporary buffer; pieces
// start at multiples of 32 bytes of any element.
OPKIT_INLINE uint32_t quant_piece(const char* name, const LocalTensor<uint8_t>& tmp,
                                  uint32_t bytes) {
  const uint32_t piece = tmp.GetLength() / bytes / 64 * 64;
  if (__builtin_expect(piece == 0, 0)) refuse_scratch(name, bytes * 64, tmp.GetLength());
  return piece;
}

template <typename T>
OPKIT_INLINE LocalTensor<half> as_halves(const LocalTensor<T>& src, const LocalTensor<half>& room,
                                         uint32_t n) {
  if constexpr (std::is_same<T, half>::value) {
    return src;
  } else {
    Cast(room, src, RoundMode::CAST_NONE, n);
    return room;
  }
}

// `rows` rows of `width`: prepare(first, n, spare room) once for a piece of columns, then
// f(h, x, n) = h for every row. Where the destination takes the source's place (page "AscendQuant",
// constraints) a row is read to its end before the next is written.
template <typename T, typename P, typename F>
OPKIT_INLINE void quant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                        const LocalTensor<uint8_t>& tmp, uint32_t rows, uint32_t width,
                        uint32_t spare, P&& prepare, F&& f) {
  static_assert(is_real<T>(), "AscendQuant takes half and float only: Cast to float first");
  const LibraryCall call("AscendQuant");
  const uint32_t piece = quant_piece("AscendQuant", tmp, 2 * (1 + spare));
  if (piece == 0) return;
  const LocalTensor<half> h = tmp.ReinterpretCast<half>();
  const bool by_row = width > piece && meet(extent(dst, rows * width), extent(src, rows * width));
  const uint32_t rounds = by_row ? rows : 1, step = by_row ? 1 : rows;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (uint32_t first = 0; first < width; first += piece) {
      const uint32_t n = width - first < piece ? width - first : piece;
      prepare(first, n, h[piece], piece);
      for (uint32_t i = round * step; i < (round + 1) * step; ++i) {
        f(h, as_halves(src[i * width + first], h, n), static_cast<int32_t>(n));
        Cast(dst[i * width + first], h, RoundMode::CAST_RINT, n);
      }
    }
  }
}

// The counts and the temporary buffer of a call: its arguments, or the configuration's.
template <const AscendQuantConfig& config, bool isCounted>
struct QuantCounts {
  static constexpr bool kFixed =
      config.calcCount != 0 && config.workLocalSize != 0 && (!isCounted || config.scaleCount != 0);
  static_assert(config.scaleCount % 32 == 0, "AscendQuant: scaleCount must be a multiple of 32");
  static_assert(config.offsetCount == 0 || config.offsetCount == config.scaleCount,
                "AscendQuant: offsetCount must be scaleCount");
  static_assert(config.scaleCount == 0 || config.calcCount % config.scaleCount == 0,
                "AscendQuant: calcCount must be a multiple of scaleCount");

  uint32_t channels, count;
  LocalTensor<uint8_t> tmp;
  bool is_refused = false;

  OPKIT_INLINE QuantCounts(uint32_t channels, uint32_t count, uint32_t elements,
                           const LocalTensor<uint8_t>& memory)
      : channels(kFixed && isCounted ? config.scaleCount : channels),
        count(kFixed ? config.calcCount : count),
        tmp(memory) {
    if constexpr (kFixed) {
      const bool fits = config.workLocalSize <= memory.GetLength();
      is_refused = !fits || config.calcCount > elements;
      if (!fits) {
        refuse_scratch("AscendQuant", config.workLocalSize, memory.GetLength());
      } else if (is_refused) {
        refuse_shape("AscendQuant", "calcCount must not be above the elements of srcTensor",
                     config.calcCount);
      } else {
        tmp.SetBufferLen(config.workLocalSize);
      }
    }
  }
};

template <const AscendQuantConfig& config, typename T>
OPKIT_INLINE void quant_tensor(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                               const LocalTensor<uint8_t>& memory, float scale, float offset,
                               uint32_t count) {
  const QuantCounts<config, false> now(0, count, src.GetSize(), memory);
  if (now.is_refused) return;
  const half k(scale), b(offset);
  quant(
      dst, src, now.tmp, 1, now.count, 0,
      [](uint32_t, uint32_t, const LocalTensor<half>&, uint32_t) {},
      [&](const LocalTensor<half>& h, const LocalTensor<half>& x, int32_t n) {
        Muls(h, x, k, n);
        Adds(h, h, b, n);
      });
}

OPKIT_INLINE bool are_channels(uint32_t channels, uint32_t count) {
  if (__builtin_expect(channels != 0 && channels % 32 == 0 && count % channels == 0, 1))
    return true;
  refuse_shape("AscendQuant",
               "scaleCount must be a multiple of 32 and not 0, and calCount a multiple of it",
               channels);
  return false;
}

template <typename Counts, typename T>
OPKIT_INLINE void quant_channels(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                                 const Counts& now, const LocalTensor<T>& scales, T offset) {
  if (now.is_refused || !are_channels(now.channels, now.count)) return;
  const half b(static_cast<float>(offset));
  LocalTensor<half> k;
  quant(
      dst, src, now.tmp, now.count / now.channels, now.channels, 1,
      [&](uint32_t first, uint32_t n, const LocalTensor<half>& room, uint32_t) {
        k = as_halves(scales[first], room, n);
      },
      [&](const LocalTensor<half>& h, const LocalTensor<half>& x, int32_t n) {
        Mul(h, x, k, n);
        Adds(h, h, b, n);
      });
}
template <typename Counts, typename T>
OPKIT_INLINE void quant_channels(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                                 const Counts& now, const LocalTensor<T>& scales,
                                 const LocalTensor<T>& offsets, uint32_t offset_count) {
  if (now.is_refused || !are_channels(now.channels, now.count)) return;
  if (!Counts::kFixed && offset_count != now.channels)
    return refuse_shape("AscendQuant", "offsetCount must be scaleCount", offset_count);
  LocalTensor<half> k, b;
  quant(
      dst, src, now.tmp, now.count / now.channels, now.channels, 2,
      [&](uint32_t first, uint32_t n, const LocalTensor<half>& room, uint32_t piece) {
        k = as_halves(scales[first], room, n);
        b = as_halves(offsets[first], room[piece], n);
      },
      [&](const LocalTensor<half>& h, const LocalTensor<half>& x, int32_t n) {
        Mul(h, x, k, n);
        Add(h, h, b, n);
      });
}

}  // namespace detail

#define OPKIT_DEQUANT_HEAD \
  template <typename dstT, typename scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW
#define OPKIT_DEQUANT(buffer, memory)                                                           \
  OPKIT_DEQUANT_HEAD > OPKIT_INLINE void AscendDequant(const LocalTensor<dstT>& dstTensor,      \
                                                       const LocalTensor<int32_t>& srcTensor,   \
                                                       const LocalTensor<scaleT>& deqScale,     \
                                                       buffer DequantParams params) {           \
    const detail::LibraryCall in_library("AscendDequant");                                      \
    detail::dequant_by_vector<mode>(dstTensor, srcTensor, deqScale, memory, params);            \
  }                                                                                             \
  OPKIT_DEQUANT_HEAD,                                                                           \
      typename = std::enable_if_t < detail::one_of<scaleT, float, bfloat16_t>() >>              \
                 OPKIT_INLINE void AscendDequant(                                               \
                     const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor, \
                     const scaleT deqScale, buffer DequantParams params) {                      \
    const detail::LibraryCall in_library("AscendDequant");                                      \
    detail::dequant_by_scalar<mode>(dstTensor, srcTensor, detail::as_float(deqScale), memory,   \
                                    params);                                                    \
  }                                                                                             \
  OPKIT_DEQUANT_HEAD > OPKIT_INLINE void AscendDequant(const LocalTensor<dstT>& dstTensor,      \
                                                       const LocalTensor<int32_t>& srcTensor,   \
                                                       const LocalTensor<scaleT>& deqScale,     \
                                                       buffer const uint32_t calCount) {        \
    const detail::LibraryCall in_library("AscendDequant");                                      \
    detail::dequant_by_vector<mode>(dstTensor, srcTensor, deqScale, memory,                     \
                                    DequantParams{1, calCount, deqScale.GetSize()});            \
  }
#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
OPKIT_DEQUANT(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_DEQUANT(, detail::rest_of_ub())
#undef OPKIT_DEQUANT
OPKIT_DEQUANT_HEAD > OPKIT_INLINE void AscendDequant(const LocalTensor<dstT>& dstTensor,
                                                     const LocalTensor<int32_t>& srcTensor,
                                                     const LocalTensor<scaleT>& deqScale,
                                                     const LocalTensor<uint8_t>& sharedTmpBuffer) {
  const detail::LibraryCall in_library("AscendDequant");
  AscendDequant<dstT, scaleT, mode>(dstTensor, srcTensor, deqScale, sharedTmpBuffer,
                                    srcTensor.GetSize());
}
OPKIT_DEQUANT_HEAD > OPKIT_INLINE void AscendDequant(const LocalTensor<dstT>& dstTensor,
                                                     const LocalTensor<int32_t>& srcTensor,
                                                     const LocalTensor<scaleT>& deqScale) {
  const detail::LibraryCall in_library("AscendDequant");
  AscendDequant<dstT, scaleT, mode>(dstTensor, srcTensor, deqScale, srcTensor.GetSize());
}
#undef OPKIT_DEQUANT_HEAD

#define OPKIT_QUANT_HEAD                            \
  template <typename T, bool isReuseSource = false, \
            const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
#define OPKIT_QUANT_COUNTS(isCounted, channels, count, memory) \
  (detail::QuantCounts<config, isCounted>(channels, count, srcTensor.GetSize(), memory))
#define OPKIT_QUANT(buffer, memory)                                                              \
  OPKIT_QUANT_HEAD OPKIT_INLINE void AscendQuant(                                                \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                     \
      buffer const float scale, const float offset, const uint32_t calCount) {                   \
    const detail::LibraryCall in_library("AscendQuant");                                         \
    detail::quant_tensor<config>(dstTensor, srcTensor, memory, scale, offset, calCount);         \
  }                                                                                              \
  OPKIT_QUANT_HEAD OPKIT_INLINE void AscendQuant(const LocalTensor<int8_t>& dstTensor,           \
                                                 const LocalTensor<T>& srcTensor,                \
                                                 buffer const float scale, const float offset) { \
    const detail::LibraryCall in_library("AscendQuant");                                         \
    detail::quant_tensor<config>(dstTensor, srcTensor, memory, scale, offset,                    \
                                 srcTensor.GetSize());                                           \
  }                                                                                              \
  OPKIT_QUANT_HEAD OPKIT_INLINE void AscendQuant(                                                \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                     \
      buffer const LocalTensor<T>& scaleTensor, const T offset, const uint32_t scaleCount,       \
      const uint32_t calCount) {                                                                 \
    const detail::LibraryCall in_library("AscendQuant");                                         \
    detail::quant_channels(dstTensor, srcTensor,                                                 \
                           OPKIT_QUANT_COUNTS(true, scaleCount, calCount, memory), scaleTensor,  \
                           offset);                                                              \
  }                                                                                              \
  OPKIT_QUANT_HEAD OPKIT_INLINE void AscendQuant(                                                \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                     \
      buffer const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,              \
      const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount) {          \
    const detail::LibraryCall in_library("AscendQuant");                                         \
    detail::quant_channels(dstTensor, srcTensor,                                                 \
                           OPKIT_QUANT_COUNTS(true, scaleCount, calCount, memory), scaleTensor,  \
                           offsetTensor, offsetCount);                                           \
  }                                                                                              \
  OPKIT_QUANT_HEAD OPKIT_INLINE void AscendQuant(                                                \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                     \
      buffer const LocalTensor<T>& scaleTensor, const T offset) {                                \
    const detail::LibraryCall in_library("AscendQuant");                                         \
    detail::quant_channels(                                                                      \
        dstTensor, srcTensor,                                                                    \
        OPKIT_QUANT_COUNTS(false, scaleTensor.GetSize(), srcTensor.GetSize(), memory),           \
        scaleTensor, offset);                                                                    \
  }                                                                                              \
  OPKIT_QUANT_HEAD OPKIT_INLINE void AscendQuant(                                                \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                     \
      buffer const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor) {            \
    const detail::LibraryCall in_library("AscendQuant");                                         \
    detail::quant_channels(                                                                      \
        dstTensor, srcTensor,                                                                    \
        OPKIT_QUANT_COUNTS(false, scaleTensor.GetSize(), srcTensor.GetSize(), memory),           \
        scaleTensor, offsetTensor, scaleTensor.GetSize());                                       \
  }
OPKIT_QUANT(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_QUANT(, detail::rest_of_ub())
#undef OPKIT_SHARED_BUFFER
#undef OPKIT_QUANT
#undef OPKIT_QUANT_COUNTS
#undef OPKIT_QUANT_HEAD

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_QUANT_H_
