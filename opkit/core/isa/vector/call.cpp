#include "opkit/core/isa/vector/call.h"

namespace opkit::core {
namespace {

// What a kernel does instead when a type has no arithmetic of its own.
std::string instead_of(const VectorCall& call, uint32_t dtype) {
  if (call.v.op == OPK_V_CAST) return "go through float or half in two steps";
  switch (dtype) {
    case OPK_BFLOAT16: return "cast to float first (Cast with CAST_NONE), and back with CAST_RINT";
    case OPK_INT8:
    case OPK_UINT8: return "cast to half first (Cast with CAST_NONE)";
    case OPK_INT64:
    case OPK_UINT64: return "cast to int32_t or float first, or use GetValue and SetValue";
    default: return "cast to float or half first";
  }
}

std::string types_of(const VectorCall& call) {
  std::string text = dtype_name(call.operand(0).dtype);
  if (call.v.operand_count > 1 && call.operand(1).dtype != call.operand(0).dtype)
    text = std::string(dtype_name(call.operand(1).dtype)) + " to " + text;
  return text;
}

bool has_arithmetic(uint32_t dtype) {
  return dtype != OPK_BFLOAT16 && dtype != OPK_INT8 && dtype != OPK_UINT8 && dtype != OPK_INT64 &&
         dtype != OPK_UINT64;
}

}  // namespace

const char* vector_name(uint32_t op) {
  static constexpr const char* kNames[] = {
#define X(id, name, ...) #name,
#include "opkit/abi/vector_ops.inc"
#undef X
  };
  return op < OPK_V_COUNT_ ? kNames[op] : "vector instruction";
}

void refuse(const VectorCall& call, const char* code, std::string message, std::string action) {
  Fault fault;
  fault.code = code;
  message.insert(0, std::string(call.name()) + ": ");  // taken away whole: see fault_at
  fault.message = std::move(message);
  fault.action = std::move(action);
  fault.pc = call.pc;
  call.core.refuse(std::move(fault));
}

void refuse_dtypes(const VectorCall& call) {
  uint32_t culprit = call.operand(0).dtype;
  if (has_arithmetic(culprit) && call.v.operand_count > 1) culprit = call.operand(1).dtype;
  refuse(call, "EK1202",
         "does not exist for " + types_of(call) + " on arch " + std::to_string(call.core.npu_arch),
         instead_of(call, culprit));
}

const char* role_of(const VectorCall& call, unsigned operand) {
  static constexpr const char* kSources[] = {"source 0", "source 1", "source 2", "source 3",
                                             "source 4"};
  if (operand == 0) return "destination";
  if (operand == 2 && is_whole_reduction(call.v.op)) return "sharedTmpBuffer";
  return call.v.operand_count == 2 ? "source" : kSources[operand - 1];
}

Footprint footprint_of(const VectorCall& call) {
  Footprint footprint;
  footprint.name = call.name();
  footprint.kind = InstructionKind::kVector;
  footprint.pipe = OPK_PIPE_V;
  footprint.instruction = &call.v;
  footprint.pc = call.pc;
  return footprint;
}

Access run_of(const VectorCall& call, unsigned operand, uint64_t bytes, bool write) {
  const opk_operand& o = call.operand(operand);
  Access access;
  access.memory = static_cast<opk_memory>(o.memory);
  access.address = static_cast<const uint8_t*>(o.address);
  access.block_bytes = static_cast<uint32_t>(bytes);
  access.write = write;
  access.dtype = o.dtype;
  access.buffer = o.buffer;
  return access;
}

}  // namespace opkit::core
