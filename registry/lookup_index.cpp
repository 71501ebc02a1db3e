#include "registry/lookup_index.h"

#include <cstring>

#include "opkit/abi/plugin.h"
#include "opkit/base/digest.h"
#include "opkit/base/wire.h"

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

constexpr std::string_view kMark = "opkit index of look-ups\n";
constexpr uint32_t kIndexForm = 1;  // raised when checks become stricter
constexpr size_t kShaDigits = 64;

// A place in the manifest: all are in one file.
struct PartPlace {
  std::string key;
  int32_t line = 0, column = 0;
};

template <typename A>
void fields(A& a, PartPlace& v) {
  a(v.key, v.line, v.column);
}

// A part by its bytes behind the table.
struct Row {
  std::string name, sha256;
  uint64_t at = 0, size = 0;
};

template <typename A>
void fields(A& a, Row& v) {
  a(v.name, v.sha256, v.at, v.size);
}

// Splits mark, digest, size and table off. False: they are not there, or the digest is another's.
bool take_table(std::string_view& bytes, std::string_view& table) {
  const size_t start = kMark.size() + kShaDigits;
  uint64_t size = 0;
  if (bytes.size() < start + sizeof size || !bytes.starts_with(kMark)) return false;
  const std::string_view digest = bytes.substr(kMark.size(), kShaDigits);
  std::memcpy(&size, bytes.data() + start, sizeof size);
  bytes.remove_prefix(start + sizeof size);
  if (size > bytes.size()) return false;
  table = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return sha256_hex(table) == digest;
}

std::string part_of(const IntactPackage& intact) {
  std::vector<PartPlace> places;
  for (const auto& [key, where] : intact.manifest.places)
    places.push_back({key, where.line, where.column});
  return wire::written(intact, places);
}

}  // namespace

LookupIndex::Read LookupIndex::read(std::string bytes) {
  parts_.clear();
  read_ = std::move(bytes);
  std::string_view rest = read_, table;
  if (!take_table(rest, table)) return Read::kDamaged;
  wire::Reader reader(table);
  uint32_t form = 0, abi = 0;
  reader(form, abi);
  if (!reader.failed() && (form != kIndexForm || abi != OPK_ABI_VERSION)) return Read::kOther;
  std::string folder;
  std::vector<Row> rows;
  reader(folder, rows);
  if (!reader.done()) return Read::kDamaged;
  if (folder != folder_) return Read::kOther;
  for (const Row& row : rows) {
    if (row.at > rest.size() || row.size > rest.size() - row.at) continue;  // it was cut
    parts_[row.name] = {rest.substr(row.at, row.size), row.sha256, {}};
  }
  return parts_.size() == rows.size() ? Read::kWhole : Read::kDamaged;
}

std::vector<std::string> LookupIndex::names() const {
  std::vector<std::string> names;
  for (const auto& [name, part] : parts_) names.push_back(name);
  return names;
}

std::optional<IntactPackage> LookupIndex::find(const std::string& name,
                                               const std::string& manifest_file) const {
  const auto part = parts_.find(name);
  if (part == parts_.end()) return std::nullopt;
  const std::string_view text = part->second.text();
  if (sha256_hex(text) != part->second.sha256) return std::nullopt;
  wire::Reader reader(text);
  IntactPackage intact;
  std::vector<PartPlace> places;
  reader(intact, places);
  if (!reader.done()) return std::nullopt;
  for (PartPlace& place : places)
    intact.manifest.places[std::move(place.key)] = {manifest_file, place.line, place.column};
  return intact;
}

void LookupIndex::put(const std::string& name, const IntactPackage& intact) {
  std::string text = part_of(intact);
  std::string digest = sha256_hex(text);
  parts_[name] = {{}, std::move(digest), std::move(text)};
}

void LookupIndex::take_missing(const LookupIndex& other) {
  for (const auto& [name, part] : other.parts_) {
    if (sha256_hex(part.text()) != part.sha256) continue;
    parts_.try_emplace(name, Part{{}, part.sha256, std::string(part.text())});
  }
}

std::string LookupIndex::to_bytes() const {
  std::vector<Row> rows;
  std::string all;
  for (const auto& [name, part] : parts_) {
    rows.push_back({name, part.sha256, all.size(), part.text().size()});
    all += part.text();
  }
  const std::string table = wire::written(kIndexForm, uint32_t{OPK_ABI_VERSION}, folder_, rows);
  std::string bytes(kMark);
  bytes += sha256_hex(table) + wire::written(uint64_t{table.size()});
  return bytes + table + all;
}

}  // namespace opkit::registry
