#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"
#include "registry/load_priority.h"
#include "registry/make_change.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/pending_change.h"
#include "registry/trust.h"
#include "registry/upgrade.h"
#include "registry/version.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

Error no_way(const RollbackRequest& request, const std::string& why) {
  return Error("OPK-INSTALL-011",
               fmt::format("{} cannot be rolled {}: {}", request.op,
                           request.undo ? "forward again" : "back", why),
               "`opkit list` shows the versions; `opkit install` adds one")
      .of(request.op);
}

// Where the vendors' folders are that the request is about: the OPP, or what was rolled back.
std::vector<std::string> vendors_with(const RollbackRequest& request) {
  std::vector<std::string> vendors;
  if (!is_op_type(request.op)) return vendors;
  const auto all = request.undo ? folders_in(parking(request.opp)) : vendors_in(request.opp);
  for (const std::string& vendor : all) {
    if (!request.vendor.empty() && vendor != request.vendor) continue;
    const bool has = request.undo ? !versions_in(parked_op(request.opp, vendor, request.op)).empty()
                                  : !versions_of(request.opp, vendor, request.op).empty();
    if (has) vendors.push_back(vendor);
  }
  return vendors;
}

Result<std::string> only_vendor(const RollbackRequest& request) {
  const std::vector<std::string> vendors = vendors_with(request);
  if (vendors.size() == 1) return vendors.front();
  if (vendors.empty()) {
    return Error("OPK-INSTALL-006",
                 fmt::format("{} {} in {}", request.op,
                             request.undo ? "was not rolled back" : "is not installed",
                             request.opp.string()),
                 "`opkit list` shows what is installed")
        .of(request.op);
  }
  return Error("OPK-INSTALL-007",
               fmt::format("{} could be of: {}", request.op, fmt::join(vendors, ", ")),
               "name the vendor with --vendor")
      .of(request.op);
}

// The package that is to serve from now on.
Status check_successor(const fs::path& folder, const RollbackRequest& request,
                       const RollbackReport& report, const HostFacts& host) {
  const PackageCheck check = check_package(folder, host, {report.vendor, report.op, report.to});
  if (!check.usable()) {
    const Error& reason = check.worst().error;
    return no_way(request, fmt::format("version {} cannot be used: {}: {}", report.to, reason.code,
                                       reason.message));
  }
  OPKIT_TRY(const Trust trust, load_trust(request.opp));
  const bool asked = request.undo || trust.policy != TrustPolicy::kAny;
  return asked ? judge(trust, check.package) : Status();
}

Result<RollbackReport> go_back(const RollbackRequest& request, const std::string& vendor,
                               const HostFacts& host) {
  const std::vector<std::string> versions = versions_of(request.opp, vendor, request.op);
  if (versions.size() < 2)
    return no_way(request, fmt::format("{} is its only version", versions.front()));
  const RollbackReport report{vendor, request.op, versions[0], versions[1]};
  const auto at = [&](const std::string& version) {
    return package_folder(request.opp, vendor, request.op, version);
  };
  OPKIT_CHECK(check_way(request.opp, at(report.from)));
  OPKIT_CHECK(check_successor(at(report.to), request, report, host));
  const fs::path parked = parked_op(request.opp, vendor, request.op) / report.from;
  OPKIT_CHECK(check_way(request.opp, parked));
  const PendingChange change{vendor, request.op, report.from, false};
  OPKIT_CHECK(make_change(request.opp, change, {at(report.from), parked, Move::How::kOver},
                          request.layout));
  return report;
}

bool is_below(const std::string& a, const std::string& b) {
  const auto lower = SemVer::parse(a), higher = SemVer::parse(b);
  return lower && higher && compare(*lower, *higher) < 0;
}

// Rollbacks go down from version to version, so that the lowest above the one that serves was
// rolled back last. `parked`: highest first.
std::string last_rolled_back(const std::vector<std::string>& parked, const std::string& serving) {
  const auto above = std::find_if(parked.rbegin(), parked.rend(), [&](const std::string& version) {
    return serving.empty() || is_below(serving, version);
  });
  return above == parked.rend() ? parked.front() : *above;
}

// A vendor of which everything was uninstalled is in load_priority no more: nothing of it serves.
bool is_listed(const RollbackRequest& request, const std::string& vendor) {
  const std::vector<std::string> listed = read_load_priority(request.opp).vendors;
  return vendor == kBuiltIn || std::find(listed.begin(), listed.end(), vendor) != listed.end();
}

Result<RollbackReport> come_again(const RollbackRequest& request, const std::string& vendor,
                                  const HostFacts& host) {
  const fs::path folder = parked_op(request.opp, vendor, request.op);
  const std::vector<std::string> installed = versions_of(request.opp, vendor, request.op);
  const std::string serving = installed.empty() ? "" : installed.front();
  RollbackReport report{vendor, request.op, serving,
                        last_rolled_back(versions_in(folder), serving)};
  if (!is_listed(request, vendor))
    return no_way(request, fmt::format("{} was uninstalled and is not in load_priority", vendor));
  if (!serving.empty() && !is_below(report.from, report.to))
    return no_way(request,
                  fmt::format("version {} serves, which is not below {}", report.from, report.to));
  const fs::path target = package_folder(request.opp, vendor, request.op, report.to);
  OPKIT_CHECK(check_way(request.opp, target.parent_path()));
  OPKIT_CHECK(check_way(request.opp, folder / report.to));
  OPKIT_CHECK(check_successor(folder / report.to, request, report, host));
  const PendingChange change{vendor, request.op, report.to};
  OPKIT_CHECK(make_change(request.opp, change, {folder / report.to, target}, request.layout));
  return report;
}

}  // namespace

Result<InstallReport> upgrade(const InstallRequest& request, const HostFacts& host) {
  InstallRequest higher = request;
  higher.upgrade = true;
  higher.to_front = false;
  higher.force = false;
  return install(higher, host);
}

Result<RollbackReport> rollback(const RollbackRequest& request, const HostFacts& host) {
  OPKIT_CHECK(only_vendor(request));  // before an OPP is made that was not there
  OPKIT_TRY(const OppLock lock, OppLock::acquire(request.opp, request.lock_timeout));
  OPKIT_TRY(const std::string vendor, only_vendor(request));
  return request.undo ? come_again(request, vendor, host) : go_back(request, vendor, host);
}

}  // namespace opkit::registry
