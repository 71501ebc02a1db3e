// The signature of a package: a file beside its manifest, over the digests of all its other files.
// docs/opp.md defines the signed text.
#ifndef OPKIT_REGISTRY_SIGNATURE_H_
#define OPKIT_REGISTRY_SIGNATURE_H_

#include <filesystem>
#include <string>
#include <string_view>

#include "opkit/base/status.h"
#include "registry/manifest.h"

namespace opkit::registry {

// Lower-case hexadecimal, see ed25519.h.
struct Signature {
  std::string key, bytes;
};

// OPK-TRUST-001.
Result<Signature> parse_signature(std::string_view text, const std::string& name);
std::string to_text(const Signature& signature);

// Returns what is signed. `manifest_sha256`: of manifest.yaml.
std::string signed_text(const Manifest& manifest, const std::string& manifest_sha256);

// Returns the key that signed the package in `root`; empty when there is no signature.
// OPK-TRUST-001, OPK-TRUST-002 when the signature is of other files. REQUIRES: the files are those
// of the manifest (check_package).
Result<std::string> signer_of(const std::filesystem::path& root, const Manifest& manifest);

// Returns the text of the file kSignatureName for a package that check_package has found intact.
Result<std::string> signature_file(const std::filesystem::path& root, const Manifest& manifest,
                                   const std::string& secret);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_SIGNATURE_H_
