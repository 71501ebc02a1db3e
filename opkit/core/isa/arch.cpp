#include "opkit/core/isa/arch.h"

#include <string>

#include "opkit/core/isa/operand.h"

namespace opkit::core {
namespace {

// Nothing to ask: every call and type of the engine is one of arch 2201.
bool has_all(const Core& core) {
  return core.npu_arch == kArch910B || core.library != 0 || !arch_name(core.npu_arch);
}

const char* instead_of(uint32_t op) {
  switch (op) {
    case OPK_V_SHIFT_LEFT: return "use Muls with a power of two";
    case OPK_V_SHIFT_RIGHT: return "use Muls or Div with a power of two, and Cast";
    case OPK_V_GATHERB: return "use Gather";
    case OPK_V_SORT32:
    case OPK_V_MRG_SORT: return "use Sort, which the library of the 310P has";
    case OPK_V_COPY: return "use DataCopy from UB to UB, or Adds with 0";
    case OPK_V_BRCB: return "use Duplicate per row";
    case OPK_V_MAXS:
    case OPK_V_MINS: return "use Max or Min with a duplicated scalar";
    case OPK_V_LEAKY_RELU: return "use Muls and Max";
    case OPK_V_COMPARE_SCALAR: return "use Compare with a duplicated scalar";
    default: return "compute it with other calls of this chip, or build for another chip";
  }
}

// The operand whose type decides: bits have no type, so comparisons are told by their sources.
uint32_t telling_dtype(const opk_vector_v1& v) {
  const bool compares = v.op == OPK_V_COMPARE || v.op == OPK_V_COMPARE_SCALAR;
  return v.operand[compares ? 1 : 0].dtype;
}

bool has_types(uint32_t arch, const opk_vector_v1& v, Types types) {
  if (v.op == OPK_V_CAST) return has_cast(arch, v.operand[0].dtype, v.operand[1].dtype);
  const bool widens = v.op == OPK_V_MUL_ADD_DST && v.operand[0].dtype != v.operand[1].dtype;
  return (types & type_bit(telling_dtype(v))) && !(widens && arch == kArch310B);
}

std::string types_of(const opk_vector_v1& v) {
  if (v.op != OPK_V_CAST) return dtype_name(telling_dtype(v));
  return std::string(dtype_name(v.operand[1].dtype)) + " to " + dtype_name(v.operand[0].dtype);
}

// Of a call that the chip has in other forms.
const char* missing_form(uint32_t arch, const opk_vector_v1& v) {
  if (v.op == OPK_V_COMPARE && (v.flags & 1) && arch != kArch310P)
    return "the form that keeps its bits in the register";
  const bool casts = v.op == OPK_V_ADD_RELU_CAST || v.op == OPK_V_SUB_RELU_CAST;
  if (casts && v.operand[1].dtype == OPK_INT16 && arch == kArch310B) return "the form from int16_t";
  if (v.op == OPK_V_SELECT && v.mode != 0 && arch == kArch910A) return "a mode other than 0";
  return nullptr;
}

bool is_pad(const opk_copy_v1& c) { return c.op == OPK_C_PAD_IN || c.op == OPK_C_PAD_OUT; }

// The way or the change that the chip's copies do not have; nullptr: it has it.
const char* missing_copy(uint32_t arch, const opk_copy_v1& c) {
  if (is_pad(c)) return arch == kArch310B ? nullptr : "the call";
  if (c.op == OPK_C_ND2NZ || c.op == OPK_C_NZ2ND)
    return arch == kArch310P ? nullptr : "the change between rows and panels";
  if (c.op == OPK_C_BIAS || c.dst.memory == OPK_MEM_BT) return "the way from L1 to BT";
  if (c.dst.memory == OPK_MEM_FB) return "the way from L1 to FB";
  if (c.op != OPK_C_LINEAR) return nullptr;
  if (c.src.memory == OPK_MEM_L1 && c.dst.memory == OPK_MEM_GM) return "the way from L1 to GM";
  if (arch != kArch310B) return nullptr;
  if (c.src.memory == OPK_MEM_UB && c.dst.memory == OPK_MEM_UB) return "the way from UB to UB";
  return c.src.memory == OPK_MEM_GM && c.dst.memory == OPK_MEM_L1 ? "the way from GM to L1"
                                                                  : nullptr;
}

const char* instead_of_copy(const opk_copy_v1& c) {
  if (is_pad(c))
    return "use DataCopy of whole blocks of 32 bytes, and for tails a last block that overlaps the "
           "one before";
  if (c.src.memory == OPK_MEM_UB && c.dst.memory == OPK_MEM_UB) return "use Copy";
  if (c.src.memory == OPK_MEM_GM && c.dst.memory == OPK_MEM_L1) return "use LoadData";
  return "use ways that this chip has, or build for another chip";
}

}  // namespace

void refuse_on_arch(Core& core, const char* instruction, const char* what, const char* action,
                    const void* pc) {
  Fault fault;
  fault.code = "EK1215";
  fault.message = std::string(instruction) + ": " + what + " does not exist on " +
                  arch_name(core.npu_arch) + "; Ascend 910B and 910_93 have it";
  fault.action = action;
  fault.pc = pc;
  core.refuse(std::move(fault));
}

bool arch_has_vector(Core& core, const opk_vector_v1& v, const char* name, const void* pc) {
  if (has_all(core)) [[likely]]
    return true;
  const uint32_t arch = core.npu_arch;
  const Types types = v.op == OPK_V_CAST ? ~Types{0} : vector_types(arch, v.op);
  if (types == 0) return refuse_on_arch(core, name, "the call", instead_of(v.op), pc), false;
  if (const char* form = missing_form(arch, v))
    return refuse_on_arch(core, name, form, "use the form with bits in a tensor", pc), false;
  if (has_types(arch, v, types)) return true;
  refuse_on_arch(core, name, types_of(v).c_str(), "use half or float tensors", pc);
  return false;
}

bool arch_has_copy(Core& core, const opk_copy_v1& c, const char* name, const void* pc) {
  if (has_all(core)) [[likely]]
    return true;
  if (const char* what = missing_copy(core.npu_arch, c))
    return refuse_on_arch(core, name, what, instead_of_copy(c), pc), false;
  if (copy_types(core.npu_arch) & type_bit(c.dst.dtype)) return true;
  if (c.dst.dtype == OPK_INT4) return true;
  refuse_on_arch(core, name, dtype_name(c.dst.dtype),
                 "copy the bits as uint16_t, or use half or float tensors", pc);
  return false;
}

bool arch_has_atomic(Core& core, const char* name, const void* pc) {
  if (has_all(core) || core.atomic == OPK_ATOMIC_NONE) [[likely]]
    return true;
  if (core.atomic != OPK_ATOMIC_ADD) {
    refuse_on_arch(core, name, "an atomic maximum or minimum",
                   "use SetAtomicAdd, or reduce in one block", pc);
    return false;
  }
  if (atomic_types(core.npu_arch) & type_bit(static_cast<uint32_t>(core.atomic_dtype))) return true;
  refuse_on_arch(
      core, name, "an atomic addition of this type",
      core.npu_arch == kArch910A ? "use float tensors" : "use float, half or int16_t tensors", pc);
  return false;
}

namespace {

// Of a load that the chip has in other forms.
const char* missing_load(uint32_t arch, const opk_load_v1& l) {
  if (l.op == OPK_L_TRANSPOSE && arch != kArch310B) return "the call";
  if (l.op == OPK_L_SPARSE) return "the call";
  if (l.op != OPK_L_3D) return nullptr;
  if (arch == kArch910A) return "the form of images";
  if (l.repeat > 1 && arch != kArch310B) return "a repetition (SetLoadDataRepeat)";
  return l.dst_fractal_gap != 0 && arch == kArch310B ? "a boundary (SetLoadDataBoundary)" : nullptr;
}

const char* instead_of_load(const opk_load_v1& l) {
  if (l.op == OPK_L_TRANSPOSE) return "use LoadData with ifTranspose";
  if (l.op == OPK_L_SPARSE) return "use LoadData and Mmad of the whole matrix";
  return l.repeat > 1 || l.dst_fractal_gap != 0 ? "write one LoadData per part"
                                                : "use LoadData of fractals";
}

}  // namespace

bool arch_has_load(Core& core, const opk_load_v1& l, const char* name, const void* pc) {
  if (has_all(core)) [[likely]]
    return true;
  if (const char* what = missing_load(core.npu_arch, l))
    return refuse_on_arch(core, name, what, instead_of_load(l), pc), false;
  if (load_types(core.npu_arch) & type_bit(l.src.dtype)) return true;
  return refuse_on_arch(core, name, dtype_name(l.src.dtype), "use half tensors", pc), false;
}

bool arch_has_mmad(Core& core, const opk_mmad_v1& x, const void* pc) {
  if (has_all(core)) [[likely]]
    return true;
  if (x.k_align16 == 2)  // its layout in core.h
    return refuse_on_arch(core, "MmadWithSparse", "the call", "use Mmad of the whole matrix", pc),
           false;
  if (x.init == 2 && core.npu_arch != kArch310B)
    return refuse_on_arch(core, "Mmad", "the form with a bias", "add the bias on the vector core",
                          pc),
           false;
  if (mmad_types(core.npu_arch) & type_bit(x.a.dtype)) return true;
  return refuse_on_arch(core, "Mmad", dtype_name(x.a.dtype), "use half tensors", pc), false;
}

bool arch_has_fixpipe(Core& core, const void* pc) {
  if (has_all(core) || core.npu_arch == kArch310B) [[likely]]
    return true;
  refuse_on_arch(core, "Fixpipe", "the way from L0C to GM and L1",
                 core.npu_arch == kArch310P ? "use the Matmul object" : "build for another chip",
                 pc);
  return false;
}

bool arch_has_matmul(Core& core, const void* pc) {
  if (has_all(core) || core.npu_arch != kArch910A) [[likely]]
    return true;
  return refuse_on_arch(core, "Matmul", "the object", "build for another chip", pc), false;
}

bool arch_has_cross_flags(Core& core, const char* name, const void* pc) {
  if (has_all(core)) [[likely]]
    return true;
  refuse_on_arch(
      core, name, "a flag between cores",
      core.npu_arch == kArch310B ? "build for another chip" : "use SyncAll, IBSet and IBWait", pc);
  return false;
}

bool arch_has_sync_all(Core& core, bool soft, const void* pc) {
  if (has_all(core) || (soft && core.npu_arch != kArch310B)) [[likely]]
    return true;
  refuse_on_arch(core, "SyncAll", soft ? "the call" : "the form without work memory",
                 core.npu_arch == kArch310B ? "let one block do the work of all"
                                            : "use SyncAll with work memory in GM and UB",
                 pc);
  return false;
}

bool arch_has_gm_words(Core& core, const void* pc) {
  if (has_all(core) || core.npu_arch != kArch310B) [[likely]]
    return true;
  refuse_on_arch(core, "IBSet", "waiting for other blocks", "let one block do the work of all", pc);
  return false;
}

bool arch_has_clock(Core& core, const void* pc) {
  if (has_all(core)) [[likely]]
    return true;
  return refuse_on_arch(core, "GetSystemCycle", "the call", "use `opkit profile`", pc), false;
}

}  // namespace opkit::core
