// TPipe's buffers: who holds them, what their queue orders, how much memory they take.
#ifndef OPKIT_CORE_MODES_CHECKED_QUEUES_H_
#define OPKIT_CORE_MODES_CHECKED_QUEUES_H_

#include "opkit/core/modes/checked/state.h"

namespace opkit::core::checked {

void track_buffer(State& state, CoreState& core, const opk_buffer_v1& event, const void* pc);

// At the end of the kernel: tensors that were never given back, memories that are nearly full.
void judge_buffers_at_end(State& state, CoreState& core);

// Returns the buffers of a memory, in the order of InitBuffer.
std::vector<BufferLine> buffer_map(const CoreState& core, uint8_t memory);

// Returns the line of that map that a buffer belongs to. REQUIRES: id is one of the core's.
BufferLine buffer_line(const CoreState& core, uint16_t id);

// Adds the map, and the largest tile that fits, to the finding of an InitBuffer that overflows.
void explain_overflow(const CoreState& core, Finding* finding);

}  // namespace opkit::core::checked

#endif  // OPKIT_CORE_MODES_CHECKED_QUEUES_H_
