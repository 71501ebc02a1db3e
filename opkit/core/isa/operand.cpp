#include "opkit/core/isa/operand.h"

#include <algorithm>
#include <string>
#include <utility>

#include "opkit/core/state/gm_room.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {
namespace {

// Takes the texts away whole: who refuses never comes back to free what a sum of texts left of
// them.
Fault fault_at(const Role& role, const char* code, std::string message, std::string action) {
  Fault fault;
  fault.code = code;
  message.insert(0, std::string(role.instruction) + ": " + role.operand + " ");
  fault.message = std::move(message);
  fault.action = std::move(action);
  fault.pc = role.pc;
  fault.resumable = role.resumable;
  return fault;
}

const GmRange* range_of(const LaunchRequest& request, const uint8_t* address) {
  const GmRange* best = nullptr;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    if (address >= range.base && (!best || range.base > best->base)) best = &range;
  }
  return best;
}

int64_t offset_of(const Core& core, const opk_operand& o) {
  return static_cast<const uint8_t*>(o.address) - core.memory[o.memory];
}

Fault bounds_fault(const Core& core, const opk_operand& o, uint64_t bytes, const Role& role) {
  const char* memory = memory_name(o.memory);
  const bool on_core = o.memory < OPK_MEM_COUNT && core.memory[o.memory] != nullptr;
  if (!on_core && o.memory != OPK_MEM_GM) {
    return fault_at(role, "EK1005",
                    std::string("lies in ") + memory + ", which this core does not have",
                    "vector cores have UB; cube cores have L1, L0A, L0B, L0C, BT and FB");
  }
  if (bytes > o.bytes && (o.memory == OPK_MEM_GM || lies_in_memory(core, o, bytes))) {
    return fault_at(role, "EK1002",
                    "needs " + std::to_string(bytes) + " bytes in " + memory +
                        ", but its tensor has " + std::to_string(o.bytes),
                    "shorten the operation or make the buffer larger");
  }
  const int64_t offset = offset_of(core, o);
  return fault_at(role, "EK1001",
                  "reaches from byte " + std::to_string(offset) + " to " +
                      std::to_string(offset + static_cast<int64_t>(bytes)) + " of " + memory +
                      ", which has " + std::to_string(core.memory_size[o.memory]) + " bytes",
                  "keep the access inside the memory");
}

Fault gm_fault(const Core& core, const opk_operand& o, uint64_t bytes, bool write,
               const Role& role) {
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* range = range_of(core.launch->request(), address);
  const std::string verb = write ? "writes" : "reads";
  if (!range) {
    return fault_at(role, "EK1004",
                    verb + " " + std::to_string(bytes) + " bytes of GM that belong to no tensor",
                    "set the GlobalTensor to one of the kernel's arguments, whose memory is of the "
                    "device and not freed yet");
  }
  const int64_t offset = address - range->base;
  const bool behind = static_cast<uint64_t>(offset) >= range->bytes;
  if (write && !range->writable && static_cast<uint64_t>(offset) + bytes <= range->bytes) {
    return fault_at(role, "EK1006", std::string("writes into input '") + range->name + "'",
                    "write to an output, or declare the output in place of that input");
  }
  return fault_at(
      role, "EK1004",
      verb + " bytes " + std::to_string(offset) + " to " +
          std::to_string(offset + static_cast<int64_t>(bytes)) + " of GM tensor '" + range->name +
          "', which has " + std::to_string(range->bytes) + " bytes",
      behind ? "correct the offset or index; or the bytes are of memory that was freed, or that is "
               "not of the device"
             : "use DataCopyPad for tails that are no multiple of 32 bytes, or shorten the copy");
}

// The range whose tail the bytes reach, and do not leave; else nullptr. What an input's page holds
// behind the allocation may be read where nobody forbids it.
const GmRange* range_with_tail(const Core& core, const opk_operand& o, uint64_t bytes, bool write) {
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* range = range_of(core.launch->request(), address);
  if (!range || !range->has_tail) return nullptr;
  const auto offset = static_cast<uint64_t>(address - range->base);
  const bool strict = write || (core.observer && core.observer->forbids_excess());
  const uint64_t room = strict ? allocated_bytes(range->bytes) : readable_bytes(*range);
  return offset <= room && bytes <= room - offset ? range : nullptr;
}

Fault tail_fault(const GmRange& range, const opk_operand& o, uint64_t bytes, bool write,
                 const Role& role) {
  const auto end =
      static_cast<uint64_t>(static_cast<const uint8_t*>(o.address) - range.base) + bytes;
  const char* there = end <= allocated_bytes(range.bytes)
                          ? "'; allocations have up to 63 there, whose values are unspecified"
                          : "', behind its allocation, where the rest of its page is mapped; the "
                            "values are unspecified";
  return fault_at(role, "EK1009",
                  std::string(write ? "writes " : "reads ") +
                      std::to_string(std::min(end - range.bytes, bytes)) +
                      " bytes behind GM tensor '" + range.name + there,
                  write ? "use DataCopyPad for the tail"
                        : "use DataCopyPad for the tail, or make sure that the kernel does not use "
                          "them");
}

Fault size_fault(const opk_operand& o, uint64_t bytes, bool write, const Role& role) {
  return fault_at(role, "EK1010",
                  std::string(write ? "writes " : "reads ") + std::to_string(bytes) +
                      " bytes of GM from where its GlobalTensor has " + std::to_string(o.bytes) +
                      " left, by the size of SetGlobalBuffer",
                  "give SetGlobalBuffer the size that is used, or shorten the access");
}

// The input that the bytes lie in and the chip would write to; else nullptr.
const GmRange* input_at(const Core& core, const opk_operand& o, uint64_t bytes) {
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* range = range_of(core.launch->request(), address);
  if (!range || !range->input) return nullptr;
  const auto offset = static_cast<uint64_t>(address - range->base);
  return offset <= range->bytes && bytes <= range->bytes - offset ? range : nullptr;
}

// Behind the tensor, but in memory that its allocation has. Checked lets copies of whole blocks
// read there, which cannot do otherwise.
bool judge_tail(Core& core, const GmRange& range, const opk_operand& o, uint64_t bytes, bool write,
                const Role& role) {
  const auto say = [&] { return tail_fault(range, o, bytes, write, role); };
  if (role.whole_blocks && !write) return tell(core, Excess::kTail, true, say), true;
  if (core.observer && core.observer->forbids_excess())
    return core.refuse(gm_fault(core, o, bytes, write, role)), false;
  return tolerates(core, Excess::kTail, say);
}

}  // namespace

const char* memory_name(uint32_t memory) {
  static constexpr const char* kNames[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
  return memory < OPK_MEM_COUNT ? kNames[memory] : "?";
}

const char* dtype_name(uint32_t dtype) {
  switch (dtype) {
    case OPK_FLOAT32: return "float";
    case OPK_FLOAT16: return "half";
    case OPK_BFLOAT16: return "bfloat16_t";
    case OPK_FLOAT64: return "double";
    case OPK_INT4: return "int4b_t";
    case OPK_INT8: return "int8_t";
    case OPK_UINT8: return "uint8_t";
    case OPK_INT16: return "int16_t";
    case OPK_UINT16: return "uint16_t";
    case OPK_INT32: return "int32_t";
    case OPK_UINT32: return "uint32_t";
    case OPK_INT64: return "int64_t";
    case OPK_UINT64: return "uint64_t";
    case OPK_BOOL: return "bool";
    default: return "?";
  }
}

bool lies_in_memory(const Core& core, const opk_operand& o, uint64_t bytes) {
  const uint8_t* base = o.memory < OPK_MEM_COUNT ? core.memory[o.memory] : nullptr;
  const auto* address = static_cast<const uint8_t*>(o.address);
  if (!base || address < base) return false;
  const auto offset = static_cast<uint64_t>(address - base);
  const uint64_t size = core.whole_size(o.memory);
  return offset <= size && bytes <= size - offset;
}

bool judge_local(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                 const Role& role) {
  if (!lies_in_local(core, o, bytes, 1)) {
    const auto say = [&] { return bounds_fault(core, o, bytes, role); };
    if (!lies_in_memory(core, o, bytes)) return core.refuse(say()), false;
    const Excess kind = bytes > o.bytes ? Excess::kTensor : Excess::kReserved;
    if (!tolerates(core, kind, say)) return false;
  }
  const int64_t offset = offset_of(core, o);
  if (offset % alignment == 0) return true;
  core.refuse(fault_at(role, "EK1003",
                       "starts at byte " + std::to_string(offset) + " of " + memory_name(o.memory) +
                           ", which is not a multiple of " + std::to_string(alignment),
                       "start tensors at multiples of " + std::to_string(alignment) + " bytes"));
  return false;
}

bool judge_index(Core& core, const opk_operand& element, const opk_operand& tensor,
                 const Role& role) {
  const uint64_t size = std::max(1u, dtype_bytes(element.dtype));
  const auto distance =
      static_cast<const uint8_t*>(element.address) - static_cast<const uint8_t*>(tensor.address);
  const auto say = [&] {
    Fault fault = fault_at(role, "EK1007", "", "keep the index below the size");
    fault.message = std::string(role.instruction) + ": index " +
                    std::to_string(static_cast<uint64_t>(distance) / size) +
                    " is outside the tensor of " + std::to_string(tensor.bytes / size) +
                    " elements";
    return fault;
  };
  if (lies_in_memory(core, element, size)) return tolerates(core, Excess::kIndex, say);
  core.refuse(say());
  return false;
}

bool lies_in_gm(const Core& core, const opk_operand& o, uint64_t bytes, bool write) {
  if (bytes > o.bytes) return false;
  const LaunchRequest& request = core.launch->request();
  if (!request.gm) return true;
  const auto* address = static_cast<const uint8_t*>(o.address);
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    if (address >= range.base && address + bytes <= range.base + range.bytes)
      return range.writable || !write;
  }
  return false;
}

bool check_gm(Core& core, const opk_operand& o, uint64_t bytes, bool write, const Role& role) {
  if (lies_in_gm(core, o, bytes, write)) return true;
  const bool behind_size = bytes > o.bytes;
  if (behind_size && !core.launch->request().gm)
    return core.refuse(bounds_fault(core, o, bytes, role)), false;
  opk_operand memory = o;
  memory.bytes = bytes;
  if (behind_size && lies_in_gm(core, memory, bytes, write)) {
    tell(core, Excess::kSize, !write, [&] { return size_fault(o, bytes, write, role); });
    return true;
  }
  const GmRange* range = range_with_tail(core, o, bytes, write);
  if (range && (range->writable || !write)) return judge_tail(core, *range, o, bytes, write, role);
  const auto say = [&] { return gm_fault(core, o, bytes, write, role); };
  if (write && input_at(core, o, bytes)) return tolerates(core, Excess::kInput, say);
  return core.refuse(say()), false;
}

}  // namespace opkit::core
