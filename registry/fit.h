// A package's needs against what a host offers, and a library's facts against its manifest.
#ifndef OPKIT_REGISTRY_FIT_H_
#define OPKIT_REGISTRY_FIT_H_

#include <filesystem>

#include "opkit/base/status.h"
#include "registry/elf.h"
#include "registry/host.h"
#include "registry/manifest.h"

namespace opkit::registry {

// OPK-FIT-001..006: ABI too new, too old, platform, sanitizer, libc or libstdc++ too old, a needed
// library is not there. `run_path`: of the library (ElfFacts).
Errors check_fit(const Manifest& manifest, const std::vector<std::string>& run_path,
                 const std::filesystem::path& library, const HostFacts& host);

// OPK-PKG-006: a recorded fact differs from the library; OPK-PKG-007: it lacks the query symbol.
Errors compare_with_manifest(const ElfFacts& facts, const Manifest& manifest);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_FIT_H_
