// The tiling structs of the advanced API as kernels see them.
#ifndef OPKIT_INCLUDE_KERNEL_TILING_KERNEL_TILING_H_
#define OPKIT_INCLUDE_KERNEL_TILING_KERNEL_TILING_H_

#include <cstdint>

#include "opkit_host/tiling_fields.h"

namespace AscendC {
namespace tiling {

#define OPKIT_FIELD(type, name) type name = 0;
#define OPKIT_STRUCT(name, fields) \
  struct name {                    \
    fields(OPKIT_FIELD)            \
  };
OPKIT_TILING_STRUCTS(OPKIT_STRUCT)
// Describes the communication between chips, which the host fills in and no kernel reads.
struct Mc2InitTiling {
  uint8_t reserved[64] = {};
};
struct Mc2CcTiling {
  uint8_t reserved[280] = {};
};
#undef OPKIT_STRUCT
#undef OPKIT_FIELD

}  // namespace tiling
}  // namespace AscendC

// Tiling structs of older sources name them without a namespace.
#define OPKIT_USING(name, fields) using AscendC::tiling::name;
OPKIT_TILING_STRUCTS(OPKIT_USING)
using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2InitTiling;
#undef OPKIT_USING

#endif  // OPKIT_INCLUDE_KERNEL_TILING_KERNEL_TILING_H_
