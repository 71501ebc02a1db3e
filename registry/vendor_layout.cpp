#include "registry/vendor_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "opkit/base/regular_file.h"
#include "registry/lasting_files.h"
#include "registry/opp_layout.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr const char* kHeaders = "op_api/include";
constexpr const char* kLibrary = "op_api/lib/libcust_opapi.so";
constexpr const char* kVersionInfo = "version.info";
constexpr const char* kMadeVersionInfo = "opkit_version=";
constexpr size_t kMostOfAMadeFile = 4u << 20;

fs::path plan_file(const fs::path& opp) { return layout_stage(opp) / "plan"; }
fs::path put_folder(const fs::path& opp) { return layout_stage(opp) / "put"; }

std::optional<std::string> text_at(const fs::path& file) {
  std::error_code code;
  if (!fs::is_regular_file(fs::symlink_status(file, code))) return std::nullopt;
  Result<std::string> text = read_regular_file(file, kMostOfAMadeFile);
  return text ? std::optional(*std::move(text)) : std::nullopt;
}

bool is_made(const fs::path& file) {
  std::error_code code;
  if (file.filename() == fs::path(kLibrary).filename())
    return fs::is_symlink(fs::symlink_status(file, code));
  const std::optional<std::string> text = text_at(file);
  if (!text) return false;
  if (file.filename() == kVersionInfo) return text->find(kMadeVersionInfo) != std::string::npos;
  return text->starts_with(kMadeHeader);
}

bool lies_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(fs::symlink_status(path, code));
}

// Which change the plan is of: an older opkit may have left one behind.
std::string mark_of(const PendingChange& change) {
  return fmt::format("{} {} {} {}", change.vendor, change.op, change.version,
                     change.arrives ? "arrives" : "leaves");
}

// The vendor's packages as they are behind a change.
class Behind {
 public:
  Behind(const fs::path& opp, const PendingChange& change, fs::path package)
      : opp_(opp), change_(change), package_(std::move(package)) {
    for (const std::string& op : folders_in(folder() / "op_pkg")) add(op);
    if (change.arrives) add(change.op);
  }

  fs::path folder() const { return vendor_folder(opp_, change_.vendor); }
  bool empty() const { return serving_.empty(); }
  // Directories of the packages that serve, by op.
  const std::map<std::string, fs::path>& serving() const { return serving_; }

 private:
  void add(const std::string& op) {
    std::vector<std::string> versions = versions_of(opp_, change_.vendor, op);
    const bool changes = op == change_.op;
    if (changes) std::erase(versions, change_.version);
    if (changes && !change_.arrives && change_.version.empty()) versions.clear();
    if (changes && change_.arrives &&
        (versions.empty() || version_before(change_.version, versions.front()))) {
      serving_[op] = package_;
    } else if (!versions.empty()) {
      serving_[op] = package_folder(opp_, change_.vendor, op, versions.front());
    }
  }

  const fs::path& opp_;
  const PendingChange& change_;
  const fs::path package_;
  std::map<std::string, fs::path> serving_;
};

// Lays aside what is to be put, and writes down what is to go.
class Preparation {
 public:
  Preparation(const fs::path& opp, const PendingChange& change, const fs::path& package,
              const LayoutMaker& maker)
      : opp_(opp), behind_(opp, change, package), maker_(maker), plan_(mark_of(change) + "\n") {}

  Status run(const std::string& op) {
    OPKIT_CHECK(check_places());
    for (const std::string& name : names(op)) OPKIT_CHECK(header(name));
    OPKIT_CHECK(library());
    OPKIT_CHECK(
        file(kVersionInfo, behind_.empty() ? std::nullopt : std::optional(maker_.version_info)));
    if (!any_) return {};
    OPKIT_CHECK(make_folder(layout_stage(opp_)));
    return write_to_disk(plan_file(opp_), plan_);
  }

 private:
  Status check_places() const {
    std::error_code code;
    for (const char* part : {"op_api", kHeaders, "op_api/lib"}) {
      const fs::path at = behind_.folder() / part;
      OPKIT_CHECK(check_way(opp_, at));
      if (lies_there(at) && !fs::is_directory(at, code))
        return cannot_write(at, "something else than a folder has this name");
    }
    return {};
  }

  // Names the headers that change, or are missing.
  std::set<std::string> names(const std::string& op) const {
    std::set<std::string> all = {maker_.header_name(op)};
    for (const auto& [other, package] : behind_.serving())
      if (!lies_there(behind_.folder() / kHeaders / maker_.header_name(other)))
        all.insert(maker_.header_name(other));
    return all;
  }

  Status header(const std::string& name) {
    std::vector<fs::path> contracts;
    for (const auto& [op, package] : behind_.serving())
      if (maker_.header_name(op) == name && lies_there(package / kContractFile))
        contracts.push_back(package / kContractFile);
    return file((fs::path(kHeaders) / name).string(),
                contracts.empty() ? std::nullopt : maker_.header(contracts));
  }

  Status library() {
    const fs::path place = behind_.folder() / kLibrary;
    if (lies_there(place) && !is_made(place)) return {};
    std::error_code code;
    const fs::path old = fs::read_symlink(place, code);
    if (behind_.empty() || maker_.runtime.empty())
      return behind_.empty() ? file(kLibrary, std::nullopt) : Status();
    if (old == maker_.runtime) return {};
    const fs::path fresh = put_folder(opp_) / kLibrary;
    OPKIT_CHECK(make_folder(fresh.parent_path()));
    fs::create_symlink(maker_.runtime, fresh, code);
    if (code) return cannot_write(fresh, code.message());
    any_ = true;
    return sync_directory(fresh.parent_path());
  }

  // No text: the file is to go. Files of others stay.
  Status file(const std::string& name, const std::optional<std::string>& text) {
    const fs::path place = behind_.folder() / name;
    if (lies_there(place) && !is_made(place)) return {};
    if (!text) {
      if (!lies_there(place)) return {};
      plan_ += name + "\n";
      any_ = true;
      return {};
    }
    if (text_at(place) == text) return {};
    const fs::path fresh = put_folder(opp_) / name;
    OPKIT_CHECK(make_folder(fresh.parent_path()));
    any_ = true;
    return write_to_disk(fresh, *text);
  }

  Status make_folder(const fs::path& folder) const { return make_lasting_directories(folder); }

  const fs::path& opp_;
  const Behind behind_;
  const LayoutMaker& maker_;
  std::string plan_;
  bool any_ = false;
};

// What the plan says is to go; nothing: it is of another change, or there is none.
std::optional<std::vector<std::string>> read_plan(const fs::path& opp,
                                                  const PendingChange& change) {
  const std::optional<std::string> text = text_at(plan_file(opp));
  if (!text || !text->starts_with(mark_of(change) + "\n")) return std::nullopt;
  std::vector<std::string> names;
  for (size_t at = text->find('\n') + 1; at < text->size();) {
    const size_t end = std::min(text->find('\n', at), text->size());
    names.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return names;
}

bool put_one(const fs::path& fresh, const fs::path& place) {
  std::error_code code;
  if (!make_lasting_directories(place.parent_path())) return false;
  fs::rename(fresh, place, code);
  return !code && sync_directory(place.parent_path()).ok() &&
         sync_directory(fresh.parent_path()).ok();
}

bool put_all(const fs::path& opp, const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(put_folder(opp), code), end; !code && it != end;
       it.increment(code))
    if (it->is_symlink(code) || it->is_regular_file(code)) files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return std::all_of(files.begin(), files.end(), [&](const fs::path& fresh) {
    const fs::path place = folder / fresh.lexically_relative(put_folder(opp));
    return check_way(opp, place.parent_path()).ok() && put_one(fresh, place);
  });
}

// Takes a file away; its folders go with the last one.
bool take_away(const fs::path& place, const fs::path& folder) {
  std::error_code code;
  if (is_made(place)) fs::remove(place, code);
  if (code) return false;
  if (lies_there(place.parent_path()) && !sync_directory(place.parent_path())) return false;
  return prune_empty(place.parent_path(), folder);
}

}  // namespace

fs::path layout_stage(const fs::path& opp) { return opp / kWorkFolder / "layout"; }

Status prepare_layout(const fs::path& opp, const PendingChange& change, const fs::path& package,
                      const LayoutMaker& maker) {
  if (change.vendor == kBuiltIn) return {};
  forget_layout(opp);  // what an earlier change left would be put with this one's
  if (lies_there(layout_stage(opp)))
    return cannot_write(layout_stage(opp), "what an earlier change left there cannot be removed");
  const Status status = Preparation(opp, change, package, maker).run(change.op);
  if (!status) forget_layout(opp);
  return status;
}

bool apply_layout(const fs::path& opp, const PendingChange& change) {
  const auto gone = read_plan(opp, change);
  if (!gone) return forget_layout(opp), true;
  const fs::path folder = vendor_folder(opp, change.vendor);
  if (!put_all(opp, folder)) return false;
  for (const std::string& name : *gone) {
    const fs::path place = folder / name;
    if (!check_way(opp, place.parent_path()) || !take_away(place, folder)) return false;
  }
  forget_layout(opp);
  return true;
}

bool awaits_layout(const fs::path& opp, const PendingChange& change) {
  return read_plan(opp, change).has_value();
}

void forget_layout(const fs::path& opp) {
  std::error_code code;
  fs::remove_all(layout_stage(opp), code);
}

bool lacks_layout(const fs::path& opp, const std::string& vendor, const std::string& op,
                  const LayoutMaker& maker) {
  if (vendor == kBuiltIn) return false;
  const fs::path folder = vendor_folder(opp, vendor);
  return !lies_there(folder / kHeaders / maker.header_name(op)) ||
         !lies_there(folder / kVersionInfo) ||
         (!maker.runtime.empty() && !lies_there(folder / kLibrary));
}

bool holds_packages_only(const fs::path& vendor_folder) {
  std::error_code code;
  for (fs::recursive_directory_iterator it(vendor_folder, code), end; !code && it != end;
       it.increment(code)) {
    if (it.depth() == 0 && it->path().filename() == "op_pkg") {
      it.disable_recursion_pending();
    } else if (it->is_symlink(code) || !it->is_directory(code)) {
      if (!is_made(it->path())) return false;
    } else if (it.depth() == 0 && it->path().filename() != "op_api") {
      return false;
    }
  }
  return !code;
}

}  // namespace opkit::registry
