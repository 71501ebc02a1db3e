#include "opkit/call/execute/generated_ops.h"

#include "registry/probe.h"

namespace opkit {

std::filesystem::path generated_opp() {
  const std::filesystem::path cache = registry::default_cache_dir();
  return cache.empty() ? cache : cache / "generated";
}

registry::Registry generated_registry() { return registry::Registry::open(generated_opp()); }

}  // namespace opkit
