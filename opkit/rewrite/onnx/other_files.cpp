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
  return Error(kNoModel, fmt::format("the {} bytes are no {}", bytes.size(), what),
               "give a file that an exporter wrote as protobuf");
}

}  // namespace opkit::onnx_frontend
