// Elements of the cube unit's operands as floats.
#ifndef OPKIT_CORE_FRACTALS_EXPAND_H_
#define OPKIT_CORE_FRACTALS_EXPAND_H_

#include <cstdint>

namespace opkit::core {

// count elements of dtype (half, bfloat16, float, int8, int4) as floats. hf32: 0 or the rounding of
// opk_mmad_v1, for float.
void expand_row(uint32_t dtype, const void* src, uint64_t first, uint32_t count, uint8_t hf32,
                float* dst);

}  // namespace opkit::core

#endif  // OPKIT_CORE_FRACTALS_EXPAND_H_
