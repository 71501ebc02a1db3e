// Buffers of TPipe, scalar accesses, printing, the clock, and faults that the kernel-side API
// finds.
#include <string>

#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/state/launch.h"
#include "opkit/core/state/tolerate.h"

namespace opkit::core {
namespace {

// What the kernel-side API may tell and the chip does.
constexpr const char* kLongView = "EK1109";
constexpr const char* kLateFill = "EK1804";
constexpr const char* kNoPad = "EK1805";
constexpr const char* kWords = "EK1219";

// The cube and the vector part of a mixed kernel have one source: each reserves the other's buffers
// as well, and may not use them.
bool is_other_parts(const Core& core, const opk_buffer_v1& b) {
  return !core.memory[b.memory] && core.launch->has_cube_lane() && core.launch->vector_lanes() > 0;
}

Fault overflow(const Core& core, const opk_buffer_v1& b, const void* pc) {
  const uint32_t size = core.pipe_size(b.memory);
  Fault fault;
  fault.code = "EK1101";
  fault.message = "InitBuffer: " + std::to_string(b.count) + " x " +
                  std::to_string(b.count ? b.bytes / b.count : b.bytes) + " bytes at byte " +
                  std::to_string(b.offset) + " of " + memory_name(b.memory) +
                  " overflow it: " + std::to_string(size) + " bytes, " + std::to_string(b.offset) +
                  " in use";
  fault.action =
      "use a smaller tile: at most " +
      std::to_string(size > b.offset && b.count ? (size - b.offset) / b.count / 32 * 32 : 0) +
      " bytes per buffer are left";
  fault.pc = pc;
  fault.resumable = false;
  return fault;
}

// The memory goes on behind what TPipe offers, for 256 bytes of UB in mixed kernels and of L1.
// Those of L1 are kept for nobody, so kernels that fill L1 to its end are right.
bool takes_what_is_kept(Core& core, const opk_buffer_v1& b, uint64_t end, const void* pc) {
  if (!core.memory[b.memory] || end > core.memory_size[b.memory]) return false;
  if (b.memory != OPK_MEM_L1) return false;
  tell(core, Excess::kEndOfL1, true, [&] { return overflow(core, b, pc); });
  return true;
}

// TPipe gives out memory from the start and only ever forward; InitBuffer: "overflow is an error".
bool fits(Core& core, const opk_buffer_v1& b, const void* pc) {
  if (is_other_parts(core, b)) return false;
  const uint64_t end = uint64_t{b.offset} + b.bytes;
  if (core.memory[b.memory] && end <= core.pipe_size(b.memory)) return true;
  if (takes_what_is_kept(core, b, end, pc)) return true;
  if (!core.memory[b.memory]) return core.refuse(overflow(core, b, pc)), false;
  // TPipe of the chip hands out addresses and looks at no end: who touches nothing there is right.
  if (!core.overflow) core.overflow = overflow(core, b, pc);
  core.scalar_watch = 1;  // scalars behind the end come here to be refused
  return false;
}

// "what is wrong; what to do". A function of its own: the block may end inside refuse(), and what
// then stands on its stack is never destroyed.
void split_sentence(const char* text, Fault* fault) {
  const std::string sentence = text;
  const size_t cut = sentence.find("; ");
  fault->message = sentence.substr(0, cut);
  if (cut != std::string::npos) fault->action = sentence.substr(cut + 2);
}

}  // namespace

void exec_buffer(opk_core* c, const opk_buffer_v1* event) {
  Core& core = Core::of(c);
  const void* pc = core.place(__builtin_return_address(0));
  if (core.observer) core.observer->buffer(core, *event, pc);
  if (event->op == OPK_B_INIT && fits(core, *event, pc)) {
    core.allocated[event->memory] = event->offset + event->bytes;
  }
}

void exec_scalar(Core& core, const void* pc, const opk_operand* where, uint32_t how) {
  if (how >= OPK_SCALAR_CLEAN_LINE) {
    const auto* line = static_cast<const uint8_t*>(where->address);
    if (core.observer)
      core.observer->cache_cleaned(core, how == OPK_SCALAR_CLEAN_LINE ? line : nullptr);
    return;
  }
  const uint32_t bytes = dtype_bytes(where->dtype) ? dtype_bytes(where->dtype) : 1;
  const bool in_gm = where->memory == OPK_MEM_GM;
  if (in_gm) core.meets_additions(where->address, bytes);
  if (!core.observer && !core.overflow && !in_gm && bytes <= where->bytes) return;
  // The access itself is the kernel's; it cannot be left out.
  const bool write = how == OPK_SCALAR_WRITE;
  const Role role = {write                    ? "SetValue"
                     : how == OPK_SCALAR_READ ? "GetValue"
                                              : "operator()",
                     "element", pc, false};
  const bool behind = where->bytes == 0 && !in_gm;
  const bool allowed = behind ? judge_index(core, where[0], where[1], role)
                              : check_operand(core, *where, bytes, 1, write, role);
  if (!allowed || !core.observer) return;
  Footprint footprint;
  footprint.name = role.instruction;
  footprint.kind = InstructionKind::kScalar;
  footprint.pipe = OPK_PIPE_S;
  footprint.instruction = where;
  footprint.pc = pc;
  Access access;
  access.memory = static_cast<opk_memory>(where->memory);
  access.address = static_cast<const uint8_t*>(where->address);
  access.block_bytes = bytes;
  access.write = write;
  access.reference = how == OPK_SCALAR_REFERENCE;
  access.dtype = where->dtype;
  access.buffer = where->buffer;
  footprint.add(access);
  core.observer->admit(core, footprint);
}

void exec_fault(opk_core* c, const char* code, const char* text) {
  Core& core = Core::of(c);
  Fault fault;
  fault.code = code;
  split_sentence(text, &fault);
  fault.pc = core.place(__builtin_return_address(0));
  fault.resumable = false;
  const auto say = [&] { return std::move(fault); };
  if (fault.code == kLongView) return void(tolerates(core, Excess::kView, say));
  if (fault.code == kLateFill) {
    fault.resumable = true;
    return void(tolerates(core, Excess::kLateFill, say));
  }
  if (fault.code == kWords) {
    fault.resumable = true;
    return tell(core, Excess::kWords, true, say);
  }
  if (fault.code == kNoPad) {
    fault.resumable = true;
    return tell(core, Excess::kNoPad, true, say);
  }
  core.refuse(std::move(fault));
}

void exec_print(opk_core* c, const char* text, uint64_t bytes) {
  Core& core = Core::of(c);
  if (core.observer) core.observer->prints(core);
  core.printed.append(text, bytes);
}

int64_t exec_system_cycle(opk_core* c) {
  Core& core = Core::of(c);
  if (!arch_has(core, OPK_A_SYSTEM_CYCLE, "GetSystemCycle",
                core.place(__builtin_return_address(0))))
    return 0;
  const int64_t cycle = core.observer ? core.observer->cycle(core) : -1;
  if (cycle >= 0) return cycle;
  // Without a timing model the answer only has to grow; kernels take differences of it.
  return static_cast<int64_t>(__builtin_ia32_rdtsc());
}

// The dispatcher does it.
void exec_materialize(Core& core, const void*) {
  if (core.observer) core.observer->sees_memory(core);
}

}  // namespace opkit::core
