#include "registry/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "opkit/base/regular_file.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

struct ReadEnd {
  void operator()(archive* a) const { archive_read_free(a); }
};
struct WriteEnd {
  void operator()(archive* a) const { archive_write_free(a); }
};
struct EntryEnd {
  void operator()(archive_entry* e) const { archive_entry_free(e); }
};
using Reader = std::unique_ptr<archive, ReadEnd>;
using Writer = std::unique_ptr<archive, WriteEnd>;
using Entry = std::unique_ptr<archive_entry, EntryEnd>;

std::string words_of(archive* a) {
  const char* text = archive_error_string(a);
  return text == nullptr ? "no reason given" : text;
}

Error unreadable(const fs::path& path, const std::string& reason) {
  return Error("OPK-INSTALL-009",
               fmt::format("{} is not a readable package archive: {}", path.string(), reason),
               "name a package directory or a file written by `opkit pack`");
}

Error unsafe(const fs::path& archive, const std::string& what) {
  return Error("OPK-INSTALL-005", fmt::format("{} holds {}", archive.string(), what),
               "a package holds plain files and directories only");
}

Error cannot_pack(const fs::path& path, const std::string& reason) {
  return Error("OPK-INSTALL-004", fmt::format("cannot write {}: {}", path.string(), reason),
               "check the folder, its permissions and free space");
}

// Returns a relative path without "..", in its plain form; empty for anything else.
fs::path safe_path(const char* text) {
  if (text == nullptr) return {};
  const fs::path path = fs::path(text).lexically_normal();
  if (path.is_absolute()) return {};
  for (const fs::path& part : path) {
    if (part == "..") return {};
  }
  return path;
}

Status copy_data(archive* from, const fs::path& archive, const fs::path& to, uint64_t& total) {
  std::error_code code;
  fs::create_directories(to.parent_path(), code);
  std::ofstream out(to, std::ios::binary | std::ios::trunc);
  std::array<char, 1 << 16> chunk;
  while (true) {
    const la_ssize_t bytes = archive_read_data(from, chunk.data(), chunk.size());
    if (bytes < 0) return unreadable(archive, words_of(from));
    if (bytes == 0) break;
    total += static_cast<uint64_t>(bytes);
    if (total > kMaxPackageBytes) return unsafe(archive, "more bytes than a package may have");
    out.write(chunk.data(), bytes);
  }
  out.close();
  if (!out) return cannot_pack(to, "no space or no permission");
  return {};
}

Status unpack_entry(archive* from, archive_entry* entry, const fs::path& archive,
                    const fs::path& directory, uint64_t& total) {
  const char* name = archive_entry_pathname(entry);
  const fs::path path = safe_path(name);
  if (path.empty()) return unsafe(archive, fmt::format("the path '{}'", name ? name : ""));
  const auto type = archive_entry_filetype(entry);
  if (type == AE_IFREG && archive_entry_hardlink(entry) == nullptr) {
    return copy_data(from, archive, directory / path, total);
  }
  if (type != AE_IFDIR)
    return unsafe(archive, fmt::format("'{}', which is no file", path.string()));
  std::error_code code;
  fs::create_directories(directory / path, code);
  if (code) return cannot_pack(directory / path, code.message());
  return {};
}

Status write_entry(archive* to, const std::string& bytes, const std::string& name) {
  const Entry entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(bytes.size()));
  if (archive_write_header(to, entry.get()) != ARCHIVE_OK ||
      archive_write_data(to, bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size())) {
    return cannot_pack(name, words_of(to));
  }
  return {};
}

Result<std::vector<std::string>> list_files(const fs::path& directory) {
  std::vector<std::string> names;
  std::error_code code;
  for (fs::recursive_directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code)) {
    std::error_code ignored;
    const fs::file_status status = it->symlink_status(ignored);
    if (fs::is_directory(status)) continue;
    const std::string name = it->path().lexically_relative(directory).generic_string();
    if (!fs::is_regular_file(status)) {
      return unsafe(directory, fmt::format("'{}', which is no file", name));
    }
    names.push_back(name);
  }
  if (code) {
    return Error("OPK-INSTALL-001",
                 fmt::format("cannot read {}: {}", directory.string(), code.message()),
                 "name a package directory");
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status write_archive(const fs::path& directory, const std::vector<std::string>& names,
                     const std::optional<std::string>& signature, const fs::path& file) {
  const Writer to(archive_write_new());
  if (archive_write_add_filter_zstd(to.get()) != ARCHIVE_OK ||
      archive_write_set_format_pax_restricted(to.get()) != ARCHIVE_OK ||
      archive_write_open_filename(to.get(), file.c_str()) != ARCHIVE_OK) {
    return cannot_pack(file, words_of(to.get()));
  }
  for (const std::string& name : names) {
    if (signature && name == kSignatureName) {
      OPKIT_CHECK(write_entry(to.get(), *signature, name));
      continue;
    }
    OPKIT_TRY(const std::string bytes, read_regular_file(directory / name, kMaxPackageBytes));
    OPKIT_CHECK(write_entry(to.get(), bytes, name));
  }
  if (archive_write_close(to.get()) != ARCHIVE_OK) return cannot_pack(file, words_of(to.get()));
  return {};
}

// Returns where links lead to. An archive is written beside its place and moved there, so that
// nothing but a file, or nothing at all, may be there.
Result<fs::path> place_of(const fs::path& archive) {
  std::error_code code;
  const fs::file_status found = fs::status(archive, code);
  if (fs::exists(found) && !fs::is_regular_file(found))
    return cannot_pack(archive, fs::is_directory(found) ? "it is a folder" : "it is no file");
  if (!fs::is_symlink(fs::symlink_status(archive, code))) return archive;
  const fs::path target = fs::weakly_canonical(archive, code);
  return code ? archive : target;
}

}  // namespace

Status pack(const fs::path& directory, const fs::path& archive,
            const std::optional<std::string>& signature) {
  OPKIT_TRY(std::vector<std::string> names, list_files(directory));
  const auto place = std::lower_bound(names.begin(), names.end(), kSignatureName);
  if (signature && (place == names.end() || *place != kSignatureName))
    names.insert(place, kSignatureName);
  OPKIT_TRY(const fs::path target, place_of(archive));
  const fs::path temporary = target.string() + fmt::format(".{}.tmp", ::getpid());
  std::error_code code;
  Status status = write_archive(directory, names, signature, temporary);
  if (status) {
    fs::rename(temporary, target, code);
    if (code) status = cannot_pack(archive, code.message());
  }
  if (!status) fs::remove(temporary, code);
  return status;
}

Status unpack(const fs::path& file, const fs::path& directory) {
  std::error_code code;
  if (!fs::is_regular_file(file, code)) return unreadable(file, "it is no regular file");
  const Reader from(archive_read_new());
  // Takes the compressions that the library undoes by itself: for some others it starts programs.
  archive_read_support_filter_zstd(from.get());
  archive_read_support_filter_gzip(from.get());
  archive_read_support_filter_bzip2(from.get());
  archive_read_support_filter_xz(from.get());
  archive_read_support_format_tar(from.get());
  if (archive_read_open_filename(from.get(), file.c_str(), 1 << 16) != ARCHIVE_OK) {
    return unreadable(file, words_of(from.get()));
  }
  uint64_t total = 0;
  for (uint64_t files = 0;; ++files) {
    archive_entry* entry = nullptr;
    const int got = archive_read_next_header(from.get(), &entry);
    if (got == ARCHIVE_EOF) return {};
    if (got != ARCHIVE_OK) return unreadable(file, words_of(from.get()));
    if (files == kMaxPackageFiles) return unsafe(file, "more files than a package may have");
    OPKIT_CHECK(unpack_entry(from.get(), entry, file, directory, total));
  }
}

}  // namespace opkit::registry
