// How each kind of instruction becomes an event.
#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/timed/cost.h"
#include "opkit/core/modes/timed/recorder.h"

namespace opkit::core::timed {
namespace {

const Access* in_gm(const Footprint& f) {
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].memory == OPK_MEM_GM) return &f.access[i];
  }
  return nullptr;
}

const Access* first(const Footprint& f, bool write) {
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].write == write) return &f.access[i];
  }
  return nullptr;
}

constexpr uint32_t kShortRow = 64;  // bytes

// Returns the counter of a path from one memory to another; nullptr for a path without one.
uint64_t* path(Traffic& t, uint32_t src, uint32_t dst) {
  if (src == OPK_MEM_GM) return dst == OPK_MEM_UB ? &t.gm_to_ub : &t.gm_to_l1;
  if (dst == OPK_MEM_GM)
    return src == OPK_MEM_UB ? &t.ub_to_gm : src == OPK_MEM_L0C ? &t.l0c_to_gm : &t.l1_to_gm;
  if (src == OPK_MEM_UB) return dst == OPK_MEM_UB ? &t.ub_to_ub : &t.ub_to_l1;
  if (src == OPK_MEM_L0C) return &t.l0c_to_l1;
  return dst == OPK_MEM_L0A ? &t.l1_to_l0a : dst == OPK_MEM_L0B ? &t.l1_to_l0b : &t.l1_to_other;
}

}  // namespace

void Recorder::instruction(Core& core, const Footprint& f) {
  switch (f.kind) {
    case InstructionKind::kVector:
    case InstructionKind::kTranspose16: return vector(core, f);
    case InstructionKind::kCopy: return copy(core, f);
    case InstructionKind::kLoad: return load(core, f);
    case InstructionKind::kMmad: return mmad(core, f);
    case InstructionKind::kFixpipe: return fixpipe(core, f);
    case InstructionKind::kScalar: return scalar(core, f);
    case InstructionKind::kMatmul: return matmul(core, f);
  }
}

// The count form sets the mask mode, the mask, and both back: four instructions of one cycle
// (published overheads, "setting a vector mask for one call").
void Recorder::vector(Core& core, const Footprint& f) {
  const VectorCost cost = vector_cost(rates_, core, f, conflicts_);
  const auto& v = *static_cast<const opk_vector_v1*>(f.instruction);
  Traffic& traffic = record_of(core).times.traffic;
  for (uint32_t i = 0; i < f.access_count; ++i)
    (f.access[i].write ? traffic.vector_write : traffic.vector_read) += bytes_of(f.access[i]);
  traffic.vector_operations += cost.elements;
  traffic.bank_conflict_cycles += cost.conflict_cycles;
  live_of(core).reduced = is_reduction(v);
  const uint32_t masks = v.form == OPK_LANES_REGISTER ? 0 : 4;
  push(core, EventType::kRun, kVector, rates_.issue + masks, site(f.pc, f.name),
       narrow(cost.cycles));
}

void Recorder::local_move(Core& core, const Footprint& f, uint64_t cycles) {
  const uint8_t pipe = pipe_index(f.pipe);
  const uint32_t head = pipe == kVector ? rates_.vector_head : rates_.load_head;
  push(core, EventType::kRun, pipe, rates_.issue, site(f.pc, f.name), narrow(head + cycles));
}

void Recorder::copy(Core& core, const Footprint& f) {
  const auto& c = *static_cast<const opk_copy_v1*>(f.instruction);
  const Access* dst = first(f, true);
  const Access* src = first(f, false);
  if (!dst) return;
  const uint64_t bytes = bytes_of(src && src->memory == OPK_MEM_GM ? *src : *dst);
  if (src) *path(record_of(core).times.traffic, src->memory, dst->memory) += bytes;
  if (const Access* gm = in_gm(f)) {
    return transfer(core, f, *gm, c.op == OPK_C_ND2NZ ? nd2nz_rate(*gm) : 0, 0);
  }
  const uint32_t rate = dst->memory == OPK_MEM_BT   ? rates_.l1_to_bt
                        : dst->memory == OPK_MEM_FB ? rates_.l1_to_fb
                        : dst->memory == OPK_MEM_L1 ? rates_.l1_to_l0b
                                                    : rates_.ub_bytes_per_cycle;
  local_move(core, f, at_rate(bytes, rate));
}

void Recorder::load(Core& core, const Footprint& f) {
  const Access* dst = first(f, true);
  const Access* src = first(f, false);
  if (!dst) return;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].write) bytes += bytes_of(f.access[i]);
  }
  if (src) *path(record_of(core).times.traffic, src->memory, dst->memory) += bytes;
  if (const Access* gm = in_gm(f)) return transfer(core, f, *gm, 0, 0);
  local_move(core, f,
             at_rate(bytes, dst->memory == OPK_MEM_L0A   ? rates_.l1_to_l0a
                            : dst->memory == OPK_MEM_L0B ? rates_.l1_to_l0b
                                                         : rates_.l1_to_bt));
}

void Recorder::mmad(Core& core, const Footprint& f) {
  const MmadCost cost = mmad_cost(rates_, *static_cast<const opk_mmad_v1*>(f.instruction));
  record_of(core).times.traffic.cube_operations += cost.operations;
  push(core, EventType::kRun, kCube, rates_.issue, site(f.pc, f.name),
       narrow(cost.cycles + rates_.mmad_step), rates_.mmad_head);
}

void Recorder::fixpipe(Core& core, const Footprint& f) {
  const auto& p = *static_cast<const opk_fixpipe_v1*>(f.instruction);
  const Access* dst = first(f, true);
  if (!dst) return;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    if (f.access[i].write) bytes += bytes_of(f.access[i]);
  }
  const uint64_t elements = uint64_t{p.m} * p.n * std::max<uint64_t>(p.nd_count, 1);
  const uint64_t cycles = fixpipe_cycles(rates_, elements, bytes);
  *path(record_of(core).times.traffic, OPK_MEM_L0C, dst->memory) += bytes;
  if (dst->memory == OPK_MEM_GM) return transfer(core, f, *dst, rates_.fixpipe_bytes, cycles);
  push(core, EventType::kRun, kFix, rates_.issue, site(f.pc, f.name), narrow(cycles));
}

void Recorder::scalar(Core& core, const Footprint& f) {
  record_of(core).times.traffic.scalar += bytes_of(f.access[0]);
  push(core, EventType::kRun, kScalar, 0, site(f.pc, f.name), rates_.scalar_access);
}

Recorder::Range Recorder::range_of(const uint8_t* address) const {
  auto next = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                               [](const uint8_t* a, const Range& r) { return a < r.base; });
  if (next != ranges_.begin()) {
    const Range& range = *--next;
    if (address < range.base + range.bytes) return range;
  }
  // Leaves the address as it is: a launch without a list of its tensors has addresses of the host,
  // whose low bits still say alignment.
  return {nullptr, 0, 0, false, 0};
}

void Recorder::transfer(Core& core, const Footprint& f, const Access& gm, uint32_t most_rate,
                        uint64_t least_cycles) {
  transfer(record_of(core).events, pipe_index(f.pipe), site(f.pc, f.name), gm, most_rate,
           least_cycles);
}

// A copy of several matrices is one instruction; each matrix becomes an event.
void Recorder::transfer(std::vector<RecordedEvent>& events, uint8_t pipe, uint32_t site,
                        const Access& gm, uint32_t most_rate, uint64_t least_cycles) {
  if (gm.block_bytes == 0) return;
  const Range range = range_of(gm.address);
  const uint64_t start = range.start + static_cast<uint64_t>(gm.address - range.base);
  if (range.base) {
    TensorTraffic& tensor = tensors_[range.tensor];
    (gm.write ? tensor.written : tensor.read) += bytes_of(gm);
  }
  const bool nd2nz = most_rate && !gm.write;
  const bool short_rows = nd2nz && gm.block_bytes < kShortRow;
  const bool dense = gm.blocks <= 1 || (gm.block_pitch == gm.block_bytes && !short_rows);
  const uint32_t repeats = std::max(gm.repeats, 1u);
  for (uint32_t r = 0; r < repeats; ++r) {
    Transfer t;
    t.address = start + r * static_cast<uint64_t>(gm.repeat_pitch);
    t.pitch = gm.block_pitch;
    t.row_bytes = dense ? gm.block_bytes * std::max(gm.blocks, 1u) : gm.block_bytes;
    t.rows = dense ? 1 : gm.blocks;
    t.row_eighths = short_rows ? rates_.short_row_eighths : rates_.row_eighths;
    t.most_rate = most_rate;
    t.write = gm.write;
    t.uncached = range.uncached || gm.buffer != 0;
    auto& transfers = recording_.transfers;
    transfers.push_back(t);
    push(events, EventType::kTransfer, pipe, r ? 0 : rates_.issue, site,
         static_cast<uint32_t>(transfers.size() - 1), narrow(least_cycles / repeats));
  }
}

}  // namespace opkit::core::timed
