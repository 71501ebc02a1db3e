// Runs: copies of one contiguous piece between GM and UB, perhaps as blocks without gaps.
// Element-wise kernels make little else, so runs have a way of their own, and may be put off
// (docs/decisions/0003).
#ifndef OPKIT_CORE_ISA_COPY_RUN_H_
#define OPKIT_CORE_ISA_COPY_RUN_H_

#include "opkit/core/isa/copy_form.h"

namespace opkit::core {

inline uint64_t run_bytes(const opk_copy_v1& c) { return c.block_bytes * c.block_count; }

inline bool is_run(const opk_copy_v1& c) {
  const bool in = c.src.memory == OPK_MEM_GM && c.dst.memory == OPK_MEM_UB;
  const bool out = c.src.memory == OPK_MEM_UB && c.dst.memory == OPK_MEM_GM;
  if (!in && !out) return false;
  if (c.op > OPK_C_PAD_OUT || c.pad_left + c.pad_right != 0) return false;
  return c.block_count == 1 ||
         (c.src_pitch == static_cast<int64_t>(c.block_bytes) && c.dst_pitch == c.src_pitch);
}

// Tells whether the general checks would find nothing. REQUIRES: is_run(), not empty.
bool is_legal_run(const Core& core, const opk_copy_v1& c);

// Makes the copy, or puts it off. REQUIRES: is_run(), checked, core.puts_off.
void move_run(Core& core, const opk_copy_v1& c);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_COPY_RUN_H_
