#include "opkit/core/isa/cube/convert.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/core/rows/rows.h"

namespace opkit::core {
namespace {

constexpr uint32_t kRun = 16;
constexpr uint8_t kNearestEven = 1;  // RoundMode CAST_RINT

float multiplier(uint64_t word) {
  const auto bits = static_cast<uint32_t>(word) & ~0x1fffu;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

// Bits 37 to 45, signed.
int32_t offset_of(uint64_t word) {
  const auto bits = static_cast<int32_t>(word >> 37 & 0x1ff);
  return bits >= 256 ? bits - 512 : bits;
}

// Bit 36 asks for a shift by 1 to 16, which bits 32 to 35 count from 0 on, and for 16 bits.
float shifted(int32_t value, uint64_t word) {
  if ((word >> 36 & 1) == 0) return static_cast<float>(value);
  const uint32_t shift = (word >> 32 & 15) + 1;
  return static_cast<float>(std::clamp(value >> shift, -32768, 32767));
}

uint8_t quantise(float value, uint64_t word) {
  const float scaled = value * multiplier(word);
  // NaN has no integer; the unit's answer for it is not stated and 0 is taken.
  const float rounded =
      scaled != scaled ? 0.0f : std::clamp(std::nearbyintf(scaled), -256.f, 255.f);
  const int32_t sum = static_cast<int32_t>(rounded) + offset_of(word);
  const bool is_signed = word >> 46 & 1;
  return static_cast<uint8_t>(is_signed ? std::clamp(sum, -128, 127) : std::clamp(sum, 0, 255));
}

uint16_t dequantise(int32_t value, uint64_t word) {
  return Half(shifted(value, word) * multiplier(word)).bits;
}

template <typename T>
T relu_of(T value, bool on) {
  return on && value < T(0) ? T(0) : value;
}

void to_half_width(const Conversion& c, const float* in, uint32_t count, void* dst) {
  const uint32_t dtype = c.quant == OPK_Q_F32_F16 ? OPK_FLOAT16 : OPK_BFLOAT16;
  static const Row kRows[2] = {find_row(OPK_V_CAST, OPK_FLOAT16, OPK_FLOAT32),
                               find_row(OPK_V_CAST, OPK_BFLOAT16, OPK_FLOAT32)};
  RowContext context;
  context.mode = kNearestEven;
  kRows[dtype == OPK_BFLOAT16].fn(dst, in, in, context, count);
}

void from_float(const Conversion& c, const float* src, uint32_t column, uint32_t count,
                uint8_t* dst) {
  float in[kRun];
  for (uint32_t i = 0; i < count; ++i) in[i] = relu_of(src[i], c.relu);
  switch (c.quant) {
    case OPK_Q_F32_F16:
    case OPK_Q_F32_BF16: return to_half_width(c, in, count, dst);
    case OPK_Q_F32_B8:
    case OPK_Q_F32_B8_VEC:
      for (uint32_t i = 0; i < count; ++i) dst[i] = quantise(in[i], quant_word(c, column + i));
      return;
    default: std::memcpy(dst, in, count * 4); return;
  }
}

void from_int(const Conversion& c, const int32_t* src, uint32_t column, uint32_t count,
              uint8_t* dst) {
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t value = relu_of(src[i], c.relu);
    const uint64_t word = c.quant == OPK_Q_NONE ? 0 : quant_word(c, column + i);
    if (c.quant == OPK_Q_NONE) {
      std::memcpy(dst + i * 4, &value, 4);
    } else if (is_b8_quant(c.quant)) {
      dst[i] = quantise(shifted(value, word), word);
    } else {
      const uint16_t bits = dequantise(value, word);
      std::memcpy(dst + i * 2, &bits, 2);
    }
  }
}

}  // namespace

bool is_vector_quant(uint32_t quant) {
  return quant == OPK_Q_F32_B8_VEC || quant == OPK_Q_S32_F16_VEC || quant == OPK_Q_S32_B8_VEC;
}

bool quant_fits(uint32_t quant, uint32_t dst, uint32_t src) {
  switch (quant) {
    case OPK_Q_NONE: return dst == src && (src == OPK_FLOAT32 || src == OPK_INT32);
    case OPK_Q_F32_F16: return src == OPK_FLOAT32 && dst == OPK_FLOAT16;
    case OPK_Q_F32_BF16: return src == OPK_FLOAT32 && dst == OPK_BFLOAT16;
    case OPK_Q_S32_F16:
    case OPK_Q_S32_F16_VEC: return src == OPK_INT32 && dst == OPK_FLOAT16;
    case OPK_Q_F32_B8:
    case OPK_Q_F32_B8_VEC: return src == OPK_FLOAT32 && (dst == OPK_INT8 || dst == OPK_UINT8);
    case OPK_Q_S32_B8:
    case OPK_Q_S32_B8_VEC: return src == OPK_INT32 && (dst == OPK_INT8 || dst == OPK_UINT8);
    default: return false;
  }
}

uint64_t quant_word(const Conversion& c, uint32_t column) {
  if (!is_vector_quant(c.quant)) return c.word;
  uint64_t word;
  std::memcpy(&word, c.words + size_t{column} * 8, 8);
  return word;
}

void convert_run(const Conversion& c, const void* src, uint32_t column, uint32_t count, void* dst) {
  auto* out = static_cast<uint8_t*>(dst);
  // Without conversion the words keep their bits, whatever their type.
  if (c.quant == OPK_Q_NONE && !c.relu) {
    std::memcpy(out, src, size_t{count} * 4);
  } else if (c.integers) {
    from_int(c, static_cast<const int32_t*>(src), column, count, out);
  } else {
    from_float(c, static_cast<const float*>(src), column, count, out);
  }
  if (!c.saturate) return;
  if (c.quant == OPK_Q_F32_BF16) saturate_row(OPK_BFLOAT16, dst, count);
  if (c.quant == OPK_Q_F32_F16 || c.quant == OPK_Q_S32_F16 || c.quant == OPK_Q_S32_F16_VEC)
    saturate_row(OPK_FLOAT16, dst, count);
}

void narrow_floats(const Conversion& c, const float* src, uint32_t count, uint16_t* dst) {
  constexpr uint32_t kPiece = 256;
  float positive[kPiece];
  for (uint32_t done = 0; done < count; done += kPiece) {
    const uint32_t some = std::min(kPiece, count - done);
    const float* in = src + done;
    if (c.relu) {
      for (uint32_t i = 0; i < some; ++i) positive[i] = relu_of(in[i], true);
      in = positive;
    }
    to_half_width(c, in, some, dst + done);
    if (c.saturate)
      saturate_row(c.quant == OPK_Q_F32_BF16 ? OPK_BFLOAT16 : OPK_FLOAT16, dst + done, some);
  }
}

}  // namespace opkit::core
