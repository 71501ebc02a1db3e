#include "registry/plugin_facts.h"

#include <fmt/format.h>

namespace opkit::registry {
namespace {

Error differs(const char* code, const char* what, const std::string& has, const std::string& said,
              const Package& package, const char* key) {
  return Error(code,
               fmt::format("the library's {} is '{}', the manifest says '{}'", what, has, said),
               "build the package again with `opkit build`")
      .at(package.manifest.place(key))
      .of(package.manifest.op);
}

}  // namespace

Status check_facts(const PluginFacts& facts, const Package& package) {
  const Manifest& m = package.manifest;
  if (facts.abi != m.abi) {
    return differs("OPK-PLUGIN-004", "plugin ABI", std::to_string(facts.abi), std::to_string(m.abi),
                   package, "abi");
  }
  if (facts.op != m.op) return differs("OPK-PLUGIN-006", "op", facts.op, m.op, package, "op");
  if (facts.version != m.version) {
    return differs("OPK-PLUGIN-006", "version", facts.version, m.version, package, "version");
  }
  if (facts.contract_sha256 != m.contract_sha256) {
    return Error("OPK-PLUGIN-007",
                 "the contract embedded in the library is not the package's contract file: it was "
                 "edited after the library was built",
                 "build the package again with `opkit build`")
        .at(m.place("contract.sha256"))
        .of(m.op);
  }
  if (facts.kernels != m.kernels) {
    return differs("OPK-PLUGIN-008", "kernel list", fmt::format("{} kernels", facts.kernels.size()),
                   fmt::format("{} kernels with other names, columns or keys", m.kernels.size()),
                   package, "kernels");
  }
  if (facts.sanitizer != m.sanitizer) {
    return differs("OPK-PLUGIN-009", "sanitizer", facts.sanitizer, m.sanitizer, package,
                   "library.sanitizer");
  }
  return {};
}

}  // namespace opkit::registry
