// What these headers tell the engine of a block: its begin, and looks at registers.
#ifndef OPKIT_INCLUDE_ASCENDC_BLOCK_BEGINS_H_
#define OPKIT_INCLUDE_ASCENDC_BLOCK_BEGINS_H_

#include "opkit/abi/headers_told.h"
#include "opkit/include/ascendc/base.h"

namespace AscendC::detail {

// Called where a block begins: makes its core the current one, and tells who watches what these
// headers tell.
OPKIT_INLINE void enter(opk_core* core) {
  current = core;
  if (__builtin_expect(core->observed, 0)) {
    opk_buffer_v1 headers{};
    headers.op = OPK_B_GET;
    headers.depth = OPK_DEPTH_OF_HEADERS;
    core->isa->buffer(core, &headers);
  }
}

// Called where the kernel is about to read what an instruction has left in a register.
OPKIT_INLINE void scalar_sees_registers() {
  if (__builtin_expect(core()->scalar_watch, 0)) core()->isa->materialize(core());
}

}  // namespace AscendC::detail

#endif  // OPKIT_INCLUDE_ASCENDC_BLOCK_BEGINS_H_
