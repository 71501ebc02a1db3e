#include "opkit/isolation/limits.h"

#include <unistd.h>

namespace opkit::isolation {

Limits complete(Limits limits) {
  if (limits.memory == 0) {
    const auto pages = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES));
    limits.memory = pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) / 4 * 3;
  }
  return limits;
}

}  // namespace opkit::isolation
