// Tiling data and tiling keys on the kernel's side. (Vendor's pages "GET_TILING_DATA",
// "REGISTER_TILING_DEFAULT", "TILING_KEY_IS", "设置Kernel类型", "Tiling模板编程".)
#ifndef OPKIT_INCLUDE_ASCENDC_TILING_H_
#define OPKIT_INCLUDE_ASCENDC_TILING_H_

#include "opkit/include/ascendc/base.h"
#include "opkit/include/ascendc/reach.h"

namespace AscendC {
namespace detail {

template <typename T>
OPKIT_INLINE void load_tiling(T& data, const uint8_t* tiling) {
  static_assert(std::is_trivially_copyable<T>::value, "tiling data is a plain struct");
  __builtin_memcpy(static_cast<void*>(&data), tiling, sizeof(T));
}

OPKIT_INLINE uint64_t launched_key() {
  OPKIT_REACHES(key);
  return core()->tiling_key;
}

}  // namespace detail
}  // namespace AscendC

// The default struct is named by REGISTER_TILING_DEFAULT inside the kernel, or by the build for
// structs that exist only as BEGIN_TILING_DATA_DEF on the host's side.
#define REGISTER_TILING_DEFAULT(Struct) using OpkitDefaultTiling [[maybe_unused]] = Struct
// The build makes a unit per key, in which GET_TILING_DATA reads the struct of that key.
#define REGISTER_TILING_FOR_TILINGKEY(expression, Struct)
#define REGISTER_NONE_TILING

#define GET_TILING_DATA(name, tiling) \
  OpkitDefaultTiling name;            \
  ::AscendC::detail::load_tiling(name, reinterpret_cast<const uint8_t*>(tiling))
#define GET_TILING_DATA_WITH_STRUCT(Struct, name, tiling) \
  Struct name;                                            \
  ::AscendC::detail::load_tiling(name, reinterpret_cast<const uint8_t*>(tiling))
#define GET_TILING_DATA_MEMBER(Struct, member, name, tiling)                            \
  decltype(Struct::member) name;                                                        \
  __builtin_memcpy(static_cast<void*>(&name),                                           \
                   reinterpret_cast<const uint8_t*>(tiling) + offsetof(Struct, member), \
                   sizeof(name))
#define GET_TILING_DATA_PTR_WITH_STRUCT(Struct, name, tiling) \
  __gm__ Struct* name = reinterpret_cast<__gm__ Struct*>(tiling)
// dst_ptr becomes a pointer to a local copy of an array member.
#define COPY_TILING_WITH_ARRAY(Type, count, src_ptr, dst_ptr)                             \
  Type dst_ptr##_copy[count];                                                             \
  __builtin_memcpy(static_cast<void*>(dst_ptr##_copy), static_cast<const void*>(src_ptr), \
                   sizeof(dst_ptr##_copy));                                               \
  Type(*dst_ptr)[count] = &dst_ptr##_copy
#define COPY_TILING_WITH_STRUCT(Struct, src, dst) \
  __builtin_memcpy(static_cast<void*>(dst), static_cast<const void*>(src), sizeof(Struct))

// -DTILING_KEY_VAR=<key> specialises a build for one key; then the comparison is a constant
// expression.
#ifndef TILING_KEY_VAR
#define TILING_KEY_VAR (::AscendC::detail::launched_key())
#endif
#define TILING_KEY_IS(key) ((TILING_KEY_VAR) == (key))
#define TILING_KEY_LIST(key1, key2) (TILING_KEY_IS(key1) || TILING_KEY_IS(key2))

// The kind of launch; the build reads these statements from the source.
#define KERNEL_TASK_TYPE_DEFAULT(type)
#define KERNEL_TASK_TYPE(key, type)
#define SET_NEXT_TASK_START
namespace AscendC {
template <pipe_t pipe = PIPE_MTE3>
inline void SetNextTaskStart() {}
template <pipe_t pipe = PIPE_MTE2>
inline void WaitPreTaskEnd() {}
}  // namespace AscendC

// Dtype and format numbers as macros, because operator kernels compare them in #if. Only the build
// of an operator asks for them: elsewhere a file may include the host's ge::DT_FLOAT as well.
#ifdef OPKIT_DTYPE_MACROS
#define DT_FLOAT 0
#define DT_FLOAT16 1
#define DT_INT8 2
#define DT_INT32 3
#define DT_UINT8 4
#define DT_INT16 6
#define DT_UINT16 7
#define DT_UINT32 8
#define DT_INT64 9
#define DT_UINT64 10
#define DT_DOUBLE 11
#define DT_BOOL 12
#define DT_COMPLEX64 16
#define DT_COMPLEX128 17
#define DT_BF16 27
#define DT_INT4 29
#define DT_HIFLOAT8 34
#define FORMAT_NCHW 0
#define FORMAT_NHWC 1
#define FORMAT_ND 2
#define FORMAT_NC1HWC0 3
#define FORMAT_FRACTAL_Z 4
#define FORMAT_FRACTAL_NZ 29
#endif

#endif  // OPKIT_INCLUDE_ASCENDC_TILING_H_
