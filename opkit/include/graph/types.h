// Element types and data formats of graph interfaces, with the vendor's numbers.
#ifndef OPKIT_INCLUDE_GRAPH_TYPES_H_
#define OPKIT_INCLUDE_GRAPH_TYPES_H_

#include <cstdint>

#include "opkit/abi/types.h"

namespace ge {

using char_t = char;
using float32_t = float;
using float64_t = double;

enum DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_STRING = 13,
  DT_DUAL_SUB_INT8 = 14,
  DT_DUAL_SUB_UINT8 = 15,
  DT_COMPLEX64 = 16,
  DT_COMPLEX128 = 17,
  DT_QINT8 = 18,
  DT_QINT16 = 19,
  DT_QINT32 = 20,
  DT_QUINT8 = 21,
  DT_QUINT16 = 22,
  DT_RESOURCE = 23,
  DT_STRING_REF = 24,
  DT_DUAL = 25,
  DT_VARIANT = 26,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_UINT1 = 30,
  DT_INT2 = 31,
  DT_UINT2 = 32,
  DT_COMPLEX32 = 33,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E5M2 = 35,
  DT_FLOAT8_E4M3FN = 36,
  DT_FLOAT8_E8M0 = 37,
  DT_FLOAT6_E3M2 = 38,
  DT_FLOAT6_E2M3 = 39,
  DT_FLOAT4_E2M1 = 40,
  DT_FLOAT4_E1M2 = 41,
  DT_MAX = 42,
};

enum Format : int32_t {
  FORMAT_NCHW = 0,
  FORMAT_NHWC = 1,
  FORMAT_ND = 2,
  FORMAT_NC1HWC0 = 3,
  FORMAT_FRACTAL_Z = 4,
  FORMAT_NC1C0HWPAD = 5,
  FORMAT_NHWC1C0 = 6,
  FORMAT_FSR_NCHW = 7,
  FORMAT_FRACTAL_DECONV = 8,
  FORMAT_C1HWNC0 = 9,
  FORMAT_FRACTAL_DECONV_TRANSPOSE = 10,
  FORMAT_FRACTAL_DECONV_SP_STRIDE_TRANS = 11,
  FORMAT_NC1HWC0_C04 = 12,
  FORMAT_FRACTAL_Z_C04 = 13,
  FORMAT_CHWN = 14,
  FORMAT_FRACTAL_DECONV_SP_STRIDE8_TRANS = 15,
  FORMAT_HWCN = 16,
  FORMAT_NC1KHKWHWC0 = 17,
  FORMAT_BN_WEIGHT = 18,
  FORMAT_FILTER_HWCK = 19,
  FORMAT_HASHTABLE_LOOKUP_LOOKUPS = 20,
  FORMAT_HASHTABLE_LOOKUP_KEYS = 21,
  FORMAT_HASHTABLE_LOOKUP_VALUE = 22,
  FORMAT_HASHTABLE_LOOKUP_OUTPUT = 23,
  FORMAT_HASHTABLE_LOOKUP_HITS = 24,
  FORMAT_C1HWNCoC0 = 25,
  FORMAT_MD = 26,
  FORMAT_NDHWC = 27,
  FORMAT_FRACTAL_ZZ = 28,
  FORMAT_FRACTAL_NZ = 29,
  FORMAT_NCDHW = 30,
  FORMAT_DHWCN = 31,
  FORMAT_NDC1HWC0 = 32,
  FORMAT_FRACTAL_Z_3D = 33,
  FORMAT_CN = 34,
  FORMAT_NC = 35,
  FORMAT_DHWNC = 36,
  FORMAT_FRACTAL_Z_3D_TRANSPOSE = 37,
  FORMAT_FRACTAL_ZN_LSTM = 38,
  FORMAT_FRACTAL_Z_G = 39,
  FORMAT_RESERVED = 40,
  FORMAT_ALL = 41,
  FORMAT_NULL = 42,
  FORMAT_ND_RNN_BIAS = 43,
  FORMAT_FRACTAL_ZN_RNN = 44,
  FORMAT_END,
  FORMAT_MAX = 0xff,
};

enum Placement { kPlacementHost = 0, kPlacementDevice = 1 };

constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;
constexpr int kDataTypeSizeBitOffset = 1000;

// Bits of one element, 0 for types without a fixed size.
inline int GetBitsOfDataType(DataType type) {
  switch (type) {
    case DT_UINT1: return 1;
    case DT_INT2:
    case DT_UINT2: return 2;
    case DT_INT4:
    case DT_FLOAT4_E2M1:
    case DT_FLOAT4_E1M2: return 4;
    case DT_FLOAT6_E3M2:
    case DT_FLOAT6_E2M3: return 6;
    case DT_INT8:
    case DT_UINT8:
    case DT_BOOL:
    case DT_QINT8:
    case DT_QUINT8:
    case DT_HIFLOAT8:
    case DT_FLOAT8_E5M2:
    case DT_FLOAT8_E4M3FN:
    case DT_FLOAT8_E8M0: return 8;
    case DT_FLOAT16:
    case DT_BF16:
    case DT_INT16:
    case DT_UINT16:
    case DT_QINT16:
    case DT_QUINT16: return 16;
    case DT_FLOAT:
    case DT_INT32:
    case DT_UINT32:
    case DT_QINT32:
    case DT_COMPLEX32: return 32;
    case DT_INT64:
    case DT_UINT64:
    case DT_DOUBLE:
    case DT_COMPLEX64: return 64;
    case DT_COMPLEX128: return 128;
    default: return 0;
  }
}

// Returns the bytes of one element; for types below one byte kDataTypeSizeBitOffset + bits; -1
// without a size.
inline int GetSizeByDataType(DataType type) {
  const int bits = GetBitsOfDataType(type);
  if (bits == 0) return -1;
  return bits >= 8 ? bits / 8 : kDataTypeSizeBitOffset + bits;
}

// Returns the bytes of `count` elements, or -1.
inline int64_t GetSizeInBytes(int64_t count, DataType type) {
  const int bits = GetBitsOfDataType(type);
  if (bits == 0 || count < 0) return -1;
  return (count * bits + 7) / 8;
}

// Returns the format without the sub-format that may be packed above its low byte.
inline int32_t GetPrimaryFormat(int32_t format) { return format & 0xff; }

}  // namespace ge

namespace opkit_host {

// The waist's numbers are ge's, except for "undefined".
inline ge::DataType to_ge_dtype(int32_t dtype) {
  return dtype == OPK_DTYPE_UNDEFINED ? ge::DT_UNDEFINED : static_cast<ge::DataType>(dtype);
}
inline int32_t from_ge_dtype(ge::DataType dtype) {
  return dtype == ge::DT_UNDEFINED ? static_cast<int32_t>(OPK_DTYPE_UNDEFINED)
                                   : static_cast<int32_t>(dtype);
}

}  // namespace opkit_host

#endif  // OPKIT_INCLUDE_GRAPH_TYPES_H_
