#include "registry/check_memory.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "opkit/base/digest.h"
#include "opkit/base/regular_file.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

// A package by the folder of its index and its path below it.
struct Place {
  fs::path folder;
  std::string name;
};

fs::path plain(const fs::path& path) {
  std::error_code code;
  const fs::path whole = fs::absolute(path, code).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

Place place_of(const fs::path& root) {
  const fs::path package = plain(root), folder = package.parent_path().parent_path();
  return {folder, package.lexically_relative(folder).string()};
}

Error damaged(const fs::path& file) {
  Error warning("OPK-REG-010",
                fmt::format("the index of look-ups {} is damaged; what it does not tell is checked "
                            "again",
                            file.string()),
                "nothing to do: it is written anew; look at the disk if this comes again");
  warning.severity = Severity::kWarning;
  return std::move(warning).at({file.string()});
}

bool is_there(const fs::path& package) {
  std::error_code code;
  return fs::is_directory(package, code);
}

}  // namespace

// The indexes that were read so far, each with what was added.
class CheckMemory::Shelves {
 public:
  explicit Shelves(fs::path cache_dir) : cache_dir_(std::move(cache_dir)) {}
  Shelves(const Shelves&) = delete;
  ~Shelves() { flush(); }

  fs::path file_of(const fs::path& folder) const {
    return cache_dir_ / "checked" / sha256_hex(folder.string());
  }
  Status open(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    const bool good = shelf(folder).read != LookupIndex::Read::kDamaged;
    return good ? Status() : Status(damaged(file_of(folder)));
  }
  std::optional<IntactPackage> find(const Place& place, const fs::path& root) {
    const std::lock_guard lock(mutex_);
    return shelf(place.folder).index.find(place.name, (root / kManifestName).string());
  }
  void put(const Place& place, const IntactPackage& intact) {
    const std::lock_guard lock(mutex_);
    Shelf& shelf = this->shelf(place.folder);
    shelf.index.put(place.name, intact);
    shelf.changed = true;
  }
  void flush() {
    const std::lock_guard lock(mutex_);
    for (auto& [folder, shelf] : all_) {
      if (shelf.changed) write(folder, shelf);
      shelf.changed = false;
    }
  }

 private:
  struct Shelf {
    explicit Shelf(const std::string& folder) : index(folder) {}
    LookupIndex index;
    LookupIndex::Read read = LookupIndex::Read::kWhole;
    bool changed = false;
  };

  Shelf& shelf(const fs::path& folder) {
    const auto [at, fresh] = all_.try_emplace(folder.string(), folder.string());
    if (fresh) at->second.read = read(folder, at->second.index);
    return at->second;
  }
  LookupIndex::Read read(const fs::path& folder, LookupIndex& index) const {
    const fs::path file = file_of(folder);
    std::error_code code;
    if (!fs::exists(file, code)) return LookupIndex::Read::kWhole;
    Result<std::string> bytes = read_regular_file(file, LookupIndex::kMostBytes);
    return index.read(bytes ? *std::move(bytes) : std::string());
  }
  // Writes the shelf with what others wrote meanwhile. What cannot be written is checked again
  // another time.
  void write(const fs::path& folder, Shelf& shelf) const {
    LookupIndex others(folder.string());
    read(folder, others);
    shelf.index.take_missing(others);
    for (const std::string& name : shelf.index.names())
      if (!is_there(folder / name)) shelf.index.drop(name);
    std::error_code code;
    fs::create_directories(cache_dir_ / "checked", code);
    const Status status = write_regular_file(file_of(folder), shelf.index.to_bytes());
    static_cast<void>(status);
  }

  fs::path cache_dir_;
  std::mutex mutex_;
  std::map<std::string, Shelf> all_;
};

CheckMemory::CheckMemory(fs::path cache_dir)
    : shelves_(cache_dir.empty() ? nullptr : std::make_shared<Shelves>(std::move(cache_dir))) {}

fs::path CheckMemory::file_of(const fs::path& root) const {
  return shelves_ ? shelves_->file_of(place_of(root).folder) : fs::path();
}

Status CheckMemory::open(const fs::path& op_pkg) const {
  return shelves_ ? shelves_->open(plain(op_pkg)) : Status();
}

std::optional<IntactPackage> CheckMemory::recall(const fs::path& root) const {
  if (!shelves_) return std::nullopt;
  std::optional<IntactPackage> intact = shelves_->find(place_of(root), root);
  if (!intact || !are_those(intact->stamps, root)) return std::nullopt;
  return intact;
}

void CheckMemory::keep(const fs::path& root, const IntactPackage& intact, int64_t now) const {
  if (shelves_ && !changed_a_moment_before(intact.stamps, now))
    shelves_->put(place_of(root), intact);
}

void CheckMemory::flush() const {
  if (shelves_) shelves_->flush();
}

}  // namespace opkit::registry
