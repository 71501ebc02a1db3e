#include "opkit/core/modes/checked/queues.h"

#include <algorithm>

#include "opkit/core/isa/operand.h"
#include "opkit/core/modes/checked/events.h"

namespace opkit::core::checked {
namespace {

using Hold = BufferState::Hold;

const char* position_name(uint8_t position) {
  static constexpr const char* kNames[] = {
      "GM",  "A1",    "A2",     "B1",      "B2",  "C1",   "C2",        "CO1",
      "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};
  return position < std::size(kNames) ? kNames[position] : "?";
}

void init(CoreState& core, const opk_buffer_v1& e, const void* pc) {
  ++core.buffers_made;
  const uint32_t each = e.count ? e.bytes / e.count : e.bytes;
  core.buffers.resize(std::max<size_t>(core.buffers.size(), size_t{e.buffer} + e.count));
  for (uint32_t i = 0; i < e.count; ++i) {
    BufferState& b = core.buffers[e.buffer + i];
    b = {};
    b.memory = e.memory;
    b.position = e.position;
    b.queue = e.queue;
    b.depth = e.depth;
    b.made = core.buffers_made;
    b.offset = e.offset + i * each;
    b.bytes = each;
    b.init_pc = b.last_pc = pc;
  }
}

// Reset waits until every buffer has come back (page Reset), so that new buffers in the same
// memory start after all of them.
void reset(CoreState& core) {
  for (const BufferState& b : core.buffers) core.clocks.acquire(kS, b.released, 0);
  core.buffers.clear();
  core.event_ids.fill({});
}

void hand_over(CoreState& core, BufferState& b, const opk_buffer_v1& e) {
  const uint8_t src = slot_of(static_cast<opk_pipe>(e.set_src));
  const uint8_t dst = slot_of(static_cast<opk_pipe>(e.set_dst));
  switch (e.op) {
    case OPK_B_ALLOC:
      b.hold = Hold::kAllocated;
      b.was_used = true;
      return core.clocks.acquire(dst, b.released, 0);
    case OPK_B_ENQUE:
      b.hold = Hold::kQueued;
      b.produced = core.clocks.release(src);
      return;
    case OPK_B_DEQUE: b.hold = Hold::kDequeued; return core.clocks.acquire(dst, b.produced, 0);
    case OPK_B_FREE:
      b.hold = Hold::kFree;
      b.released = core.clocks.release(src);
      return;
    default: return;
  }
}

const char* leak_of(Hold hold) {
  switch (hold) {
    case Hold::kAllocated: return "was allocated, but neither queued nor freed";
    case Hold::kQueued: return "was queued, but never taken out with DeQue";
    default: return "was taken out of its queue, but not freed";
  }
}

const char* leak_action(Hold hold) {
  switch (hold) {
    case Hold::kAllocated: return "EnQue it for the next stage, or FreeTensor it";
    case Hold::kQueued: return "DeQue it, use it and FreeTensor it";
    default: return "call FreeTensor after the last use";
  }
}

void judge_leaks(State& state, CoreState& core) {
  for (size_t id = 1; id < core.buffers.size(); ++id) {
    const BufferState& b = core.buffers[id];
    if (b.queue == 0 || b.hold == Hold::kFree) continue;
    Finding finding;
    finding.code = "EK1117";
    // FreeTensor gives a tensor back for later use (page "FreeTensor"), of which there is none;
    // what was queued leaves a flag that nobody waits for.
    finding.warning = b.hold != Hold::kQueued;
    finding.message = "at the end of the kernel, buffer " + std::to_string(id) + " of queue " +
                      std::to_string(b.queue) + " (" + position_name(b.position) + ") " +
                      leak_of(b.hold);
    finding.action = leak_action(b.hold);
    finding.at = state.place(core, b.last_pc, "last operation on the buffer");
    finding.buffers = {buffer_line(core, static_cast<uint16_t>(id))};
    state.log.add(std::move(finding));
  }
}

void judge_capacity(State& state, CoreState& core) {
  const uint32_t percent = state.options.capacity_percent;
  const uint64_t size = core.core->memory_size[OPK_MEM_UB], used = core.core->allocated[OPK_MEM_UB];
  if (percent == 0 || size == 0 || used * 100 <= size * percent) return;
  Finding finding;
  finding.code = "EK1119";
  finding.warning = finding.note = true;
  finding.message = std::to_string(used * 100 / size) + " % of UB is in use (" +
                    std::to_string(used) + " of " + std::to_string(size) + " bytes)";
  finding.buffers = buffer_map(core, OPK_MEM_UB);
  finding.action = "leave room for temporaries of advanced calls, or use a smaller tile";
  const void* last = finding.buffers.empty() ? nullptr : finding.buffers.back().made_pc;
  finding.at = state.place(core, last, "InitBuffer");
  state.log.add(std::move(finding));
}

}  // namespace

namespace {

// Returns the buffers of one InitBuffer: all from `id` on that it made.
BufferLine line_of(const CoreState& core, size_t id, size_t* count) {
  const BufferState& b = core.buffers[id];
  BufferLine line{{}, {}, b.init_pc, nullptr, nullptr};
  for (*count = 0; id < core.buffers.size() && core.buffers[id].made == b.made; ++id, ++*count) {
    const BufferState& one = core.buffers[id];
    if (!line.first_use_pc) line.first_use_pc = one.first_use_pc;
    if (one.first_use_pc) line.last_use_pc = one.last_pc;
  }
  line.where = std::string(memory_name(b.memory)) + " " + std::to_string(b.offset) + ".." +
               std::to_string(b.offset + *count * b.bytes);
  line.what = std::to_string(*count) + " x " + std::to_string(b.bytes) + " bytes, " +
              (b.queue ? "queue " + std::to_string(b.queue) : std::string("TBuf")) + ", " +
              position_name(b.position) + (b.depth ? ", depth " + std::to_string(b.depth) : "");
  return line;
}

}  // namespace

std::vector<BufferLine> buffer_map(const CoreState& core, uint8_t memory) {
  std::vector<BufferLine> lines;
  size_t count = 0;
  for (size_t id = 1; id < core.buffers.size(); id += count) {
    BufferLine line = line_of(core, id, &count);
    const BufferState& b = core.buffers[id];
    if (b.memory == memory && b.bytes != 0) lines.push_back(std::move(line));
  }
  return lines;
}

BufferLine buffer_line(const CoreState& core, uint16_t id) {
  size_t first = id, count = 0;
  while (first > 1 && core.buffers[first - 1].made == core.buffers[id].made) --first;
  return line_of(core, first, &count);
}

void explain_overflow(const CoreState& core, Finding* finding) {
  if (core.buffers.empty()) return;
  const BufferState& last = core.buffers.back();
  const uint64_t size = core.core->memory_size[last.memory];
  const uint64_t end = uint64_t{last.offset} + last.bytes;
  finding->buffers = buffer_map(core, last.memory);
  if (size == 0 || end == 0) return;
  const uint64_t fits = last.bytes * size / end / 32 * 32;
  finding->message += "; cut alike, these buffers fit with at most " + std::to_string(fits) +
                      " bytes here instead of " + std::to_string(last.bytes);
}

void track_buffer(State& state, CoreState& core, const opk_buffer_v1& e, const void* pc) {
  if (e.op >= OPK_B_EVENT_ALLOC) return track_event_id(core, e, pc);
  if (e.op == OPK_B_INIT) return init(core, e, pc);
  if (e.op == OPK_B_RESET) return reset(core);
  if (e.buffer == 0 || e.buffer >= core.buffers.size()) return;
  BufferState& b = core.buffers[e.buffer];
  hand_over(core, b, e);
  track_queue_event(state, core, b, e, pc);
  if (!b.first_use_pc) b.first_use_pc = pc;
  b.last_pc = pc;
}

void judge_buffers_at_end(State& state, CoreState& core) {
  judge_leaks(state, core);
  judge_capacity(state, core);
}

}  // namespace opkit::core::checked
