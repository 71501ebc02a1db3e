// Plain structs as text and JSON, for the command line.
#ifndef OPKIT_REGISTRY_REPORT_H_
#define OPKIT_REGISTRY_REPORT_H_

#include <string>

#include "registry/install.h"
#include "registry/probe.h"
#include "registry/registry.h"

namespace opkit {
class Json;
}

namespace opkit::registry {

// Holds everything known of one package: manifest, ELF facts, findings; tables when it was probed.
struct Inspection {
  PackageCheck check;
  std::optional<PluginFacts> facts;
  std::optional<Error> probe_error;
  std::optional<Error> trust;  // says why an installed package is not trusted, see PackageCandidate
  // Says that the plugin of an installed package crashed again and again.
  std::optional<Error> quarantine;

  bool ok() const { return check.usable() && !probe_error && !trust && !quarantine; }
  std::string to_string() const;
};

// Reads one package directory. With probe, the library is also loaded in a child process (only when
// all other checks pass); remembered verdicts are not believed.
Inspection inspect(const std::filesystem::path& root, const HostFacts& host, bool probe,
                   const Expected& expected = {}, const Prober& prober = {});

// Inspects an installed package, with what trust and quarantine say of it.
Inspection inspect_installed(const Registry& registry, const Listed& listed, bool probe,
                             const Prober& prober = {});

// Re-checks every package under the search path: digests, ELF facts and, with probe, loading.
std::vector<Inspection> verify(const Registry& registry, bool probe);

Json to_json(const Error& error);
Json to_json(const Manifest& manifest);
Json to_json(const ElfFacts& facts);
Json to_json(const PluginFacts& facts);
Json to_json(const SearchPath& path);
Json to_json(const PackageCandidate& candidate);
Json to_json(const Listed& listed);
Json to_json(const Trace& trace);
Json to_json(const Inspection& inspection);
Json to_json(const InstallReport& report);
Json to_json(const UninstallReport& report);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_REPORT_H_
