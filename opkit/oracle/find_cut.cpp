#include "opkit/oracle/find_cut.h"

#include "opkit/oracle/cut_backwards.h"
#include "opkit/oracle/cut_forwards.h"

namespace opkit::oracle {

// Those from the inputs on keep nothing whole that could be cut.
Result<Cut> find_cut(const LoweredReference& reference, int64_t most) {
  auto forwards = find_cut_forwards(reference, most);
  if (forwards.ok()) return forwards;
  auto backwards = find_cut_backwards(reference, most);
  return backwards.ok() ? std::move(backwards) : std::move(forwards);
}

}  // namespace opkit::oracle
