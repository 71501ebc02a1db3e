// Element types (opk_dtype): their names and sizes.
#ifndef OPKIT_CORE_ISA_ELEMENT_TYPE_H_
#define OPKIT_CORE_ISA_ELEMENT_TYPE_H_

#include <array>
#include <cstdint>

#include "opkit/abi/types.h"

namespace opkit::core {

// Returns "half", ..., as in kernel sources.
const char* dtype_name(uint32_t dtype);
// Bits per element by opk_dtype; 0 = unknown.
inline constexpr std::array<uint8_t, 32> kDTypeBits = [] {
  std::array<uint8_t, 32> bits{};
  bits[OPK_INT4] = 4;
  for (uint32_t d : {OPK_INT8, OPK_UINT8, OPK_BOOL}) bits[d] = 8;
  for (uint32_t d : {OPK_FLOAT16, OPK_BFLOAT16, OPK_INT16, OPK_UINT16}) bits[d] = 16;
  for (uint32_t d : {OPK_FLOAT32, OPK_INT32, OPK_UINT32}) bits[d] = 32;
  for (uint32_t d : {OPK_FLOAT64, OPK_INT64, OPK_UINT64}) bits[d] = 64;
  return bits;
}();
inline uint32_t dtype_bits(uint32_t dtype) {
  return dtype < kDTypeBits.size() ? kDTypeBits[dtype] : 0;
}
inline uint32_t dtype_bytes(uint32_t dtype) { return dtype_bits(dtype) / 8; }

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_ELEMENT_TYPE_H_
