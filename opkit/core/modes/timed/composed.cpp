#include "opkit/core/modes/timed/composed.h"

#include "opkit/abi/core.h"

namespace opkit::core::timed {

Steps steps_of(uint32_t op) {
  switch (op) {
#define X(id, name, api, types, apart, sizes, live, plain, slow) \
  case OPK_V_##id:                                               \
    return {plain, slow};
#include "opkit/abi/library_calls.inc"
#undef X
    default: return {};
  }
}

}  // namespace opkit::core::timed
