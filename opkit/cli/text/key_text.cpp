#include "opkit/cli/text/key_text.h"

#include "opkit/base/json.h"
#include "registry/signature.h"

namespace opkit::cli {

Json key_json(const registry::KnownKey& key) {
  return {{"vendor", key.key.vendor}, {"key", key.key.key}, {"secret", key.has_secret}};
}

Json trust_json(const registry::Trust& trust, const std::filesystem::path& opp) {
  Json owners = Json::array();
  for (const auto& [vendor, key] : trust.owners)
    owners.push_back({{"vendor", vendor}, {"key", key}});
  return {{"opp", opp.string()},
          {"policy", std::string(registry::name_of(trust.policy))},
          {"owners", std::move(owners)}};
}

std::string short_key(const std::string& key) { return key.empty() ? "-" : key.substr(0, 16); }

Result<std::string> signature_by_vendor(const registry::Package& package) {
  OPKIT_TRY(std::string secret, registry::KeyStore::of_user().secret(package.manifest.vendor));
  Result<std::string> text = registry::signature_file(package.root, package.manifest, secret);
  registry::wipe(secret);
  return text;
}

}  // namespace opkit::cli
