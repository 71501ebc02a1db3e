// Commands that do not depend on each other, side by side.
#ifndef OPKIT_BUILD_PROJECT_PARALLEL_STEPS_H_
#define OPKIT_BUILD_PROJECT_PARALLEL_STEPS_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/base/process/child.h"
#include "opkit/base/status.h"

namespace opkit::project {

// As many at once as the host has CPUs. The results are in the order of the commands; after one
// that failed no further one starts, and its own place is the first that is not ok(). `done` is
// called under a lock, once per command that ended: its place, how many have.
Result<std::vector<ChildResult>> run_side_by_side(
    const std::vector<std::vector<std::string>>& commands,
    const std::function<void(size_t which, size_t ended)>& done);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_PARALLEL_STEPS_H_
