#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "registry/install.h"
#include "registry/load_priority.h"
#include "registry/make_change.h"
#include "registry/manifest.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/pending_change.h"
#include "registry/reserve.h"
#include "registry/stage.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

using Removed = UninstallReport::Removed;

std::vector<Removed> find_matches(const UninstallRequest& request) {
  std::vector<Removed> matches;
  if (!is_op_type(request.op)) return matches;
  for (const std::string& vendor : vendors_in(request.opp)) {
    if (!request.vendor.empty() && vendor != request.vendor) continue;
    for (const std::string& version : versions_of(request.opp, vendor, request.op)) {
      if (request.version.empty() || version == request.version) {
        matches.push_back({vendor, request.op, version});
      }
    }
  }
  return matches;
}

std::string wanted(const UninstallRequest& request) {
  std::string text = request.op;
  if (!request.version.empty()) text += " " + request.version;
  if (!request.vendor.empty()) text += " of vendor " + request.vendor;
  return text;
}

std::vector<std::string> installed_ops(const fs::path& opp) {
  std::set<std::string> names;
  for (const std::string& vendor : vendors_in(opp)) {
    for (const std::string& op : folders_in(vendor_folder(opp, vendor) / "op_pkg")) {
      names.insert(op);
    }
  }
  return {names.begin(), names.end()};
}

// "1.0.0 of acme, 1.2.0 of acme".
std::string matches_text(const std::vector<Removed>& matches) {
  std::vector<std::string> names;
  for (const Removed& match : matches)
    names.push_back(fmt::format("{} of {}", match.version, match.vendor));
  return fmt::format("{}", fmt::join(names, ", "));
}

// A range is no version: what is removed is named, not found.
std::optional<Error> no_such_version(const UninstallRequest& request) {
  if (request.version.empty()) return std::nullopt;
  UninstallRequest any = request;
  any.version.clear();
  const std::vector<Removed> there = find_matches(any);
  if (there.empty()) return std::nullopt;
  return Error("OPK-INSTALL-006",
               fmt::format("{} is not installed in {}, but {}", wanted(request),
                           request.opp.string(), matches_text(there)),
               "name an exact version: --version " + there.back().version)
      .of(request.op);
}

// Exactly what the user named, or an error that lists the choices.
Status check_matches(const std::vector<Removed>& matches, const UninstallRequest& request) {
  if (matches.empty()) {
    if (auto error = no_such_version(request)) return *std::move(error);
    std::string action = suggest_op(request.op, installed_ops(request.opp));
    if (action.empty()) action = "`opkit list` shows what is installed";
    return Error("OPK-INSTALL-006",
                 fmt::format("{} is not installed in {}", wanted(request), request.opp.string()),
                 action)
        .of(request.op);
  }
  const bool one_vendor = std::all_of(matches.begin(), matches.end(), [&](const Removed& match) {
    return match.vendor == matches.front().vendor;
  });
  if (one_vendor && (matches.size() == 1 || request.all_versions)) return {};
  return Error("OPK-INSTALL-007",
               fmt::format("{} could be: {}", wanted(request), matches_text(matches)),
               one_vendor ? "name the version, or ask for all of them" : "name the vendor")
      .of(request.op);
}

bool holds_one(const fs::path& folder) {
  std::error_code code;
  fs::directory_iterator it(folder, code);
  if (code || it == fs::directory_iterator()) return false;
  it.increment(code);
  return !code && it == fs::directory_iterator();
}

// Tells whether the vendor's folder would be empty without the directory, and without the files for
// build files that go with it.
bool is_all_there_is(const fs::path& directory, const fs::path& vendors_folder, bool files_go) {
  const fs::path packages = vendors_folder / "op_pkg";
  for (fs::path at = directory; at != packages; at = at.parent_path())
    if (!holds_one(at.parent_path())) return false;
  return holds_one(vendors_folder) || (files_go && holds_packages_only(vendors_folder));
}

PendingChange change_of(const std::vector<Removed>& matches, const UninstallRequest& request) {
  const fs::path& opp = request.opp;
  const Removed& first = matches.front();
  PendingChange change{first.vendor, first.op, matches.size() == 1 ? first.version : "", false};
  const bool last = is_all_there_is(change.place(opp), vendor_folder(opp, first.vendor),
                                    request.layout != nullptr);
  if (first.vendor != kBuiltIn && last) change.order = PendingChange::Order::kOut;
  return change;
}

// Makes a stage, also on a full disk.
Result<Stage> make_stage(const fs::path& opp) {
  Result<Stage> stage = Stage::make(opp);
  if (stage || !spend_reserve(opp)) return stage;
  return Stage::make(opp);
}

// The one directory whose move removes all matches. On failure all is as it was.
Status remove(const PendingChange& change, const UninstallRequest& request,
              const fs::path& staged) {
  const fs::path directory = change.place(request.opp);
  OPKIT_CHECK(check_way(request.opp, directory.parent_path()));
  return make_change(request.opp, change, {directory, staged}, request.layout);
}

}  // namespace

Result<UninstallReport> uninstall(const UninstallRequest& request) {
  OPKIT_CHECK(check_matches(find_matches(request), request));
  OPKIT_TRY(const OppLock lock, OppLock::acquire(request.opp, request.lock_timeout));
  UninstallReport report;
  report.removed = find_matches(request);  // again: another installer may have been faster
  OPKIT_CHECK(check_matches(report.removed, request));
  OPKIT_TRY(const Stage stage, make_stage(request.opp));
  OPKIT_CHECK(remove(change_of(report.removed, request), request, stage.path() / "removed"));
  report.load_priority = read_load_priority(request.opp).vendors;
  return report;
}

}  // namespace opkit::registry
