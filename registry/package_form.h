// Names what every package holds at the same place, and how large one may be.
#ifndef OPKIT_REGISTRY_PACKAGE_FORM_H_
#define OPKIT_REGISTRY_PACKAGE_FORM_H_

#include <cstdint>

namespace opkit::registry {

inline constexpr const char* kManifestName = "manifest.yaml";
inline constexpr const char* kContractFile = "op_proto/op_contract.yaml";
// Names the signature beside the manifest of a signed package; the only file that no manifest
// lists. See signature.h.
inline constexpr const char* kSignatureName = "package.sig";

// Limits of one package, directory or archive.
inline constexpr uint64_t kMaxPackageBytes = 1000ull << 20;
inline constexpr uint64_t kMaxPackageFiles = 10000;

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_PACKAGE_FORM_H_
