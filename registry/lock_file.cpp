#include "registry/lock_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/digest.h"
#include "opkit/base/regular_file.h"
#include "registry/ed25519.h"
#include "registry/package_form.h"
#include "registry/signature.h"
#include "registry/version.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLockForm = "opkit lock 1\n";
constexpr size_t kMostLockBytes = 16u << 20, kDigestDigits = 64;

// Takes what stands in front of the first `end` off `text`. False: there is none.
bool take(std::string_view& text, char end, std::string& part) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return false;
  part = text.substr(0, at);
  text.remove_prefix(at + 1);
  return true;
}

// "<op> <version> <vendor> <digest>\n"; ops are sorted, so none comes twice.
bool take_package(std::string_view& text, LockedSet& set) {
  LockedPackage p;
  if (!take(text, ' ', p.op) || !take(text, ' ', p.version) || !take(text, ' ', p.vendor) ||
      !take(text, '\n', p.digest))
    return false;
  const bool in_order = set.packages.empty() || set.packages.back().op < p.op;
  if (!in_order || !is_op_type(p.op) || !SemVer::parse(p.version).ok() ||
      !is_vendor_name(p.vendor) || !is_hex(p.digest, kDigestDigits))
    return false;
  set.packages.push_back(std::move(p));
  return true;
}

std::string in_words(const std::string& version, const std::string& vendor,
                     const std::string& digest) {
  return fmt::format("{} of {} (sha256 {}...)", version, vendor, digest.substr(0, 12));
}

}  // namespace

Result<std::string> package_digest(const Package& package) {
  OPKIT_TRY(const std::string manifest, sha256_file(package.root / kManifestName));
  return sha256_hex(signed_text(package.manifest, manifest));
}

Result<LockedSet> parse_lock(std::string_view text, const std::string& name) {
  LockedSet set{name, {}};
  bool good = text.starts_with(kLockForm);
  if (good) text.remove_prefix(kLockForm.size());
  while (good && !text.empty()) good = take_package(text, set);
  if (good) return set;
  return Error("OPK-LOCK-001",
               fmt::format("the lock file is damaged at package {}", set.packages.size() + 1),
               "write it again with `opkit lock`")
      .at({name, static_cast<int>(set.packages.size() + 2)});
}

Result<LockedSet> load_lock(const fs::path& file) {
  std::error_code code;
  if (!fs::exists(file, code)) {
    return Error("OPK-LOCK-001", fmt::format("there is no lock file {}", file.string()),
                 "write one with `opkit lock`");
  }
  OPKIT_TRY(const std::string text, read_regular_file(file, kMostLockBytes));
  return parse_lock(text, file.string());
}

std::string to_text(const LockedSet& set) {
  std::string text(kLockForm);
  for (const LockedPackage& p : set.packages)
    text += fmt::format("{} {} {} {}\n", p.op, p.version, p.vendor, p.digest);
  return text;
}

Status check_locked(const LockedSet& set, const Package& package) {
  const Manifest& m = package.manifest;
  const auto locked = std::find_if(set.packages.begin(), set.packages.end(),
                                   [&m](const LockedPackage& each) { return each.op == m.op; });
  if (locked == set.packages.end()) {
    return Error("OPK-LOCK-003",
                 fmt::format("{} serves the op, which {} does not hold", package.to_string(),
                             set.file),
                 "write the file again with `opkit lock`")
        .of(m.op);
  }
  OPKIT_TRY(const std::string digest, package_digest(package));
  if (locked->vendor == m.vendor && locked->version == m.version && locked->digest == digest)
    return {};
  return Error("OPK-LOCK-002",
               fmt::format("{} serves the op, {} says {}", in_words(m.version, m.vendor, digest),
                           set.file, in_words(locked->version, locked->vendor, locked->digest)),
               "install what the file says, or write it again with `opkit lock`")
      .at({package.root.string()})
      .of(m.op);
}

}  // namespace opkit::registry
