// KeyStore: the keys that a user knows, one per vendor, in the user's configuration folder. A
// vendor's own key has a secret part, which only its user can read.
#ifndef OPKIT_REGISTRY_KEY_STORE_H_
#define OPKIT_REGISTRY_KEY_STORE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "registry/ed25519.h"

namespace opkit::registry {

struct VendorKey {
  std::string vendor, key;  // key: open, hexadecimal (ed25519.h)
};
// OPK-KEY-001.
Result<VendorKey> parse_vendor_key(std::string_view text, const std::string& name);
Result<VendorKey> read_vendor_key(const std::filesystem::path& file);
std::string to_text(const VendorKey& key);

// OPK-KEY-006.
Status check_vendor_name(const std::string& vendor);

struct KnownKey {
  VendorKey key;
  bool has_secret = false;
};

class KeyStore {
 public:
  // `folder` empty: no keys are known and none can be kept (OPK-KEY-005).
  explicit KeyStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // $OPKIT_CONFIG_DIR, $XDG_CONFIG_HOME/opkit or $HOME/.config/opkit, each with /keys.
  static KeyStore of_user();

  const std::filesystem::path& folder() const { return folder_; }
  // Sorted by vendor. Files that are no keys are left out.
  std::vector<KnownKey> list() const;
  // Returns the open key of a vendor, if it is known. OPK-KEY-001.
  Result<std::optional<std::string>> find(const std::string& vendor) const;
  // OPK-KEY-002 there is none, -003 others can read it, -001 it is damaged.
  Result<std::string> secret(const std::string& vendor) const;

  // Makes a new pair. OPK-KEY-004 when the vendor has a key, -005 when it cannot be written, -006
  // the name is none.
  Result<VendorKey> make(const std::string& vendor) const;
  // Adds another vendor's open key. OPK-KEY-004 when another one is known; the same one is fine.
  Status add(const VendorKey& key) const;
  // Removes both parts of a key. OPK-KEY-002 when there is none.
  Status remove(const std::string& vendor) const;

 private:
  std::filesystem::path open_file(const std::string& vendor) const;
  std::filesystem::path secret_file(const std::string& vendor) const;
  Status prepare() const;

  std::filesystem::path folder_;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_KEY_STORE_H_
