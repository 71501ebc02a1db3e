// Buffers one by one, the largest first, each into the lowest hole that is free while it lives.
#ifndef OPKIT_MEMORY_PLAN_GREEDY_H_
#define OPKIT_MEMORY_PLAN_GREEDY_H_

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

Offsets place_greedily(const Buffers& buffers);

}  // namespace opkit::memory_plan

#endif  // OPKIT_MEMORY_PLAN_GREEDY_H_
