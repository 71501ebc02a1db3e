#include "opkit/core/modes/dry.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/dry/phantom.h"
#include "opkit/core/state/core.h"

namespace opkit::core {
namespace {

constexpr const char* kNeedsData = "EK1604";

bool holds(const GmRange& range, const uint8_t* address) {
  return address >= range.base && address < range.base + range.bytes;
}

bool is_phantom(const GmRange& range) {
  return reinterpret_cast<uint64_t>(range.base) >= kPhantomGm;
}

// Writes `bytes` bytes: the value of the dtype that stands for the answer.
void write_answer(void* where, uint32_t bytes, uint8_t dtype, DryAnswer answer) {
  std::memset(where, answer == DryAnswer::kOnes ? 0xff : 0, bytes);
  if (answer != DryAnswer::kOne) return;
  const uint64_t one = dtype == OPK_FLOAT32    ? 0x3f800000u
                       : dtype == OPK_FLOAT16  ? 0x3c00u
                       : dtype == OPK_BFLOAT16 ? 0x3f80u
                       : dtype == OPK_FLOAT64  ? 0x3ff0000000000000u
                                               : 1u;
  std::memcpy(where, &one, std::min<size_t>(bytes, sizeof one));
}

// The kernel gets a place of its own for an element that it reads of an input or writes. What it
// reads of other tensors some core may have written; it could wait for that for ever.
bool stands_in(const GmRange& range, const Footprint& footprint, DryAnswer answer) {
  thread_local uint64_t value;  // until the access is done, right behind this
  const Access& access = footprint.access[0];
  if (!is_phantom(range) || access.reference || access.block_bytes > sizeof value) return false;
  if (!access.write) {
    if (range.writable) return false;
    write_answer(&value, access.block_bytes, access.dtype, answer);
  }
  // The kernel's own operand, from which it takes the address again (ascendc/tensor.h).
  auto* where = static_cast<opk_operand*>(const_cast<void*>(footprint.instruction));
  where->address = &value;
  return true;
}

}  // namespace

Dry::Dry(Observer& inner, DryOptions options) : inner_(inner), options_(std::move(options)) {}

Dry::Watched& Dry::of(Core& core) {
  if (last_ != &core) {
    last_ = &core;
    last_watched_ = &cores_[&core];
  }
  return *last_watched_;
}

void Dry::launch_begins(const LaunchRequest& request) {
  report_ = {};
  cores_.clear();
  last_ = nullptr;
  phantom_ = std::any_of(options_.unbacked.begin(), options_.unbacked.end(), is_phantom);
  if (phantom_) catch_phantom_faults(this);
  inner_.launch_begins(request);
}

void Dry::launch_ends() {
  if (phantom_) release_phantom_faults();
  inner_.launch_ends();
}

void Dry::core_begins(Core& core) {
  Watched& watched = of(core);
  watched = {};
  watched.passed_by = options_.most != 0 && report_.instructions >= options_.most;
  if (watched.passed_by) {
    report_.cut = true;
  } else {
    inner_.core_begins(core);
  }
}

void Dry::core_ends(Core& core) {
  if (!of(core).passed_by) inner_.core_ends(core);
}

bool Dry::stays(Core& core) {
  const Watched& watched = of(core);
  const uint64_t most = options_.most_per_core;
  if (!watched.passed_by && (most == 0 || watched.instructions < most)) return true;
  report_.cut = true;
  if (!watched.passed_by) inner_.core_ends(core);
  core.leave();
  return false;
}

bool Dry::admit(Core& core, const Footprint& footprint) {
  if (!stays(core)) return false;
  ++of(core).instructions;
  ++report_.instructions;
  if (!answers(core, footprint)) return false;
  inner_.admit(core, footprint);
  return false;
}

bool Dry::answers(Core& core, const Footprint& footprint) {
  if (footprint.kind == InstructionKind::kScalar) return answers_scalar(core, footprint);
  if (footprint.kind != InstructionKind::kVector) return true;
  const auto* vector = static_cast<const opk_vector_v1*>(footprint.instruction);
  if (vector == nullptr || vector->result == nullptr) return true;
  report_.asked_for_data = true;
  write_answer(vector->result, sizeof(uint64_t), OPK_UINT64, options_.answer);
  return true;
}

bool Dry::answers_scalar(Core& core, const Footprint& footprint) {
  const Access& access = footprint.access[0];
  if (access.memory != OPK_MEM_GM) {
    if (access.write) return true;
    report_.asked_for_data = true;
    // The observer is told before the kernel reads: the answer can still be put in place.
    write_answer(const_cast<uint8_t*>(access.address), access.block_bytes, access.dtype,
                 options_.answer);
    return true;
  }
  for (const GmRange& range : options_.unbacked) {
    if (!holds(range, access.address) || (access.write && !is_phantom(range))) continue;
    if (stands_in(range, footprint, options_.answer)) {
      report_.asked_for_data = report_.asked_for_data || !access.write;
      return true;
    }
    remember(std::string("the kernel ") + (access.write ? "writes" : "reads") + " values of '" +
             range.name + "' one by one");
    end_for_data(core);
    return false;
  }
  return true;
}

bool Dry::touched_phantom(const void* on_stack) {
  for (auto& [core, watched] : cores_) {
    if (!core->fiber.holds(on_stack)) continue;
    remember("the kernel touches GM through a pointer of its own");
    end_for_data(*core);
    return true;
  }
  return false;
}

void Dry::remember(std::string why) {
  if (report_.needs_data.empty()) report_.needs_data = std::move(why);
}

// Ends this block and keeps later ones from starting. Does not return: the caller must hold nothing
// that wants to be destroyed.
void Dry::end_for_data(Core& core) {
  Fault fault;
  fault.code = kNeedsData;
  fault.message = "a launch without data cannot go on: " + report_.needs_data;
  fault.action = "run it on data";
  fault.resumable = false;
  core.refuse(std::move(fault));
}

bool Dry::recover(Core& core, const Fault& fault) {
  return fault.code != kNeedsData && inner_.recover(core, fault);
}

void Dry::flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id, const void* pc) {
  if (stays(core)) inner_.flag(core, op, src, dst, id, pc);
}
void Dry::barrier(Core& core, opk_pipe pipe, const void* pc) {
  if (stays(core)) inner_.barrier(core, pipe, pc);
}
void Dry::cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                     const void* pc) {
  if (stays(core)) inner_.cross_flag(core, op, mode, pipe, id, pc);
}
void Dry::sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) {
  if (stays(core)) inner_.sync_all(core, op, bits, pc);
}
void Dry::gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) {
  if (stays(core)) inner_.gm_word(core, op, word, pc);
}
void Dry::buffer(Core& core, const opk_buffer_v1& event, const void* pc) {
  if (stays(core)) inner_.buffer(core, event, pc);
}
void Dry::kernel_returned(Core& core) {
  if (!of(core).passed_by) inner_.kernel_returned(core);
}
int64_t Dry::cycle(Core& core) { return of(core).passed_by ? 0 : inner_.cycle(core); }

}  // namespace opkit::core
