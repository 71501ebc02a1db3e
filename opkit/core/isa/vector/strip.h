// The usual shape of element-wise instructions with iterations: every iteration takes the same
// elements from the first on, which lie without gaps in every operand; or the second source is one
// block, the same for all blocks of an iteration.
#ifndef OPKIT_CORE_ISA_VECTOR_STRIP_H_
#define OPKIT_CORE_ISA_VECTOR_STRIP_H_

#include "opkit/core/isa/vector/call.h"
#include "opkit/core/put_off/row_step.h"

namespace opkit::core {

// False: the instruction has another shape, or something of it is to be refused. Else all of
// `strip` but step.a, step.b and the context says what it does. REQUIRES: row is the instruction's;
// an observer, if there is one, has admitted it.
bool strip_of(const VectorCall& call, const Row& row, RowStrip& strip);

// Returns what a row of the instruction needs besides its elements.
RowContext context_of(const VectorCall& call);

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_VECTOR_STRIP_H_
