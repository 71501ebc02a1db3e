#include "opkit/isolation/placement.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/plan/placed_call.h"
#include "opkit/core/state/gm_room.h"

namespace opkit::isolation {
namespace {

constexpr uint64_t kAlignment = 64;
constexpr uint64_t kBehind = 64;  // bytes that may be read behind a buffer
constexpr uint64_t kInsane = kArenaBytes / 4;

uint64_t up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

// Deals out the slots of one arena, with a page between them that belongs to none.
class Arena {
 public:
  explicit Arena(uint64_t from) : next_(from + kPage) {}

  Slot take(uint64_t bytes, uint64_t room) {
    Slot slot;
    const uint64_t held = std::max(up(bytes, kAlignment) + kBehind, up(room, kAlignment));
    slot.pages_at = next_;
    slot.pages_bytes = up(held, kPage);
    slot.at = slot.pages_at + slot.pages_bytes - held;
    slot.bytes = bytes;
    slot.room = room;
    next_ += slot.pages_bytes + kPage;
    return slot;
  }

 private:
  uint64_t next_;
};

// room_of: what a launch fills with a tensor of so many bytes (core::GmRange::has_tail).
std::vector<Slot> take_all(Arena& arena, const PortLayouts& port, bool writable,
                           uint64_t (*room_of)(uint64_t bytes)) {
  std::vector<Slot> slots;
  for (const StorageLayout& layout : port) {
    const uint64_t bytes = stored_bytes(layout);
    slots.push_back(arena.take(bytes, room_of(bytes)));
    slots.back().writable = writable;
  }
  return slots;
}

Error too_large(const CallPlan& plan, uint64_t bytes, uint64_t memory) {
  return plan.contract->error(
      "OPK-WORKER-009",
      fmt::format("the call's tensors and workspace take {} bytes, {} are allowed", bytes, memory),
      "choose a smaller shape, or look for an overflow in the tiling function");
}

Error no_room(const CallPlan& plan, uint64_t bytes, uint64_t memory, const std::string& said) {
  if (said.empty()) return too_large(plan, bytes, memory);
  return plan.contract->error(
      "OPK-WORKER-012",
      fmt::format("the call's tensors take {} bytes, {} are left: {}", bytes, memory, said),
      "choose a smaller shape, or raise the limit");
}

}  // namespace

Result<Placement> place(const CallPlan& plan, uint64_t memory, Ends from, const std::string& said) {
  uint64_t bytes = 0;
  for (const CallBuffer& buffer : plan.buffers()) {
    if (buffer.bytes > kInsane || (bytes += buffer.bytes) > kInsane)
      return too_large(plan, std::max(bytes, buffer.bytes), memory);
  }
  // Leaves out the workspace, of which only what is touched takes memory.
  const uint64_t tensors = bytes - plan.tiling.workspace_bytes();
  if (tensors > memory) return no_room(plan, tensors, memory, said);
  if (std::max(from.inputs, from.outputs) > kArenaBytes / 2) return too_large(plan, bytes, memory);
  Placement placement;
  Arena read_only(from.inputs), writable(from.outputs);
  for (size_t p = 0; p < plan.input_layouts.size(); ++p) {
    const bool written = plan.contract->inputs[p].written;
    placement.inputs.push_back(take_all(written ? writable : read_only, plan.input_layouts[p],
                                        written, core::mapped_bytes));
  }
  for (const PortLayouts& port : plan.output_layouts)
    placement.outputs.push_back(take_all(writable, port, true, core::allocated_bytes));
  for (size_t o = 0; o < plan.output_layouts.size(); ++o) {
    if (const auto input = plan.replaced_by(o))
      for (Slot& slot : placement.inputs[*input]) slot = {};
  }
  const uint64_t tiling = tiling_room(plan.tiling);
  placement.tiling = read_only.take(tiling - kBehind, tiling);
  return placement;
}

Ends ends_of(const Placement& placement) {
  Ends ends;
  const auto count = [&ends](const Slot& slot) {
    uint64_t& end = slot.writable ? ends.outputs : ends.inputs;
    if (slot.at != kNowhere) end = std::max(end, slot.pages_at + slot.pages_bytes);
  };
  for (const auto* side : {&placement.inputs, &placement.outputs}) {
    for (const auto& port : *side)
      for (const Slot& slot : port) count(slot);
  }
  count(placement.tiling);
  return ends;
}

uint64_t bytes_of(const Placement& placement) {
  uint64_t bytes = placement.tiling.bytes;
  for (const auto* side : {&placement.inputs, &placement.outputs}) {
    for (const auto& port : *side)
      for (const Slot& slot : port) bytes += slot.bytes;
  }
  return bytes;
}

}  // namespace opkit::isolation
