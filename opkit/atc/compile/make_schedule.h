// From chosen candidates to the steps of an offline model.
#ifndef OPKIT_ATC_COMPILE_MAKE_SCHEDULE_H_
#define OPKIT_ATC_COMPILE_MAKE_SCHEDULE_H_

#include <vector>

#include "opkit/atc/compile/schedule.h"

namespace opkit::compile {

// Makes the schedule of the candidates `chosen`, in the order in which they run. A value that is
// needed in another format than it has is turned once, by a step of its own; weights are turned
// now. A kernel whose operand ends works in place when it `may`, so that both have one buffer.
// Errors: those of the memory plan; OPK-LAYOUT- a shape that a format cannot store.
Result<Schedule> make_schedule(const graph::Graph& graph, const std::vector<Candidate>& candidates,
                               const std::vector<size_t>& chosen, const MayWork& may);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_MAKE_SCHEDULE_H_
