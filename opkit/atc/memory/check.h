// The independent judge of plans: it knows nothing of how they are made.
#ifndef OPKIT_ATC_MEMORY_CHECK_H_
#define OPKIT_ATC_MEMORY_CHECK_H_

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

// OPK-MEMORY-001: two buffers share bytes while both live; a buffer starts at no multiple of
// `alignment` or ends behind `total`; not one offset for each buffer.
Status check(const Buffers& buffers, const Offsets& offsets, uint64_t total, uint64_t alignment);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_CHECK_H_
