#include "registry/search_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "opkit/base/regular_file.h"
#include "registry/manifest.h"
#include "registry/opp_layout.h"
#include "registry/pending_change.h"
#include "registry/place_note.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMaxListBytes = 1u << 20;
constexpr const char* kConfigName = "vendors/config.ini";
constexpr const char* kLoadPriority = "load_priority";

std::optional<std::string> environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::string(text);
}

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

void add_root(SearchPath& path, SearchRoot root) {
  for (const SearchRoot& known : path.roots) {
    if (known.directory.lexically_normal() == root.directory.lexically_normal()) return;
  }
  root.note = note_of_vendor(root.directory).text;
  path.roots.push_back(std::move(root));
}

void add_custom_roots(SearchPath& path, const std::string& variable) {
  int entry = 0;
  for (const std::string& part : split_list(variable, ':')) {
    ++entry;
    if (part.empty()) continue;
    add_root(path, {part, Origin::kCustomPath, "",
                    fmt::format("entry {} of ASCEND_CUSTOM_OPP_PATH", entry), ""});
  }
}

void add_vendor_roots(SearchPath& path) {
  LoadPriority priority = read_load_priority(path.opp);
  path.warnings.insert(path.warnings.end(), priority.warnings.begin(), priority.warnings.end());
  int place = 0;
  for (const std::string& vendor : priority.vendors) {
    add_root(path, {path.opp / "vendors" / vendor, Origin::kVendor, vendor,
                    fmt::format("place {} in load_priority of {}", ++place,
                                (path.opp / kConfigName).string()),
                    ""});
  }
}

// A vendor's folder with nothing that could be missed.
bool is_empty_place(const fs::path& vendor) {
  std::error_code code;
  const fs::path packages = vendor / "op_pkg";
  if (!fs::is_directory(packages, code)) return fs::is_empty(vendor, code);
  const std::vector<std::string> ops = folders_in(packages);
  return std::all_of(ops.begin(), ops.end(),
                     [&](const auto& op) { return folders_in(packages / op).empty(); });
}

void find_unlisted(SearchPath& path) {
  std::error_code code;
  for (fs::directory_iterator it(path.opp / "vendors", code), end; !code && it != end;
       it.increment(code)) {
    const std::string name = it->path().filename();
    std::error_code ignored;
    if (!it->is_directory(ignored) || !is_vendor_name(name)) continue;
    const bool listed = std::any_of(path.roots.begin(), path.roots.end(), [&](const auto& root) {
      return root.directory.lexically_normal() == it->path().lexically_normal();
    });
    if (!listed && !is_empty_place(it->path())) path.unlisted.push_back(name);
  }
  std::sort(path.unlisted.begin(), path.unlisted.end());
}

void warn_of_ignored(SearchPath& path, const Environment& environment) {
  for (const auto& [name, value] :
       {std::pair("ASCEND_CUSTOM_OPP_PATH", environment.custom_opp_path),
        std::pair("ASCEND_OPP_PATH", environment.opp_path)}) {
    if (!value) continue;
    Error note("OPK-REG-007",
               fmt::format("{}={} is not searched, because an OPP was named", name, *value),
               "leave out --opp to search by the environment");
    note.severity = Severity::kInfo;
    path.warnings.push_back(std::move(note));
  }
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

// The text with its priority line replaced, or put first when there is none.
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

}  // namespace

Environment Environment::of_this_process() {
  return {environment("ASCEND_CUSTOM_OPP_PATH"), environment("ASCEND_OPP_PATH")};
}

std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::kCustomPath: return "custom path";
    case Origin::kVendor: return "vendor";
    case Origin::kBuiltIn: return "built-in";
  }
  return {};
}

SearchPath make_search_path(const std::optional<fs::path>& explicit_opp,
                            const Environment& environment) {
  SearchPath path;
  if (explicit_opp) {
    path.opp = *explicit_opp;
    path.opp_reason = "--opp";
    warn_of_ignored(path, environment);
  } else {
    path.opp = environment.opp_path.value_or("opp");
    path.opp_reason = environment.opp_path ? "ASCEND_OPP_PATH" : "default ./opp";
    if (environment.custom_opp_path) add_custom_roots(path, *environment.custom_opp_path);
  }
  add_vendor_roots(path);
  add_root(path, {path.opp / "built-in", Origin::kBuiltIn, "built-in", "built-in of the OPP", ""});
  find_unlisted(path);
  return path;
}

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
  for (const std::string& part : split_list(line.substr(equals + 1), ',')) {
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
  LoadPriority result = saved_priority(opp / kConfigName);
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

}  // namespace opkit::registry
