#include "opkit/core/put_off/put_off.h"

#include <cstring>

namespace opkit::core {
namespace {

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

}  // namespace

void PutOff::attach() {
  l0a_.attach(core_.memory[OPK_MEM_L0A], core_.memory_size[OPK_MEM_L0A]);
  l0b_.attach(core_.memory[OPK_MEM_L0B], core_.memory_size[OPK_MEM_L0B]);
  l1_floats_.attach(core_.memory[OPK_MEM_L1], core_.memory_size[OPK_MEM_L1]);
}

void PutOff::clear() {
  keeps_watch_ = false;
  views_.clear();
  chain_.clear();
  if (core_.kind == OPK_CORE_AIV) return;
  panels_.clear();
  l1_floats_.clear();
  l0a_.clear();
  l0b_.clear();
}

void PutOff::gm_written(const uint8_t* gm, uint64_t bytes) {
  views_.gm_written(gm, bytes);
  panels_.gm_written(gm, bytes);
  l0b_.gm_written(gm, bytes);
}

void PutOff::l1_written(const uint8_t* l1, uint64_t bytes, bool whole) {
  if (!whole) panels_.read(l1, bytes);
  panels_.written(l1, bytes);
  l1_floats_.written(l1, bytes);
  l0a_.source_written(l1, bytes);
  l0b_.source_written(l1, bytes);
}

// What is put off never writes GM.
void PutOff::about_to_read(uint32_t memory, const void* address, uint64_t bytes) {
  const auto* begin = static_cast<const uint8_t*>(address);
  switch (memory) {
    case OPK_MEM_UB: return settle();
    case OPK_MEM_L1: return panels_.read(begin, bytes);
    case OPK_MEM_L0A: return l0a_.read(begin, bytes);
    case OPK_MEM_L0B: return l0b_.read(begin, bytes);
    default: return;
  }
}

void PutOff::about_to_write(uint32_t memory, const void* address, uint64_t bytes, bool whole) {
  const auto* begin = static_cast<const uint8_t*>(address);
  switch (memory) {
    case OPK_MEM_GM: run_chain(); return gm_written(begin, bytes);
    case OPK_MEM_UB:
      run_chain();
      if (!whole) views_.settle();
      return views_.written(begin, bytes);
    case OPK_MEM_L1: return l1_written(begin, bytes, whole);
    case OPK_MEM_L0A: return l0a_.written(begin, bytes);
    case OPK_MEM_L0B: return l0b_.written(begin, bytes);
    default: return;
  }
}

// A strip leaves bytes of UB between its rows as they are.
void PutOff::flush_chain() {
  if (chain_.has_strip()) {
    const RowStrip& strip = chain_.strip();
    views_.make_parts_of(strip.step.dst, strip.dst_extent());
  }
  chain_.flush();
}

RowStep& PutOff::next_step(uint8_t* dst, uint64_t bytes, bool reads_dst) {
  if (chain_.has_strip()) flush_chain();
  if (reads_dst && views_.read(dst, bytes) != dst) settle();
  views_.written(dst, bytes);
  return chain_.next();
}

void PutOff::compute_next(uint64_t n) {
  chain_.issue_next(n);
  core_.scalar_watch = 1;
}

// What one row writes and a later one reads must not lie in GM.
void PutOff::open_strip(RowStrip& strip) {
  const bool free = strip.has_no_order();
  if (chain_.has_strip()) flush_chain();
  if (strip.step.reads_dst || !free) views_.make_parts_of(strip.step.dst, strip.dst_extent());
  strip.step.a = views_.read(strip.ub_a, strip.a_extent());
  strip.step.b = views_.read(strip.ub_b, strip.b_extent());
  chain_.open_next(free);
  core_.scalar_watch = 1;
}

void PutOff::compute_next_strip() {
  if (chain_.next_goes_on()) {
    chain_.widen();
  } else {
    open_strip(chain_.next_strip());
  }
  complete_strip();
}

// When its rows are complete.
void PutOff::complete_strip() {
  if (!chain_.is_complete()) return;
  views_.written(chain_.strip().step.dst, chain_.strip().dst_extent());
  chain_.complete();
}

bool PutOff::copy_in_later(uint8_t* ub, const uint8_t* gm, uint64_t bytes, uint64_t filled) {
  run_chain();
  views_.written(ub, filled);
  if (bytes < GmViews::kMinBytes || !views_.add(ub, gm, bytes)) return false;
  core_.scalar_watch = 1;
  return true;
}

// The last step computes what this copy takes out: it writes GM itself, and UB is noted as a view
// of that.
bool PutOff::end_in_gm(uint8_t* gm, uint8_t* ub, uint64_t bytes) {
  if (chain_.last().dst != ub || bytes < GmViews::kMinBytes) return false;
  gm_written(gm, bytes);
  if (!chain_.redirect_last(gm)) return false;
  chain_.flush();
  if (!views_.add(ub, gm, bytes)) std::memcpy(ub, gm, bytes);
  core_.scalar_watch = 1;
  return true;
}

// A copy out of what the chain is about to compute becomes its last step, so that every chunk
// leaves the cache only once.
bool PutOff::copy_out_together(uint8_t* gm, uint8_t* ub, uint64_t bytes, uint32_t element_bytes) {
  if (chain_.empty()) return gm_written(gm, bytes), false;
  if (chain_.has_strip() || bytes != chain_.elements() * element_bytes)
    return copy_out(gm, bytes), false;
  if (end_in_gm(gm, ub, bytes)) return true;
  RowStep& step = chain_.next();
  step = {};
  step.fn = copy_row_of(element_bytes);
  step.dst = gm;
  step.a = step.b = views_.read(ub, bytes);
  step.dst_bytes = step.src_bytes = element_bytes;
  if (!chain_.next_joins(chain_.elements())) return copy_out(gm, bytes), false;
  gm_written(gm, bytes);
  chain_.issue_next(chain_.elements());
  chain_.flush();
  return true;
}

void PutOff::copy_out(uint8_t* gm, uint64_t bytes) {
  run_chain();
  gm_written(gm, bytes);
}

bool PutOff::change_later(const PanelChange& change) {
  if (!panels_.add(change)) return false;
  core_.scalar_watch = 1;
  return true;
}

}  // namespace opkit::core
