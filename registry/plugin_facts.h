#ifndef OPKIT_REGISTRY_PLUGIN_FACTS_H_
#define OPKIT_REGISTRY_PLUGIN_FACTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "registry/manifest.h"
#include "registry/package.h"

namespace opkit::registry {

// Says as plain values what a library's tables say.
struct PluginFacts {
  uint32_t abi = 0;
  std::string name, version;
  std::string sanitizer;
  std::string op;
  std::string contract_sha256;
  std::vector<KernelEntry> kernels;
  bool infers_shape = false, infers_dtype = false, tiles = false, declares = false;
};

// Compares a library's tables with the manifest: OPK-PLUGIN-004 abi, -006 op, -007 contract,
// -008 kernels, -009 sanitizer.
Status check_facts(const PluginFacts& facts, const Package& package);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PLUGIN_FACTS_H_
