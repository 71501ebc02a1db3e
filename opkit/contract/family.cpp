#include "opkit/contract/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "opkit/base/regular_file.h"

namespace opkit {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostBytes = size_t{4} << 20;

Error refused(const Location& where, std::string message, std::string action) {
  return Error("OPK-CONTRACT-050", std::move(message), std::move(action)).at(where);
}

// Where line `line`, from 1, begins.
size_t begin_of_line(std::string_view text, int line) {
  size_t at = 0;
  for (int n = 1; n < line && at < text.size(); ++n) {
    const size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return at;
}

// Returns the lines of the entry at `index`, up to those of the next one.
std::string_view block_of(const Value& root, size_t index, std::string_view text) {
  const size_t begin = begin_of_line(text, root.entries[index].where.line);
  const size_t end = index + 1 < root.entries.size()
                         ? begin_of_line(text, root.entries[index + 1].where.line)
                         : text.size();
  return text.substr(begin, end - begin);
}

// Fields are moved as lines: each must begin its own.
Status check_lines(const Value& root, const std::string& name) {
  if (!root.is_map())
    return refused(root.where, fmt::format("{} is no map of fields", name),
                   "write one field a line");
  for (const Value::Entry& entry : root.entries) {
    if (entry.where.column != 1)
      return refused(entry.where, fmt::format("the field '{}' does not begin a line", entry.key),
                     "write the fields of a family and of its contracts at the left margin");
  }
  return {};
}

Status check_family(const Value& root, const std::string& name) {
  OPKIT_CHECK(check_lines(root, name));
  for (const char* own : {"op", "family"}) {
    if (const Value* value = root.find(own))
      return refused(value->where, fmt::format("a family has no '{}'", own),
                     "write it in the contracts of the family's ops");
  }
  return {};
}

Result<fs::path> file_of(const Value& family, const std::string& name) {
  OPKIT_TRY(const std::string file, family.as_string("family"));
  const fs::path path = fs::path(name).parent_path() / file;
  std::error_code ignored;
  if (fs::path(file).filename() == file && fs::is_regular_file(path, ignored)) return path;
  return refused(family.where, fmt::format("there is no file '{}' beside the contract", file),
                 "name a file of the contract's folder, e.g. family: family.yaml");
}

}  // namespace

Result<WholeContract> join_family(const Value& root, std::string_view text,
                                  const std::string& name) {
  WholeContract whole{root, std::string(text)};
  const Value* named = root.find("family");
  if (named == nullptr) return whole;
  OPKIT_TRY(const fs::path file, file_of(*named, name));
  OPKIT_TRY(const std::string family_text, read_regular_file(file, kMostBytes));
  OPKIT_TRY(const Document family, Document::parse(family_text, file.string()));
  OPKIT_CHECK(check_family(family.root(), file.string()));
  OPKIT_CHECK(check_lines(root, name));

  const auto is_family = [](const Value::Entry& entry) { return entry.key == "family"; };
  const size_t place =
      std::find_if(root.entries.begin(), root.entries.end(), is_family) - root.entries.begin();
  const std::string_view line = block_of(root, place, text);
  whole.text.erase(static_cast<size_t>(line.data() - text.data()), line.size());
  whole.root.entries.erase(whole.root.entries.begin() + static_cast<std::ptrdiff_t>(place));
  for (size_t i = 0; i < family.root().entries.size(); ++i) {
    const Value::Entry& entry = family.root().entries[i];
    if (root.find(entry.key) != nullptr) continue;
    if (!whole.text.empty() && whole.text.back() != '\n') whole.text += '\n';
    whole.text += block_of(family.root(), i, family_text);
    whole.root.entries.push_back(entry);
  }
  return whole;
}

}  // namespace opkit
