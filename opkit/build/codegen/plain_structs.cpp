#include "opkit/build/codegen/plain_structs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "opkit/base/file.h"
#include "opkit/build/codegen/kernel_source.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::codegen {
namespace fs = std::filesystem;
namespace {

using source_text::Token;
using Kind = Token::Kind;

// Macros and functions whose first argument is a struct of tiling data.
bool names_struct(std::string_view word) {
  static const std::set<std::string_view> kNames = {
      "REGISTER_TILING_DEFAULT", "GET_TILING_DATA_WITH_STRUCT", "GET_TILING_DATA_MEMBER",
      "GET_TILING_DATA_PTR_WITH_STRUCT", "GetTilingData"};
  return kNames.count(word) > 0;
}

// Returns the name of a number as opkit_host knows it; others stay as they are.
std::string plain_type(const std::string& type) {
  static const std::map<std::string, std::string> kSame = {
      {"int", "int32_t"},     {"unsigned", "uint32_t"}, {"unsigned int", "uint32_t"},
      {"size_t", "uint64_t"}, {"float32_t", "float"},   {"float16_t", "half"}};
  const auto found = kSame.find(type);
  return found == kSame.end() ? type : found->second;
}

class StructReader {
 public:
  StructReader(const std::string& text, PlainStructs& structs, std::set<std::string>& unclear,
               std::map<std::string, uint64_t>& constants)
      : text_(text),
        tokens_(source_text::tokens_of(text)),
        structs_(structs),
        unclear_(unclear),
        constants_(constants) {}

  void run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      note_constant(i);
      if (is(i, "struct") && is_word(i + 1) && is(i + 2, "{")) note_struct(i);
      if (is_word(i) && names_struct(word(i))) note_asked(i + 1, structs_.asked);
      if (is(i, "REGISTER_TILING_DEFAULT")) note_asked(i + 1, structs_.defaults);
    }
  }

 private:
  std::string_view word(size_t i) const {
    return i < tokens_.size() ? tokens_[i].in(text_) : std::string_view();
  }
  bool is(size_t i, std::string_view what) const {
    return i < tokens_.size() && tokens_[i].kind != Kind::kLiteral && word(i) == what;
  }
  bool is_word(size_t i) const { return i < tokens_.size() && tokens_[i].kind == Kind::kWord; }

  static std::optional<uint64_t> number(std::string_view text) {
    return literal_key(std::string(text));
  }

  // `constexpr uint32_t kParts = 8;` and `#define PARTS 8`.
  void note_constant(size_t i) {
    if (is(i, "=") && i > 0 && is_word(i - 1) && is(i + 2, ";")) {
      if (const auto value = number(word(i + 1))) define(std::string(word(i - 1)), *value);
    }
    if (is(i, "define") && i > 0 && is(i - 1, "#") && is_word(i + 1)) {
      if (const auto value = number(word(i + 2))) define(std::string(word(i + 1)), *value);
    }
  }

  // 0 stands for what is defined twice.
  void define(const std::string& name, uint64_t value) {
    const auto [known, fresh] = constants_.emplace(name, value);
    if (!fresh && known->second != value) known->second = 0;
  }

  // The last name of `(ns::Struct,` or `<Struct>`.
  void note_asked(size_t i, std::vector<std::string>& asked) {
    if (!is(i, "(") && !is(i, "<")) return;
    std::string name;
    for (++i; is_word(i) || is(i, ":"); ++i) {
      if (is_word(i)) name = word(i);
    }
    const bool ends = is(i, ",") || is(i, ">") || is(i, ")");
    if (ends && !name.empty() && std::count(asked.begin(), asked.end(), name) == 0)
      asked.push_back(name);
  }

  void note_struct(size_t i) {
    const std::string name(word(i + 1));
    std::vector<StructField> fields;
    if (packed() || !read_fields(i + 3, fields)) {
      unclear_.insert(name);
      return;
    }
    const auto [known, fresh] = structs_.fields.emplace(name, fields);
    const auto same = [](const StructField& a, const StructField& b) {
      return a.type == b.type && a.name == b.name && a.count == b.count;
    };
    if (!fresh &&
        !std::equal(fields.begin(), fields.end(), known->second.begin(), known->second.end(), same))
      unclear_.insert(name);
  }

  // Whatever a file packs has another layout.
  bool packed() const { return text_.find("pragma pack") != std::string::npos; }

  // Up to the closing brace; false for anything but fields.
  bool read_fields(size_t i, std::vector<StructField>& fields) const {
    while (i < tokens_.size() && !is(i, "}")) {
      const auto next = read_declaration(i, fields);
      if (!next) return false;
      i = *next;
    }
    return !fields.empty() && is(i + 1, ";");
  }

  // Returns the place behind its semicolon.
  std::optional<size_t> read_declaration(size_t i, std::vector<StructField>& fields) const {
    if (is(i, "static") || is(i, "using")) return behind(i);
    std::string type;
    std::vector<std::string> words;
    for (; is_word(i) || is(i, ":"); ++i) {
      if (is(i, ":")) {
        words.clear();  // drops the words of a namespace
      } else {
        words.emplace_back(word(i));
      }
    }
    if (words.size() < 2) return std::nullopt;
    std::string name = words.back();
    words.pop_back();
    type = plain_type(fmt::format("{}", fmt::join(words, " ")));
    if (type.find(' ') != std::string::npos) return std::nullopt;
    for (;;) {
      uint64_t count = 0;
      for (; is(i, "["); i += 3) {
        const auto size = size_at(i + 1);
        if (!size || !is(i + 2, "]")) return std::nullopt;
        count = std::max<uint64_t>(count, 1) * *size;
      }
      fields.push_back({type, name, count});
      i = behind_value(i);
      if (is(i, ";")) return i + 1;
      if (!is(i, ",") || !is_word(i + 1)) return std::nullopt;
      name = word(i + 1);
      i += 2;
    }
  }

  std::optional<uint64_t> size_at(size_t i) const {
    if (const auto value = number(word(i))) return value;
    const auto known = constants_.find(std::string(word(i)));
    if (known == constants_.end() || known->second == 0) return std::nullopt;
    return known->second;
  }

  size_t behind(size_t i) const {
    while (i < tokens_.size() && !is(i, ";") && !is(i, "}")) ++i;
    return i + 1;
  }

  // `= 0` and `{}` give a value, which is no part of the layout.
  size_t behind_value(size_t i) const {
    if (is(i, "=")) {
      for (++i; i < tokens_.size() && !is(i, ",") && !is(i, ";") && !is(i, "{"); ++i) {
      }
    }
    if (!is(i, "{")) return i;
    while (i < tokens_.size() && !is(i, "}")) ++i;
    return i + 1;
  }

  const std::string& text_;
  std::vector<Token> tokens_;
  PlainStructs& structs_;
  std::set<std::string>& unclear_;
  std::map<std::string, uint64_t>& constants_;
};

PlainStructs read_texts(const std::vector<std::string>& texts) {
  PlainStructs structs;
  std::set<std::string> unclear;
  std::map<std::string, uint64_t> constants;
  // Reads all files twice: what a later file defines may be the size of an earlier one's array.
  for (int pass = 0; pass < 2; ++pass) {
    structs = {};
    unclear.clear();
    for (const std::string& text : texts) StructReader(text, structs, unclear, constants).run();
  }
  for (const std::string& name : unclear) structs.fields.erase(name);
  return structs;
}

// "TILING_KEY_VAR == 2"; absent: it says more.
std::optional<uint64_t> key_in(const std::string& condition) {
  const std::string before = "TILING_KEY_VAR == ";
  if (condition.compare(0, before.size(), before) != 0) return std::nullopt;
  return literal_key(condition.substr(before.size()));
}

bool holds_struct(const PlainStructs& structs, const std::string& outer, const std::string& inner) {
  const auto found = structs.fields.find(outer);
  return found != structs.fields.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const StructField& field) { return field.type == inner; });
}

// Returns the one that is registered as the default, else the only one that is asked for. A part of
// another one is what shared code asks for in ops that have nothing else.
std::string default_struct(const PlainStructs& structs, const std::set<std::string>& of_keys) {
  const auto known = [&](const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const std::string& name : names) {
      const bool part = std::any_of(names.begin(), names.end(), [&](const std::string& outer) {
        return holds_struct(structs, outer, name);
      });
      if (structs.fields.count(name) > 0 && of_keys.count(name) == 0 && !part)
        found.push_back(name);
    }
    return found;
  };
  const std::vector<std::string> defaults = known(structs.defaults), asked = known(structs.asked);
  if (defaults.size() == 1) return defaults.front();
  return defaults.empty() && asked.size() == 1 ? asked.front() : std::string();
}

}  // namespace

PlainStructs read_structs(const std::vector<fs::path>& files) {
  std::vector<std::string> texts;
  std::set<fs::path> seen;
  for (const fs::path& file : files) {
    std::error_code failure;
    const fs::path same = fs::weakly_canonical(file, failure);
    auto text = seen.insert(same).second ? read_file(file) : Result<std::string>(std::string());
    if (text.ok()) texts.push_back(std::move(text).value());
  }
  return read_texts(texts);
}

PlainStructs read_structs_text(const std::string& text) { return read_texts({text}); }

std::string plain_structs_text(const std::string& op, const PlainStructs& structs,
                               const std::vector<std::pair<std::string, std::string>>& by_key) {
  std::string roots, fields;
  size_t count = 0;
  std::set<std::string> of_keys;
  for (const auto& [condition, name] : by_key) {
    const auto key = key_in(condition);
    of_keys.insert(name);
    if (!key || structs.fields.count(name) == 0) continue;
    roots += fmt::format("    {{{}u, \"{}\"}},\n", *key, name);
    ++count;
  }
  const std::string any = default_struct(structs, of_keys);
  if (!any.empty()) {
    roots += fmt::format("    {{OPK_ANY_TILING_KEY, \"{}\"}},\n", any);
    ++count;
  }
  if (count == 0) return {};
  size_t rows = 0;
  for (const auto& [owner, list] : structs.fields) {
    for (const StructField& field : list) {
      fields += fmt::format("    {{\"{}\", \"{}\", \"{}\", {}}},\n", owner, field.type, field.name,
                            field.count);
      ++rows;
    }
  }
  return fmt::format(
      "static const opkit_host::PlainField kPlainFields[] = {{\n{0}}};\n"
      "static const opkit_host::PlainRoot kPlainRoots[] = {{\n{1}}};\n"
      "static const opkit_host::PlainTiling kPlainTiling = {{kPlainFields, {2}, kPlainRoots, "
      "{3}}};\n"
      "[[maybe_unused]] static const bool kPlainKnown =\n"
      "    (opkit_host::registry().plain_tilings[\"{4}\"] = &kPlainTiling, true);\n\n",
      fields, roots, rows, count, op);
}

}  // namespace opkit::codegen
