#include "registry/search_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "registry/load_priority.h"
#include "registry/manifest.h"
#include "registry/opp_layout.h"
#include "registry/place_note.h"
#include "registry/split_at.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> environment(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return std::string(text);
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
  for (const std::string& part : split_at(variable, ':')) {
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
                                priority_file(path.opp).string()),
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

}  // namespace opkit::registry
