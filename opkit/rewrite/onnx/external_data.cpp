#include "opkit/rewrite/onnx/external_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {
namespace {

namespace fs = std::filesystem;

Error elsewhere(const onnx::TensorProto& proto, const std::string& why) {
  return Error(kUnsupported, fmt::format("tensor '{}': {}", proto.name(), why),
               "keep the file that the model names inside the model's folder, or save the model "
               "with its weights inside");
}

Error misfit(const onnx::TensorProto& proto, const std::string& why) {
  return Error(kBadTensor, fmt::format("tensor '{}': {}", proto.name(), why),
               "export the model again");
}

struct Place {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

Result<uint64_t> number_of(const onnx::TensorProto& proto, const std::string& key,
                           const std::string& text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code == std::errc() && stop == end && !text.empty()) return number;
  return misfit(proto, fmt::format("its external data have the {} '{}'", key, text));
}

Result<Place> place_of(const onnx::TensorProto& proto) {
  Place place;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") place.location = entry.value();
    if (entry.key() == "offset") {
      OPKIT_TRY(place.offset, number_of(proto, "offset", entry.value()));
    }
    if (entry.key() == "length") {
      OPKIT_TRY(place.length, number_of(proto, "length", entry.value()));
    }
  }
  return place;
}

bool leads_out(const fs::path& path) {
  return path.empty() || path.is_absolute() ||
         std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

// Links are followed and must not lead out either.
Result<fs::path> file_of(const onnx::TensorProto& proto, const fs::path& folder,
                         const std::string& location) {
  if (folder.empty())
    return elsewhere(proto, fmt::format("its data lie in another file, '{}'", location));
  if (location.find('\0') != std::string::npos || leads_out(location))
    return elsewhere(proto, fmt::format("'{}' is no place inside the model's folder", location));
  std::error_code code;
  const fs::path root = fs::canonical(folder, code);
  const fs::path file = code ? fs::path() : fs::canonical(folder / location, code);
  if (code || !fs::is_regular_file(file, code))
    return elsewhere(proto, fmt::format("there is no file '{}' beside the model", location));
  const auto [in_root, in_file] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  if (in_root == root.end()) return file;
  return elsewhere(proto, fmt::format("'{}' leads out of the model's folder", location));
}

struct Source {
  fs::path file;
  uint64_t offset = 0;
};

Result<Source> source_of(const onnx::TensorProto& proto, const fs::path& folder, uint64_t bytes) {
  OPKIT_TRY(const Place place, place_of(proto));
  OPKIT_TRY(fs::path file, file_of(proto, folder, place.location));
  std::error_code code;
  const uint64_t size = fs::file_size(file, code);
  if (place.length && *place.length != bytes)
    return misfit(proto, fmt::format("its external data have {} bytes, its shape takes {}",
                                     *place.length, bytes));
  if (!code && place.offset <= size && bytes <= size - place.offset)
    return Source{std::move(file), place.offset};
  return misfit(proto, fmt::format("'{}' has {} bytes, the tensor takes {} from {} on",
                                   place.location, code ? 0 : size, bytes, place.offset));
}

}  // namespace

Status check_external(const onnx::TensorProto& proto, const fs::path& folder, uint64_t bytes) {
  OPKIT_TRY([[maybe_unused]] const Source source, source_of(proto, folder, bytes));
  return {};
}

Status read_external(const onnx::TensorProto& proto, const fs::path& folder,
                     std::span<std::byte> bytes) {
  OPKIT_TRY(const Source source, source_of(proto, folder, bytes.size()));
  std::ifstream file(source.file, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(source.offset));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (file || bytes.empty()) return {};
  return elsewhere(proto, fmt::format("'{}' cannot be read", source.file.string()));
}

}  // namespace opkit::onnx_frontend
