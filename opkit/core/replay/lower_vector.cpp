// Element-wise instructions and the usual reductions become steps over rows; the others stay what
// they are.
#include "opkit/core/isa/vector/lanes.h"
#include "opkit/core/isa/vector/strip.h"
#include "opkit/core/replay/lower.h"
#include "opkit/core/replay/spans.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

using FamilyFn = void (*)(const VectorCall&);

constexpr FamilyFn kFamilyOf[] = {
#define X(id, name, sources, family, ...) run_##family,
#include "opkit/abi/vector_ops.inc"
#undef X
};

// Fast mode reads a source where it was copied from: what such an instruction writes may or may not
// be seen by it.
constexpr const char* kOutOfStep = "lets an instruction write what it reads, out of step";

// Instructions whose data chooses how much they write.
bool picks_by_data(uint16_t op) { return op == OPK_V_GATHER_MASK || op == OPK_V_MRG_SORT; }

// The compare register lasts from one instruction to another.
bool uses_compare_register(const opk_vector_v1& v) {
  const bool may = v.op == OPK_V_COMPARE || v.op == OPK_V_COMPARE_SCALAR || v.op == OPK_V_SELECT ||
                   v.op == OPK_V_SELECT_SCALAR;
  return may && (v.flags & 1) != 0;
}

class Lowered {
 public:
  Lowered(const VectorCall& call, const Row& row, const Ground& ground)
      : call_(call), row_(row), ground_(ground) {
    step_.op = call.v.op;
    step_.dtype = call.operand(0).dtype;
    step_.src_dtype = call.operand(row.sources > 0 ? 1 : 0).dtype;
    step_.sources = row.sources;
    step_.reads_to = row.reads_dst;
    step_.fn = row.fn;
    step_.context = context_of(call);
    step_.to_bytes = call.bits(0) / 8;
    step_.src_bytes = (row.sources > 0 ? call.bits(1) : call.bits(0)) / 8;
    step_.saturate = row.saturates && call.saturates() ? call.operand(0).dtype : -1;
  }

  // False: it has no shape that steps have.
  bool shape() {
    const opk_vector_v1& v = call_.v;
    if (v.form == OPK_LANES_COUNT) return take_row(v.count);
    RowStrip strip;
    if (strip_of(call_, row_, strip)) return take_strip(strip);
    return take_lanes();
  }
  const ProgramStep& step() const { return step_; }
  // Tells whether one row writes what it reads in another place.
  bool is_out_of_step() const { return out_of_step_; }

 private:
  bool take_row(uint64_t n) {
    step_.kind = Kind::kRows;
    step_.n = n;
    if (!place()) return false;
    out_of_step_ = !has_no_order(step_);
    return true;
  }

  bool take_strip(const RowStrip& strip) {
    step_.kind = Kind::kStrip;
    step_.fn = strip.step.fn;
    step_.folded = strip.folded;
    step_.n = strip.n;
    step_.rows = strip.rows;
    step_.to_pitch = strip.dst_pitch;
    step_.a_pitch = strip.a_pitch;
    step_.b_pitch = strip.b_pitch;
    return place();
  }

  // Iterations that are full and follow each other, as in counter mode.
  bool take_lanes() {
    uint32_t widest = 0;
    for (unsigned i = 0; i < call_.v.operand_count; ++i) widest = std::max(widest, call_.bits(i));
    const uint32_t per_repeat = 8 * kRepeatBytes / widest;
    Lanes lanes;
    if (!lanes_of(call_, per_repeat, lanes) || lanes.repeats == 0) return false;
    if (!lanes.mask.is_full(per_repeat) || !lanes.last.is_prefix()) return false;
    for (unsigned i = 0; i < call_.v.operand_count; ++i) {
      const Side side = side_of(call_, i, per_repeat);
      if (side.block_step != kBlockBytes) return false;
      if (lanes.repeats > 1 && side.repeat_step != side.bytes(per_repeat)) return false;
    }
    return take_row(uint64_t{lanes.repeats - 1} * per_repeat + lanes.last.end());
  }

  bool place() {
    const opk_operand* o = call_.v.operand;
    step_.to = at(o[0]);
    if (step_.sources > 0) step_.a = at(o[1]);
    if (step_.sources > 1) step_.b = at(o[2]);
    const StepTouch all = touched(step_);
    for (const Runs& runs : all) {
      const ByteSpan span = runs.span();
      const uint64_t size = call_.core.memory_size[OPK_MEM_UB];
      if (span.from.in != BytePlace::In::kUb || span.from.at + span.bytes > size) return false;
    }
    return true;
  }

  BytePlace at(const opk_operand& o) const {
    return ground_.place_of(call_.core, o.memory, o.address, 0);
  }

  const VectorCall& call_;
  const Row& row_;
  const Ground& ground_;
  ProgramStep step_;
  bool out_of_step_ = false;
};

bool writes_what_it_reads(const Issued& issued) {
  for (const ByteSpan& written : issued.spans) {
    for (const ByteSpan& read : issued.spans) {
      if (written.write && !read.write && written.meets(read.from, read.bytes)) return true;
    }
  }
  return false;
}

// False: it stays as it was issued, or *why says why it cannot be recorded.
bool lower_elementwise(const VectorCall& call, const Ground& ground, BlockSteps& recording,
                       const char** why) {
  const opk_vector_v1& v = call.v;
  const unsigned from = v.operand_count > 1 ? 1 : 0;
  const Row& row = find_row(v.op, v.operand[0].dtype, v.operand[from].dtype);
  if (!row.fn || row.sources + 1 != v.operand_count) return false;
  for (unsigned i = 0; i < v.operand_count; ++i) {
    if (call.bits(i) < 8 || call.bits(i) % 8 != 0) return false;
  }
  Lowered lowered(call, row, ground);
  if (!lowered.shape()) return false;
  if (lowered.is_out_of_step()) return *why = kOutOfStep, false;
  recording.steps.push_back(lowered.step());
  return true;
}

uint64_t bytes_of_result(Kind kind) { return (kind == Kind::kParts ? 8 : 1) * sizeof(float); }

// WholeReduceSum and reductions of blocks of full iterations; WholeReduceMax and WholeReduceMin of
// the first elements of each, values only. All in float. What they leave in registers nobody reads.
Kind kind_of_reduction(uint16_t op) {
  switch (op) {
    case OPK_V_WHOLE_REDUCE_SUM: return Kind::kSums;
    case OPK_V_BLOCK_REDUCE_SUM:
    case OPK_V_BLOCK_REDUCE_MAX:
    case OPK_V_BLOCK_REDUCE_MIN: return Kind::kParts;
    case OPK_V_WHOLE_REDUCE_MAX: return Kind::kMost;
    case OPK_V_WHOLE_REDUCE_MIN: return Kind::kLeast;
    default: return Kind::kIssued;
  }
}

ProgramStep reduction_step(Kind kind, const VectorCall& call, const Side& side,
                           const Lanes& lanes) {
  ProgramStep s;
  s.kind = kind;
  s.sources = 1;
  s.op = call.v.op;
  s.n = lanes.mask.end();
  s.rows = lanes.repeats;
  s.a_pitch = side.repeat_step;
  s.to_pitch = int64_t{call.v.param[0]} * static_cast<int64_t>(bytes_of_result(kind));
  s.to_bytes = s.src_bytes = sizeof(float);
  return s;
}

bool lower_reduction(const VectorCall& call, const Ground& ground, BlockSteps& recording) {
  constexpr uint32_t kFloats = 64;
  constexpr uint8_t kOnlyValue = 2;  // ReduceOrder
  const opk_vector_v1& v = call.v;
  const Kind kind = kind_of_reduction(v.op);
  if (kind == Kind::kIssued) return false;
  const bool full = kind == Kind::kSums || kind == Kind::kParts;
  if (v.operand[0].dtype != OPK_FLOAT32 || v.operand[1].dtype != OPK_FLOAT32) return false;
  if (!full && v.mode != kOnlyValue) return false;
  Lanes lanes;
  if (!lanes_of(call, kFloats, lanes) || lanes.repeats == 0) return false;
  const uint32_t n = lanes.mask.end();
  if (!lanes.mask.is_prefix() || lanes.last.end() != n || !lanes.last.is_prefix()) return false;
  const Side side = side_of(call, 1, kFloats);
  if ((full && n != kFloats) || !side.dense(n)) return false;
  ProgramStep s = reduction_step(kind, call, side, lanes);
  if (s.to_pitch < 0) return false;
  s.a = ground.place_of(call.core, OPK_MEM_UB, side.base, side.extent(lanes));
  s.to = ground.place_of(call.core, OPK_MEM_UB, call.address(0),
                         static_cast<uint64_t>(s.to_pitch) * (s.rows - 1) + bytes_of_result(kind));
  if (s.a.in != BytePlace::In::kUb || s.to.in != BytePlace::In::kUb) return false;
  // Each row's result is written before the next row is read.
  const StepTouch all = touched(s);
  const ByteSpan read = all.runs[0].span(), written = all.runs[1].span();
  if (s.rows > 1 && read.meets(written.from, written.bytes)) return false;
  recording.steps.push_back(s);
  return true;
}

}  // namespace

const char* lower_vector(Core& core, const Footprint& footprint, const Ground& ground,
                         BlockSteps& recording) {
  const auto& v = *static_cast<const opk_vector_v1*>(footprint.instruction);
  if (v.result != nullptr) return "asks what an instruction has computed";
  if (picks_by_data(v.op)) return "picks elements by what tensors hold (GatherMask, MrgSort)";
  if (uses_compare_register(v)) return "uses the compare register";
  const VectorCall call{core, v, footprint.pc};
  const FamilyFn family = kFamilyOf[v.op];
  const char* why = nullptr;
  if (family == run_elementwise && lower_elementwise(call, ground, recording, &why)) return nullptr;
  if (why != nullptr) return why;
  if (family == run_repeat_reduce && lower_reduction(call, ground, recording)) return nullptr;
  if ((why = keep_issued(core, footprint, ground, recording)) != nullptr) return why;
  const bool reads_views = family == run_repeat_reduce;
  return reads_views && writes_what_it_reads(recording.issued.back()) ? kOutOfStep : nullptr;
}

}  // namespace opkit::core
