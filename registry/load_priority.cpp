#include "registry/load_priority.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opkit/base/regular_file.h"
#include "registry/lasting_files.h"
#include "registry/manifest.h"
#include "registry/opp_layout.h"
#include "registry/pending_change.h"
#include "registry/split_at.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxListBytes = 1u << 20;
constexpr const char* kLoadPriority = "load_priority";

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Error config_warning(std::string message, const std::string& name) {
  Error warning("OPK-REG-006", std::move(message), "write load_priority=<vendor>,<vendor>");
  warning.severity = Severity::kWarning;
  warning.where = {name, 1};
  return warning;
}

std::string joined(const std::vector<std::string>& vendors) {
  return fmt::format("{}={}", kLoadPriority, fmt::join(vendors, ","));
}

// Returns the text with its priority line replaced, or put first when there is none.
std::string with_first_line(std::string_view text, const std::vector<std::string>& vendors) {
  const std::string_view first = text.substr(0, text.find('\n'));
  if (trim(first.substr(0, first.find('='))) != kLoadPriority) {
    return joined(vendors) + "\n" + std::string(text);
  }
  const size_t end = text.find('\n');
  const std::string_view rest = end == std::string_view::npos ? "" : text.substr(end + 1);
  return joined(vendors) + "\n" + std::string(rest);
}

void put_first(std::vector<std::string>& vendors, const std::string& vendor) {
  std::erase(vendors, vendor);
  vendors.insert(vendors.begin(), vendor);
}

void follow(std::vector<std::string>& vendors, const PendingChange& made) {
  if (made.order == PendingChange::Order::kFirst) put_first(vendors, made.vendor);
  if (made.order == PendingChange::Order::kOut) std::erase(vendors, made.vendor);
}

LoadPriority saved_priority(const fs::path& file) {
  std::error_code code;
  LoadPriority result;
  if (fs::is_symlink(fs::symlink_status(file, code))) {
    result.warnings.push_back(config_warning(
        "it is a link, and what lies behind it is not the OPP's; no vendor is searched",
        file.string()));
    return result;
  }
  if (!fs::exists(file, code)) return {};
  Result<std::string> text = read_regular_file(file, kMaxListBytes);
  if (text) return parse_load_priority(*text, file.string());
  result.warnings.push_back(config_warning(text.error().message, file.string()));
  return result;
}

Status rewrite_config(const fs::path& opp, const std::string& vendor,
                      std::string (*change)(std::string_view, const std::string&)) {
  const fs::path file = priority_file(opp);
  OPKIT_CHECK(check_way(opp, file));
  std::error_code code;
  std::string text;
  if (fs::exists(file, code)) {
    Result<std::string> old = read_regular_file(file, kMaxListBytes);
    if (!old) return cannot_write(file, old.error().message);
    text = *std::move(old);
  }
  const std::string changed = change(text, vendor);
  if (changed == text) return {};
  return write_to_disk(file, changed);
}

}  // namespace

fs::path priority_file(const fs::path& opp) { return opp / "vendors/config.ini"; }

LoadPriority parse_load_priority(std::string_view text, const std::string& name) {
  LoadPriority result;
  const std::string_view line = trim(text.substr(0, text.find('\n')));
  const size_t equals = line.find('=');
  if (equals == std::string_view::npos || trim(line.substr(0, equals)) != kLoadPriority) {
    result.warnings.push_back(config_warning(
        fmt::format("the first line '{}' is not load_priority=...; no vendor is searched",
                    line.substr(0, 80)),
        name));
    return result;
  }
  for (const std::string& part : split_at(line.substr(equals + 1), ',')) {
    const std::string vendor(trim(part));
    if (vendor.empty()) continue;
    const bool known =
        std::find(result.vendors.begin(), result.vendors.end(), vendor) != result.vendors.end();
    if (known) continue;
    if (is_vendor_name(vendor))
      result.vendors.push_back(vendor);
    else
      result.warnings.push_back(config_warning(
          fmt::format("'{}' is not a vendor name and is not searched", vendor.substr(0, 80)),
          name));
  }
  return result;
}

LoadPriority read_load_priority(const fs::path& opp) {
  const std::optional<PendingChange> made = made_change(opp);  // before what it is going to change
  LoadPriority result = saved_priority(priority_file(opp));
  if (made) follow(result.vendors, *made);
  return result;
}

std::string with_vendor_first(std::string_view text, const std::string& vendor) {
  std::vector<std::string> vendors = parse_load_priority(text, "").vendors;
  put_first(vendors, vendor);
  return with_first_line(text, vendors);
}

std::string without_vendor(std::string_view text, const std::string& vendor) {
  std::vector<std::string> vendors = parse_load_priority(text, "").vendors;
  std::erase(vendors, vendor);
  return with_first_line(text, vendors);
}

Status put_vendor_first(const fs::path& opp, const std::string& vendor) {
  return rewrite_config(opp, vendor, with_vendor_first);
}

Status take_vendor_out(const fs::path& opp, const std::string& vendor) {
  std::error_code code;
  if (!fs::exists(priority_file(opp), code)) return {};
  return rewrite_config(opp, vendor, without_vendor);
}

}  // namespace opkit::registry
