// Get<Name>MaxMinTmpSize: how large the temporary buffer of an advanced vector call may and must
// be.
//
// The rule is opkit's own: a call keeps a number of float values per element alive. max is enough
// to take the whole source at once, min is enough for one repeat of 256 bytes; a kernel may pass
// anything from min up. The vendor's numbers differ; do not store them in a kernel.
#ifndef OPKIT_HOST_BUFFER_SIZES_H_
#define OPKIT_HOST_BUFFER_SIZES_H_

#include <algorithm>
#include <cstdint>

#include "graph/tensor.h"

namespace opkit_host {

constexpr uint32_t kRepeatBytes = 256;

// Gives the sizes for `live` float values per element. A half source needs its float copy, too.
inline void temporary_sizes(const ge::Shape& shape, uint32_t type_size, bool reuse, uint32_t live,
                            uint32_t& max, uint32_t& min) {
  const uint32_t widened = type_size < 4 ? live + 1 : live;
  const uint32_t buffers = reuse && type_size == 4 && widened > 1 ? widened - 1 : widened;
  const int64_t elements = std::max<int64_t>(shape.GetShapeSize(), 1);
  const int64_t bytes = (elements * 4 + kRepeatBytes - 1) / kRepeatBytes * kRepeatBytes;
  min = buffers * kRepeatBytes;
  max = static_cast<uint32_t>(std::min<int64_t>(bytes * buffers, UINT32_MAX / 2));
}

}  // namespace opkit_host

namespace AscendC {

#define OPKIT_TMP_SIZE(Name, live)                                                                \
  inline void Get##Name##MaxMinTmpSize(const ge::Shape& srcShape, const uint32_t typeSize,        \
                                       const bool isReuseSource, uint32_t& maxValue,              \
                                       uint32_t& minValue) {                                      \
    opkit_host::temporary_sizes(srcShape, typeSize, isReuseSource, live, maxValue, minValue);     \
  }                                                                                               \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, \
                                             uint32_t& extraBuf) {                                \
    maxLiveNodeCount = typeSize < 4 ? 2 * ((live) + 1) : (live);                                  \
    extraBuf = 0;                                                                                 \
  }

OPKIT_TMP_SIZE(Axpy, 1)
OPKIT_TMP_SIZE(Clamp, 1)
OPKIT_TMP_SIZE(Exp, 3)
OPKIT_TMP_SIZE(FasterGelu, 2)
OPKIT_TMP_SIZE(FasterGeluV2, 3)
OPKIT_TMP_SIZE(GeGLU, 3)
OPKIT_TMP_SIZE(Gelu, 3)
OPKIT_TMP_SIZE(Mean, 1)
OPKIT_TMP_SIZE(ReGlu, 2)
OPKIT_TMP_SIZE(Silu, 1)
OPKIT_TMP_SIZE(Sum, 1)
OPKIT_TMP_SIZE(SwiGLU, 2)
OPKIT_TMP_SIZE(Swish, 1)

#define OPKIT_TMP_SIZE_USUAL(Name, live) OPKIT_TMP_SIZE(Name, live)
#define OPKIT_TMP_SIZE_OWN(Name, live)
#define X(id, name, api, types, apart, sizes, live, plain, slow) OPKIT_TMP_SIZE_##sizes(name, live)
#include "opkit/abi/library_calls.inc"
#undef X
#undef OPKIT_TMP_SIZE_OWN
#undef OPKIT_TMP_SIZE_USUAL
#undef OPKIT_TMP_SIZE

inline void GetPowerMaxMinTmpSize(const ge::Shape& srcShape1, const ge::Shape& srcShape2,
                                  const bool typeIsInt, const uint32_t typeSize,
                                  const bool isReuseSource, uint32_t& maxValue,
                                  uint32_t& minValue) {
  const bool first = srcShape1.GetShapeSize() >= srcShape2.GetShapeSize();
  opkit_host::temporary_sizes(first ? srcShape1 : srcShape2, typeSize, isReuseSource,
                              typeIsInt ? 6 : 4, maxValue, minValue);
}
// (Page "GetPowerTmpBufferFactorSize".) A scalar operand changes nothing.
inline void GetPowerTmpBufferFactorSize(const bool, const bool, const bool typeIsInt,
                                        const uint32_t typeSize, uint32_t& maxLiveNodeCount,
                                        uint32_t& extraBuffer) {
  const uint32_t live = typeIsInt ? 6 : 4;
  maxLiveNodeCount = typeSize < 4 ? 2 * (live + 1) : live;
  extraBuffer = 0;
}

}  // namespace AscendC

#endif  // OPKIT_HOST_BUFFER_SIZES_H_
