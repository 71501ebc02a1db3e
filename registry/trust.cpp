#include "registry/trust.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/regular_file.h"
#include "registry/lasting_files.h"
#include "registry/opp_layout.h"
#include "registry/pending_change.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kTrustForm = "opkit trust 1\n", kPolicyWord = "policy ",
                           kOwnerWord = "owner ";
constexpr size_t kMostTrustBytes = 4u << 20;

std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

// "owner <vendor> <key>"; vendors are sorted, so none comes twice.
bool take_owner(std::string_view line, Trust& trust) {
  if (!line.starts_with(kOwnerWord)) return false;
  line.remove_prefix(kOwnerWord.size());
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  const std::string vendor(line.substr(0, blank)), key(line.substr(blank + 1));
  if (!is_vendor_name(vendor) || !is_hex(key, kKeyDigits)) return false;
  if (!trust.owners.empty() && trust.owners.rbegin()->first >= vendor) return false;
  trust.owners[vendor] = key;
  return true;
}

std::optional<Trust> read(std::string_view text) {
  if (!text.starts_with(kTrustForm) || text.back() != '\n') return std::nullopt;
  text.remove_prefix(kTrustForm.size());
  if (!text.starts_with(kPolicyWord)) return std::nullopt;
  Trust trust;
  const auto policy = policy_of(take_line(text).substr(kPolicyWord.size()));
  if (!policy) return std::nullopt;
  trust.policy = *policy;
  while (!text.empty())
    if (!take_owner(take_line(text), trust)) return std::nullopt;
  return trust;
}

std::string short_key(const std::string& key) { return key.substr(0, 16) + "..."; }

// Returns the name as people read it: two with the same result would be taken for one.
std::string folded(const std::string& vendor) {
  std::string text;
  for (const char c : vendor) {
    if (c == '_' || c == '-') continue;
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

Error taken(const Package& package, const std::string& owner) {
  return Error("OPK-TRUST-007",
               fmt::format("{} takes a vendor name that can be mistaken for '{}'",
                           package.to_string(), owner),
               "ask the vendor for a package under a name of its own")
      .of(package.manifest.op);
}

// built-in is the platform's: only a key that was set by hand can own it.
Status check_name(const Trust& trust, const Package& package) {
  const std::string& vendor = package.manifest.vendor;
  if (trust.owners.count(vendor) != 0) return {};
  if (folded(vendor) == folded(kBuiltIn) && vendor != kBuiltIn) return taken(package, kBuiltIn);
  if (vendor == kBuiltIn) {
    return Error("OPK-TRUST-007",
                 fmt::format("{} claims to be of the platform itself", package.to_string()),
                 "`opkit trust pin built-in KEY` says who may; build it under another vendor")
        .of(package.manifest.op);
  }
  for (const auto& [owner, key] : trust.owners)
    if (folded(owner) == folded(vendor)) return taken(package, owner);
  return {};
}

Error not_the_owners(const Package& package, const std::string& owner) {
  const std::string& vendor = package.manifest.vendor;
  const std::string by = package.signer.empty()
                             ? std::string("is not signed")
                             : fmt::format("is signed by key {}", short_key(package.signer));
  return Error("OPK-TRUST-004",
               fmt::format("{} {}, but the name {} belongs to key {} in this OPP",
                           package.to_string(), by, vendor, short_key(owner)),
               fmt::format("sign it with the owner's key; `opkit trust forget {}` gives up the "
                           "owner",
                           vendor))
      .of(package.manifest.op);
}

Error not_known(const Package& package) {
  const std::string by = package.signer.empty() ? std::string("nobody")
                                                : fmt::format("key {}", short_key(package.signer));
  return Error("OPK-TRUST-006",
               fmt::format("{} is signed by {}; this OPP takes packages of known vendors only",
                           package.to_string(), by),
               "get the vendor's key and name it: `opkit keys add FILE`")
      .of(package.manifest.op);
}

Error not_signed(const Package& package) {
  return Error("OPK-TRUST-005",
               fmt::format("{} is not signed; this OPP takes signed packages only",
                           package.to_string()),
               "sign it with `opkit sign`, or get it from its vendor")
      .of(package.manifest.op);
}

// Judges a package of a vendor without an owner.
Status judge_policy(const Trust& trust, const Package& package) {
  if (trust.policy == TrustPolicy::kKnownVendors) return not_known(package);
  if (trust.policy == TrustPolicy::kSigned && package.signer.empty()) return not_signed(package);
  return {};
}

// Lets a name's owner come and go with the package of a change that is under way.
void follow(Trust& trust, const PendingChange& change, bool made) {
  if (change.owner.empty()) return;
  const auto owner = trust.owners.find(change.vendor);
  if (made)
    trust.owners[change.vendor] = change.owner;
  else if (owner != trust.owners.end() && owner->second == change.owner)
    trust.owners.erase(owner);
}

Result<Trust> load_saved(const fs::path& file) {
  std::error_code code;
  const fs::file_status status = fs::symlink_status(file, code);
  if (!fs::exists(status)) return Trust{};
  if (!fs::is_regular_file(status)) return parse_trust("", file.string());
  Result<std::string> text = read_regular_file(file, kMostTrustBytes);
  return parse_trust(text ? *text : "", file.string());
}

}  // namespace

std::string_view name_of(TrustPolicy policy) {
  switch (policy) {
    case TrustPolicy::kAny: return "any";
    case TrustPolicy::kSigned: return "signed";
    case TrustPolicy::kKnownVendors: return "known-vendors";
  }
  return {};
}

std::optional<TrustPolicy> policy_of(std::string_view name) {
  for (const TrustPolicy policy :
       {TrustPolicy::kAny, TrustPolicy::kSigned, TrustPolicy::kKnownVendors})
    if (name == name_of(policy)) return policy;
  return std::nullopt;
}

Result<Trust> parse_trust(std::string_view text, const std::string& name) {
  if (std::optional<Trust> trust = read(text)) return *std::move(trust);
  return Error("OPK-TRUST-003", "the file that says whom this OPP trusts is damaged",
               "restore it, or remove it and say again whom to trust: `opkit trust`")
      .at({name});
}

std::string to_text(const Trust& trust) {
  std::string text = fmt::format("{}{}{}\n", kTrustForm, kPolicyWord, name_of(trust.policy));
  for (const auto& [vendor, key] : trust.owners)
    text += fmt::format("{}{} {}\n", kOwnerWord, vendor, key);
  return text;
}

fs::path trust_file(const fs::path& opp) { return opp / kWorkFolder / "trust"; }

Result<Trust> load_trust(const fs::path& opp) {
  OPKIT_CHECK(check_way(opp, opp / kWorkFolder));
  const auto pending = load_pending(opp);  // before what it is going to change
  const bool under_way = pending.ok() && *pending;
  const bool made = under_way && is_made(**pending, opp);
  OPKIT_TRY(Trust trust, load_saved(trust_file(opp)));
  if (under_way) follow(trust, **pending, made);
  return trust;
}

Status save_trust(const fs::path& opp, const Trust& trust) {
  if (trust == Trust{}) return remove_from_disk(trust_file(opp));
  return write_to_disk(trust_file(opp), to_text(trust));
}

Status settle_trust(const fs::path& opp) {
  OPKIT_TRY(const Trust saved, load_saved(trust_file(opp)));
  OPKIT_TRY(const Trust seen, load_trust(opp));
  return seen == saved ? Status() : save_trust(opp, seen);
}

Status pin(Trust& trust, const VendorKey& key) {
  OPKIT_CHECK(check_vendor_name(key.vendor));
  trust.owners[key.vendor] = key.key;
  return {};
}

Status forget(Trust& trust, const std::string& vendor) {
  OPKIT_CHECK(check_vendor_name(vendor));
  if (trust.owners.erase(vendor) != 0) return {};
  return Error("OPK-TRUST-008", fmt::format("the name {} has no owner in this OPP", vendor),
               "`opkit trust show` lists the owners");
}

Status judge(const Trust& trust, const Package& package) {
  const auto owner = trust.owners.find(package.manifest.vendor);
  if (owner == trust.owners.end()) {
    OPKIT_CHECK(check_name(trust, package));
    return judge_policy(trust, package);
  }
  if (owner->second == package.signer) return {};
  return not_the_owners(package, owner->second);
}

Status admit(Trust& trust, const Package& package, const std::optional<std::string>& known) {
  const std::string& vendor = package.manifest.vendor;
  if (trust.owners.count(vendor) == 0 && !package.signer.empty()) {
    OPKIT_CHECK(check_name(trust, package));
    if (known && *known != package.signer) return not_the_owners(package, *known);
    if (known || trust.policy != TrustPolicy::kKnownVendors) trust.owners[vendor] = package.signer;
  }
  return judge(trust, package);
}

}  // namespace opkit::registry
