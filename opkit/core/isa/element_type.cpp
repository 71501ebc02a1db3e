#include "opkit/core/isa/element_type.h"

namespace opkit::core {

const char* dtype_name(uint32_t dtype) {
  switch (dtype) {
    case OPK_FLOAT32: return "float";
    case OPK_FLOAT16: return "half";
    case OPK_BFLOAT16: return "bfloat16_t";
    case OPK_FLOAT64: return "double";
    case OPK_INT4: return "int4b_t";
    case OPK_INT8: return "int8_t";
    case OPK_UINT8: return "uint8_t";
    case OPK_INT16: return "int16_t";
    case OPK_UINT16: return "uint16_t";
    case OPK_INT32: return "int32_t";
    case OPK_UINT32: return "uint32_t";
    case OPK_INT64: return "int64_t";
    case OPK_UINT64: return "uint64_t";
    case OPK_BOOL: return "bool";
    default: return "?";
  }
}

}  // namespace opkit::core
