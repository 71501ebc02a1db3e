// What happens to elements of C on their way out of L0C: relu, quantisation, conversion.
// Semantics: the vendor's pages "随路量化", "随路量化与随路ReLU场景组合", "随路ReLU".
#ifndef OPKIT_CORE_ISA_CUBE_CONVERT_H_
#define OPKIT_CORE_ISA_CUBE_CONVERT_H_

#include <cstdint>

#include "opkit/abi/core.h"

namespace opkit::core {

struct Conversion {
  uint8_t quant = OPK_Q_NONE;
  bool relu = false;
  bool integers = false;           // C is int32
  bool saturate = false;           // half and bfloat16: inf and NaN become finite
  uint64_t word = 0;               // scalar modes
  const uint8_t* words = nullptr;  // one 64-bit word per column
};

// The source and destination types that a mode connects; dst of a b8 mode is int8 or uint8.
bool quant_fits(uint32_t quant, uint32_t dst, uint32_t src);
bool is_vector_quant(uint32_t quant);
inline bool is_b8_quant(uint32_t quant) {
  return quant == OPK_Q_F32_B8 || quant == OPK_Q_F32_B8_VEC || quant == OPK_Q_S32_B8 ||
         quant == OPK_Q_S32_B8_VEC;
}
uint64_t quant_word(const Conversion& c, uint32_t column);

// count (at most 16) elements of one row of C, the first of which is column `column`.
void convert_run(const Conversion& c, const void* src, uint32_t column, uint32_t count, void* dst);
// Tells whether every float becomes a half or bfloat16 whatever its column.
inline bool narrows_floats(const Conversion& c) {
  return c.quant == OPK_Q_F32_F16 || c.quant == OPK_Q_F32_BF16;
}
// Any number of floats, as convert_run() does with 16. REQUIRES: narrows_floats(c).
void narrow_floats(const Conversion& c, const float* src, uint32_t count, uint16_t* dst);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_CONVERT_H_
