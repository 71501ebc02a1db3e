// The sets of element types that rows of opkit/abi/vector_ops.inc name, and the sentence that
// refuses another type. T is the element type.
#ifndef OPKIT_INCLUDE_ASCENDC_VECTOR_TYPES_H_
#define OPKIT_INCLUDE_ASCENDC_VECTOR_TYPES_H_

#include "opkit/include/ascendc/vector_issue.h"

#define OPKIT_TYPES_REALS (AscendC::detail::is_real<T>())
#define OPKIT_SENTENCE_REALS " exists for half and float only: Cast other types to float first"

#define OPKIT_TYPES_NUMBERS (AscendC::detail::is_number<T>())
#define OPKIT_SENTENCE_NUMBERS                                                             \
  " exists for half, float, int16_t and int32_t only: Cast bfloat16_t to float and 8-bit " \
  "integers to half first"

#define OPKIT_TYPES_REALS_INT16 (AscendC::detail::one_of<T, half, float, int16_t>())
#define OPKIT_SENTENCE_REALS_INT16                                                                \
  " exists for half, float and int16_t only: make the two steps by themselves, or Cast to float " \
  "first"

#define OPKIT_TYPES_REALS_INT32 (AscendC::detail::one_of<T, half, float, int32_t>())
#define OPKIT_SENTENCE_REALS_INT32 \
  " exists for half, float and int32_t only: Cast other types to float first"

#define OPKIT_TYPES_INT16S (AscendC::detail::one_of<T, int16_t, uint16_t>())
#define OPKIT_SENTENCE_INT16S \
  " exists for int16_t and uint16_t only: use ReinterpretCast<uint16_t>()"

#define OPKIT_TYPES_INTS (AscendC::detail::one_of<T, int16_t, uint16_t, int32_t, uint32_t>())
#define OPKIT_SENTENCE_INTS \
  " exists for int16_t, uint16_t, int32_t and uint32_t only: use ReinterpretCast"

#endif  // OPKIT_INCLUDE_ASCENDC_VECTOR_TYPES_H_
