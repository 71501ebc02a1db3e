// Examining a library in a worker: as registry::probe_library does, but in no fork of this process.
#ifndef OPKIT_ISOLATION_PROBE_IN_WORKER_H_
#define OPKIT_ISOLATION_PROBE_IN_WORKER_H_

#include <chrono>
#include <filesystem>

#include "registry/probe.h"

namespace opkit::isolation {

// A registry::Prober. Loads the library, reads its tables, unloads it. Errors: OPK-PLUGIN-001 to
// -005 as the worker found, -010 the worker died, -011 no answer in time; OPK-WORKER-001.
Result<registry::PluginFacts> probe_in_worker(const std::filesystem::path& library,
                                              std::chrono::milliseconds time_limit);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_PROBE_IN_WORKER_H_
