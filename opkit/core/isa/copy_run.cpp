#include "opkit/core/isa/copy_run.h"

#include <cstring>

#include "opkit/core/isa/gm_store.h"

namespace opkit::core {
namespace {

// Bytes of UB that a run in overwrites: DataCopyPad fills the last block up.
uint64_t filled_bytes(const opk_copy_v1& c) {
  return c.op == OPK_C_PAD_IN ? whole_blocks(run_bytes(c)) : run_bytes(c);
}

// Only the filler behind the data is written now.
void move_in(Core& core, const opk_copy_v1& c) {
  uint8_t* local = at(c.dst, 0);
  const uint8_t* gm = at(c.src, 0);
  const uint64_t bytes = run_bytes(c), filled = filled_bytes(c);
  if (!core.chain.empty()) core.chain.flush();
  core.views.written(local, filled);
  if (bytes >= GmViews::kMinBytes && core.views.add(local, gm, bytes)) {
    core.scalar_watch = 1;
  } else {
    std::memmove(local, gm, bytes);
  }
  if (filled > bytes) fill_elements(local + bytes, filled - bytes, gm, element_bytes(c));
}

template <size_t size>
void copy_row(void* dst, const void* a, const void*, const RowContext&, size_t n) {
  std::memcpy(dst, a, n * size);
}

RowFn copy_row_of(uint64_t size) {
  switch (size) {
    case 1: return copy_row<1>;
    case 2: return copy_row<2>;
    case 4: return copy_row<4>;
    default: return copy_row<8>;
  }
}

// The last step computes what this copy takes out: it writes GM itself, and UB is noted as a view
// of that.
bool end_chain_in_gm(Core& core, uint8_t* gm, uint8_t* local, uint64_t bytes) {
  if (core.chain.last().dst != local || bytes < GmViews::kMinBytes) return false;
  core.gm_written(gm, bytes);
  if (!core.chain.redirect_last(gm)) return false;
  core.chain.flush();
  if (!core.views.add(local, gm, bytes)) std::memcpy(local, gm, bytes);
  core.scalar_watch = 1;
  return true;
}

// A copy out of what the chain is about to compute becomes its last step, so that every chunk
// leaves the cache only once. True: done.
bool end_chain(Core& core, const opk_copy_v1& c) {
  const uint64_t bytes = run_bytes(c), size = element_bytes(c);
  if (core.atomic != OPK_ATOMIC_NONE || bytes != core.chain.elements() * size) return false;
  if (end_chain_in_gm(core, at(c.dst, 0), at(c.src, 0), bytes)) return true;
  RowStep step;
  step.fn = copy_row_of(size);
  step.dst = at(c.dst, 0);
  step.a = step.b = core.views.read(at(c.src, 0), bytes);
  step.dst_bytes = step.src_bytes = static_cast<uint32_t>(size);
  if (!core.chain.joins(step, core.chain.elements())) return false;
  core.gm_written(step.dst, bytes);
  core.chain.issue(step, core.chain.elements());
  core.chain.flush();
  return true;
}

void move_out(Core& core, const opk_copy_v1& c) {
  if (!core.chain.empty()) {
    if (end_chain(core, c)) return;
    core.chain.flush();
  }
  const uint64_t bytes = run_bytes(c);
  core.gm_written(at(c.dst, 0), bytes);
  store(core, at(c.dst, 0), core.views.read(at(c.src, 0), bytes), bytes);
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
