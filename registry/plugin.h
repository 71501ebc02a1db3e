// Plugin: a lease on a loaded library. The library stays loaded while any copy lives.
#ifndef OPKIT_REGISTRY_PLUGIN_H_
#define OPKIT_REGISTRY_PLUGIN_H_

#include <memory>

#include "opkit/abi/plugin.h"
#include "opkit/base/status.h"
#include "registry/package.h"
#include "registry/probe.h"

namespace opkit::registry {

struct LoadOptions {
  bool probe = true;  // loads it in a child process before this process does
  ProbeOptions probe_options{};
};

class Plugin {
 public:
  // Repeats every check of check_package on the files as they are now, probes, loads with
  // RTLD_NOW | RTLD_LOCAL, and compares the tables with the manifest. Nothing stays loaded on
  // failure.
  static Result<Plugin> load(const Package& package, const HostFacts& host,
                             const LoadOptions& options = {});

  // Valid while this or a copy lives.
  const opk_plugin_v1& header() const;
  const opk_op_v1& op() const;
  const Package& package() const;
  const PluginFacts& facts() const;

 private:
  struct Library;
  explicit Plugin(std::shared_ptr<const Library> library);
  static Result<Plugin> load_from(const std::filesystem::path& root, const Package& package,
                                  const HostFacts& host, const LoadOptions& options);
  std::shared_ptr<const Library> library_;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PLUGIN_H_
