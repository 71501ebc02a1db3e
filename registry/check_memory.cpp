#include "registry/check_memory.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>

#include "opkit/abi/plugin.h"
#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/base/wire.h"
#include "registry/package.h"

namespace opkit::registry {

template <typename A>
void fields(A& a, KernelEntry& v) {
  a(v.name, v.column, v.tiling_key, v.task_type);
}

template <typename A>
void fields(A& a, FileEntry& v) {
  a(v.file, v.sha256);
}

template <typename A>
void fields(A& a, FileStamp& v) {
  a(v.device, v.inode, v.size, v.modified, v.changed);
}

template <typename A>
void fields(A& a, Manifest& v) {
  a(v.abi, v.vendor, v.op, v.version, v.kit, v.contract_file, v.contract_sha256, v.library_file,
    v.library_sha256, v.platform, v.sanitizer, v.glibc, v.glibcxx, v.needed, v.socs, v.kernels,
    v.files);
}

template <typename A>
void fields(A& a, IntactPackage& v) {
  a(v.manifest, v.signer, v.run_path, v.stamps);
}

namespace {

constexpr const char* kForm = "opkit check memory 2";  // raised when checks become stricter
constexpr size_t kMostBytes = 8u << 20;
constexpr size_t kDigestDigits = 64;
constexpr int64_t kMoment = 2'000'000'000;  // nanoseconds; time stamps of file systems are coarse

int64_t nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// A place in the manifest: all are in one file.
struct Place {
  std::string key;
  int32_t line = 0, column = 0;
};

template <typename A>
void fields(A& a, Place& v) {
  a(v.key, v.line, v.column);
}

// The package itself may be behind a link; nothing in it may.
std::filesystem::path entry_of(const std::filesystem::path& root, const std::string& name) {
  return root / (name.empty() ? "." : name);
}

bool are_those(const PackageStamps& stamps, const std::filesystem::path& root) {
  return std::all_of(stamps.begin(), stamps.end(), [&root](const auto& entry) {
    return stamp_of(entry_of(root, entry.first)) == entry.second;
  });
}

bool changed_a_moment_before(const PackageStamps& stamps, int64_t now) {
  return std::any_of(stamps.begin(), stamps.end(), [now](const auto& entry) {
    return std::max(entry.second.modified, entry.second.changed) > now - kMoment;
  });
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
  struct stat facts = {};
  if (::lstat(file.c_str(), &facts) != 0) return std::nullopt;
  if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) return std::nullopt;
  return FileStamp{facts.st_dev, facts.st_ino, static_cast<uint64_t>(facts.st_size),
                   nanoseconds(facts.st_mtim), nanoseconds(facts.st_ctim)};
}

std::optional<PackageStamps> stamps_of(const std::filesystem::path& root, const PackageTree& tree) {
  PackageStamps stamps;
  for (const auto* names : {&tree.folders, &tree.files}) {
    for (const std::string& name : *names) {
      const std::optional<FileStamp> stamp = stamp_of(entry_of(root, name));
      if (!stamp) return std::nullopt;
      stamps[name] = *stamp;
    }
  }
  return stamps;
}

int64_t nanoseconds_now() {
  timespec now = {};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(now);
}

std::string memory_bytes(const std::filesystem::path& root, const IntactPackage& intact) {
  std::vector<Place> places;
  for (const auto& [key, where] : intact.manifest.places)
    places.push_back({key, where.line, where.column});
  const std::string body =
      wire::written(std::string(kForm), uint32_t{OPK_ABI_VERSION}, root.string(), intact, places);
  return sha256_hex(body) + body;
}

std::optional<IntactPackage> read_memory(std::string_view bytes,
                                         const std::filesystem::path& root) {
  if (bytes.size() < kDigestDigits) return std::nullopt;
  const std::string_view body = bytes.substr(kDigestDigits);
  if (sha256_hex(body) != bytes.substr(0, kDigestDigits)) return std::nullopt;
  wire::Reader reader(body);
  std::string form, of_root;
  uint32_t abi = 0;
  IntactPackage intact;
  std::vector<Place> places;
  reader(form, abi, of_root, intact, places);
  if (!reader.done() || form != kForm || abi != OPK_ABI_VERSION || of_root != root.string())
    return std::nullopt;
  const std::string manifest = (root / kManifestName).string();
  for (const Place& place : places)
    intact.manifest.places[place.key] = {manifest, place.line, place.column};
  return intact;
}

std::filesystem::path CheckMemory::file_of(const std::filesystem::path& root) const {
  return cache_dir_ / "checked" / sha256_hex(root.string());
}

std::optional<IntactPackage> CheckMemory::recall(const std::filesystem::path& root) const {
  if (cache_dir_.empty()) return std::nullopt;
  const Result<std::string> bytes = read_file(file_of(root), kMostBytes);
  if (!bytes.ok()) return std::nullopt;
  std::optional<IntactPackage> intact = read_memory(*bytes, root);
  if (!intact || !are_those(intact->stamps, root)) return std::nullopt;
  return intact;
}

void CheckMemory::keep(const std::filesystem::path& root, const IntactPackage& intact,
                       int64_t now) const {
  if (cache_dir_.empty() || changed_a_moment_before(intact.stamps, now)) return;
  std::error_code code;
  std::filesystem::create_directories(cache_dir_ / "checked", code);
  // What is not remembered is checked again.
  const Status status = write_file(file_of(root), memory_bytes(root, intact));
  static_cast<void>(status);
}

}  // namespace opkit::registry
