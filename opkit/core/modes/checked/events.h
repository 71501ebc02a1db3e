// Event ids: which of them the queues of a TPipe hold. A queue takes an id for the flag that EnQue
// and FreeTensor set, and gives it back with DeQue and AllocTensor; FetchEventID only tells an id
// that is free at that moment (pages "SetFlag/WaitFlag(ISASI)", "FetchEventID", "AllocEventID").
#ifndef OPKIT_CORE_MODES_CHECKED_EVENTS_H_
#define OPKIT_CORE_MODES_CHECKED_EVENTS_H_

#include "opkit/core/modes/checked/state.h"

namespace opkit::core::checked {

// What TPipe tells of ids, and what queues do with theirs.
void track_event_id(CoreState& core, const opk_buffer_v1& event, const void* pc);
void track_queue_event(State& state, CoreState& core, BufferState& buffer,
                       const opk_buffer_v1& event, const void* pc);
// A flag that the kernel sets or waits for itself.
void track_event_use(State& state, CoreState& core, opk_sync_op op, uint8_t src, uint8_t dst,
                     int32_t id, const void* pc);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_EVENTS_H_
