#include "opkit/core/isa/arch.h"

#include <cstring>
#include <optional>
#include <string>

#include "opkit/core/isa/cube/mmad_form.h"
#include "opkit/core/isa/element_type.h"
#include "opkit/core/isa/isa.h"

namespace opkit::core {
namespace {

constexpr const char* kElsewhere = "build for another chip";

constexpr const char* kCallTexts[] = {
#define X(id, name, what) what,
#include "opkit/abi/arch_calls.inc"
#undef X
};

// What an architecture lacks of an instruction; empty: nothing.
struct Missing {
  std::string what;
  std::string instead;
  explicit operator bool() const { return !what.empty(); }
};

std::string or_elsewhere(const char* advice) { return advice ? advice : kElsewhere; }

bool has_type(opk_types types, uint32_t dtype) { return dtype < 32 && (types >> dtype & 1); }

// "half or float"
std::string names_of(opk_types types) {
  std::string names;
  for (uint32_t d = 0; d < 32; ++d) {
    if (has_type(types, d) && dtype_bits(d) != 0)
      names += (names.empty() ? "" : " or ") + std::string(dtype_name(d));
  }
  return names;
}

Missing missing(const opk_arch_v1& arch, opk_arch_call call) {
  if (call < arch.call_count && arch.has[call]) return {};
  return {kCallTexts[call], or_elsewhere(call < arch.call_count ? arch.instead[call] : nullptr)};
}

Missing missing_types(opk_types types, uint32_t dtype, const char* what = nullptr) {
  if (has_type(types, dtype)) return {};
  return {what ? what : dtype_name(dtype),
          types ? "use " + names_of(types) + " tensors" : kElsewhere};
}

// Returns the form of a call that some architectures have only in other forms.
Missing missing_form(const opk_arch_v1& arch, const opk_vector_v1& v) {
  switch (v.op) {
    case OPK_V_COMPARE: return v.flags & 1 ? missing(arch, OPK_A_COMPARE_TO_REGISTER) : Missing{};
    case OPK_V_ADD_RELU_CAST:
    case OPK_V_SUB_RELU_CAST:
      return v.operand[1].dtype == OPK_INT16 ? missing(arch, OPK_A_RELU_CAST_INT16) : Missing{};
    case OPK_V_SELECT: return v.mode != 0 ? missing(arch, OPK_A_SELECT_MODES) : Missing{};
    case OPK_V_MUL_ADD_DST:
      return v.operand[0].dtype != v.operand[1].dtype ? missing(arch, OPK_A_WIDENING_MUL_ADD)
                                                      : Missing{};
    default: return {};
  }
}

Missing missing_cast(const opk_arch_v1& arch, uint32_t to, uint32_t from) {
  if (from < 32 && has_type(arch.cast[from], to)) return {};
  return {std::string(dtype_name(from)) + " to " + dtype_name(to), "go through half or float"};
}

// Returns the type that decides whether the chip has the call. What a comparison writes are bits
// without a type: the type of its sources decides.
uint32_t deciding_dtype(const opk_vector_v1& v) {
  const bool compares = v.op == OPK_V_COMPARE || v.op == OPK_V_COMPARE_SCALAR;
  return v.operand[compares ? 1 : 0].dtype;
}

Missing missing(const opk_arch_v1& arch, const opk_vector_v1& v) {
  const opk_types types = v.op < arch.vector_count ? arch.vector[v.op] : 0;
  if (types == 0)
    return {"the call",
            or_elsewhere(v.op < arch.vector_count ? arch.vector_instead[v.op] : nullptr)};
  if (Missing form = missing_form(arch, v)) return form;
  if (v.op == OPK_V_CAST) return missing_cast(arch, v.operand[0].dtype, v.operand[1].dtype);
  return missing_types(types, deciding_dtype(v));
}

// Returns the entry of arch_calls.inc that a copy needs; OPK_A_COUNT_: every architecture has it.
opk_arch_call way_of(const opk_copy_v1& c) {
  if (c.op == OPK_C_PAD_IN || c.op == OPK_C_PAD_OUT) return OPK_A_PAD_COPY;
  if (c.op == OPK_C_ND2NZ || c.op == OPK_C_NZ2ND) return OPK_A_PANEL_COPY;
  if (c.op == OPK_C_BIAS || c.dst.memory == OPK_MEM_BT) return OPK_A_L1_TO_BT;
  if (c.dst.memory == OPK_MEM_FB) return OPK_A_L1_TO_FB;
  if (c.op != OPK_C_LINEAR) return OPK_A_COUNT_;
  if (c.src.memory == OPK_MEM_L1 && c.dst.memory == OPK_MEM_GM) return OPK_A_L1_TO_GM;
  if (c.src.memory == OPK_MEM_UB && c.dst.memory == OPK_MEM_UB) return OPK_A_UB_TO_UB;
  if (c.src.memory == OPK_MEM_GM && c.dst.memory == OPK_MEM_L1) return OPK_A_GM_TO_L1;
  return OPK_A_COUNT_;
}

Missing missing(const opk_arch_v1& arch, const opk_copy_v1& c) {
  const opk_arch_call way = way_of(c);
  if (way != OPK_A_COUNT_) {
    if (Missing there = missing(arch, way)) return there;
  }
  if (c.dst.dtype == OPK_INT4 || has_type(arch.copy, c.dst.dtype)) return {};
  return {dtype_name(c.dst.dtype), "copy the bits as uint16_t, or use half or float tensors"};
}

Missing missing(const opk_arch_v1& arch, const opk_load_v1& l) {
  if (l.op == OPK_L_TRANSPOSE) {
    if (Missing call = missing(arch, OPK_A_LOAD_TRANSPOSE)) return call;
  }
  if (l.op == OPK_L_SPARSE) {
    if (Missing call = missing(arch, OPK_A_LOAD_SPARSE)) return call;
  }
  if (l.op == OPK_L_3D) {
    if (Missing form = missing(arch, OPK_A_LOAD_IMAGE)) return form;
    if (l.repeat > 1) {
      if (Missing form = missing(arch, OPK_A_LOAD_REPEAT)) return form;
    }
    if (l.dst_fractal_gap != 0) {
      if (Missing form = missing(arch, OPK_A_LOAD_BOUNDARY)) return form;
    }
  }
  return missing_types(arch.load, l.src.dtype);
}

Missing missing(const opk_arch_v1& arch, const opk_mmad_v1& x) {
  if (is_sparse(x)) {
    if (Missing call = missing(arch, OPK_A_MMAD_SPARSE)) return call;
  }
  if (x.init == 2) {
    if (Missing form = missing(arch, OPK_A_MMAD_BIAS)) return form;
  }
  return missing_types(arch.mmad, x.a.dtype);
}

struct Atomic {
  uint32_t kind;  // opk_atomic
  uint32_t dtype;
};
Missing missing(const opk_arch_v1& arch, const Atomic& atomic) {
  if (atomic.kind != OPK_ATOMIC_ADD) {
    if (Missing kind = missing(arch, OPK_A_ATOMIC_EXTREMES)) return kind;
  }
  return missing_types(arch.atomic_add, atomic.dtype, "an atomic addition of this type");
}

struct NamedCall {
  const char* name;
};
Missing missing(const opk_arch_v1& arch, const NamedCall& call) {
  bool exists = arch.named_rest;
  const char* advice = nullptr;
  for (uint32_t i = 0; i < arch.named_count; ++i) {
    if (std::strcmp(arch.named[i].name, call.name) != 0) continue;
    exists = arch.named[i].exists;
    advice = arch.named[i].instead;
  }
  if (exists) return {};
  return {"the call", or_elsewhere(advice)};
}

std::string with_number(const opk_arch_v1& arch) {
  return std::string(arch.name) + " (arch " + std::to_string(arch.npu_arch) + ")";
}

// ", but on Ascend 310B, Ascend 910B and 910_93"
template <typename Instruction>
std::string where_else(const opk_arch_v1& here, const Instruction& x) {
  std::string names;
  for (uint32_t i = 0; i < here.known_count; ++i) {
    const opk_arch_v1& arch = *here.known[i];
    if (&arch != &here && !missing(arch, x))
      names += (names.empty() ? ", but on " : ", ") + std::string(arch.name);
  }
  return names;
}

template <typename Instruction>
std::optional<Fault> fault_of(const Core& core, const Instruction& x, const char* name,
                              const void* pc) {
  Missing found = missing(*core.arch, x);
  if (!found) return std::nullopt;
  Fault fault;
  fault.code = "EK1215";
  fault.message = std::string(name) + ": " + found.what + " does not exist on " +
                  with_number(*core.arch) + where_else(*core.arch, x);
  fault.action = std::move(found.instead);
  fault.pc = pc;
  return fault;
}

// Nothing that has memory is left here when the core refuses, which never comes back.
template <typename Instruction>
[[gnu::noinline]] bool judge(Core& core, const Instruction& x, const char* name, const void* pc) {
  std::optional<Fault> fault = fault_of(core, x, name, pc);
  if (!fault) return true;
  core.refuse(std::move(*fault));
  return false;
}

}  // namespace

bool arch_has_vector(Core& core, const opk_vector_v1& v, const char* name, const void* pc) {
  return has_everything(core) || judge(core, v, name, pc);
}
bool arch_has_copy(Core& core, const opk_copy_v1& c, const char* name, const void* pc) {
  return has_everything(core) || judge(core, c, name, pc);
}
bool arch_has_atomic(Core& core, const char* name, const void* pc) {
  return has_everything(core) || core.atomic == OPK_ATOMIC_NONE ||
         judge(core, Atomic{core.atomic, static_cast<uint32_t>(core.atomic_dtype)}, name, pc);
}
bool arch_has_load(Core& core, const opk_load_v1& l, const char* name, const void* pc) {
  return has_everything(core) || judge(core, l, name, pc);
}
bool arch_has_mmad(Core& core, const opk_mmad_v1& x, const void* pc) {
  return has_everything(core) || judge(core, x, is_sparse(x) ? "MmadWithSparse" : "Mmad", pc);
}
bool arch_has(Core& core, opk_arch_call call, const char* name, const void* pc) {
  return has_everything(core) || judge(core, call, name, pc);
}
bool arch_can(const Core& core, opk_arch_call call) {
  return has_everything(core) || !missing(*core.arch, call);
}

void exec_named_call(opk_core* base, const char* name) {
  Core& core = Core::of(base);
  if (core.library == 0) {
    core.call_name = name;
    core.call_pc = __builtin_return_address(0);
    if (core.observer) core.observer->library_call(core);
  }
  if (!has_everything(core)) judge(core, NamedCall{name}, name, core.call_pc);
}

}  // namespace opkit::core
