#include "opkit/base/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <memory>
#include <set>

#include "opkit/base/file.h"

namespace opkit {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr uint64_t kChunk = uint64_t{1} << 20;  // bytes
constexpr time_t kFixedTime = 315619200;  // 1980-01-02 UTC: the format starts in 1980 in any zone

struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseMember {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;

Error archive_error(std::string_view name, std::string_view reason) {
  return Error("OPK-NPZ-001", fmt::format("{}: cannot read the archive: {}", name, reason),
               "give a file written by numpy.savez");
}

Error member_error(std::string_view name, std::string_view reason) {
  return Error("OPK-NPZ-002", fmt::format("{}: {}", name, reason),
               "store distinct .npy members within the limits");
}

Error write_error(std::string_view reason) {
  return Error("OPK-NPZ-003", fmt::format("cannot write the archive: {}", reason),
               "give every tensor a name of its own");
}

std::string text_of(zip_error_t& error) {
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

Result<Archive> open_archive(std::string_view bytes, std::string_view name) {
  zip_error_t error;
  zip_error_init(&error);
  Source source(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error));
  if (!source) return archive_error(name, text_of(error));
  Archive archive(zip_open_from_source(source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!archive) return archive_error(name, text_of(error));
  (void)source.release();  // owned by the archive now
  zip_error_fini(&error);
  return archive;
}

Result<std::string> read_member(zip_t* archive, uint64_t index, uint64_t size,
                                std::string_view name) {
  std::unique_ptr<zip_file_t, CloseMember> file(zip_fopen_index(archive, index, 0));
  if (!file) return archive_error(name, zip_strerror(archive));
  std::string bytes;  // grows with what really arrives: the stated size is not to be trusted
  while (bytes.size() < size) {
    const size_t done = bytes.size();
    bytes.resize(done + std::min<uint64_t>(size - done, kChunk));
    const int64_t got = zip_fread(file.get(), bytes.data() + done, bytes.size() - done);
    if (got <= 0) return archive_error(name, fmt::format("member ends after {} bytes", done));
    bytes.resize(done + static_cast<size_t>(got));
  }
  char beyond;
  if (zip_fread(file.get(), &beyond, 1) != 0) {
    return archive_error(name, "a damaged member or one longer than it says");
  }
  return bytes;
}

struct Member {
  std::string name;
  uint64_t size = 0;  // bytes unpacked
};

Result<Member> describe_member(zip_t* archive, uint64_t index, std::string_view name) {
  zip_stat_t stat;
  constexpr uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE;
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded) {
    return archive_error(name, fmt::format("member {} has no name or size", index));
  }
  Member member{stat.name, stat.size};
  if (!member.name.ends_with(kSuffix) || member.name.size() == kSuffix.size()) {
    return member_error(name, fmt::format("member '{}' is not a .npy file", member.name));
  }
  member.name.resize(member.name.size() - kSuffix.size());
  return member;
}

Status add_member(zip_t* archive, const Tensor& tensor, const std::string& bytes) {
  Source source(zip_source_buffer(archive, bytes.data(), bytes.size(), 0));
  if (!source) return write_error(zip_strerror(archive));
  const std::string name = tensor.desc().name + std::string(kSuffix);
  const int64_t index = zip_file_add(archive, name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
  if (index < 0) return write_error(fmt::format("'{}': {}", name, zip_strerror(archive)));
  (void)source.release();
  if (zip_set_file_compression(archive, index, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_mtime(archive, index, kFixedTime, 0) != 0) {
    return write_error(zip_strerror(archive));
  }
  return {};
}

Result<std::string> contents_of(zip_source_t* source) {
  if (zip_source_open(source) != 0) return write_error("no memory");
  zip_source_seek(source, 0, SEEK_END);
  const int64_t size = zip_source_tell(source);
  zip_source_seek(source, 0, SEEK_SET);
  std::string bytes(static_cast<size_t>(std::max<int64_t>(size, 0)), '\0');
  const int64_t got = zip_source_read(source, bytes.data(), bytes.size());
  zip_source_close(source);
  if (size < 0 || got != size) return write_error("the archive could not be read back");
  return bytes;
}

Result<std::vector<std::string>> encode_members(std::span<const Tensor> tensors) {
  std::vector<std::string> members;
  for (const Tensor& tensor : tensors) {
    const std::string& name = tensor.desc().name;
    if (name.empty() || name.find('\0') != std::string::npos) {
      return write_error(fmt::format("tensor {} has no usable name", members.size()));
    }
    OPKIT_TRY(std::string bytes, encode_npy(tensor));
    members.push_back(std::move(bytes));
  }
  return members;
}

}  // namespace

Result<std::vector<Tensor>> parse_npz(std::string_view bytes, std::string name,
                                      const NpyOptions& options) {
  OPKIT_TRY(const Archive archive, open_archive(bytes, name));
  const int64_t count = zip_get_num_entries(archive.get(), 0);
  if (count < 0 || static_cast<uint64_t>(count) > kMaxNpzMembers) {
    return member_error(name, fmt::format("{} members; the limit is {}", count, kMaxNpzMembers));
  }
  std::vector<Tensor> tensors;
  std::set<std::string> seen;
  uint64_t total = 0;
  for (int64_t i = 0; i < count; ++i) {
    OPKIT_TRY(const Member member, describe_member(archive.get(), i, name));
    if (!seen.insert(member.name).second) {
      return member_error(name, fmt::format("two members '{}.npy'", member.name));
    }
    if (member.size > kMaxNpzBytes - total) {
      return member_error(name, fmt::format("more than {} unpacked bytes", kMaxNpzBytes));
    }
    total += member.size;
    OPKIT_TRY(const std::string data, read_member(archive.get(), i, member.size, name));
    OPKIT_TRY(Tensor tensor, parse_npy(data, member.name, options));
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Result<std::string> encode_npz(std::span<const Tensor> tensors) {
  OPKIT_TRY(const std::vector<std::string> members, encode_members(tensors));
  if (members.empty()) return std::string("PK\x05\x06").append(18, '\0');  // the empty archive
  zip_error_t error;
  zip_error_init(&error);
  Source sink(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!sink) return write_error(text_of(error));
  zip_source_keep(sink.get());  // one reference for us, one for the archive
  Archive archive(zip_open_from_source(sink.get(), ZIP_TRUNCATE, &error));
  if (!archive) {
    zip_source_free(sink.get());
    return write_error(text_of(error));
  }
  for (size_t i = 0; i < members.size(); ++i) {
    OPKIT_CHECK(add_member(archive.get(), tensors[i], members[i]));
  }
  if (zip_close(archive.get()) != 0) return write_error(zip_strerror(archive.get()));
  (void)archive.release();
  zip_error_fini(&error);
  return contents_of(sink.get());
}

Result<std::vector<Tensor>> load_npz(const std::filesystem::path& path, const NpyOptions& options) {
  OPKIT_TRY(const std::string bytes, read_file(path));
  return parse_npz(bytes, path.filename().string(), options);
}

Status save_npz(const std::filesystem::path& path, std::span<const Tensor> tensors) {
  OPKIT_TRY(const std::string bytes, encode_npz(tensors));
  return write_file(path, bytes);
}

}  // namespace opkit
