// Vector instructions: hands each to its family.
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/vector/call.h"

namespace opkit::core {
namespace {

using Family = void (*)(const Call&);

Family family_of(uint32_t op) {
  switch (op) {
    case OPK_V_CAST_DEQ: return run_dequant;
    case OPK_V_BRCB: return run_brcb;
    case OPK_V_CREATE_VEC_INDEX:
    case OPK_V_ARITH_PROGRESSION: return run_progression;
    case OPK_V_COMPARE:
    case OPK_V_COMPARE_SCALAR: return run_compare;
    case OPK_V_SELECT:
    case OPK_V_SELECT_SCALAR: return run_select;
    case OPK_V_REDUCE_SUM:
    case OPK_V_REDUCE_MAX:
    case OPK_V_REDUCE_MIN: return run_reduce;
    case OPK_V_WHOLE_REDUCE_SUM:
    case OPK_V_WHOLE_REDUCE_MAX:
    case OPK_V_WHOLE_REDUCE_MIN:
    case OPK_V_BLOCK_REDUCE_SUM:
    case OPK_V_BLOCK_REDUCE_MAX:
    case OPK_V_BLOCK_REDUCE_MIN:
    case OPK_V_PAIR_REDUCE_SUM: return run_repeat_reduce;
    case OPK_V_GATHER: return run_gather;
    case OPK_V_GATHERB: return run_gatherb;
    case OPK_V_GATHER_MASK: return run_gather_mask;
    case OPK_V_SORT32: return run_sort32;
    case OPK_V_MRG_SORT: return run_mrg_sort;
    case OPK_V_TRANSPOSE: return run_transpose;
    default: return run_elementwise;
  }
}

[[gnu::cold, gnu::noinline]] void refuse_shape(const Call& call) {
  refuse(call, "EK1205",
         "operation " + std::to_string(call.v.op) + " with " +
             std::to_string(call.v.operand_count) + " operands is unknown to this engine",
         "rebuild the plugin with the headers of this opkit");
}

bool has_known_shape(const opk_vector_v1& v) {
  return v.op < OPK_V_COUNT_ && v.operand_count <= OPK_VECTOR_OPERANDS && v.operand_count > 0;
}

}  // namespace

void exec_vector(opk_core* base, const opk_vector_v1* v) {
  const Call call{Core::of(base), *v, __builtin_return_address(0)};
  if (!has_known_shape(*v)) [[unlikely]]
    return refuse_shape(call);
  if (!arch_has_vector(call.core, *v, call.name(), call.pc)) return;
  const Family family = family_of(v->op);
  // Only whole rows know how to read through noted copies.
  if (family != run_elementwise || v->form != OPK_LANES_COUNT || !call.core.cube.l1.empty())
    call.core.settle();
  family(call);
}

}  // namespace opkit::core
