// Element types by name and size. The numbers are opk_dtype's.
#ifndef OPKIT_BASE_DTYPE_H_
#define OPKIT_BASE_DTYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "opkit/abi/types.h"

namespace opkit {

enum class DType : int32_t {
  kFloat32 = OPK_FLOAT32,
  kFloat16 = OPK_FLOAT16,
  kInt8 = OPK_INT8,
  kInt32 = OPK_INT32,
  kUInt8 = OPK_UINT8,
  kInt16 = OPK_INT16,
  kUInt16 = OPK_UINT16,
  kUInt32 = OPK_UINT32,
  kInt64 = OPK_INT64,
  kUInt64 = OPK_UINT64,
  kFloat64 = OPK_FLOAT64,
  kBool = OPK_BOOL,
  kBFloat16 = OPK_BFLOAT16,
  kInt4 = OPK_INT4,
  kUndefined = OPK_DTYPE_UNDEFINED,
};

// Bits per element; 0 for kUndefined.
int bits_of(DType dtype);
// Returns the bytes of n elements, rounded up to whole bytes.
uint64_t bytes_of(DType dtype, uint64_t elements);
// "float16", the one spelling that opkit prints.
std::string_view name_of(DType dtype);
// "half", the spelling in kernel sources.
std::string_view kernel_name_of(DType dtype);
// "DT_FLOAT16", the spelling of graph interfaces.
std::string_view graph_name_of(DType dtype);
// Accepts every spelling above and the usual short ones (fp16, f16, bf16, float, half, int, i32,
// uint8_t).
std::optional<DType> dtype_from_name(std::string_view name);
bool is_float(DType dtype);
bool is_signed(DType dtype);
// Returns every defined type, in the order of the enumeration.
const std::vector<DType>& all_dtypes();

}  // namespace opkit

#endif  // OPKIT_BASE_DTYPE_H_
