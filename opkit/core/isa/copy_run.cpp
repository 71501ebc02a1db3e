#include "opkit/core/isa/copy_run.h"

#include <cstring>

#include "opkit/core/isa/gm_store.h"

namespace opkit::core {
namespace {

// Returns the bytes of UB that a run in overwrites: DataCopyPad fills the last block up.
uint64_t filled_bytes(const opk_copy_v1& c) {
  return c.op == OPK_C_PAD_IN ? whole_blocks(run_bytes(c)) : run_bytes(c);
}

// Only the filler behind the data is written now.
void move_in(Core& core, const opk_copy_v1& c) {
  uint8_t* local = at(c.dst, 0);
  const uint8_t* gm = at(c.src, 0);
  const uint64_t bytes = run_bytes(c), filled = filled_bytes(c);
  core.meets_additions(gm, bytes);
  if (!core.put_off.copy_in_later(local, gm, bytes, filled)) std::memmove(local, gm, bytes);
  if (filled > bytes) fill_elements(local + bytes, filled - bytes, gm, element_bytes(c));
}

void move_out(Core& core, const opk_copy_v1& c) {
  if (core.atomic == OPK_ATOMIC_NONE) core.meets_additions(at(c.dst, 0), run_bytes(c));
  const uint64_t bytes = run_bytes(c);
  uint8_t *gm = at(c.dst, 0), *local = at(c.src, 0);
  if (core.atomic == OPK_ATOMIC_NONE) {
    if (core.put_off.copy_out_together(gm, local, bytes, static_cast<uint32_t>(element_bytes(c))))
      return;
  } else {
    core.put_off.copy_out(gm, bytes);
  }
  store(core, gm, core.put_off.source(local, bytes), bytes);
}

}  // namespace

bool is_legal_run(const Core& core, const opk_copy_v1& c) {
  if (c.dst.memory == OPK_MEM_UB) {
    return lies_in_local(core, c.dst, filled_bytes(c), kCopyBlock) &&
           lies_in_gm(core, c.src, run_bytes(c), false);
  }
  return core.atomic == OPK_ATOMIC_NONE && lies_in_local(core, c.src, run_bytes(c), kCopyBlock) &&
         lies_in_gm(core, c.dst, run_bytes(c), true);
}

void move_run(Core& core, const opk_copy_v1& c) {
  return c.dst.memory == OPK_MEM_UB ? move_in(core, c) : move_out(core, c);
}

}  // namespace opkit::core
