#include "opkit/atc/ge/types.h"

#include <fmt/format.h>

#include "graph/types.h"
#include "opkit/atc/ge/emitter.h"

namespace opkit::ge_frontend {

Result<DType> dtype_of(int64_t number, const std::string& whose) {
  switch (number) {
    case ge::DT_FLOAT: return DType::kFloat32;
    case ge::DT_FLOAT16: return DType::kFloat16;
    case ge::DT_BF16: return DType::kBFloat16;
    case ge::DT_DOUBLE: return DType::kFloat64;
    case ge::DT_INT8: return DType::kInt8;
    case ge::DT_UINT8: return DType::kUInt8;
    case ge::DT_INT16: return DType::kInt16;
    case ge::DT_UINT16: return DType::kUInt16;
    case ge::DT_INT32: return DType::kInt32;
    case ge::DT_UINT32: return DType::kUInt32;
    case ge::DT_INT64: return DType::kInt64;
    case ge::DT_UINT64: return DType::kUInt64;
    case ge::DT_BOOL: return DType::kBool;
    default:
      return Error(
          kBadOperator,
          fmt::format("{}: element type {} is none that graphs are compiled with", whose, number),
          "use DT_FLOAT, DT_FLOAT16, DT_BF16, an integer type or DT_BOOL");
  }
}

}  // namespace opkit::ge_frontend
