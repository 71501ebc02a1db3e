// Ends of workers that the plugin has not brought about: somebody killed it, or the machine and its
// limits gave too little.
#ifndef OPKIT_ISOLATION_WORKER_WANT_H_
#define OPKIT_ISOLATION_WORKER_WANT_H_

#include <optional>
#include <string>

#include "opkit/base/status.h"
#include "opkit/isolation/worker_process.h"

namespace opkit::isolation {

// OPK-WORKER-012, which names the limit; nothing when the end is the plugin's. `who` was running.
std::optional<Error> wanting(const WorkerEnd& end, const std::string& who);

// "SIGSEGV", "signal 64".
std::string signal_name(int signal);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_WORKER_WANT_H_
