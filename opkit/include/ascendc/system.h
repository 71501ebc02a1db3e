// Blocks, workspaces, the clock, printing and assertions. (Vendor's pages "GetBlockIdx",
// "GetBlockNum", "GetSubBlockIdx", "GetTaskRatio", "GetSysWorkSpacePtr", "GetUserWorkspace",
// "printf", "DumpTensor", "assert".)
#ifndef OPKIT_INCLUDE_ASCENDC_SYSTEM_H_
#define OPKIT_INCLUDE_ASCENDC_SYSTEM_H_

#include "opkit/include/ascendc/sync.h"

namespace AscendC {

OPKIT_INLINE int64_t GetBlockIdx() { return detail::core()->block_idx; }
OPKIT_INLINE int64_t GetBlockNum() { return detail::core()->block_num; }
OPKIT_INLINE int64_t GetSubBlockIdx() {
  detail::require_call("GetSubBlockIdx");
  return detail::core()->sub_block_idx;
}
OPKIT_INLINE int64_t GetSubBlockNum() {
  detail::require_call("GetSubBlockNum");
  return detail::core()->kind == OPK_CORE_AIC ? 1 : detail::core()->sub_block_num;
}
OPKIT_INLINE int64_t GetTaskRation() { return detail::core()->task_ratio; }
OPKIT_INLINE int64_t GetTaskRatio() { return detail::core()->task_ratio; }
OPKIT_INLINE constexpr int16_t GetDataBlockSizeInBytes() {
  return static_cast<int16_t>(ONE_BLK_SIZE);
}
OPKIT_INLINE int64_t GetArchVersion() { return __NPU_ARCH__; }
OPKIT_INLINE void GetArchVersion(uint32_t& coreVersion) { coreVersion = __NPU_ARCH__; }
OPKIT_INLINE int64_t GetSystemCycle() { return detail::core()->isa->system_cycle(detail::core()); }
// Where the kernel is, as an address of the host.
[[gnu::noinline]] inline int64_t GetProgramCounter() {
  __asm__ volatile("");  // two calls are two places
  return reinterpret_cast<int64_t>(__builtin_return_address(0));
}
OPKIT_INLINE void Trap() {
  detail::fault("EK1601", "Trap: the kernel gave up; look at the condition in front of Trap()");
}

namespace detail {

// Returns the block that the core works for: that of the cube core, also on its vector cores.
OPKIT_INLINE int64_t block_of_core() { return core()->block_idx / core()->task_ratio; }

}  // namespace detail

OPKIT_INLINE __gm__ uint8_t* GetSysWorkSpacePtr() { return detail::core()->system_workspace; }
OPKIT_INLINE void SetSysWorkspace(GM_ADDR workspace) {
  if (!detail::core()->system_workspace) detail::core()->system_workspace = workspace;
}
OPKIT_INLINE void SetSysWorkspaceForce(GM_ADDR workspace) {
  detail::core()->system_workspace = workspace;
}
// A kernel's workspace argument starts with the system's part, whose size is the chip's: what
// GetLibApiWorkSpaceSize() answers on the host.
OPKIT_INLINE GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  detail::require_tail(offsetof(opk_core, lib_api_workspace) + sizeof(uint64_t));
  return workspace + detail::core()->lib_api_workspace;
}

OPKIT_INLINE void InitSocState() {
  opk_core* c = detail::core();
  c->mask_mode = 0;
  c->mask[0] = c->mask[1] = ~uint64_t{0};
  c->atomic = OPK_ATOMIC_NONE;
  c->load_pad_value = 0;
  if (c->struct_size >= detail::kCoreWithBoundary) c->load_boundary = 0;
}

OPKIT_INLINE int64_t ScalarCountLeadingZero(uint64_t value) {
  return value ? __builtin_clzll(value) : 64;
}
template <int countValue>
OPKIT_INLINE int64_t ScalarGetCountOfValue(uint64_t value) {
  return __builtin_popcountll(countValue == 1 ? value : ~value);
}
template <int countValue>
OPKIT_INLINE int64_t ScalarGetSFFValue(uint64_t value) {
  const uint64_t wanted = countValue == 1 ? value : ~value;
  return wanted ? __builtin_ctzll(wanted) : -1;
}

// Newer names.
OPKIT_INLINE int64_t CountLeadingZero(uint64_t value) { return ScalarCountLeadingZero(value); }
template <int countValue>
OPKIT_INLINE int64_t GetBitCount(uint64_t value) {
  return ScalarGetCountOfValue<countValue>(value);
}
template <int countValue>
OPKIT_INLINE int64_t GetSFFValue(uint64_t value) {
  return ScalarGetSFFValue<countValue>(value);
}
// Bits behind the sign bit that equal it, from the top; -1 when all do.
OPKIT_INLINE int64_t CountBitsCntSameAsSignBit(int64_t value) {
  const uint64_t differs = static_cast<uint64_t>(value < 0 ? ~value : value);
  return differs ? __builtin_clzll(differs) - 1 : -1;
}

OPKIT_INLINE float ToFloat(const bfloat16_t& value) { return value.wide(); }
OPKIT_INLINE bfloat16_t ToBfloat16(const float& value) { return bfloat16_t(value); }

namespace detail {

inline const void* printable(const void* p) { return p; }
template <typename T>
auto printable(const T& value) {
  if constexpr (std::is_same<T, bfloat16_t>::value) {
    return static_cast<double>(value.wide());
  } else if constexpr (std::is_same<T, half>::value || std::is_same<T, float>::value) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return value;
  }
}

template <typename... Args>
void print(const char* format, const Args&... args) {
  // In a program's own functions `using namespace AscendC` makes a plain printf this one.
  if (!core()) return static_cast<void>(__builtin_printf(format, printable(args)...));
  char text[1024];
  const int n = __builtin_snprintf(text, sizeof text, format, printable(args)...);
  if (n <= 0) return;
  core()->isa->print(
      core(), text,
      static_cast<uint64_t>(n) < sizeof text ? static_cast<uint64_t>(n) : sizeof text - 1);
}
inline void print(const char* format) {
  char text[1024];
  const int n = __builtin_snprintf(text, sizeof text, format, 0);
  if (n > 0)
    core()->isa->print(
        core(), text,
        static_cast<uint64_t>(n) < sizeof text ? static_cast<uint64_t>(n) : sizeof text - 1);
}

template <typename T>
void print_element(const T& value, const char* behind = " ") {
  if constexpr (std::is_floating_point<decltype(printable(value))>::value)
    print("%f%s", value, behind);
  else if constexpr (std::is_signed<T>::value)
    print("%lld%s", static_cast<long long>(value), behind);
  else
    print("%llu%s", static_cast<unsigned long long>(value), behind);
}

// What is printed decides nothing: of a local tensor, it may be what nobody wrote.
template <typename T>
OPKIT_INLINE T dumped(const LocalTensor<T>& tensor, uint32_t i) {
  return i < tensor.GetSize() ? reinterpret_cast<const T*>(tensor.GetPhyAddr())[i]
                              : tensor.GetValue(i);
}
template <typename T>
OPKIT_INLINE T dumped(const GlobalTensor<T>& tensor, uint32_t i) {
  return tensor.GetValue(i);
}

// In line, so that a report names the author's line.
template <typename Tensor>
OPKIT_INLINE void dump(const Tensor& tensor, uint32_t desc, uint32_t count) {
  print("DumpTensor: desc=%u, block=%u, elements=%u: ", desc, core()->block_idx, count);
  for (uint32_t i = 0; i < count; ++i) print_element(dumped(tensor, i));
  print("\n");
}

// Returns the dimensions of a shape that start (at = i) or end (at = i + 1) at an element.
inline uint32_t dims_that_meet(const ShapeInfo& shape, uint32_t at) {
  uint32_t block = 1, dims = 0;
  for (uint32_t d = shape.shapeDim; d-- > 0;) {
    block *= shape.shape[d];
    dims += at % block == 0;
  }
  return dims;
}

// In the brackets of a shape. What it has more than `count` is '-', what it has less is left out.
template <typename Tensor>
OPKIT_INLINE void dump(const Tensor& tensor, uint32_t desc, uint32_t count,
                       const ShapeInfo& shape) {
  const auto size = static_cast<uint32_t>(GetShapeSize(shape));
  if (shape.shapeDim == 0 || size == 0) return dump(tensor, desc, count);
  print("DumpTensor: desc=%u, block=%u, elements=%u, shape=", desc, core()->block_idx, count);
  for (uint32_t d = 0; d < shape.shapeDim; ++d) print("%s%u", d ? "x" : "", shape.shape[d]);
  print("\n");
  for (uint32_t i = 0; i < size; ++i) {
    for (uint32_t opened = dims_that_meet(shape, i); opened > 0; --opened) print("[");
    if (i < count) {
      print_element(dumped(tensor, i), "");
    } else {
      print("-");
    }
    const uint32_t closed = dims_that_meet(shape, i + 1);
    for (uint32_t c = 0; c < closed; ++c) print("]");
    print(i + 1 == size ? "\n" : closed ? ",\n" : ",");
  }
}

// A failed assertion ends the block with its place and the author's words.
template <typename... Args>
[[gnu::cold]] OPKIT_INLINE void failed(const char* condition, const char* file, int line,
                                       const char* format, const Args&... args) {
  char words[512], text[1024];
  if (__builtin_snprintf(words, sizeof words, format, printable(args)...) < 0) words[0] = 0;
  __builtin_snprintf(
      text, sizeof text,
      "ASSERT: assertion '%s' failed at %s:%d %s; look at the values of the condition", condition,
      file, line, words);
  fault("EK1602", text);
}
[[gnu::cold]] OPKIT_INLINE void failed(const char* condition, const char* file, int line) {
  failed(condition, file, line, "%s", "");
}

inline const char* text_of(const char* words) { return words; }
template <typename String>
const char* text_of(const String& words) {
  return words.c_str();
}
template <typename Words>
[[gnu::cold]] OPKIT_INLINE void not_supported(const Words& words, const char* file, int line) {
  if (core()) return failed("is supported", file, line, "%s", text_of(words));
  __builtin_printf("%s:%d: not supported: %s\n", file, line, text_of(words));
}

}  // namespace detail

template <typename... Args>
void printf(__gm__ const char* format, Args&&... args) {
  detail::print(format, args...);
}
template <typename... Args>
void PRINTF(__gm__ const char* format, Args&&... args) {
  detail::print(format, args...);
}
template <typename T>
OPKIT_INLINE void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  detail::dump(tensor, desc, dumpSize);
}
template <typename T>
OPKIT_INLINE void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  detail::dump(tensor, desc, dumpSize);
}
template <typename T>
OPKIT_INLINE void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                             const ShapeInfo& shapeInfo) {
  detail::dump(tensor, desc, dumpSize, shapeInfo);
}
template <typename T>
OPKIT_INLINE void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                             const ShapeInfo& shapeInfo) {
  detail::dump(tensor, desc, dumpSize, shapeInfo);
}
// As DumpTensor, from element countOff on.
template <typename T>
OPKIT_INLINE void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff,
                                  uint32_t dumpSize) {
  detail::dump(tensor[countOff], index, dumpSize);
}
template <typename T>
OPKIT_INLINE void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff,
                                  uint32_t dumpSize) {
  detail::dump(tensor[countOff], index, dumpSize);
}
inline void InitDump(bool, GM_ADDR, uint32_t) {}
inline void InitDump(bool, uint32_t) {}

// The chip's own profiler; `opkit profile` measures whole launches.
OPKIT_INLINE void MetricsProfStart() {}
OPKIT_INLINE void MetricsProfStop() {}

}  // namespace AscendC

// Pages call it without the namespace beside AscendC::TPipe.
using AscendC::GetSysWorkSpacePtr;

#define ascendc_assert(condition, ...)                                                          \
  do {                                                                                          \
    if (!(condition)) ::AscendC::detail::failed(#condition, __FILE__, __LINE__, ##__VA_ARGS__); \
  } while (0)
#ifndef assert
#define assert(condition, ...) ascendc_assert(condition, ##__VA_ARGS__)
#endif
// The vendor's library checks itself by these where it is compiled for the host, to be debugged
// there; for the chip they are nothing, and need no semicolon in front.
#if defined(ASCENDC_CPU_DEBUG) || defined(__CCE_KT_TEST__)
#ifndef ASSERT
#define ASSERT(condition, ...) ascendc_assert(condition, ##__VA_ARGS__)
#endif
#define ASCENDC_ASSERT(condition, ...)                           \
  do {                                                           \
    if (!(condition)) {                                          \
      __VA_ARGS__;                                               \
      ::AscendC::detail::failed(#condition, __FILE__, __LINE__); \
    }                                                            \
  } while (0)
#else
#ifndef ASSERT
#define ASSERT(...)
#endif
#define ASCENDC_ASSERT(...)
#endif
// Says that a call does not exist for what it was given: ends the block of a kernel, as a failed
// assertion does, and prints in a program's own functions. A statement with or without a semicolon,
// as published kernels write it.
#define ASCENDC_REPORT_NOT_SUPPORT(condition, words)                                 \
  {                                                                                  \
    if (!(condition)) ::AscendC::detail::not_supported((words), __FILE__, __LINE__); \
  }
#define KERNEL_LOG(level, ...)
#define KERNEL_LOG_INTERNAL(level, ...)

#endif  // OPKIT_INCLUDE_ASCENDC_SYSTEM_H_
