// The numbers that fields of tiling data may be, by the names of their types.
#ifndef OPKIT_HOST_NUMBER_TYPES_H_
#define OPKIT_HOST_NUMBER_TYPES_H_

#include <string>

#include "opkit/abi/plugin.h"

namespace opkit_host {

struct NumberType {
  const char* name;
  opk_dtype dtype;
  uint64_t bytes;
};

// Returns nullptr for what is no number of a known size.
inline const NumberType* number_called(const std::string& name) {
  static constexpr NumberType kNumbers[] = {
      {"bool", OPK_BOOL, 1},          {"float", OPK_FLOAT32, 4},   {"double", OPK_FLOAT64, 8},
      {"int8_t", OPK_INT8, 1},        {"uint8_t", OPK_UINT8, 1},   {"int16_t", OPK_INT16, 2},
      {"uint16_t", OPK_UINT16, 2},    {"int32_t", OPK_INT32, 4},   {"uint32_t", OPK_UINT32, 4},
      {"int64_t", OPK_INT64, 8},      {"uint64_t", OPK_UINT64, 8}, {"half", OPK_FLOAT16, 2},
      {"bfloat16_t", OPK_BFLOAT16, 2}};
  for (const NumberType& number : kNumbers) {
    if (name == number.name) return &number;
  }
  return nullptr;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_NUMBER_TYPES_H_
