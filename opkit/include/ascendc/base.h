// The ground of the kernel-side API: qualifiers, number types, enumerations, and the core that runs
// the current block. C++17; no C library headers, because kernels define functions named log,
// index, floor ...
//
// Names are the vendor's. What opkit needs for itself is in AscendC::detail, because kernels say
// `using namespace AscendC` and define their own Min, CeilDiv, AlignUp.
#ifndef OPKIT_INCLUDE_ASCENDC_BASE_H_
#define OPKIT_INCLUDE_ASCENDC_BASE_H_

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "opkit/abi/core.h"
#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"

// Qualifiers of the device compiler. Address spaces are one on the host.
#define __aicore__
#define __global__
#define __gm__
#define __ubuf__
#define __cbuf__
#define __ca__
#define __cb__
#define __cc__
#define __fbuf__
#define __kfc_workspace__
#define __workspace__
#define __vector__
#define __cube__
#define __mix__(...)
#ifndef __forceinline__
#define __forceinline__ inline __attribute__((always_inline))
#endif
#ifndef __inline__
#define __inline__ inline
#endif
#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

#define GM_ADDR uint8_t*

// The chip family whose sources this API speaks: arch 2201 (Ascend 910B).
#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 220
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif

// Which core a translation unit is compiled for: a mixed kernel is compiled once per core kind,
// because the branches of the other kind need not compile. The build sets it; 1 = AIV is the
// default.
#ifndef OPKIT_CORE_PASS
#define OPKIT_CORE_PASS 1
#endif

using half = opkit::Half;
using bfloat16_t = opkit::BFloat16;
using float16_t = half;
using float32_t = float;

// Two elements of four bits per byte, low nibble first. Only tensors of it exist, never single
// values.
struct int4b_t {
  uint8_t storage;
};

// Number types of other chips. Sources that serve several chips name them; no call takes them.
struct int2b_t;
struct uint1b_t;
struct fp4x2_e2m1_t;
struct fp4x2_e1m2_t;
struct fp8_e4m3fn_t;
struct fp8_e5m2_t;
struct fp8_e8m0_t;
struct hifloat8_t;

// The vendor's pipe numbers.
enum pipe_t {
  PIPE_S = OPK_PIPE_S,
  PIPE_V = OPK_PIPE_V,
  PIPE_M = OPK_PIPE_M,
  PIPE_MTE1 = OPK_PIPE_MTE1,
  PIPE_MTE2 = OPK_PIPE_MTE2,
  PIPE_MTE3 = OPK_PIPE_MTE3,
  PIPE_ALL = OPK_PIPE_ALL,
  PIPE_FIX = OPK_PIPE_FIX
};

enum event_t {
  EVENT_ID0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7
};

namespace AscendC {

using ::fp4x2_e1m2_t;
using ::fp4x2_e2m1_t;
using ::fp8_e4m3fn_t;
using ::fp8_e5m2_t;
using ::fp8_e8m0_t;
using ::hifloat8_t;
using ::int2b_t;
using ::int4b_t;
using ::uint1b_t;

enum { AIC = OPK_CORE_AIC, AIV = OPK_CORE_AIV, MIX = OPK_CORE_MIX };
constexpr int8_t g_coreType = OPKIT_CORE_PASS;

// TPosition page: the order is the vendor's.
enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX
};
using QuePosition = TPosition;

template <typename T, TPosition pos, typename LayoutType>
struct TensorTrait;

namespace detail {

template <typename T>
struct Lite {
  using Type = T;
};
template <typename T, TPosition pos, typename LayoutType>
struct Lite<TensorTrait<T, pos, LayoutType>> {
  using Type = T;
};

}  // namespace detail

// The element type behind a tensor's type parameter.
template <typename T>
using PrimT = typename detail::Lite<T>::Type;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

// SetFlag-WaitFlag(ISASI): SRC_DST, in the vendor's order.
enum class HardEvent : uint8_t {
  MTE2_MTE1,
  MTE1_MTE2,
  MTE1_M,
  M_MTE1,
  MTE2_V,
  V_MTE2,
  MTE3_V,
  V_MTE3,
  M_V,
  V_M,
  V_V,
  MTE3_MTE1,
  MTE1_MTE3,
  MTE1_V,
  MTE2_M,
  M_MTE2,
  V_MTE1,
  M_FIX,
  FIX_M,
  MTE3_MTE2,
  MTE2_MTE3,
  S_V,
  V_S,
  S_MTE2,
  MTE2_S,
  S_MTE3,
  MTE3_S,
  MTE2_FIX,
  FIX_MTE2,
  FIX_S,
  M_S,
  FIX_MTE3,
  MTE1_FIX,
  FIX_MTE1,
  FIX_FIX,
  MAX
};

enum class CacheMode : uint8_t {
  CACHE_MODE_DISABLE = 0,
  CACHE_MODE_NORMAL = 1,
  CACHE_MODE_LAST = 2,
  CACHE_MODE_PERSISTENT = 4
};
enum class CacheRwMode : uint8_t { READ = 1, WRITE = 2, RW = 3 };

constexpr uint32_t ONE_BLK_SIZE = 32;
constexpr uint32_t ONE_REPEAT_BYTE_SIZE = 256;
constexpr uint32_t DEFAULT_C0_SIZE = 32;
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t DEFAULT_BLK_NUM = 8;
constexpr int32_t DEFAULT_BLK_STRIDE = 1;
constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
constexpr uint8_t HALF_DEFAULT_REPEAT_STRIDE = 4;
constexpr int32_t MAX_REPEAT_TIMES = 255;
constexpr int32_t TOTAL_UB_SIZE = 192 * 1024;
constexpr int32_t TOTAL_VEC_LOCAL_SIZE = 184 * 1024;  // leaves the rest to the vendor's calls
constexpr int32_t TOTAL_L1_SIZE = 512 * 1024;
constexpr int32_t TOTAL_L0A_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0B_SIZE = 64 * 1024;
constexpr int32_t TOTAL_L0C_SIZE = 128 * 1024;
constexpr uint64_t MASK_PLACEHOLDER = 0;
constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};

template <typename A, typename B>
struct IsSameType {
  static constexpr bool value = std::is_same<A, B>::value;
};

// Where a tensor lies. bufferAddr and dataLen are bytes; bufferAddr counts from the start of its
// memory.
struct TBuffAddr {
  uint32_t dataLen = 0;
  uint32_t bufferAddr = 0;
  uint16_t bufferHandle = 0;  // id of the TPipe buffer, 0 = none
  uint8_t logicPos = 0;       // TPosition
};

namespace detail {

// One per plugin and host thread: the core whose block runs. Set by the generated entry and again
// after every call that may have let other blocks run. Programs that launch the kernels of their
// libraries themselves define OPKIT_SHARED_CORE, which costs every call a look-up: one per thread.
#ifdef OPKIT_SHARED_CORE
#define OPKIT_SEEN_BY "default"
#else
#define OPKIT_SEEN_BY "hidden"
#endif
__attribute__((visibility(OPKIT_SEEN_BY))) inline thread_local opk_core* current = nullptr;
#undef OPKIT_SEEN_BY

inline opk_core* core() { return current; }

#define OPKIT_INLINE inline __attribute__((always_inline))

// Fields at the end of opk_core are younger than the first engines. Those that came together with
// load_boundary, and the instructions that came with them, are there when this one is.
constexpr size_t kCoreWithBoundary = offsetof(opk_core, load_boundary) + sizeof(uint32_t);
// end: bytes that must be there.
OPKIT_INLINE void require_tail(size_t end) {
  if (__builtin_expect(core()->struct_size < end, 0)) {
    core()->isa->fault(core(), "EK1719",
                       "this engine is older than a register that the kernel uses; run the kernel "
                       "with the opkit that compiled it, or a later one");
  }
}

template <typename T>
constexpr uint8_t dtype_of_number() {
  if constexpr (std::is_same<T, float>::value)
    return OPK_FLOAT32;
  else if constexpr (std::is_same<T, half>::value)
    return OPK_FLOAT16;
  else if constexpr (std::is_same<T, bfloat16_t>::value)
    return OPK_BFLOAT16;
  else if constexpr (std::is_same<T, double>::value)
    return OPK_FLOAT64;
  else if constexpr (std::is_same<T, bool>::value)
    return OPK_BOOL;
  else if constexpr (std::is_same<T, int4b_t>::value)
    return OPK_INT4;
  else if constexpr (std::is_integral<T>::value && std::is_signed<T>::value)
    return sizeof(T) == 1   ? OPK_INT8
           : sizeof(T) == 2 ? OPK_INT16
           : sizeof(T) == 4 ? OPK_INT32
                            : OPK_INT64;
  else if constexpr (std::is_integral<T>::value)
    return sizeof(T) == 1   ? OPK_UINT8
           : sizeof(T) == 2 ? OPK_UINT16
           : sizeof(T) == 4 ? OPK_UINT32
                            : OPK_UINT64;
  else
    return OPK_DTYPE_UNDEFINED;
}

template <typename T>
constexpr uint8_t dtype_of() {
  return dtype_of_number<PrimT<T>>();
}

template <typename T>
constexpr uint32_t bits_of() {
  return std::is_same<PrimT<T>, int4b_t>::value ? 4 : 8 * static_cast<uint32_t>(sizeof(PrimT<T>));
}
// What so many elements take: of int4b_t two share a byte, so that an odd one more takes another.
template <typename T>
constexpr uint64_t bytes_of(uint64_t elements) {
  return bits_of<T>() < 8 ? (elements + 1) / 2 : elements * (bits_of<T>() / 8);
}
template <typename T>
constexpr uint64_t elements_in(uint64_t bytes) {
  return bits_of<T>() < 8 ? bytes * (8 / bits_of<T>()) : bytes / (bits_of<T>() / 8);
}

// Where element `index` starts, in bytes. Only every second int4b_t has an address.
template <typename T>
OPKIT_INLINE uint64_t bytes_before(uint64_t index) {
  if constexpr (bits_of<T>() < 8) {
    if (__builtin_expect(index % 2 != 0, 0))
      core()->isa->fault(core(), "EK1013",
                         "a tensor of int4b_t is cut at an odd index, in the middle of a byte; use "
                         "an even index, or move the values with Cast");
  }
  return bytes_of<T>(index);
}

// Returns a single number as float, also one that the chip's compiler does not convert.
template <typename T>
constexpr float as_float(const T& value) {
  if constexpr (std::is_same<T, bfloat16_t>::value)
    return value.wide();
  else
    return static_cast<float>(value);
}

// Returns the bit pattern of a scalar, zero-extended.
template <typename T>
OPKIT_INLINE uint64_t bits(const T& value) {
  uint64_t pattern = 0;
  __builtin_memcpy(&pattern, &value, sizeof(T) < 8 ? sizeof(T) : 8);
  return pattern;
}

constexpr uint8_t memory_of(TPosition position) {
  switch (position) {
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM: return OPK_MEM_L1;
    case TPosition::A2: return OPK_MEM_L0A;
    case TPosition::B2: return OPK_MEM_L0B;
    case TPosition::C2: return OPK_MEM_BT;
    case TPosition::CO1: return OPK_MEM_L0C;
    case TPosition::C2PIPE2GM: return OPK_MEM_FB;
    case TPosition::VECIN:
    case TPosition::VECOUT:
    case TPosition::VECCALC: return OPK_MEM_UB;
    default: return OPK_MEM_GM;
  }
}

struct EventPipes {
  uint8_t src, dst;
};

constexpr EventPipes pipes_of(HardEvent event) {
  constexpr uint8_t S = PIPE_S, V = PIPE_V, M = PIPE_M, M1 = PIPE_MTE1, M2 = PIPE_MTE2,
                    M3 = PIPE_MTE3, F = PIPE_FIX;
  constexpr EventPipes table[] = {
      {M2, M1}, {M1, M2}, {M1, M},  {M, M1},  {M2, V}, {V, M2}, {M3, V}, {V, M3}, {M, V},
      {V, M},   {V, V},   {M3, M1}, {M1, M3}, {M1, V}, {M2, M}, {M, M2}, {V, M1}, {M, F},
      {F, M},   {M3, M2}, {M2, M3}, {S, V},   {V, S},  {S, M2}, {M2, S}, {S, M3}, {M3, S},
      {M2, F},  {F, M2},  {F, S},   {M, S},   {F, M3}, {M1, F}, {F, M1}, {F, F}};
  return table[static_cast<uint8_t>(event)];
}

}  // namespace detail

}  // namespace AscendC

#define ASCEND_IS_AIC \
  constexpr(::AscendC::g_coreType == ::AscendC::AIC || ::AscendC::g_coreType == ::AscendC::MIX)
#define ASCEND_IS_AIV \
  constexpr(::AscendC::g_coreType == ::AscendC::AIV || ::AscendC::g_coreType == ::AscendC::MIX)
#define ASCEND_IS_NOT_AIC constexpr(::AscendC::g_coreType == ::AscendC::AIV)
#define ASCEND_IS_NOT_AIV constexpr(::AscendC::g_coreType == ::AscendC::AIC)

#endif  // OPKIT_INCLUDE_ASCENDC_BASE_H_
