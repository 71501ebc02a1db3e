// Buffers one by one, the largest first, each into the lowest hole that is free while it lives.
#ifndef OPKIT_ATC_MEMORY_GREEDY_H_
#define OPKIT_ATC_MEMORY_GREEDY_H_

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

Offsets place_greedily(const Buffers& buffers);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_GREEDY_H_
