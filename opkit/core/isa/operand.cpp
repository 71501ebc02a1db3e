#include "opkit/core/isa/operand.h"

#include <algorithm>
#include <string>

#include "opkit/core/launch.h"

namespace opkit::core {
namespace {

Fault fault_at(const Role& role, const char* code, std::string message, std::string action) {
  Fault fault;
  fault.code = code;
  fault.message = std::string(role.instruction) + ": " + role.operand + " " + std::move(message);
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

void refuse_bounds(Core& core, const opk_operand& o, uint64_t bytes, const Role& role) {
  const char* memory = memory_name(o.memory);
  const bool on_core = o.memory < OPK_MEM_COUNT && core.memory[o.memory] != nullptr;
  if (!on_core && o.memory != OPK_MEM_GM) {
    return core.refuse(fault_at(
        role, "EK1005", std::string("lies in ") + memory + ", which this core does not have",
        "vector cores have UB; cube cores have L1, L0A, L0B, L0C, BT and FB"));
  }
  if (bytes > o.bytes) {
    return core.refuse(fault_at(role, "EK1002",
                                "needs " + std::to_string(bytes) + " bytes in " + memory +
                                    ", but its tensor has " + std::to_string(o.bytes),
                                "shorten the operation or make the buffer larger"));
  }
  const auto offset = static_cast<const uint8_t*>(o.address) - core.memory[o.memory];
  core.refuse(fault_at(role, "EK1001",
                       "reaches from byte " + std::to_string(offset) + " to " +
                           std::to_string(offset + static_cast<int64_t>(bytes)) + " of " + memory +
                           ", which has " + std::to_string(core.memory_size[o.memory]) + " bytes",
                       "keep the access inside the memory"));
}

bool refuse_local(Core& core, const opk_operand& o, uint64_t bytes, uint32_t alignment,
                  const Role& role) {
  if (!lies_in_local(core, o, bytes, 1)) return refuse_bounds(core, o, bytes, role), false;
  const auto offset = static_cast<const uint8_t*>(o.address) - core.memory[o.memory];
  core.refuse(fault_at(role, "EK1003",
                       "starts at byte " + std::to_string(offset) + " of " + memory_name(o.memory) +
                           ", which is not a multiple of " + std::to_string(alignment),
                       "start tensors at multiples of " + std::to_string(alignment) + " bytes"));
  return false;
}

void refuse_gm(Core& core, const opk_operand& o, uint64_t bytes, bool write, const Role& role) {
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* range = range_of(core.launch->request(), address);
  const std::string verb = write ? "writes" : "reads";
  if (!range) {
    return core.refuse(
        fault_at(role, "EK1004",
                 verb + " " + std::to_string(bytes) + " bytes of GM that belong to no tensor",
                 "set the GlobalTensor to one of the kernel's arguments"));
  }
  const int64_t offset = address - range->base;
  if (write && !range->writable && static_cast<uint64_t>(offset) + bytes <= range->bytes) {
    return core.refuse(
        fault_at(role, "EK1006", std::string("writes into input '") + range->name + "'",
                 "write to an output, or declare the output in place of that input"));
  }
  core.refuse(
      fault_at(role, "EK1004",
               verb + " bytes " + std::to_string(offset) + " to " +
                   std::to_string(offset + static_cast<int64_t>(bytes)) + " of GM tensor '" +
                   range->name + "', which has " + std::to_string(range->bytes) + " bytes",
               "use DataCopyPad for tails that are no multiple of 32 bytes, or shorten the copy"));
}

// The chip has no use for the size; an observer hears that the kernel does not keep to it.
void tell_of_size(Core& core, const opk_operand& o, uint64_t bytes, bool write, const Role& role) {
  if (!core.observer) return;
  Fault fault = fault_at(role, "EK1010",
                         std::string(write ? "writes " : "reads ") + std::to_string(bytes) +
                             " bytes of GM from where its GlobalTensor has " +
                             std::to_string(o.bytes) + " left, by the size of SetGlobalBuffer",
                         "give SetGlobalBuffer the size that is used, or shorten the access");
  fault.warning = !write;
  fault.block = core.block;
  fault.sub_block = core.lane;
  core.observer->recover(core, fault);
}

uint64_t bytes_before_tail(const Core& core, const opk_operand& o, uint64_t bytes) {
  const LaunchRequest& request = core.launch->request();
  if (!request.gm) return bytes;
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* range = range_of(request, address);
  if (!range || !range->has_tail || address >= range->base + range->bytes) return bytes;
  const auto offset = static_cast<uint64_t>(address - range->base);
  const uint64_t room = (range->bytes + 31) / 32 * 32 + 32;
  const bool in_tail = offset + bytes > range->bytes && offset + bytes <= room;
  return in_tail ? range->bytes - offset : bytes;
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
  if (behind_size && !core.launch->request().gm) return refuse_bounds(core, o, bytes, role), false;
  opk_operand memory = o;
  memory.bytes = bytes;
  if (!behind_size || !lies_in_gm(core, memory, bytes, write))
    return refuse_gm(core, o, bytes, write, role), false;
  tell_of_size(core, o, bytes, write, role);
  return true;
}

}  // namespace opkit::core
