#include "registry/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "opkit/base/document.h"
#include "opkit/base/regular_file.h"
#include "registry/package_form.h"
#include "registry/version.h"

namespace opkit::registry {
namespace {

constexpr size_t kMaxManifestBytes = 4u << 20;
constexpr const char* kBuildAgain = "build the package again with `opkit build`";

Error broken(std::string code, std::string message, const Location& where) {
  return Error(std::move(code), std::move(message), kBuildAgain).at(where);
}

// Typed, checked access to the keys of one map; the first problem is kept.
class Fields {
 public:
  Fields(const Value& map, std::string prefix, Manifest& manifest, std::optional<Error>& problem)
      : map_(map), prefix_(std::move(prefix)), manifest_(manifest), problem_(problem) {}

  void only(const std::vector<std::string>& known) {
    if (problem_) return;
    const Status status = map_.check_keys(prefix_.empty() ? "manifest" : prefix_, known);
    if (!status) adopt(status.error());
  }

  // Returns the value of a required key, or nullptr after a problem.
  const Value* require(const std::string& key) {
    if (problem_) return nullptr;
    const Value* value = map_.find(key);
    if (value == nullptr) {
      refuse("OPK-MANIFEST-003", fmt::format("the manifest lacks '{}'", full(key)), map_.where);
      return nullptr;
    }
    manifest_.places[full(key)] = value->where;
    return value;
  }

  std::string text(const std::string& key) { return text_of(require(key), full(key)); }

  std::string text_of(const Value* value, const std::string& what) {
    if (value == nullptr) return {};
    Result<std::string> text = value->as_string(what);
    if (!text) return adopt(text.error()), std::string();
    return *text;
  }

  uint64_t number(const std::string& key, uint64_t limit) {
    const Value* value = require(key);
    if (value == nullptr) return 0;
    const Result<int64_t> number = value->as_int(full(key));
    if (!number) return adopt(number.error()), 0;
    if (*number < 0 || static_cast<uint64_t>(*number) > limit) {
      bad(key, fmt::format("{} is outside 0 to {}", *number, limit));
    }
    return static_cast<uint64_t>(*number);
  }

  const Value* list(const std::string& key) {
    const Value* value = require(key);
    if (value == nullptr || value->is_list()) return value;
    refuse("OPK-MANIFEST-004", fmt::format("'{}' must be a list", full(key)), value->where);
    return nullptr;
  }

  std::vector<std::string> texts(const std::string& key) {
    std::vector<std::string> result;
    const Value* value = list(key);
    if (value == nullptr) return result;
    for (const Value& item : value->items) result.push_back(text_of(&item, full(key)));
    return result;
  }

  // Returns a required map, or nullptr.
  const Value* map(const std::string& key) {
    const Value* value = require(key);
    if (value == nullptr || value->is_map()) return value;
    refuse("OPK-MANIFEST-004", fmt::format("'{}' must be a map", full(key)), value->where);
    return nullptr;
  }

  void check(bool good, const std::string& key, const std::string& why) {
    if (!good && !problem_) bad(key, why);
  }

  void bad(const std::string& key, const std::string& why) {
    refuse("OPK-MANIFEST-005", fmt::format("'{}': {}", full(key), why), manifest_.place(full(key)));
  }

  void refuse(std::string code, std::string message, const Location& where) {
    if (!problem_) problem_ = broken(std::move(code), std::move(message), where);
  }

  Location place(const std::string& key) const { return manifest_.place(full(key)); }

  std::string full(const std::string& key) const {
    return prefix_.empty() ? key : prefix_ + "." + key;
  }

 private:
  // An error of the document layer, under the manifest's code.
  void adopt(const Error& error) {
    if (problem_) return;
    problem_ = error;
    problem_->code = "OPK-MANIFEST-004";
    if (problem_->action.empty()) problem_->action = kBuildAgain;
  }

  const Value& map_;
  std::string prefix_;
  Manifest& manifest_;
  std::optional<Error>& problem_;
};

bool is_sha256(const std::string& text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Dotted digits or nothing.
bool is_dotted(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

// A relative path that stays inside the package and is plain text.
bool is_inside(const std::string& text) {
  const std::filesystem::path path(text);
  if (text.empty() || text.size() > 512 || path.is_absolute()) return false;
  if (std::any_of(text.begin(), text.end(), [](char c) { return c > 0 && c < 32; })) return false;
  return std::none_of(path.begin(), path.end(), [](const std::filesystem::path& part) {
    return part == ".." || part == "." || part.empty();
  });
}

void read_path(Fields& fields, const std::string& key, std::string& result) {
  result = fields.text(key);
  if (!is_inside(result)) {
    fields.refuse("OPK-MANIFEST-006",
                  fmt::format("'{}': the path '{}' does not stay inside the package",
                              fields.full(key), result),
                  fields.place(key));
  }
}

void read_digest(Fields& fields, std::string& result) {
  result = fields.text("sha256");
  fields.check(is_sha256(result), "sha256", "a digest has 64 lower-case hexadecimal digits");
}

void read_identity(Fields& fields, Manifest& manifest) {
  const uint64_t format = fields.number("manifest", 1000);
  fields.check(format == kManifestFormat, "manifest",
               fmt::format("the format is {}, this opkit reads {}", format, kManifestFormat));
  manifest.abi = static_cast<uint32_t>(fields.number("abi", 1u << 30));
  manifest.vendor = fields.text("vendor");
  fields.check(
      is_vendor_name(manifest.vendor), "vendor",
      fmt::format("'{}' is not a vendor name (letters, digits, '_', '-')", manifest.vendor));
  manifest.op = fields.text("op");
  fields.check(is_op_type(manifest.op), "op",
               fmt::format("'{}' is not an op type (CamelCase)", manifest.op));
  manifest.version = fields.text("version");
  fields.check(SemVer::parse(manifest.version).ok(), "version",
               fmt::format("'{}' is not a semantic version", manifest.version));
  manifest.kit = fields.text("opkit");
}

void read_library(Fields& fields, Manifest& manifest) {
  fields.only({"file", "sha256", "platform", "sanitizer", "glibc", "glibcxx", "needed"});
  read_path(fields, "file", manifest.library_file);
  read_digest(fields, manifest.library_sha256);
  manifest.platform = fields.text("platform");
  manifest.sanitizer = fields.text("sanitizer");
  fields.check(is_one_of(manifest.sanitizer, {"none", "address", "thread"}), "sanitizer",
               fmt::format("'{}' is none of none, address, thread", manifest.sanitizer));
  manifest.glibc = fields.text("glibc");
  fields.check(is_dotted(manifest.glibc), "glibc", "a version has digits and dots");
  manifest.glibcxx = fields.text("glibcxx");
  fields.check(is_dotted(manifest.glibcxx), "glibcxx", "a version has digits and dots");
  manifest.needed = fields.texts("needed");
}

KernelEntry read_kernel(Fields& fields, const Value& value) {
  KernelEntry kernel;
  fields.only({"name", "column", "tiling_key", "task_type"});
  kernel.name = fields.text("name");
  kernel.task_type = fields.text("task_type");
  if (value.find("column") != nullptr) {
    kernel.column = fields.number("column", std::numeric_limits<uint32_t>::max() - 1);
  }
  if (value.find("tiling_key") == nullptr) return kernel;
  const std::string text = fields.text("tiling_key");  // quoted: keys use all 64 bits
  uint64_t key = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), key);
  fields.check(error == std::errc() && end == text.data() + text.size(), "tiling_key",
               fmt::format("'{}' is not a 64-bit number", text));
  kernel.tiling_key = key;
  return kernel;
}

void read_kernels(Fields& fields, Manifest& manifest, std::optional<Error>& problem) {
  const Value* list = fields.list("kernels");
  if (list == nullptr) return;
  for (size_t i = 0; i < list->items.size() && !problem; ++i) {
    const Value& item = list->items[i];
    const std::string name = fmt::format("kernels[{}]", i);
    if (!item.is_map()) {
      return fields.refuse("OPK-MANIFEST-004", fmt::format("'{}' must be a map", name), item.where);
    }
    Fields entry(item, name, manifest, problem);
    manifest.kernels.push_back(read_kernel(entry, item));
  }
}

// Names that the package needs for something else.
bool is_taken(const std::string& file, const Manifest& manifest) {
  return file == kManifestName || file == kSignatureName || file == manifest.contract_file ||
         file == manifest.library_file ||
         std::any_of(manifest.files.begin(), manifest.files.end(),
                     [&file](const FileEntry& other) { return other.file == file; });
}

// An optional list, since most packages hold nothing else.
void read_files(const Value& root, Fields& fields, Manifest& manifest,
                std::optional<Error>& problem) {
  if (root.find("files") == nullptr) return;
  const Value* list = fields.list("files");
  if (list == nullptr) return;
  fields.check(list->items.size() <= kMaxPackageFiles, "files", "more files than are allowed");
  for (size_t i = 0; i < list->items.size() && !problem; ++i) {
    const Value& item = list->items[i];
    const std::string name = fmt::format("files[{}]", i);
    if (!item.is_map()) {
      return fields.refuse("OPK-MANIFEST-004", fmt::format("'{}' must be a map", name), item.where);
    }
    Fields inner(item, name, manifest, problem);
    inner.only({"file", "sha256"});
    FileEntry entry;
    read_path(inner, "file", entry.file);
    read_digest(inner, entry.sha256);
    inner.check(!is_taken(entry.file, manifest), "file",
                fmt::format("'{}' is listed twice or has another part", entry.file));
    manifest.files.push_back(std::move(entry));
  }
}

void read_all(const Value& root, Manifest& manifest, std::optional<Error>& problem) {
  Fields fields(root, "", manifest, problem);
  fields.only({"manifest", "abi", "vendor", "op", "version", "opkit", "contract", "library", "soc",
               "kernels", "files"});
  read_identity(fields, manifest);
  if (const Value* contract = fields.map("contract")) {
    Fields inner(*contract, "contract", manifest, problem);
    inner.only({"file", "sha256"});
    read_path(inner, "file", manifest.contract_file);
    read_digest(inner, manifest.contract_sha256);
  }
  if (const Value* library = fields.map("library")) {
    Fields inner(*library, "library", manifest, problem);
    read_library(inner, manifest);
  }
  manifest.socs = fields.texts("soc");
  read_kernels(fields, manifest, problem);
  read_files(root, fields, manifest, problem);
}

// Returns a YAML string in double quotes.
std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (byte < 32 || byte == 127)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + "\"";
}

std::string list_in_quotes(const std::vector<std::string>& list) {
  std::string text = "[";
  for (size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + in_quotes(list[i]);
  return text + "]";
}

std::string kernel_line(const KernelEntry& kernel) {
  std::string text = fmt::format("  - {{name: {}", in_quotes(kernel.name));
  if (kernel.column) text += fmt::format(", column: {}", *kernel.column);
  if (kernel.tiling_key) text += fmt::format(", tiling_key: \"{}\"", *kernel.tiling_key);
  return text + fmt::format(", task_type: {}}}\n", in_quotes(kernel.task_type));
}

}  // namespace

Location Manifest::place(const std::string& key) const {
  const auto found = places.find(key);
  if (found != places.end()) return found->second;
  const auto whole = places.find("");
  return whole == places.end() ? Location{} : whole->second;
}

Result<Manifest> parse_manifest(std::string_view text, const std::string& name) {
  Result<Document> document = Document::parse(text, name);
  if (!document) {
    Error error = std::move(document).error();
    error.code = "OPK-MANIFEST-002";
    error.message = "the manifest is not readable: " + error.message;
    return error;
  }
  Manifest manifest;
  manifest.places[""] = {name};
  if (!document->root().is_map()) {
    return broken("OPK-MANIFEST-004", "the manifest must be a map of keys", {name, 1, 1});
  }
  std::optional<Error> problem;
  read_all(document->root(), manifest, problem);
  if (!problem) return manifest;
  if (problem->where.file.empty()) problem->where.file = name;
  return *std::move(problem);
}

Result<Manifest> load_manifest(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) {
    return Error("OPK-MANIFEST-001", "there is no manifest " + path.string(),
                 "install the package again, or build it with `opkit build`");
  }
  OPKIT_TRY(const std::string text, read_regular_file(path, kMaxManifestBytes));
  return parse_manifest(text, path.string());
}

std::string to_yaml(const Manifest& m) {
  std::string text = fmt::format(
      "# Written by opkit; describes this package and is checked before anything is loaded.\n"
      "manifest: {}\nabi: {}\nvendor: {}\nop: {}\nversion: {}\nopkit: {}\n",
      kManifestFormat, m.abi, in_quotes(m.vendor), in_quotes(m.op), in_quotes(m.version),
      in_quotes(m.kit));
  text += fmt::format("contract:\n  file: {}\n  sha256: {}\n", in_quotes(m.contract_file),
                      in_quotes(m.contract_sha256));
  text += fmt::format(
      "library:\n  file: {}\n  sha256: {}\n  platform: {}\n  sanitizer: {}\n  glibc: {}\n"
      "  glibcxx: {}\n  needed: {}\n",
      in_quotes(m.library_file), in_quotes(m.library_sha256), in_quotes(m.platform),
      in_quotes(m.sanitizer), in_quotes(m.glibc), in_quotes(m.glibcxx), list_in_quotes(m.needed));
  text += fmt::format("soc: {}\n", list_in_quotes(m.socs));
  text += m.kernels.empty() ? "kernels: []\n" : "kernels:\n";
  for (const KernelEntry& kernel : m.kernels) text += kernel_line(kernel);
  if (!m.files.empty()) text += "files:\n";
  for (const FileEntry& entry : m.files)
    text += fmt::format("  - {{file: {}, sha256: {}}}\n", in_quotes(entry.file),
                        in_quotes(entry.sha256));
  return text;
}

}  // namespace opkit::registry
