#include "registry/place_note.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "registry/opp_layout.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPackages = "op_pkg";

bool is_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_directory(path, code);
}

bool exists_at(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}

// Folders of vendors below, each with op_pkg.
std::vector<fs::path> vendors_below(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const std::string& name : folders_in(directory))
    if (is_folder(directory / name / kPackages)) found.push_back(directory / name);
  return found;
}

PlaceNote not_a_folder(const fs::path& directory) {
  return {exists_at(directory) ? "is not a directory" : "does not exist", {}};
}

// `directory` is the folder of vendors, an OPP, or a toolkit.
PlaceNote too_high(const fs::path& directory) {
  const std::array<std::pair<const char*, const char*>, 3> inside = {
      {{"", "one level"}, {"vendors", "two levels"}, {"opp/vendors", "three levels"}}};
  for (const auto& [part, levels] : inside) {
    const std::vector<fs::path> vendors = vendors_below(directory / part);
    if (vendors.empty()) continue;
    const std::string more =
        vendors.size() == 1 ? "" : fmt::format(", and {} more", vendors.size() - 1);
    return {fmt::format("holds no {} directory: it is {} too high, the vendor's folder is {}{}",
                        kPackages, levels, vendors.front().string(), more),
            vendors.front()};
  }
  return {};
}

// `directory` is op_pkg or lies in it.
PlaceNote too_low(const fs::path& directory) {
  constexpr int kDeepest = 4;
  const fs::path full = directory.lexically_normal();
  fs::path at = full.has_filename() ? full : full.parent_path();
  for (int level = 1; level <= kDeepest && at.has_filename(); ++level, at = at.parent_path())
    if (at.filename() == kPackages)
      return {fmt::format("holds no {} directory: it lies in one, the vendor's folder is {}",
                          kPackages, at.parent_path().string()),
              at.parent_path()};
  return {};
}

// Notes an OPP that lies beside the folders of vendors, or among them.
PlaceNote opp_too_low(const fs::path& directory) {
  const fs::path full = fs::path(directory / "").parent_path().lexically_normal();
  if (is_folder(directory / kPackages) && full.parent_path().filename() == "vendors")
    return {fmt::format("is a vendor's folder, two levels too low: the OPP is {}",
                        full.parent_path().parent_path().string()),
            full.parent_path().parent_path()};
  if (!vendors_below(directory).empty() && full.filename() == "vendors")
    return {fmt::format("is the folder of vendors, one level too low: the OPP is {}",
                        full.parent_path().string()),
            full.parent_path()};
  return {};
}

}  // namespace

PlaceNote note_of_vendor(const fs::path& directory) {
  if (!is_folder(directory)) return not_a_folder(directory);
  if (exists_at(directory / kPackages)) return {};
  if (PlaceNote note = too_high(directory); !note.text.empty()) return note;
  if (PlaceNote note = too_low(directory); !note.text.empty()) return note;
  if (exists_at(directory / "op_impl"))
    return {"holds what the vendor's toolkit installed (op_impl), and no op_pkg directory", {}};
  if (exists_at(directory / "manifest.yaml"))
    return {"is a package, which `opkit install` puts into an OPP, and no vendor's folder", {}};
  return {"holds no op_pkg directory", {}};
}

PlaceNote note_of_opp(const fs::path& directory) {
  if (!is_folder(directory)) return not_a_folder(directory);
  if (exists_at(directory / "vendors") || exists_at(directory / kBuiltIn)) return {};
  if (PlaceNote note = opp_too_low(directory); !note.text.empty()) return note;
  if (!vendors_below(directory / "opp/vendors").empty())
    return {fmt::format("is one level too high: the OPP is {}", (directory / "opp").string()),
            directory / "opp"};
  return {"holds neither vendors nor built-in", {}};
}

std::string shown_place(const fs::path& path) {
  std::error_code code;
  const fs::path here = path.is_absolute() ? fs::path() : fs::current_path(code);
  return here.empty() ? path.string() : fmt::format("{} (in {})", path.string(), here.string());
}

}  // namespace opkit::registry
