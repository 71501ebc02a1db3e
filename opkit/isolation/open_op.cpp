#include "opkit/isolation/open_op.h"

#include <algorithm>
#include <utility>

#include "opkit/isolation/out_of_process.h"
#include "opkit/isolation/probe_in_worker.h"
#include "registry/check_memory.h"
#include "registry/plugin_tables.h"
#include "registry/probe.h"
#include "registry/quarantine.h"

namespace opkit {
namespace {

Status open_in_process(const OpenOptions& options, OpenedOp& op) {
  registry::LoadOptions load = options.load;
  if (!load.probe_options.prober) load.probe_options.prober = isolation::probe_in_worker;
  return open_here(op, load, std::make_shared<Runners>(), options.schedule_seed);
}

Status open_in_worker(const OpenOptions& options, OpenedOp& op) {
  const registry::HostFacts host = registry::HostFacts::of_this_process();
  const registry::Manifest& m = op.package.manifest;
  const std::filesystem::path& cache = options.load.probe_options.cache_dir;
  const bool installed = op.package.root == op.lease->name();
  OPKIT_TRY(op.package, registry::usable_package(op.package.root, host, {m.vendor, m.op, m.version},
                                                 registry::CheckMemory(installed ? cache : "")));
  if (options.load.probe) {
    registry::ProbeOptions probe = options.load.probe_options;
    if (!probe.prober) probe.prober = isolation::probe_in_worker;
    if (options.limits.time.count() > 0)
      probe.time_limit = std::min(probe.time_limit, options.limits.time);
    const auto facts = registry::probe_package(op.package, host, probe);
    if (!facts.ok()) return facts.error();
  }
  isolation::SessionOptions session_options;
  session_options.library = op.package.manifest.library_file;
  session_options.contract = op.package.manifest.contract_file;
  session_options.package = op.lease;
  session_options.op = op.package.manifest.op;
  session_options.limits = options.limits;
  session_options.printed = options.printed;
  if (options.counts_crashes)
    session_options.crashed = [quarantine = registry::Quarantine(cache),
                               digest = op.package.manifest.library_sha256](const Error& crash) {
      quarantine.add(digest, crash);
    };
  OPKIT_TRY(std::shared_ptr<isolation::Session> session,
            isolation::Session::open(std::move(session_options)));
  op.tables = &session->tables().op();
  op.lacks = session->confinement();
  const registry::PluginTables tables{&session->tables().header(), op.tables};
  OPKIT_CHECK(registry::check_facts(registry::facts_of(tables), op.package));
  op.infer = [session](const OpCall& call) { return session->infer(call); };
  auto executor = std::make_unique<isolation::OutOfProcess>(std::move(session),
                                                            op.package.manifest.library_sha256);
  executor->set_schedule_seed(options.schedule_seed);
  op.executor = std::move(executor);
  op.runs = kInAWorker;
  return {};
}

// From where its directory lies now.
Result<OpenedOp> open_leased(std::shared_ptr<const registry::PackageLease> lease,
                             const registry::Package& package, const std::filesystem::path& at,
                             const OpenOptions& options) {
  OpenedOp op;
  op.lease = std::move(lease);
  op.package = package;
  op.package.root = at;
  OPKIT_CHECK(options.in_process ? open_in_process(options, op) : open_in_worker(options, op));
  OPKIT_CHECK(take_contract(op));
  return op;
}

}  // namespace

Result<OpenedOp> open_op(const registry::Package& package, const OpenOptions& options) {
  const auto lease = std::make_shared<const registry::PackageLease>(package.root);
  return lease->reading(
      [&](const std::filesystem::path& at) { return open_leased(lease, package, at, options); });
}

Result<OpenedOp> open_op(const std::filesystem::path& folder, OpenOptions options) {
  OPKIT_TRY(const registry::Package package,
            registry::usable_package(folder, registry::HostFacts::of_this_process()));
  options.load.probe = false;
  return open_op(package, options);
}

Error less_confined(const std::string& lacks) {
  Error note("OPK-WORKER-011", "the plugin is confined less than it could be: " + lacks,
             "run packages of people you trust, or use a newer kernel");
  note.severity = Severity::kWarning;
  return note;
}

Json confinement_json(const std::string& lacks) {
  return {{"complete", lacks.empty()}, {"lacks", lacks}};
}

OpenPlugin in_workers(OpenOptions options, std::function<void(const std::string& lacks)> confined) {
  options.load.probe = false;
  options.load.probe_options.cache_dir = registry::default_cache_dir();
  using Told = std::function<void(const std::string&)>;
  return [options, told = std::make_shared<Told>(std::move(confined))](
             const registry::Package& package) -> Result<std::shared_ptr<Executor>> {
    OPKIT_TRY(OpenedOp op, open_op(package, options));
    if (!op.differences.empty()) return op.differences.front();
    if (*told) std::exchange(*told, {})(op.lacks);
    return executor_of(std::move(op));
  };
}

}  // namespace opkit
