#include "registry/signature.h"

#include <fmt/format.h>

#include <map>

#include "opkit/base/digest.h"
#include "opkit/base/regular_file.h"
#include "registry/ed25519.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kFirstLine = "opkit signature 1\n", kKeyField = "key ",
                           kSignature = "signature ";
constexpr size_t kMostSignatureBytes = 4096;

// Takes `word`, `digits` hexadecimal digits and the end of the line off `text`.
bool take(std::string_view& text, std::string_view word, size_t digits, std::string& value) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  if (text.size() <= digits || text[digits] != '\n') return false;
  value = text.substr(0, digits);
  text.remove_prefix(digits + 1);
  return is_hex(value, digits);
}

}  // namespace

Result<Signature> parse_signature(std::string_view text, const std::string& name) {
  Signature signature;
  std::string_view rest = text;
  if (rest.starts_with(kFirstLine)) {
    rest.remove_prefix(kFirstLine.size());
    if (take(rest, kKeyField, kKeyDigits, signature.key) &&
        take(rest, kSignature, kSignatureDigits, signature.bytes) && rest.empty())
      return signature;
  }
  return Error("OPK-TRUST-001",
               "the signature of the package is malformed: it must have the lines 'opkit signature "
               "1', 'key' and 'signature'",
               "sign the package again with `opkit sign`")
      .at({name});
}

std::string to_text(const Signature& signature) {
  return fmt::format("{}{}{}\n{}{}\n", kFirstLine, kKeyField, signature.key, kSignature,
                     signature.bytes);
}

std::string signed_text(const Manifest& m, const std::string& manifest_sha256) {
  std::map<std::string, std::string> digests = {{kManifestName, manifest_sha256},
                                                {m.contract_file, m.contract_sha256},
                                                {m.library_file, m.library_sha256}};
  for (const FileEntry& entry : m.files) digests[entry.file] = entry.sha256;
  std::string text =
      fmt::format("opkit package 1\nvendor {}\nop {}\nversion {}\n", m.vendor, m.op, m.version);
  for (const auto& [file, digest] : digests) text += fmt::format("{}  {}\n", digest, file);
  return text;
}

Result<std::string> signer_of(const fs::path& root, const Manifest& manifest) {
  const fs::path file = root / kSignatureName;
  std::error_code code;
  if (!fs::exists(fs::symlink_status(file, code))) return std::string();
  OPKIT_TRY(const std::string bytes, read_regular_file(file, kMostSignatureBytes));
  OPKIT_TRY(const Signature signature, parse_signature(bytes, file.string()));
  OPKIT_TRY(const std::string digest, sha256_file(root / kManifestName));
  if (is_signature(signed_text(manifest, digest), signature.bytes, signature.key))
    return signature.key;
  return Error("OPK-TRUST-002",
               fmt::format("the signature by key {}... is not one of this package's files",
                           signature.key.substr(0, 16)),
               "sign the package again with `opkit sign`, or get it again from its vendor")
      .at({file.string()});
}

Result<std::string> signature_file(const fs::path& root, const Manifest& manifest,
                                   const std::string& secret) {
  OPKIT_TRY(const std::string digest, sha256_file(root / kManifestName));
  return to_text(Signature{open_key_of(secret), sign(signed_text(manifest, digest), secret)});
}

}  // namespace opkit::registry
