#include "opkit/core/modes/checked/events.h"

#include <string>

#include "opkit/core/modes/checked/findings.h"

namespace opkit::core::checked {
namespace {

constexpr int kIds = 8;

uint32_t key_of(uint8_t src, uint8_t dst) { return uint32_t{src} * kSlotPitch + dst; }

EventIds& ids_of(CoreState& core, const opk_buffer_v1& e) {
  return core.event_ids[key_of(slot_of(static_cast<opk_pipe>(e.set_src)),
                               slot_of(static_cast<opk_pipe>(e.set_dst)))];
}

// Returns the id that the chip would give now, or -1.
int lowest_free(const EventIds& ids) {
  const uint32_t free = ~uint32_t{ids.taken} & 0xffu;
  return free ? __builtin_ctz(free) : -1;
}

void take(EventIds& ids, int id) { ids.taken = static_cast<uint8_t>(ids.taken | 1u << id); }
void give_back(EventIds& ids, int id) { ids.taken = static_cast<uint8_t>(ids.taken & ~(1u << id)); }

// Returns the id behind the number that the kernel uses.
int real_id(const EventIds& ids, int32_t id) {
  const EventIds::Given& given = ids.given[static_cast<size_t>(id)];
  return given.real < 0 ? id : given.real;
}

void report(State& state, bool fetched, const std::string& event, int32_t id, FindingPlace at,
            FindingPlace other) {
  const char* code = fetched ? "EK1317" : "EK1316";
  if (state.log.repeated(code, at.pc, other.pc)) return;
  Finding finding;
  finding.code = code;
  finding.message = fetched ? "the id that FetchEventID gave for " + event +
                                  " was taken by a queue since; both "
                                  "now use one flag"
                            : event + "(" + std::to_string(id) +
                                  ") names an id that a queue holds; both now use one flag";
  finding.action = fetched ? "call FetchEventID right before SetFlag, or keep the id with "
                             "AllocEventID and ReleaseEventID"
                           : "take the id from AllocEventID or FetchEventID";
  finding.at = std::move(at);
  finding.other = std::move(other);
  state.log.add(std::move(finding));
}

std::string name_of(uint8_t src, uint8_t dst) {
  return std::string("SetFlag<HardEvent::") + slot_name(src) + "_" + slot_name(dst) + ">";
}

const char* operation(uint16_t op) { return op == OPK_B_ENQUE ? "EnQue" : "FreeTensor"; }

// Takes the lowest event id that no queue holds, and reports one that the kernel itself has set.
int hold(State& state, CoreState& core, const opk_buffer_v1& e, const void* pc) {
  EventIds& ids = ids_of(core, e);
  const int id = lowest_free(ids);
  if (id < 0) return -1;
  const auto i = static_cast<size_t>(id);
  take(ids, id);
  ids.queue[i] = {pc, e.op};
  if (ids.raw[i].pc) {
    const uint8_t src = slot_of(static_cast<opk_pipe>(e.set_src));
    const uint8_t dst = slot_of(static_cast<opk_pipe>(e.set_dst));
    report(state, ids.raw[i].fetched, name_of(src, dst), id,
           state.place(core, ids.raw[i].pc, "SetFlag"), state.place(core, pc, operation(e.op)));
  }
  return id;
}

void let_go(CoreState& core, const opk_buffer_v1& e, int8_t* id) {
  if (*id < 0) return;
  EventIds& ids = ids_of(core, e);
  give_back(ids, *id);
  ids.queue[static_cast<uint8_t>(*id)] = {};
  *id = -1;
}

}  // namespace

void track_event_id(CoreState& core, const opk_buffer_v1& e, const void*) {
  EventIds& ids = ids_of(core, e);
  if (e.buffer >= kIds) return;
  EventIds::Given& given = ids.given[e.buffer];
  if (e.op == OPK_B_EVENT_RELEASE) {
    if (given.real >= 0 && !given.fetched) give_back(ids, given.real);
    given = {};
    return;
  }
  const int id = lowest_free(ids);
  if (id < 0) return;
  given = {static_cast<int8_t>(id), e.op == OPK_B_EVENT_FETCH};
  if (!given.fetched) take(ids, id);
}

void track_queue_event(State& state, CoreState& core, BufferState& b, const opk_buffer_v1& e,
                       const void* pc) {
  if (e.set_src == e.set_dst) return;
  switch (e.op) {
    case OPK_B_ENQUE: b.full_id = static_cast<int8_t>(hold(state, core, e, pc)); return;
    case OPK_B_DEQUE: return let_go(core, e, &b.full_id);
    case OPK_B_FREE: b.free_id = static_cast<int8_t>(hold(state, core, e, pc)); return;
    case OPK_B_ALLOC: return let_go(core, e, &b.free_id);
    default: return;
  }
}

void track_event_use(State& state, CoreState& core, opk_sync_op op, uint8_t src, uint8_t dst,
                     int32_t id, const void* pc) {
  EventIds& ids = core.event_ids[key_of(src, dst)];
  const int real = real_id(ids, id);
  const auto i = static_cast<size_t>(real);
  const bool fetched = ids.given[static_cast<size_t>(id)].fetched;
  if (op == OPK_SYNC_WAIT) {
    ids.raw[i] = {};
    return;
  }
  ids.raw[i] = {pc, fetched};
  if (ids.queue[i].pc) {
    report(state, fetched, name_of(src, dst), id, state.place(core, pc, "SetFlag"),
           state.place(core, ids.queue[i].pc, operation(ids.queue[i].op)));
  }
}

}  // namespace opkit::core::checked
