// Trust: whose packages an OPP takes. The first signed package of a vendor makes its key the owner
// of the vendor's name in this OPP; packages that another key signed, or none, are refused from
// then on. Kept in <opp>/.opkit/trust.
#ifndef OPKIT_REGISTRY_TRUST_H_
#define OPKIT_REGISTRY_TRUST_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "opkit/base/status.h"
#include "registry/key_store.h"
#include "registry/package.h"

namespace opkit::registry {

enum class TrustPolicy {
  kAny,           // signed or not
  kSigned,        // signed, by whomever comes first
  kKnownVendors,  // signed by an owner, or by a key that the user knows
};
std::string_view name_of(TrustPolicy policy);
std::optional<TrustPolicy> policy_of(std::string_view name);

struct Trust {
  TrustPolicy policy = TrustPolicy::kAny;
  std::map<std::string, std::string> owners;  // vendor -> open key

  bool operator==(const Trust&) const = default;
};

// OPK-TRUST-003.
Result<Trust> parse_trust(std::string_view text, const std::string& name);
std::string to_text(const Trust& trust);
std::filesystem::path trust_file(const std::filesystem::path& opp);
// Returns the default when there is no file. A change that is under way counts as soon as its
// package has been moved (pending_change.h). OPK-TRUST-003, OPK-PKG-013.
Result<Trust> load_trust(const std::filesystem::path& opp);
// In one step, on the disk when it returns; the default is kept as no file. OPK-INSTALL-004.
Status save_trust(const std::filesystem::path& opp, const Trust& trust);
// Saves what load_trust reads of a change that is under way. REQUIRES: the lock is held.
Status settle_trust(const std::filesystem::path& opp);
// Pins by hand who owns a vendor's name. OPK-KEY-006, OPK-TRUST-008 there is no owner to forget.
Status pin(Trust& trust, const VendorKey& key);
Status forget(Trust& trust, const std::string& vendor);

// Judges whether a package that lies in the OPP belongs there. OPK-TRUST-004 another key than the
// owner's, or none; -005 not signed, -006 of nobody that is known, under the policy; -007 a name
// that is somebody else's.
Status judge(const Trust& trust, const Package& package);

// Judges a package that is to be installed: a first signature makes an owner in `trust`. `known`:
// the vendor's key as the user knows it.
Status admit(Trust& trust, const Package& package, const std::optional<std::string>& known);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_TRUST_H_
