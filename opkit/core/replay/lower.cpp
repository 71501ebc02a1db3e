#include "opkit/core/replay/lower.h"

#include <algorithm>
#include <cstring>

#include "opkit/core/isa/copy_form.h"
#include "opkit/core/isa/vector/call.h"
#include "opkit/core/state/gm_room.h"

namespace opkit::core {
namespace {

constexpr uint32_t kTurnedList = 16;  // addresses of either side of TransDataTo5HD
constexpr const char* kOffGround = "works on memory that is neither UB nor a tensor of the call";

ByteSpan bounding_span(const BytePlace& from, const Access& a) {
  const uint64_t block = static_cast<uint64_t>(a.block_pitch) * (a.blocks - 1) + a.block_bytes;
  const uint64_t bytes = static_cast<uint64_t>(a.repeat_pitch) * (a.repeats - 1) + block;
  return {from, bytes, a.write, is_dense(a) && !a.partial};
}

bool has_runs(const Access& a) {
  return a.blocks > 0 && a.repeats > 0 && a.block_bytes > 0 && a.block_pitch >= 0 &&
         a.repeat_pitch >= 0;
}

void note_exactly(const Access& a, const BytePlace& from, std::vector<Runs>& exact) {
  for_each_runs(a, [&](Runs& runs, int64_t offset) {
    runs.from = from.plus(static_cast<uint64_t>(offset));
    exact.push_back(runs);
  });
}

// What an access of an instruction tells other steps. What Gather reads of its source ends with the
// tensor, unless offsets reach further, which the chip allows to the end of UB.
void note_access(const Core& core, const opk_vector_v1& v, const Access& a, ByteSpan span,
                 Issued& issued, std::vector<Runs>& exact) {
  if (gathers(v)) {
    note_exactly(a, span.from, exact);
    if (a.partial && !a.write) span.bytes = core.memory_size[OPK_MEM_UB] - span.from.at;
  } else if (a.write && !span.whole && !a.partial) {
    note_exactly(a, span.from, exact);
  }
  issued.spans.push_back(span);
}

void keep_registers(const Core& core, Issued& issued) {
  issued.mask[0] = core.mask[0];
  issued.mask[1] = core.mask[1];
  issued.mask_mode = core.mask_mode;
  issued.ctrl = core.ctrl;
  issued.deq_scale = core.deq_scale;
  issued.deq_offset_sign = core.deq_offset_sign;
}

// Addresses become offsets; what the instruction does not have is nothing.
const char* keep_operands(const Core& core, opk_vector_v1& v) {
  for (unsigned i = 0; i < OPK_VECTOR_OPERANDS; ++i) {
    opk_operand& o = v.operand[i];
    if (i >= v.operand_count) {
      o = {};
      continue;
    }
    if (o.memory != OPK_MEM_UB) return kOffGround;
    const auto offset = static_cast<uint8_t*>(o.address) - core.memory[OPK_MEM_UB];
    o.address = reinterpret_cast<void*>(offset);
    o.buffer = 0;
  }
  return nullptr;
}

void pad_step(uint64_t bytes, BytePlace to, const opk_copy_v1& c, ProgramStep& s) {
  const auto size = static_cast<uint32_t>(element_bytes(c));
  s.kind = ProgramStep::Kind::kPad;
  s.to = to;
  s.pad_left = c.pad_left * size;
  s.pad_right = static_cast<uint32_t>(bytes - s.pad_left - c.block_bytes);
  s.pads_first = c.pad_left == 0 && c.pad_right == 0;
  s.context.scalar[0] = s.pads_first ? 0 : c.value;
  s.to_bytes = size;
}

bool is_plain(const opk_copy_v1& c) {
  return c.op == OPK_C_LINEAR || c.op == OPK_C_PAD_IN || c.op == OPK_C_PAD_OUT;
}

bool lies_here(const opk_operand& o) { return o.memory == OPK_MEM_UB || o.memory == OPK_MEM_GM; }

bool is_of_vector(const opk_copy_v1& c) {
  return is_plain(c) && lies_here(c.src) && lies_here(c.dst);
}

void become_one_run(ProgramStep& s) {
  const auto n = static_cast<int64_t>(s.n);
  if (s.rows == 1 || (s.kind == ProgramStep::Kind::kCopy && s.a_pitch == n && s.to_pitch == n)) {
    s.n *= s.rows;
    s.rows = 1;
  }
  if (s.rows == 1) s.a_pitch = s.to_pitch = 0;
}

}  // namespace

uint64_t KnownCalls::digest_of(uint8_t kind, const void* bytes, size_t size) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  uint64_t state = kind;
  for (size_t i = 0; i + sizeof(uint64_t) <= size; i += sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, at + i, sizeof word);
    state = (state ^ word) * 0x9e3779b97f4a7c15u + (state >> 29);
  }
  return state;
}

bool KnownCalls::equal(const void* x, const void* y, size_t size) {
  return std::memcmp(x, y, size) == 0;
}

BytePlace Ground::place_of(const Core& core, uint32_t memory, const void* address,
                           uint64_t bytes) const {
  const auto* at = static_cast<const uint8_t*>(address);
  if (memory == OPK_MEM_UB) {
    const auto offset = static_cast<uint64_t>(at - core.memory[OPK_MEM_UB]);
    if (offset > core.memory_size[OPK_MEM_UB] || bytes > core.memory_size[OPK_MEM_UB] - offset)
      return {};
    return {BytePlace::In::kUb, 0, offset};
  }
  for (uint32_t i = 0; memory == OPK_MEM_GM && i < request_.gm_count; ++i) {
    const GmRange& range = request_.gm[i];
    const auto offset = static_cast<uint64_t>(at - range.base);
    if (at < range.base || offset + bytes > readable_bytes(range)) continue;
    return {BytePlace::In::kGm, i, offset};
  }
  return {};
}

const char* keep_issued(Core& core, const Footprint& footprint, const Ground& ground,
                        BlockSteps& recording) {
  Issued issued;
  std::vector<Runs> exact;
  issued.v = *static_cast<const opk_vector_v1*>(footprint.instruction);
  const bool turns = footprint.kind == InstructionKind::kTranspose16;
  for (uint32_t i = 0; i < footprint.access_count; ++i) {
    const Access& a = footprint.access[i];
    if (!has_runs(a)) continue;
    ByteSpan span = bounding_span({}, a);
    span.from = ground.place_of(core, a.memory, a.address, span.bytes);
    if (span.from.in != BytePlace::In::kUb) return kOffGround;
    note_access(core, issued.v, a, span, issued, exact);
    if (turns && i < 2 * kTurnedList) issued.lists[i] = static_cast<uint32_t>(span.from.at);
  }
  if (!turns) {
    if (const char* why = keep_operands(core, issued.v)) return why;
  } else if (issued.spans.size() != 2 * kTurnedList) {
    return "turns blocks that are not there";
  } else {
    for (opk_operand& o : issued.v.operand) o.address = nullptr, o.buffer = 0;
  }
  // What is read comes first.
  std::stable_partition(issued.spans.begin(), issued.spans.end(),
                        [](const ByteSpan& s) { return !s.write; });
  keep_registers(core, issued);
  ProgramStep step;
  step.kind = turns ? ProgramStep::Kind::kTurn : ProgramStep::Kind::kIssued;
  step.number = static_cast<uint32_t>(recording.issued.size());
  recording.steps.push_back(step);
  recording.issued.push_back(std::move(issued));
  recording.exact.push_back(std::move(exact));
  return nullptr;
}

const char* lower_copy(Core& core, const opk_copy_v1& c, const Ground& ground,
                       BlockSteps& recording) {
  if (c.dst.memory == OPK_MEM_GM && core.atomic != OPK_ATOMIC_NONE) return "adds to GM atomically";
  if (c.src_pitch < 0 || c.dst_pitch < 0) return "copies backwards";
  const Extents extents = extents_of(c);
  ProgramStep s;
  s.kind = ProgramStep::Kind::kCopy;
  s.sources = 1;
  s.a = ground.place_of(core, c.src.memory, c.src.address, extents.src);
  s.to = ground.place_of(core, c.dst.memory, c.dst.address, extents.dst);
  if (s.a.in == BytePlace::In::kNowhere || s.to.in == BytePlace::In::kNowhere) return kOffGround;
  s.n = c.block_bytes;
  s.rows = c.block_count;
  s.a_pitch = c.src_pitch;
  s.to_pitch = c.dst_pitch;
  s.to_bytes = s.src_bytes = static_cast<uint32_t>(element_bytes(c));
  if (c.op == OPK_C_PAD_IN && written_block(c) != c.block_bytes)
    pad_step(written_block(c), s.to, c, s);
  become_one_run(s);
  recording.steps.push_back(s);
  return nullptr;
}

const char* lower(Core& core, const Footprint& footprint, const Ground& ground,
                  BlockSteps& recording) {
  switch (footprint.kind) {
    case InstructionKind::kVector: return lower_vector(core, footprint, ground, recording);
    case InstructionKind::kTranspose16: return keep_issued(core, footprint, ground, recording);
    case InstructionKind::kCopy: {
      const auto& copy = *static_cast<const opk_copy_v1*>(footprint.instruction);
      return is_of_vector(copy) ? lower_copy(core, copy, ground, recording)
                                : lower_cube(core, footprint, ground, recording);
    }
    case InstructionKind::kScalar: return "reads or writes single values (GetValue, SetValue)";
    default: return lower_cube(core, footprint, ground, recording);
  }
}

}  // namespace opkit::core
