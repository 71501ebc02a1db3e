#include "opkit/build/codegen/read_kernel.h"

#include <set>

#include "opkit/base/file.h"
#include "opkit/build/codegen/kernel_file.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::codegen {
namespace fs = std::filesystem;
namespace {

using source_text::Token;
using Kind = Token::Kind;

// The kernel's own headers, as far as they are found; what is not is the compiler's business.
Status read_files(const fs::path& path, const std::vector<fs::path>& folders,
                  KernelReading& reading) {
  OPKIT_TRY(const std::string text, read_file(path));
  const std::string name = path.string();
  const KernelFile kernel_file(text, name);
  // Headers first: what they define is known to the text that includes them.
  for (const std::string& include : kernel_file.includes()) {
    std::vector<fs::path> places = {path.parent_path()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const fs::path& place : places) {
      std::error_code failure;
      const fs::path header = (place / include).lexically_normal();
      if (!fs::is_regular_file(header, failure)) continue;
      if (reading.seen.insert(header).second) OPKIT_CHECK(read_files(header, folders, reading));
      break;
    }
  }
  return kernel_file.read_into(reading);
}

// Literals and known constants only; words get their namespaces. Empty: not a constant here.
std::string resolve_key(const std::string& raw, const KernelReading& reading) {
  std::string out;
  for (const Token& token : source_text::tokens_of(raw)) {
    const std::string word(token.in(raw));
    if (token.kind != Kind::kWord) {
      out += word;
      continue;
    }
    const auto known = reading.names.find(word);
    if (known == reading.names.end()) return {};
    out += known->second;
  }
  return out;
}

// A number, whether it is written as a literal or with a suffix, is one key.
void settle_keys(KernelReading& reading) {
  std::set<std::string> seen;
  KernelSource& result = reading.result;
  for (const std::string& raw : reading.raw_keys) {
    const std::string key = resolve_key(raw, reading);
    if (key.empty()) result.keys_known = false;
    if (key.empty()) continue;
    const auto number = literal_key(key);
    if (seen.insert(number ? std::to_string(*number) : key).second) result.keys.push_back(key);
  }
  for (auto& [key, type] : result.key_types) {
    const std::string resolved = resolve_key(key, reading);
    if (!resolved.empty()) key = resolved;
  }
}

}  // namespace

Result<KernelSource> read_kernel_text(const std::string& text, const std::string& file,
                                      const std::string& entry) {
  KernelReading reading(entry);
  OPKIT_CHECK(KernelFile(text, file).read_into(reading));
  settle_keys(reading);
  return std::move(reading.result);
}

Result<KernelSource> read_kernel(const fs::path& file, const std::string& entry,
                                 const std::vector<fs::path>& include_dirs) {
  KernelReading reading(entry);
  reading.seen.insert(file.lexically_normal());
  std::vector<fs::path> folders = {file.parent_path()};
  folders.insert(folders.end(), include_dirs.begin(), include_dirs.end());
  OPKIT_CHECK(read_files(file, folders, reading));
  settle_keys(reading);
  reading.result.files.assign(reading.seen.begin(), reading.seen.end());
  return std::move(reading.result);
}

}  // namespace opkit::codegen
