// Vector instructions: hands each to its family.
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/vector/call.h"

namespace opkit::core {
namespace {

using Family = void (*)(const VectorCall&);

constexpr Family kFamilies[] = {
#define X(id, name, sources, family, ...) run_##family,
#include "opkit/abi/vector_ops.inc"
#undef X
};

[[gnu::cold, gnu::noinline]] void refuse_shape(const VectorCall& call) {
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
  Core& core = Core::of(base);
  if (v->form == OPK_LANES_REGISTER && core.put_off.goes_on(*v)) return;
  const VectorCall call{core, *v, core.place(__builtin_return_address(0))};
  if (!has_known_shape(*v)) [[unlikely]]
    return refuse_shape(call);
  if (!has_everything(call.core) && !arch_has_vector(call.core, *v, call.name(), call.pc)) return;
  const Family family = kFamilies[v->op];
  // Lets a copy wait that is put off only where the instruction can read the copy's source:
  // element-wise ones and reductions. For the others the copy happens now.
  const bool looks = family == run_elementwise || family == run_repeat_reduce;
  if (!looks || !call.core.put_off.panels().empty()) call.core.put_off.settle();
  family(call);
}

}  // namespace opkit::core
