#include "opkit/core/isa/operand.h"

#include <link.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "opkit/core/isa/arch.h"
#include "opkit/core/state/gm_room.h"
#include "opkit/core/state/launch.h"
#include "opkit/core/state/tolerate.h"

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

// The range that the operand's GlobalTensor was set to, known by the lowest 32 bits of the address
// that SetGlobalBuffer was given, which GM operands carry in place of strides. nullptr: not told,
// or two ranges could be meant.
const GmRange* origin_of(const LaunchRequest& request, const opk_operand& o) {
  const uint32_t low = o.block_stride | uint32_t{o.repeat_stride} << 16;
  const GmRange* found = nullptr;
  for (uint32_t i = 0; low != 0 && i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    const uint32_t from = low - static_cast<uint32_t>(reinterpret_cast<uintptr_t>(range.base));
    if (from >= range.bytes) continue;
    if (found) return nullptr;
    found = &range;
  }
  return found;
}

constexpr int64_t kFar = int64_t{1} << 32;  // bytes; beyond that a neighbour says nothing

// The range that an address was meant for: its tensor's own, else the one that lies next to it.
const GmRange* meant_range(const LaunchRequest& request, const opk_operand& o) {
  if (const GmRange* origin = origin_of(request, o)) return origin;
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* best = nullptr;
  int64_t nearest = kFar;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    const int64_t before = range.base - address;
    const int64_t distance =
        std::max({before, -before - static_cast<int64_t>(range.bytes), int64_t{0}});
    if (distance >= nearest) continue;
    nearest = distance;
    best = &range;
  }
  return best;
}

int64_t offset_of(const Core& core, const opk_operand& o) {
  return static_cast<const uint8_t*>(o.address) - core.memory[o.memory];
}

// Says that nothing gave memory to a tensor: a local one counts as GM then, and has no bytes.
Fault unassigned(const opk_operand& o, const Role& role) {
  const bool local = o.bytes == 0;
  return fault_at(role, local ? "EK1002" : "EK1004",
                  local ? "is a LocalTensor that was never assigned: it has no memory"
                        : "is a GlobalTensor that no SetGlobalBuffer was called for",
                  local ? "take it from AllocTensor, DeQue or TBuf::Get first"
                        : "set it to one of the kernel's arguments first");
}

Fault bounds_fault(const Core& core, const opk_operand& o, uint64_t bytes, const Role& role) {
  if (o.memory == OPK_MEM_GM && o.bytes == 0) return unassigned(o, role);
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

// Bytes [offset, offset + bytes) of a range that does not have them all.
std::string place_in(const GmRange& range, int64_t offset, uint64_t bytes) {
  const std::string name = std::string("GM tensor '") + range.name + "'";
  if (offset < 0)
    return std::to_string(bytes) + " bytes from " + std::to_string(-offset) + " bytes before " +
           name + " on";
  return "bytes " + std::to_string(offset) + " to " +
         std::to_string(offset + static_cast<int64_t>(bytes)) + " of " + name + ", which has " +
         std::to_string(range.named_bytes()) + " bytes";
}

// DataCopyPad moves the bytes of a tail one by one, on chips that have it.
std::string tail_cure(const Core& core, const Role& role) {
  const std::string_view name = role.instruction;
  if (name == "DataCopyPad")
    return "shorten blockLen or take fewer blocks: DataCopyPad moves just these bytes";
  if (name != "DataCopy") return "shorten the access, or correct its offset or index";
  if (!arch_can(core, OPK_A_PAD_COPY))
    return "let the last copy begin earlier, so that it ends where the tensor does, or move the "
           "tail by GetValue and SetValue: this chip has no DataCopyPad";
  return "use DataCopyPad for tails that are no multiple of 32 bytes, or shorten the copy";
}

Fault gm_fault(const Core& core, const opk_operand& o, uint64_t bytes, bool write,
               const Role& role) {
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange* range = meant_range(core.launch->request(), o);
  const std::string verb = write ? "writes " : "reads ";
  if (!range) {
    return fault_at(role, "EK1004",
                    verb + std::to_string(bytes) + " bytes of GM that belong to no tensor",
                    "set the GlobalTensor to one of the kernel's arguments, whose memory is of the "
                    "device and not freed yet");
  }
  const int64_t offset = address - range->base;
  const bool inside = offset >= 0 && static_cast<uint64_t>(offset) + bytes <= range->bytes;
  if (write && !range->writable && inside) {
    return fault_at(role, "EK1006", std::string("writes into input '") + range->name + "'",
                    "write to an output, or declare the output in place of that input");
  }
  std::string action = tail_cure(core, role);
  if (offset < 0)
    action = "correct the offset or index: it is negative, or wrapped below zero";
  else if (static_cast<uint64_t>(offset) >= range->bytes)
    action =
        "correct the offset or index; or the bytes are of memory that was freed, or that is "
        "not of the device";
  return fault_at(role, "EK1004", verb + place_in(*range, offset, bytes), std::move(action));
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

Fault tail_fault(const Core& core, const GmRange& range, const opk_operand& o, uint64_t bytes,
                 bool write, const Role& role) {
  const auto end =
      static_cast<uint64_t>(static_cast<const uint8_t*>(o.address) - range.base) + bytes;
  const char* there = end <= allocated_bytes(range.bytes)
                          ? "'; allocations have up to 63 there, whose values are unspecified"
                          : "', behind its allocation, where the rest of its page is mapped; the "
                            "values are unspecified";
  return fault_at(
      role, "EK1009",
      std::string(write ? "writes " : "reads ") +
          std::to_string(std::min(end - range.bytes, bytes)) + " bytes behind GM tensor '" +
          range.name + there,
      tail_cure(core, role) + (write ? "" : "; or make sure that the kernel does not use them"));
}

Fault size_fault(const Core& core, const opk_operand& o, uint64_t bytes, bool write,
                 const Role& role) {
  const LaunchRequest& request = core.launch->request();
  const auto* address = static_cast<const uint8_t*>(o.address);
  const GmRange *origin = origin_of(request, o), *there = range_of(request, address);
  if (origin && there && origin != there) {
    return fault_at(role, "EK1010",
                    (write ? "writes " : "reads ") +
                        place_in(*origin, address - origin->base, bytes) + "; they lie in '" +
                        there->name + "'",
                    "correct the offset or index");
  }
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

struct ConstantSearch {
  uintptr_t code, begin, end;
  bool found = false;
};

// The plugin or program that holds the kernel's code; not 0 ends the search.
int search_constant(dl_phdr_info* object, size_t, void* data) {
  ConstantSearch& search = *static_cast<ConstantSearch*>(data);
  bool holds_code = false, holds_bytes = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    const uintptr_t first = object->dlpi_addr + segment.p_vaddr, end = first + segment.p_memsz;
    if (segment.p_type != PT_LOAD) continue;
    if ((segment.p_flags & PF_X) && search.code >= first && search.code < end) holds_code = true;
    if (segment.p_flags == PF_R && search.begin >= first && search.end <= end) holds_bytes = true;
  }
  search.found = holds_code && holds_bytes;
  return holds_code;
}

// Tells whether the bytes are constants of the kernel's source, `static const __gm__ ...`: the
// chip's compiler puts them into the binary, which lies in GM; here the loader has mapped them to
// be read only.
bool are_constants(const Core& core, const opk_operand& o, uint64_t bytes) {
  const opk_kernel_v1* kernel = core.launch->request().kernel;
  const opk_kernel_fn run = kernel->aiv ? kernel->aiv : kernel->aic ? kernel->aic : kernel->mix;
  const auto begin = reinterpret_cast<uintptr_t>(o.address);
  if (run == nullptr || begin + bytes < begin) return false;
  ConstantSearch search{reinterpret_cast<uintptr_t>(run), begin, begin + bytes};
  dl_iterate_phdr(search_constant, &search);
  return search.found;
}

// Judges an access behind the tensor, but in memory that its allocation has. Checked lets copies of
// whole blocks read there, which cannot do otherwise.
bool judge_tail(Core& core, const GmRange& range, const opk_operand& o, uint64_t bytes, bool write,
                const Role& role) {
  const auto say = [&] { return tail_fault(core, range, o, bytes, write, role); };
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
    if (!lies_in_memory(core, o, bytes)) {
      // What gave out the bytes that are not there is the cause.
      core.refuse(core.overflow && core.memory[o.memory] ? *core.overflow : say());
      return false;
    }
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
  if (o.address == nullptr) return core.refuse(unassigned(o, role)), false;
  if (lies_in_gm(core, o, bytes, write)) return true;
  const bool behind_size = bytes > o.bytes;
  if (behind_size && !core.launch->request().gm)
    return core.refuse(bounds_fault(core, o, bytes, role)), false;
  opk_operand memory = o;
  memory.bytes = bytes;
  if (behind_size && lies_in_gm(core, memory, bytes, write)) {
    tell(core, Excess::kSize, !write, [&] { return size_fault(core, o, bytes, write, role); });
    return true;
  }
  const GmRange* range = range_with_tail(core, o, bytes, write);
  if (range && (range->writable || !write)) return judge_tail(core, *range, o, bytes, write, role);
  if (!write && !behind_size && are_constants(core, o, bytes)) return true;
  const auto say = [&] { return gm_fault(core, o, bytes, write, role); };
  if (write && input_at(core, o, bytes)) return tolerates(core, Excess::kInput, say);
  return core.refuse(say()), false;
}

}  // namespace opkit::core
