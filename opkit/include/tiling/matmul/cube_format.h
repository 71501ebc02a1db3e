// How a matrix lies in memory, one enumeration for hosts and kernels: a source that uses both
// namespaces writes CubeFormat::ND for either. (Vendor's pages "MatmulType", "SetAType".)
#ifndef OPKIT_INCLUDE_TILING_MATMUL_CUBE_FORMAT_H_
#define OPKIT_INCLUDE_TILING_MATMUL_CUBE_FORMAT_H_

#include <cstdint>

namespace matmul_tiling {

enum class CubeFormat : int32_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };

}  // namespace matmul_tiling

#endif  // OPKIT_INCLUDE_TILING_MATMUL_CUBE_FORMAT_H_
