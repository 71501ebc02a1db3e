// What a copy instruction says: how its bytes lie on either side, what an observer is told of them.
#ifndef OPKIT_CORE_ISA_COPY_FORM_H_
#define OPKIT_CORE_ISA_COPY_FORM_H_

#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/state/footprint.h"

namespace opkit::core {

constexpr uint64_t kCopyBlock = 32;  // bytes

inline uint64_t whole_blocks(uint64_t bytes) {
  return (bytes + kCopyBlock - 1) / kCopyBlock * kCopyBlock;
}
inline uint8_t* at(const opk_operand& o, int64_t offset) {
  return static_cast<uint8_t*>(o.address) + offset;
}
inline uint64_t element_bytes(const opk_copy_v1& c) {
  return std::max(1u, dtype_bytes(c.dst.dtype));
}
inline bool is_matrix(const opk_copy_v1& c) { return c.op == OPK_C_ND2NZ || c.op == OPK_C_NZ2ND; }

// Returns the vendor's name of the call.
const char* copy_name(uint16_t op);

// Returns what a block becomes on the other side, in bytes.
uint64_t written_block(const opk_copy_v1& c);

// Bytes from the first to behind the last byte that a side touches.
struct Extents {
  uint64_t src = 0, dst = 0;
};
Extents extents_of(const opk_copy_v1& c);

// Returns what the copy reads.
Access source_access(const opk_copy_v1& c);

// Writes `value` (size bytes) again and again.
void fill_elements(uint8_t* dst, uint64_t bytes, const void* value, uint64_t size);

// False: the observer keeps the copy from being made. REQUIRES: there is one.
bool admit_copy(Core& core, const opk_copy_v1& c, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_COPY_FORM_H_
