// The engine's instructions. Each exec_* checks its operands, tells the observer when there is one,
// and computes; table.cpp dispatches. One .cpp per instruction family.
#ifndef OPKIT_CORE_ISA_ISA_H_
#define OPKIT_CORE_ISA_ISA_H_

#include "opkit/abi/core.h"

namespace opkit::core {

struct Core;

// Returns the table that every Core hands to kernel code.
const opk_isa_v1& engine_isa();

void exec_vector(opk_core* core, const opk_vector_v1* v);
void exec_copy(opk_core* core, const opk_copy_v1* c);
void exec_load(opk_core* core, const opk_load_v1* l);
void exec_mmad(opk_core* core, const opk_mmad_v1* m);
void exec_fixpipe(opk_core* core, const opk_fixpipe_v1* f);

void exec_flag(opk_core* core, uint32_t sync_op, uint32_t src_pipe, uint32_t dst_pipe, int32_t id);
void exec_barrier(opk_core* core, uint32_t pipe);

void exec_buffer(opk_core* core, const opk_buffer_v1* event);
void exec_fault(opk_core* core, const char* code, const char* text);
void exec_print(opk_core* core, const char* text, uint64_t bytes);
int64_t exec_system_cycle(opk_core* core);
void exec_named_call(opk_core* core, const char* name);

// Those before which the dispatcher (table.cpp) makes real what was put off; pc: the kernel's line.
void exec_transpose16(Core& core, const void* pc, const opk_vector_v1* v, void* const* dst,
                      void* const* src);
void exec_matmul(Core& core, const void* pc, const opk_matmul_v1* m);
void exec_cross_flag(Core& core, const void* pc, uint32_t sync_op, uint32_t mode, uint32_t pipe,
                     uint32_t id);
void exec_sync_all(Core& core, const void* pc, uint32_t bits);
void exec_gm_word(Core& core, const void* pc, uint32_t sync_op, int32_t* word, int32_t value);
void exec_poll(Core& core, const void* pc);
void exec_scalar(Core& core, const void* pc, const opk_operand* where, uint32_t how);
void exec_materialize(Core& core, const void* pc);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_ISA_H_
