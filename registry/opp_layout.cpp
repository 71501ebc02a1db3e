#include "registry/opp_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "registry/version.h"

namespace opkit::registry {
namespace fs = std::filesystem;

bool version_before(const std::string& a, const std::string& b) {
  const auto left = SemVer::parse(a), right = SemVer::parse(b);
  if (left.ok() != right.ok()) return left.ok();
  if (!left) return a < b;
  const int order = compare(*left, *right);
  return order != 0 ? order > 0 : a > b;
}

fs::path vendor_folder(const fs::path& opp, const std::string& vendor) {
  return vendor == kBuiltIn ? opp / kBuiltIn : opp / "vendors" / vendor;
}

fs::path package_folder(const fs::path& opp, const std::string& vendor, const std::string& op,
                        const std::string& version) {
  return vendor_folder(opp, vendor) / "op_pkg" / op / version;
}

fs::path parking(const fs::path& opp) { return opp / kWorkFolder / "rolled-back"; }

fs::path parked_op(const fs::path& opp, const std::string& vendor, const std::string& op) {
  return parking(opp) / vendor / op;
}

Status check_way(const fs::path& opp, const fs::path& leaf) {
  std::error_code code;
  fs::path at = opp;
  for (const fs::path& part : leaf.lexically_relative(opp)) {
    at /= part;
    if (!fs::is_symlink(fs::symlink_status(at, code))) continue;
    return Error("OPK-PKG-013",
                 fmt::format("{} is a link; what lies behind it is not the OPP's", at.string()),
                 "put the packages there with `opkit install`, or search another folder by "
                 "ASCEND_CUSTOM_OPP_PATH");
  }
  return {};
}

std::vector<std::string> folders_in(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end; it.increment(code)) {
    std::error_code ignored;
    const std::string name = it->path().filename();
    if (it->is_directory(ignored) && name[0] != '.') names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> versions_in(const fs::path& op_directory) {
  std::vector<std::string> versions = folders_in(op_directory);
  std::sort(versions.begin(), versions.end(), version_before);
  return versions;
}

std::vector<std::string> versions_of(const fs::path& opp, const std::string& vendor,
                                     const std::string& op) {
  return versions_in(vendor_folder(opp, vendor) / "op_pkg" / op);
}

std::vector<std::string> vendors_in(const fs::path& opp) {
  std::vector<std::string> vendors = folders_in(opp / "vendors");
  std::error_code code;
  if (fs::is_directory(opp / kBuiltIn, code)) vendors.emplace_back(kBuiltIn);
  return vendors;
}

}  // namespace opkit::registry
