// graphStatus: what host functions of an op return.
#ifndef OPKIT_INCLUDE_GRAPH_GE_ERROR_CODES_H_
#define OPKIT_INCLUDE_GRAPH_GE_ERROR_CODES_H_

#include <cstdint>

namespace ge {

using graphStatus = uint32_t;

constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;

}  // namespace ge

#endif  // OPKIT_INCLUDE_GRAPH_GE_ERROR_CODES_H_
