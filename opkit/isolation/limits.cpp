#include "opkit/isolation/limits.h"

#include "opkit/base/process/host_limits.h"

namespace opkit::isolation {

Limits complete(Limits limits) {
  if (limits.memory != 0) return limits;
  const MemoryAllowed allowed = memory_allowed();
  limits.memory = allowed.bytes / 4 * 3;
  limits.memory_said = "three quarters of what there is, for " + allowed.said;
  return limits;
}

}  // namespace opkit::isolation
