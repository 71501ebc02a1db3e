#include "registry/plugin.h"

#include "registry/package_lease.h"
#include "registry/plugin_tables.h"

namespace opkit::registry {

struct Plugin::Library {
  SharedLibrary handle;
  PluginTables tables;
  PluginFacts facts;
  Package package;
};

Plugin::Plugin(std::shared_ptr<const Library> library) : library_(std::move(library)) {}

Result<Plugin> Plugin::load(const Package& package, const HostFacts& host,
                            const LoadOptions& options) {
  const PackageLease lease(package.root);
  return lease.reading(
      [&](const std::filesystem::path& at) { return load_from(at, package, host, options); });
}

Result<Plugin> Plugin::load_from(const std::filesystem::path& root, const Package& package,
                                 const HostFacts& host, const LoadOptions& options) {
  const Manifest& m = package.manifest;
  OPKIT_TRY(Package usable, usable_package(root, host, {m.vendor, m.op, m.version}));
  if (options.probe) {
    const auto facts = probe_package(usable, host, options.probe_options);
    if (!facts) return facts.error();
  }
  auto library = std::make_shared<Library>();
  library->package = std::move(usable);
  OPKIT_TRY(library->handle, SharedLibrary::open(library->package.library_path()));
  OPKIT_TRY(const opk_query_fn query, library->handle.query_function());
  OPKIT_TRY(library->tables, read_tables(query, host));
  library->facts = facts_of(library->tables);
  OPKIT_CHECK(check_facts(library->facts, library->package));
  return Plugin(std::move(library));
}

const opk_plugin_v1& Plugin::header() const { return *library_->tables.header; }
const opk_op_v1& Plugin::op() const { return *library_->tables.op; }
const Package& Plugin::package() const { return library_->package; }
const PluginFacts& Plugin::facts() const { return library_->facts; }

}  // namespace opkit::registry
