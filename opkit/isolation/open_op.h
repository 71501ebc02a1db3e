// Opens ops: in a worker, or in this process.
#ifndef OPKIT_ISOLATION_OPEN_OP_H_
#define OPKIT_ISOLATION_OPEN_OP_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "opkit/base/json.h"
#include "opkit/call/execute/installed_ops.h"
#include "opkit/call/execute/opened_op.h"
#include "opkit/isolation/limits.h"

namespace opkit {

struct OpenOptions {
  bool in_process = false;  // the plugin's code runs in this process, unguarded
  registry::LoadOptions load = {};
  isolation::Limits limits = {};  // hold for workers
  bool counts_crashes = true;     // towards the library's quarantine; see registry::Quarantine
  uint64_t schedule_seed = 0;     // orders invocations that name none; 0 = program order
  // Gets what the plugin prints in a worker; nothing: it is kept for errors only.
  std::function<void(const std::string& text)> printed = {};
};

// OPK-WORKER-011, a warning.
Error less_confined(const std::string& lacks);
// Reports whether the confinement is complete, and what it lacks.
Json confinement_json(const std::string& lacks);

// Errors: what check_package finds, a library that does not load (or ends its worker), tables that
// the manifest does not describe, a contract that does not parse.
Result<OpenedOp> open_op(const registry::Package& package, const OpenOptions& options = {});
// Returns the package in a folder, for tools that bring the folder along instead of asking the
// registry; without a probe.
Result<OpenedOp> open_op(const std::filesystem::path& folder, OpenOptions options = {});

// Plugins of an offline model, or of a compilation: each in a worker of its own, which is its
// probe, too. `confined` gets what this host does not offer to confine workers, or nothing, once.
OpenPlugin in_workers(OpenOptions options,
                      std::function<void(const std::string& lacks)> confined = {});

}  // namespace opkit

#endif  // OPKIT_ISOLATION_OPEN_OP_H_
