// Lists of independent jobs, done by the processes that there are: ranks that mpirun has started,
// or processes of this machine.
#ifndef OPKIT_SPREAD_SPREAD_H_
#define OPKIT_SPREAD_SPREAD_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/spread/local_crew.h"

namespace opkit::spread {

struct JobList {
  size_t jobs = 0;
  std::string digest;  // covers all jobs: every process must have the same list
  DoJob do_job;
  WorkOffOptions options = {};
};

// Does the list on the ranks of MPI where there are several, else on so many processes. None: this
// process is a rank that has helped, and has nothing to show. Errors: OPK-SPREAD-002 MPI cannot be
// had, -003 another rank has another list, -004 it has failed.
Result<std::optional<std::vector<JobEnd>>> spread(const JobList& list, size_t processes);

}  // namespace opkit::spread

#endif  // OPKIT_SPREAD_SPREAD_H_
