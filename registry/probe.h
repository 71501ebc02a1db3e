// Loading a library in a child process first, so that a crashing initialiser kills the child and
// not the host. Verdicts are remembered by the library's digest.
//
// The child is a fork: call this before the host starts threads that may hold locks; a child that
// does not answer within the time limit is killed and reported, never waited for.
#ifndef OPKIT_REGISTRY_PROBE_H_
#define OPKIT_REGISTRY_PROBE_H_

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "registry/host.h"
#include "registry/package.h"
#include "registry/plugin_facts.h"

namespace opkit::registry {

// Examines a library somewhere else, as probe_library does in a fork of this process.
using Prober = std::function<Result<PluginFacts>(const std::filesystem::path& library,
                                                 std::chrono::milliseconds time_limit)>;

struct ProbeOptions {
  std::chrono::milliseconds time_limit{10000};
  std::filesystem::path cache_dir{};  // empty: nothing is remembered
  bool again = false;                 // do not believe a remembered verdict
  Prober prober{};                    // empty: a fork
};

// $OPKIT_CACHE_DIR, $XDG_CACHE_HOME/opkit or $HOME/.cache/opkit; empty when none is set.
std::filesystem::path default_cache_dir();

// Tells whether the file keeps the verdict of a library that crashed.
bool remembers_crash(const std::filesystem::path& file);

// Loads, queries, reads every table and unloads in a child process. OPK-PLUGIN-001..005 as the
// child found, -010 the child died (signal and step are named), -011 it did not answer in time,
// -012 as remembered from an earlier crash, -013 no child could be started.
Result<PluginFacts> probe_library(const std::filesystem::path& library, const HostFacts& host,
                                  const ProbeOptions& options = {});

// Probes the package's library, then check_facts. REQUIRES: check_package has found the digests
// right; the verdict is remembered under the manifest's.
Result<PluginFacts> probe_package(const Package& package, const HostFacts& host,
                                  const ProbeOptions& options = {});

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PROBE_H_
