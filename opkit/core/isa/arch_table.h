// Which vector calls and element types the chips of other architectures than 2201 have. (Tables of
// supported products and of element types on the calls' pages; "Atlas 推理系列产品 AI Core" is the
// Ascend 310P, "Atlas 200I/500 A2 推理产品" the 310B, "Atlas 训练系列产品" the 910A.)
#ifndef OPKIT_CORE_ISA_ARCH_TABLE_H_
#define OPKIT_CORE_ISA_ARCH_TABLE_H_

#include <cstdint>

#include "opkit/abi/core.h"

namespace opkit::core {

constexpr uint32_t kArch910A = 1001, kArch310P = 2002, kArch910B = 2201, kArch310B = 3002;

// "Ascend 310P (arch 2002)"; nullptr: a chip without tables.
const char* arch_name(uint32_t npu_arch);

// A set of opk_dtype: bit d = type d.
using Types = uint32_t;
constexpr Types type_bit(uint32_t dtype) { return dtype < 32 ? Types{1} << dtype : 0; }

// The element types of a vector call; 0 = the chip does not have the call.
Types vector_types(uint32_t npu_arch, uint32_t op);
// Whether Cast converts `src` to `dst`.
bool has_cast(uint32_t npu_arch, uint32_t dst, uint32_t src);
// What DataCopy moves between GM and UB.
Types copy_types(uint32_t npu_arch);
// What SetAtomicAdd adds.
Types atomic_types(uint32_t npu_arch);
// What LoadData moves to L0A and L0B.
Types load_types(uint32_t npu_arch);
// What Mmad multiplies.
Types mmad_types(uint32_t npu_arch);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_ARCH_TABLE_H_
