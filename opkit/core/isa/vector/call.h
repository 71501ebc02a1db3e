// VectorCall: one vector instruction on its way through the checks, the observer and the
// arithmetic.
#ifndef OPKIT_CORE_ISA_VECTOR_CALL_H_
#define OPKIT_CORE_ISA_VECTOR_CALL_H_

#include <string>

#include "opkit/core/isa/operand.h"
#include "opkit/core/rows/rows.h"
#include "opkit/core/state/core.h"

namespace opkit::core {

constexpr uint32_t kBlockBytes = 32;
constexpr uint32_t kRepeatBytes = 256;
constexpr uint32_t kWrapIntegersBit = 59;  // control bit: conversions keep the low bits

const char* vector_name(uint32_t op);

struct VectorCall {
  Core& core;
  const opk_vector_v1& v;
  const void* pc;

  const char* name() const { return vector_name(v.op); }
  const opk_operand& operand(unsigned i) const { return v.operand[i]; }
  uint8_t* address(unsigned i) const { return static_cast<uint8_t*>(v.operand[i].address); }
  uint32_t bits(unsigned i) const { return dtype_bits(v.operand[i].dtype); }
  bool saturates() const { return (core.ctrl >> 48 & 1) == 0; }
};

// Cold: the instruction is refused; "Add: " is put before the message.
[[gnu::cold]] void refuse(const VectorCall& call, const char* code, std::string message,
                          std::string action);
// Cold: the operand types fit no row of the operation on this chip.
[[gnu::cold]] void refuse_dtypes(const VectorCall& call);

// Tells whether a whole operand becomes one value: ReduceSum, ReduceMax, ReduceMin.
inline bool is_whole_reduction(uint32_t op) {
  return op == OPK_V_REDUCE_SUM || op == OPK_V_REDUCE_MAX || op == OPK_V_REDUCE_MIN;
}

// "destination", "source", "source 0" ...
const char* role_of(const VectorCall& call, unsigned operand);

inline bool check_extent(const VectorCall& call, unsigned operand, uint64_t bytes,
                         uint32_t alignment) {
  if (lies_in_local(call.core, call.v.operand[operand], bytes, alignment)) [[likely]]
    return true;
  return judge_local(call.core, call.v.operand[operand], bytes, alignment,
                     {call.name(), role_of(call, operand), call.pc});
}

Footprint footprint_of(const VectorCall& call);
// Returns a contiguous run of an operand.
Access run_of(const VectorCall& call, unsigned operand, uint64_t bytes, bool write);

// The families. Each checks, tells the observer, computes.
#define X(id, name, sources, family, ...) void run_##family(const VectorCall& call);
#include "opkit/abi/vector_ops.inc"
#undef X

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_VECTOR_CALL_H_
