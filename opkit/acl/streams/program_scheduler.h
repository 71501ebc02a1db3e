// The scheduler of the program that runs.
#ifndef OPKIT_ACL_STREAMS_PROGRAM_SCHEDULER_H_
#define OPKIT_ACL_STREAMS_PROGRAM_SCHEDULER_H_

#include <memory>

#include "opkit/acl/base/error.h"
#include "opkit/acl/streams/scheduler.h"

namespace opkit::acl {

// Returns what OPKIT_STREAMS asks for, from the first call on; it is never destroyed. Threads may
// call it at any time.
OPKIT_ACL_SHARED Scheduler& the_scheduler();
// Makes `scheduler` the one that the_scheduler() returns, for tests that compare schedulers.
// REQUIRES: the scheduler before has nothing to do.
void use_scheduler(std::unique_ptr<Scheduler> scheduler);

// Makes what OPKIT_STREAMS asks for: immediate, concurrent (when it is not there) or a seed. Ends
// the process when it is none of these: OPK-LAUNCH-014.
std::unique_ptr<Scheduler> scheduler_of_environment();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_PROGRAM_SCHEDULER_H_
