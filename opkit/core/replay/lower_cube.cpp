// Instructions of the cube unit, and blocks of Matmul objects, become steps that run as they were
// issued: with the places of their operands, without checks.
#include <algorithm>
#include <cstring>

#include "opkit/core/isa/copy_form.h"
#include "opkit/core/isa/cube/mmad_form.h"
#include "opkit/core/replay/lower.h"

namespace opkit::core {
namespace {

using Kind = ProgramStep::Kind;

constexpr const char* kOffCubeGround = "works on memory that is neither on the chip nor a tensor";
constexpr const char* kCopiesBackwards = "copies backwards";
constexpr const char* kSparseMatrices = "multiplies by sparse matrices";

// Matrices of a copy of which observers are told.
constexpr uint32_t kMostMatrices = (Footprint::kMaxAccesses - 1) / 2;

void leave_out(opk_operand& o) {
  const uint8_t dtype = o.dtype, memory = o.memory;
  o = {};
  o.dtype = dtype;
  o.memory = memory;
}

class CubeLowering {
 public:
  CubeLowering(Core& core, const Footprint& footprint, const Ground& ground, BlockSteps& recording)
      : core_(core), footprint_(footprint), ground_(ground), recording_(recording) {
    in_.first_place = static_cast<uint32_t>(recording.cube_places.size());
    in_.first_touch = static_cast<uint32_t>(recording.touches.size());
  }

  const char* copy() {
    opk_copy_v1 c = *static_cast<const opk_copy_v1*>(footprint_.instruction);
    const bool local = c.dst.memory == OPK_MEM_UB || c.src.memory == OPK_MEM_UB;
    if (is_matrix(c) && local && c.matrix_count > kMostMatrices)
      return "changes more matrices at once than are told of";
    if (c.src_pitch < 0 || c.dst_pitch < 0) return kCopiesBackwards;
    if (c.op == OPK_C_FILL) leave_out(c.src);
    return keep(Kind::kCubeCopy, c, recording_.cube.copies, c.op == OPK_C_FILL ? &c.src : nullptr);
  }
  const char* load() {
    opk_load_v1 l = *static_cast<const opk_load_v1*>(footprint_.instruction);
    if (l.op == OPK_L_SPARSE) return kSparseMatrices;
    return keep(Kind::kLoad, l, recording_.cube.loads);
  }
  const char* product() {
    opk_mmad_v1 m = *static_cast<const opk_mmad_v1*>(footprint_.instruction);
    if (is_sparse(m)) return kSparseMatrices;
    return keep(Kind::kMmad, m, recording_.cube.products, m.init == 2 ? nullptr : &m.bias);
  }
  const char* store() {
    opk_fixpipe_v1 f = *static_cast<const opk_fixpipe_v1*>(footprint_.instruction);
    return keep(Kind::kFixpipe, f, recording_.cube.stores,
                f.quant_vector.address ? nullptr : &f.quant_vector);
  }
  const char* block() {
    MatmulCall x = *static_cast<const MatmulCall*>(footprint_.instruction);
    if (x.m == 0) return nullptr;  // waits for what is done
    if (is_sparse(x)) return kSparseMatrices;
    if (x.steps.own_copies != 0) return "moves operands of a Matmul object by functions of its own";
    x.owner = number_of(x.owner);
    x.steps = {};  // only times depend on them
    if (!x.compute) leave_out(x.a.data), leave_out(x.b.data);
    if (!x.compute || x.accumulate || !x.bias.address) leave_out(x.bias);
    if (!x.store) leave_out(x.c);
    if (!x.store || !x.quant_vector.address) leave_out(x.quant_vector);
    return keep_block(x);
  }

 private:
  uint64_t number_of(uint64_t owner) {
    std::vector<uint64_t>& known = recording_.owners;
    const auto at = std::find(known.begin(), known.end(), owner);
    const auto number = static_cast<uint64_t>(at - known.begin()) + 1;
    if (at == known.end()) known.push_back(owner);
    return number;
  }

  // Operands of a Matmul object that it does not have were left out before.
  const char* keep_block(MatmulCall& x) {
    bool lie_well = true;
    for_each_operand(x, [&](opk_operand& o) {
      if (o.address) lie_well = lie_well && place(o);
    });
    return lie_well ? add(Kind::kMatmul, x, recording_.cube.blocks) : kOffCubeGround;
  }

  // missing: the operand that the instruction does not have.
  template <typename T>
  const char* keep(Kind kind, T& instruction, std::vector<T>& all, opk_operand* missing = nullptr) {
    if (missing) leave_out(*missing);
    bool lie_well = true;
    for_each_operand(instruction, [&](opk_operand& o) {
      if (&o != missing) lie_well = lie_well && place(o);
    });
    return lie_well ? add(kind, instruction, all) : kOffCubeGround;
  }

  bool place(opk_operand& o) {
    auto* address = static_cast<uint8_t*>(o.address);
    leave_out(o);
    o.buffer = kHasOperand;
    if (o.memory == OPK_MEM_GM) {
      recording_.cube_places.push_back(ground_.place_of(core_, OPK_MEM_GM, address, 1));
      return recording_.cube_places.back().in == BytePlace::In::kGm;
    }
    const uint8_t* base = core_.memory[o.memory];
    const auto offset = static_cast<uint64_t>(address - base);
    o.address = reinterpret_cast<void*>(offset);
    return base != nullptr && offset < core_.memory_size[o.memory];
  }

  template <typename T>
  const char* add(Kind kind, const T& instruction, std::vector<T>& all) {
    if (const char* why = note_touches()) return why;
    ProgramStep step;
    step.kind = kind;
    step.context.scalar[0] = core_.ctrl;
    step.number = static_cast<uint32_t>(recording_.cube_steps.size());
    in_.call = recording_.known.number(static_cast<uint8_t>(kind), instruction, all);
    in_.places = static_cast<uint32_t>(recording_.cube_places.size()) - in_.first_place;
    in_.touches = static_cast<uint32_t>(recording_.touches.size()) - in_.first_touch;
    recording_.cube_steps.push_back(in_);
    recording_.steps.push_back(step);
    return nullptr;
  }

  // What other steps, or other cores, could meet: bytes of UB and of GM.
  const char* note_touches() {
    for (uint32_t i = 0; i < footprint_.access_count; ++i) {
      const Access& a = footprint_.access[i];
      if (a.memory != OPK_MEM_UB && a.memory != OPK_MEM_GM) continue;
      if (a.write && a.memory == OPK_MEM_GM && core_.atomic != OPK_ATOMIC_NONE)
        return "adds to GM atomically";
      if (a.blocks == 0 || a.repeats == 0 || a.block_bytes == 0) continue;
      if ((a.blocks > 1 && a.block_pitch < 0) || (a.repeats > 1 && a.repeat_pitch < 0))
        return kCopiesBackwards;
      if (!note_access(a)) return kOffCubeGround;
    }
    return nullptr;
  }
  bool note_access(const Access& a) {
    bool lies_well = true;
    for_each_runs(a, [&](Runs& runs, int64_t offset) {
      runs.from = ground_.place_of(core_, a.memory, a.address + offset, runs.span().bytes);
      lies_well = lies_well && runs.from.in != BytePlace::In::kNowhere;
      recording_.touches.push_back(runs);
    });
    return lies_well;
  }

  Core& core_;
  const Footprint& footprint_;
  const Ground& ground_;
  BlockSteps& recording_;
  CubeStep in_;
};

}  // namespace

const char* lower_cube(Core& core, const Footprint& footprint, const Ground& ground,
                       BlockSteps& recording) {
  CubeLowering lowering(core, footprint, ground, recording);
  switch (footprint.kind) {
    case InstructionKind::kCopy: return lowering.copy();
    case InstructionKind::kLoad: return lowering.load();
    case InstructionKind::kMmad: return lowering.product();
    case InstructionKind::kFixpipe: return lowering.store();
    default: return lowering.block();
  }
}

}  // namespace opkit::core
