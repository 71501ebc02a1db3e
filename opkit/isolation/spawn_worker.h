// The start of a worker's program.
#ifndef OPKIT_ISOLATION_SPAWN_WORKER_H_
#define OPKIT_ISOLATION_SPAWN_WORKER_H_

#include <sys/types.h>

#include <array>
#include <string>

#include "opkit/base/status.h"

namespace opkit::isolation {

// Descriptors that a worker gets, from 3 on; see serve.cpp.
using GivenToWorker = std::array<int, 5>;

// As a process group of its own, which prints to `printed`. 0, or the reason why there is none.
int spawn_worker(const std::string& file, int printed, const GivenToWorker& given, pid_t& child);

// OPK-WORKER-001: `what` failed for the reason.
Error cannot_start(const std::string& what, int reason);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SPAWN_WORKER_H_
