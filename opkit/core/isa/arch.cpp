#include "opkit/core/isa/arch.h"

#include <string>

namespace opkit::core {
namespace {

const char* instead_of(uint32_t op) {
  switch (op) {
    case OPK_V_SHIFT_LEFT: return "use Muls with a power of two";
    case OPK_V_SHIFT_RIGHT: return "use Muls or Div with a power of two, and Cast";
    case OPK_V_GATHERB: return "use Gather";
    default: return nullptr;
  }
}

bool has_bfloat16(const opk_vector_v1& v) {
  for (uint32_t i = 0; i < v.operand_count; ++i) {
    if (v.operand[i].dtype == OPK_BFLOAT16) return true;
  }
  return false;
}

}  // namespace

void refuse_on_arch(Core& core, const char* instruction, const char* what, const char* action,
                    const void* pc) {
  Fault fault;
  fault.code = "EK1215";
  fault.message = std::string(instruction) + ": " + what +
                  " does not exist on Ascend 310P (arch 2002); Ascend 910B and 910_93 have it";
  fault.action = action;
  fault.pc = pc;
  core.refuse(std::move(fault));
}

bool arch_has_vector(Core& core, const opk_vector_v1& v, const char* name, const void* pc) {
  if (core.npu_arch != kArch310P) [[likely]]
    return true;
  if (const char* instead = instead_of(v.op))
    return refuse_on_arch(core, name, "the call", instead, pc), false;
  if (has_bfloat16(v))
    return refuse_on_arch(core, name, "bfloat16_t", "use half or float tensors", pc), false;
  return true;
}

bool arch_has_copy(Core& core, const opk_copy_v1& c, const char* name, const void* pc) {
  if (core.npu_arch != kArch310P || (c.op != OPK_C_PAD_IN && c.op != OPK_C_PAD_OUT)) [[likely]]
    return true;
  refuse_on_arch(core, name, "the call",
                 "use DataCopy of whole blocks of 32 bytes, and for tails a last block that "
                 "overlaps the one before",
                 pc);
  return false;
}

bool arch_has_atomic(Core& core, const char* name, const void* pc) {
  if (core.npu_arch != kArch310P || core.atomic == OPK_ATOMIC_NONE) [[likely]]
    return true;
  if (core.atomic != OPK_ATOMIC_ADD) {
    refuse_on_arch(core, name, "an atomic maximum or minimum",
                   "use SetAtomicAdd, or reduce in one block", pc);
    return false;
  }
  const bool known = core.atomic_dtype == OPK_FLOAT32 || core.atomic_dtype == OPK_FLOAT16 ||
                     core.atomic_dtype == OPK_INT16;
  if (!known)
    refuse_on_arch(core, name, "an atomic addition of this type",
                   "use float, half or int16_t tensors", pc);
  return known;
}

}  // namespace opkit::core
