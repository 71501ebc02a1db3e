#include "opkit/build/project/template_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "opkit/base/file.h"
#include "opkit/build/project/shared_parts.h"
#include "registry/manifest.h"
#include "registry/opp_layout.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

// The kernel's entry point is a C function with the op's snake_case name: these names are taken by
// the language or by libc.
constexpr std::array<std::string_view, 78> kTakenNames = {
    "abs",       "alignas",  "and",       "asin",     "asm",    "auto",   "bool",     "break",
    "case",      "catch",    "ceil",      "char",     "class",  "const",  "continue", "cos",
    "cosh",      "default",  "delete",    "div",      "do",     "double", "else",     "enum",
    "erf",       "exit",     "exp",       "explicit", "export", "extern", "false",    "float",
    "floor",     "for",      "free",      "friend",   "goto",   "half",   "if",       "index",
    "inline",    "int",      "log",       "log2",     "long",   "main",   "malloc",   "mutable",
    "namespace", "new",      "not",       "operator", "or",     "pow",    "private",  "protected",
    "public",    "register", "remainder", "remove",   "rename", "return", "rint",     "round",
    "short",     "signed",   "sin",       "sinh",     "sizeof", "sqrt",   "static",   "struct",
    "switch",    "tan",      "tanh",      "template", "trunc",  "xor"};

// Returns a legal op type near to the text: "my_fused-op" -> "MyFusedOp".
std::string camel(const std::string& text) {
  std::string result;
  bool up = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!std::isalnum(byte) || byte >= 0x80) {
      up = true;
      continue;
    }
    result += up ? static_cast<char>(std::toupper(byte)) : c;
    up = false;
  }
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "Op" + result;
  return result;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

void replace_all(std::string& text, std::string_view token, const std::string& by) {
  for (size_t at = 0; (at = text.find(token, at)) != std::string::npos; at += by.size()) {
    text.replace(at, token.size(), by);
  }
}

// Returns a placeholder that is left: "@", capital letters or underscores, "@".
std::string left_over(const std::string& text) {
  for (size_t at = 0; (at = text.find('@', at)) != std::string::npos; ++at) {
    size_t end = at + 1;
    while (end < text.size() &&
           (std::isupper(static_cast<unsigned char>(text[end])) || text[end] == '_'))
      ++end;
    if (end > at + 1 && end < text.size() && text[end] == '@') return text.substr(at, end - at + 1);
  }
  return {};
}

Error cannot_write(const fs::path& path, const std::string& reason) {
  return Error("OPK-NEW-004", fmt::format("cannot write {}: {}", path.string(), reason),
               "choose a folder that you may write with --dir");
}

// A directory beside the target that vanishes unless it was published.
class Stage {
 public:
  static Result<Stage> beside(const fs::path& target) {
    std::error_code failure;
    const fs::path parent = fs::absolute(target).parent_path();
    fs::create_directories(parent, failure);
    if (failure) return cannot_write(parent, failure.message());
    std::string pattern = (parent / ".opkit-new-XXXXXX").string();
    if (!mkdtemp(pattern.data())) return cannot_write(parent, std::strerror(errno));
    chmod(pattern.c_str(), 0755);
    return Stage(pattern);
  }
  Stage(Stage&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  Stage(const Stage&) = delete;
  ~Stage() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  const fs::path& path() const { return path_; }
  // One rename to a name that must be free.
  Status publish(const fs::path& target) {
    const std::string name = fs::absolute(target).string();
    if (renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, name.c_str(), RENAME_NOREPLACE) == 0) {
      path_.clear();
      return {};
    }
    return cannot_write(target, std::strerror(errno));
  }

 private:
  explicit Stage(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

Status write_one(const fs::path& to, const std::string& text) {
  std::error_code failure;
  fs::create_directories(to.parent_path(), failure);
  if (failure) return cannot_write(to.parent_path(), failure.message());
  return write_file(to, text);
}

Status copy_one(const fs::path& from, const fs::path& to, const TemplateNames& names) {
  OPKIT_TRY(std::string text, read_file(from));
  text = names.replace(std::move(text));
  if (const std::string token = left_over(text); !token.empty()) {
    return Error(
        "OPK-NEW-005",
        fmt::format("the template's {} holds {}, which is no placeholder", from.string(), token),
        "use @OP@, @op@, @OP_UPPER@ and @VENDOR@ in templates");
  }
  return write_one(to, text);
}

}  // namespace

std::string TemplateNames::replace(std::string text) const {
  replace_all(text, "@OP_UPPER@", upper(snake));
  replace_all(text, "@OP@", op);
  replace_all(text, "@op@", snake);
  replace_all(text, "@VENDOR@", vendor);
  return text;
}

Result<TemplateNames> names_for(const std::string& op, const std::string& vendor) {
  if (!registry::is_op_type(op)) {
    return Error("OPK-NEW-001",
                 fmt::format("'{}' cannot name an op: a name is CamelCase letters and digits", op),
                 fmt::format("opkit new {}", camel(op)));
  }
  if (!registry::is_vendor_name(vendor)) {
    return Error("OPK-NEW-001",
                 fmt::format("'{}' cannot name a vendor: letters, digits, '_' and '-'", vendor),
                 "--vendor customize");
  }
  const std::string snake = registry::snake_name(op);
  if (std::find(kTakenNames.begin(), kTakenNames.end(), snake) != kTakenNames.end()) {
    return Error(
        "OPK-NEW-001",
        fmt::format("'{}' cannot name an op: its kernel would be the C function '{}', a name "
                    "that the language or libc has taken",
                    op, snake),
        fmt::format("opkit new {}Custom", op));
  }
  return TemplateNames{op, snake, vendor};
}

std::vector<std::string> template_names(const fs::path& root) { return registry::folders_in(root); }

std::string template_summary(const fs::path& folder) {
  constexpr std::string_view kDoc = "\ndoc: \"";
  const auto text = read_file(folder / "op_contract.yaml");
  const size_t found = text.ok() ? text->find(kDoc) : std::string::npos;
  if (found == std::string::npos) return {};
  const size_t begin = found + kDoc.size();
  return text->substr(begin, text->find('"', begin) - begin);
}

Result<std::vector<std::string>> copy_template(const fs::path& from, const fs::path& shared,
                                               const fs::path& to, const TemplateNames& names,
                                               const std::map<std::string, std::string>& instead) {
  std::error_code failure;
  if (fs::exists(fs::symlink_status(to, failure))) {
    return Error("OPK-NEW-003", fmt::format("{} exists already", to.string()),
                 "choose another name or another folder with --dir");
  }
  OPKIT_TRY(Stage stage, Stage::beside(to));
  std::vector<std::string> files;
  fs::recursive_directory_iterator walk(from, failure);
  for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
    if (!walk->is_regular_file()) continue;
    const std::string relative = names.replace(walk->path().lexically_relative(from).string());
    const auto other = instead.find(relative);
    OPKIT_CHECK(other != instead.end() ? write_one(stage.path() / relative, other->second)
                                       : copy_one(walk->path(), stage.path() / relative, names));
    files.push_back(relative);
  }
  if (failure) return cannot_write(to, failure.message());
  for (const auto& [path, text] : instead) {
    if (std::find(files.begin(), files.end(), path) != files.end()) continue;
    OPKIT_CHECK(write_one(stage.path() / path, text));
    files.push_back(path);
  }
  OPKIT_TRY(const std::vector<std::string> parts, add_shared_parts(shared, stage.path()));
  files.insert(files.end(), parts.begin(), parts.end());
  OPKIT_CHECK(stage.publish(to));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace opkit::project
