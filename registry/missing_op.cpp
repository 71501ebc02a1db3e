#include "registry/missing_op.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "registry/manifest.h"
#include "registry/place_note.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

bool is_users(const SearchRoot& root) {
  return root.origin == Origin::kCustomPath && !root.note.empty();
}

bool holds(const fs::path& vendor, const std::string& op) {
  std::error_code code;
  return is_op_type(op) && fs::is_directory(vendor / "op_pkg" / op, code);
}

// An OPP with the op in one of its vendors' folders.
bool any_holds(const fs::path& opp, const std::string& op) {
  std::error_code code;
  for (fs::directory_iterator it(opp / "vendors", code), end; !code && it != end;
       it.increment(code))
    if (holds(it->path(), op)) return true;
  return false;
}

std::optional<fs::path> unlisted_with(const SearchPath& path, const std::string& op) {
  for (const std::string& vendor : path.unlisted)
    if (holds(path.opp / "vendors" / vendor, op)) return path.opp / "vendors" / vendor;
  return std::nullopt;
}

std::string listing(const SearchPath& path, const fs::path& vendor) {
  return fmt::format("add {} to load_priority in {}", vendor.filename().string(),
                     (path.opp / "vendors/config.ini").string());
}

std::string reasons_of(const std::string& op, const SearchPath& path) {
  std::string text;
  for (const SearchRoot& root : path.roots)
    if (is_users(root))
      text += fmt::format("; {}, {}, {}", root.reason, shown_place(root.directory), root.note);
  if (const PlaceNote note = note_of_opp(path.opp); !note.text.empty())
    text += fmt::format("; the OPP {} {}", shown_place(path.opp), note.text);
  if (const auto vendor = unlisted_with(path, op))
    text += fmt::format("; {} holds it and is not searched, because load_priority does not name it",
                        vendor->string());
  return text;
}

// Returns the cure that leads to the op.
std::string leading_cure(const std::string& op, const SearchPath& path) {
  for (const SearchRoot& root : path.roots)
    if (is_users(root) && holds(note_of_vendor(root.directory).meant, op)) return cure_of(root);
  if (any_holds(note_of_opp(path.opp).meant, op)) return cure_of_opp(path);
  const auto vendor = unlisted_with(path, op);
  return vendor ? listing(path, *vendor) : "";
}

std::string first_cure(const SearchPath& path) {
  for (const SearchRoot& root : path.roots)
    if (is_users(root)) return cure_of(root);
  if (!note_of_opp(path.opp).meant.empty()) return cure_of_opp(path);
  return path.opp_reason == "--opp"
             ? "install a package there, or name another OPP with --opp"
             : "install a package with `opkit install`, or set ASCEND_OPP_PATH to the OPP that "
               "holds one";
}

}  // namespace

std::string cure_of(const SearchRoot& root) {
  if (root.note.empty()) return {};
  const fs::path meant = note_of_vendor(root.directory).meant;
  if (!meant.empty())
    return fmt::format("write {} in its place in ASCEND_CUSTOM_OPP_PATH", meant.string());
  return "correct ASCEND_CUSTOM_OPP_PATH: each entry is a vendor's folder, which holds op_pkg";
}

std::string cure_of_opp(const SearchPath& path) {
  const PlaceNote note = note_of_opp(path.opp);
  if (note.text.empty()) return {};
  const bool named = path.opp_reason == "--opp";
  if (!note.meant.empty())
    return fmt::format("{}{}", named ? "--opp " : "set ASCEND_OPP_PATH to ", note.meant.string());
  return named ? "name with --opp the folder that holds vendors"
               : "set ASCEND_OPP_PATH to the folder that holds vendors";
}

MissingOp why_missing(const std::string& op, const SearchPath& path,
                      const std::vector<std::string>& known) {
  MissingOp missing{reasons_of(op, path), leading_cure(op, path)};
  if (!missing.cure.empty()) return missing;
  const std::string suggestion = suggest_op(op, known);
  const bool near = suggestion.starts_with("did you mean");
  const bool misled = !missing.reasons.empty();
  missing.cure = !suggestion.empty() && (near || !misled) ? suggestion : first_cure(path);
  return missing;
}

}  // namespace opkit::registry
