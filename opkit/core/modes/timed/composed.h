// Calls of the advanced API that the engine computes in one step and a chip in many: of which basic
// instructions Timed takes them to be made.
#ifndef OPKIT_CORE_MODES_TIMED_COMPOSED_H_
#define OPKIT_CORE_MODES_TIMED_COMPOSED_H_

#include <cstdint>

namespace opkit::core::timed {

// Instructions of the classes PLAIN and SLOW (opkit/abi/vector_costs.inc), each of which needs the
// result of the one before.
struct Steps {
  uint8_t plain = 0, slow = 0;

  uint32_t count() const { return uint32_t{plain} + slow; }
};

// None: the call is the one instruction that it looks like. op: an opk_vector_op.
Steps steps_of(uint32_t op);

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_COMPOSED_H_
