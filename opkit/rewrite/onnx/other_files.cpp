#include "opkit/rewrite/onnx/other_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kExport =
    "load it with the program that wrote it, and export it as ONNX (torch.onnx.export, tf2onnx)";

struct OtherFile {
  std::string_view what;
  std::string_view action;
};

// What begins with these bytes, from a place in the file on.
struct Mark {
  std::string_view bytes;
  size_t at;
  OtherFile file;
};

constexpr Mark kMarks[] = {
    {"version https://git-lfs.github.com/spec/"sv,
     0,
     {"a git LFS pointer, which stands for a file that was not fetched",
      "git lfs pull, or download the file itself"}},
    {"\x1f\x8b"sv, 0, {"compressed by gzip", "gunzip it, and give what comes out"}},
    {"\x80\x02\x8a\x0a"sv, 0, {"a Python pickle, as torch.save writes", kExport}},
    {"\x80\x04\x95"sv, 0, {"a Python pickle", kExport}},
    {"{"sv,
     0,
     {"a JSON text, as web sites answer when a file cannot be had",
      "read it, and download the file itself"}},
    {"\x89HDF\r\n\x1a\n"sv, 0, {"an HDF5 file, as Keras writes", kExport}},
    {"TFL3"sv, 4, {"a TensorFlow Lite model", kExport}},
    {"IMOD"sv,
     0,
     {"an offline model, which was compiled already",
      "opkit om show describes it, opkit model run runs it"}},
};

// Entries of a zip archive have their names in front of their bytes.
std::optional<OtherFile> archive(std::string_view bytes) {
  if (!bytes.starts_with("PK\x03\x04"sv)) return std::nullopt;
  constexpr size_t kFirstNames = 4096;
  const std::string_view begin = bytes.substr(0, kFirstNames);
  if (begin.find("data.pkl"sv) != begin.npos || begin.find("constants.pkl"sv) != begin.npos)
    return OtherFile{"a PyTorch archive, as torch.save writes", kExport};
  return OtherFile{"a zip archive", "unpack it, and give the .onnx file in it"};
}

std::optional<OtherFile> page(std::string_view bytes) {
  constexpr size_t kLongest = 256;
  std::string begin(bytes.substr(0, kLongest));
  begin.erase(0, begin.find_first_not_of(" \t\r\n"));
  std::transform(begin.begin(), begin.end(), begin.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (!begin.starts_with("<!doctype html") && !begin.starts_with("<html")) return std::nullopt;
  return OtherFile{"an HTML page, which a web site gave in place of a file",
                   "download the file itself, by its raw link"};
}

// Returns a number as protobuf writes it, seven bits in a byte; moves `at` behind it.
std::optional<uint64_t> varint(std::string_view bytes, size_t& at) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

// Returns the bytes that a message wants for a field behind its end: what is here are the first of
// a longer one.
std::optional<uint64_t> bytes_behind_end(std::string_view bytes) {
  constexpr uint64_t kKnownFields = 32, kLargestField = uint64_t{1} << 31;
  size_t at = 0, fields = 0;
  while (at < bytes.size()) {
    const auto tag = varint(bytes, at);
    if (!tag || *tag >> 3 == 0 || *tag >> 3 > kKnownFields) return std::nullopt;
    uint64_t length = 0;
    if ((*tag & 7) == 0 && !varint(bytes, at)) return std::nullopt;
    if ((*tag & 7) == 1) length = 8;
    if ((*tag & 7) == 5) length = 4;
    if ((*tag & 7) == 2) {
      const auto said = varint(bytes, at);
      if (!said || *said > kLargestField) return std::nullopt;
      length = *said;
    }
    if ((*tag & 7) > 2 && (*tag & 7) != 5) return std::nullopt;
    if (length > bytes.size() - at) {
      const bool telling = fields > 0;  // one field alone may be any text
      return telling ? std::optional(length - (bytes.size() - at)) : std::nullopt;
    }
    at += length;
    ++fields;
  }
  return std::nullopt;
}

std::optional<OtherFile> recognised(std::string_view bytes) {
  for (const Mark& mark : kMarks) {
    if (bytes.size() > mark.at && bytes.substr(mark.at).starts_with(mark.bytes)) return mark.file;
  }
  const auto zip = archive(bytes);
  return zip ? zip : page(bytes);
}

}  // namespace

std::optional<Error> other_file(std::string_view bytes, std::string_view what) {
  const auto other = recognised(bytes);
  if (!other) return std::nullopt;
  return Error(kNoModel, fmt::format("the file is no {}: it is {}", what, other->what),
               std::string(other->action));
}

Error no_message(std::string_view bytes, std::string_view what) {
  if (auto other = other_file(bytes, what)) return std::move(*other);
  if (const auto more = bytes_behind_end(bytes))
    return Error(
        kNoModel,
        fmt::format("the {} ends after {} bytes in the middle of a field that has {} more: "
                    "it was cut off",
                    what, bytes.size(), *more),
        "copy or download it again, whole, and compare the sizes");
  return Error(kNoModel, fmt::format("the {} bytes are no {}", bytes.size(), what),
               "give a file that an exporter wrote as protobuf");
}

}  // namespace opkit::onnx_frontend
