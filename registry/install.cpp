#include "registry/install.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/regular_file.h"
#include "registry/archive.h"
#include "registry/copy_tree.h"
#include "registry/lasting_files.h"
#include "registry/load_priority.h"
#include "registry/make_change.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/package_form.h"
#include "registry/pending_change.h"
#include "registry/probe.h"
#include "registry/stage.h"
#include "registry/trust.h"
#include "registry/version.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

// One installation, from the checked source to the published directory.
class Installer {
 public:
  Installer(const InstallRequest& request, const HostFacts& host)
      : request_(request), host_(host) {}

  Result<InstallReport> run() {
    OPKIT_CHECK(check_source());
    OPKIT_TRY(const Stage stage, Stage::make(request_.opp));
    const fs::path staged = stage.path() / "package";
    OPKIT_CHECK(fill(staged));
    OPKIT_CHECK(check_staged(staged));
    OPKIT_CHECK(sync_tree(staged));
    return put_in(staged);
  }

 private:
  // Puts the package in; what takes long, the probe before all, is done: others wait for this
  // alone.
  Result<InstallReport> put_in(const fs::path& staged) {
    OPKIT_TRY(const OppLock lock, OppLock::acquire(request_.opp, request_.lock_timeout));
    OPKIT_CHECK(check_trust());
    OPKIT_CHECK(check_upgrade());
    OPKIT_CHECK(publish(staged));
    return report();
  }

  // How the package comes to its place.
  enum class Way { kFree, kExchange, kThereAlready };

  Status check_source() const;
  Status fill(const fs::path& staged) const;
  Status check_staged(const fs::path& staged);
  Status check_trust();
  Status check_upgrade() const;
  Status publish(const fs::path& staged);
  PendingChange change_to_make() const;
  Result<Way> way_to(const fs::path& target) const;
  bool holds_the_same(const fs::path& target) const;
  // Tells whether an installation of the same bytes ended before its last step, or was damaged
  // since.
  bool lacks_its_vendor() const;
  bool is_damaged(const fs::path& target) const;
  bool lacks_files() const;
  Error already_there(const fs::path& target) const;
  Result<InstallReport> report();

  const InstallRequest& request_;
  const HostFacts& host_;
  Package package_;
  Trust before_, trust_;
  bool replaced_ = false;
};

// A directory is checked where it lies first: a refusal then leaves no trace in the OPP and names
// the author's own files.
Status Installer::check_source() const {
  std::error_code code;
  if (!fs::exists(request_.source, code)) {
    return Error("OPK-INSTALL-001", fmt::format("there is no {}", request_.source.string()),
                 "name a package directory or archive; `opkit build` makes one");
  }
  if (fs::is_regular_file(request_.source, code)) return {};
  if (!fs::is_directory(request_.source, code)) {
    return Error("OPK-INSTALL-005",
                 fmt::format("{} is neither a file nor a directory", request_.source.string()),
                 "name a package directory or archive; `opkit build` makes one");
  }
  const fs::path opp = fs::weakly_canonical(request_.opp, code);
  const fs::path inner = opp.lexically_relative(fs::weakly_canonical(request_.source, code));
  if (!inner.empty() && *inner.begin() != "..") {
    return Error("OPK-INSTALL-005",
                 fmt::format("the OPP {} lies inside the package {}", request_.opp.string(),
                             request_.source.string()),
                 "name an OPP outside of the package");
  }
  OPKIT_CHECK(usable_package(request_.source, host_));
  return {};
}

Status Installer::fill(const fs::path& staged) const {
  std::error_code code;
  if (fs::is_directory(request_.source, code)) return copy_tree(request_.source, staged);
  fs::create_directories(staged, code);
  if (code) return cannot_write(staged, code.message());
  return unpack(request_.source, staged);
}

// Returns what an error says about a staged file holds for the source.
Error about_source(Error error, const fs::path& staged, const fs::path& source) {
  const std::string from = staged.string(), to = source.string();
  for (std::string* text : {&error.message, &error.where.file}) {
    for (size_t at = text->find(from); at != std::string::npos; at = text->find(from, at)) {
      text->replace(at, from.size(), to);
      at += to.size();
    }
  }
  return error;
}

Status Installer::check_staged(const fs::path& staged) {
  PackageCheck check = check_package(staged, host_);
  if (!check.usable()) return about_source(check.worst().error, staged, request_.source);
  package_ = std::move(check.package);
  if (!request_.probe) return {};
  const auto facts = probe_package(package_, host_, request_.probe_options);
  if (!facts) return about_source(facts.error(), staged, request_.source);
  return {};
}

Status Installer::check_trust() {
  OPKIT_TRY(before_, load_trust(request_.opp));
  trust_ = before_;
  OPKIT_TRY(const auto known, KeyStore(request_.key_folder).find(package_.manifest.vendor));
  return admit(trust_, package_, known);
}

Status Installer::check_upgrade() const {
  if (!request_.upgrade) return {};
  const Manifest& m = package_.manifest;
  const std::vector<std::string> versions = versions_of(request_.opp, m.vendor, m.op);
  if (versions.empty()) {
    return Error("OPK-INSTALL-006",
                 fmt::format("{} of vendor {} is not installed in {}", m.op, m.vendor,
                             request_.opp.string()),
                 "put it there with `opkit install`")
        .of(m.op);
  }
  const auto now = SemVer::parse(versions.front()), then = SemVer::parse(m.version);
  if (!now || (then && compare(*then, *now) > 0)) return {};
  return Error("OPK-INSTALL-010",
               fmt::format("{} is no upgrade: {} is installed", package_.to_string(),
                           versions.front()),
               "raise the version in the contract, or use `opkit install`")
      .of(m.op);
}

Status Installer::publish(const fs::path& staged) {
  const PendingChange change = change_to_make();
  const fs::path target = change.place(request_.opp);
  OPKIT_CHECK(check_way(request_.opp, target.parent_path()));
  OPKIT_TRY(const Way way, way_to(target));
  const auto how = way == Way::kExchange ? Move::How::kSwap : Move::How::kToFreeName;
  OPKIT_CHECK(way == Way::kThereAlready
                  ? put_vendor_first(request_.opp, change.vendor)
                  : make_change(request_.opp, change, {staged, target, how}, request_.layout));
  replaced_ = way == Way::kExchange;
  package_.root = target;
  return {};
}

PendingChange Installer::change_to_make() const {
  const Manifest& m = package_.manifest;
  PendingChange change{m.vendor, m.op, m.version};
  if (request_.to_front && m.vendor != kBuiltIn) change.order = PendingChange::Order::kFirst;
  if (!(trust_ == before_)) change.owner = trust_.owners.at(m.vendor);
  return change;
}

Result<Installer::Way> Installer::way_to(const fs::path& target) const {
  std::error_code code;
  const fs::file_status status = fs::symlink_status(target, code);
  if (!fs::exists(status)) return Way::kFree;
  if (!fs::is_directory(status)) {
    if (!request_.force) return already_there(target);
    return cannot_write(target, "something else than a directory has this name");
  }
  const bool same = holds_the_same(target);
  const bool was_same = same || !load_manifest(target / kManifestName);
  if (request_.force || (was_same && is_damaged(target))) return Way::kExchange;
  if (same && lacks_files()) return Way::kExchange;
  if (!same || !lacks_its_vendor()) return already_there(target);
  return trust_ == before_ ? Way::kThereAlready : Way::kExchange;
}

// The manifest holds the digests of all other files; whether they are right says is_damaged.
bool Installer::holds_the_same(const fs::path& target) const {
  constexpr size_t kMostBytes = size_t{4} << 20;
  const auto same = [&](const char* name) {
    const auto old = read_regular_file(target / name, kMostBytes);
    const auto fresh = read_regular_file(package_.root / name, kMostBytes);
    return old.ok() ? fresh.ok() && *old == *fresh : !fresh.ok();
  };
  return same(kManifestName) && same(kSignatureName);
}

bool Installer::lacks_its_vendor() const {
  const std::string& vendor = package_.manifest.vendor;
  if (!request_.to_front || vendor == kBuiltIn) return false;
  const std::vector<std::string> listed = read_load_priority(request_.opp).vendors;
  return std::find(listed.begin(), listed.end(), vendor) == listed.end();
}

bool Installer::is_damaged(const fs::path& target) const {
  const Manifest& m = package_.manifest;
  const PackageCheck check = check_package(target, host_, {m.vendor, m.op, m.version});
  return !check.usable() && check.worst().defect == Defect::kBroken;
}

// Tells whether files are missing that build files look for.
bool Installer::lacks_files() const {
  const Manifest& m = package_.manifest;
  return request_.layout && lacks_layout(request_.opp, m.vendor, m.op, *request_.layout);
}

Error Installer::already_there(const fs::path& target) const {
  const bool same = holds_the_same(target);
  return Error("OPK-INSTALL-002",
               fmt::format("{} is already installed{}", package_.to_string(),
                           same ? " with the same bytes" : " with other bytes"),
               same ? "nothing to do; use --force to write it again"
                    : "raise the version in the contract, or replace it with --force")
      .at({target.string()})
      .of(package_.manifest.op);
}

Result<InstallReport> Installer::report() {
  InstallReport report;
  const Manifest& m = package_.manifest;
  OPKIT_TRY(package_.manifest, load_manifest(package_.root / kManifestName));
  report.replaced = replaced_;
  report.new_owner = !(trust_ == before_);
  for (const std::string& version : versions_of(request_.opp, m.vendor, m.op)) {
    if (version != m.version) report.other_versions.push_back(version);
  }
  report.load_priority = read_load_priority(request_.opp).vendors;
  report.package = std::move(package_);
  return report;
}

}  // namespace

Result<InstallReport> install(const InstallRequest& request, const HostFacts& host) {
  return Installer(request, host).run();
}

}  // namespace opkit::registry
