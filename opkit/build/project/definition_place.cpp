#include "opkit/build/project/definition_place.h"

#include <algorithm>
#include <optional>

#include "opkit/base/document.h"
#include "opkit/base/file.h"
#include "opkit/build/source_text/tokens.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

using source_text::Token;

// A source in which places are looked for.
class Text {
 public:
  explicit Text(const fs::path& file) : file_(file.string()) {
    auto read = read_file(file);
    if (read.ok()) text_ = *std::move(read);
    tokens_ = source_text::tokens_of(text_);
  }

  size_t size() const { return tokens_.size(); }
  std::string_view at(size_t i) const {
    return i < tokens_.size() ? tokens_[i].in(text_) : std::string_view();
  }
  Location place(size_t i) const {
    const size_t begin = tokens_[i].begin;
    const size_t line = begin == 0 ? std::string::npos : text_.rfind('\n', begin - 1);
    const size_t before = line == std::string::npos ? 0 : line + 1;
    return {file_, tokens_[i].line, static_cast<int>(begin - before) + 1};
  }

 private:
  std::string file_, text_;
  std::vector<Token> tokens_;
};

// Returns the name in "class <op> : public OpDef {"; nothing: the source has no such class.
std::optional<size_t> class_in(const Text& text, const std::string& op) {
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    const bool declares = text.at(i) == "class" || text.at(i) == "struct";
    const std::string_view behind = text.at(i + 2);
    if (declares && text.at(i + 1) == op && (behind == ":" || behind == "{" || behind == "final"))
      return i + 1;
  }
  return std::nullopt;
}

// Returns the place behind the brace that closes what the first one from `i` on opens.
size_t end_of_body(const Text& text, size_t i) {
  for (int depth = 0; i < text.size(); ++i) {
    if (text.at(i) == "{") ++depth;
    if (text.at(i) == "}" && --depth == 0) return i + 1;
  }
  return i;
}

// Returns the call Input("x"), Output("x") or Attr("x").
std::optional<size_t> call_in(const Text& text, size_t begin, size_t end,
                              const std::string& member) {
  const std::string literal = "\"" + member + "\"";
  for (size_t i = begin; i + 2 < end; ++i) {
    const std::string_view word = text.at(i);
    const bool declares = word == "Input" || word == "Output" || word == "Attr";
    if (declares && text.at(i + 1) == "(" && text.at(i + 2) == literal) return i;
  }
  return std::nullopt;
}

std::optional<size_t> registration_in(const Text& text, const std::string& op) {
  for (size_t i = 0; i + 2 < text.size(); ++i)
    if (text.at(i) == "OP_ADD" && text.at(i + 1) == "(" && text.at(i + 2) == op) return i;
  return std::nullopt;
}

// Returns the words between quotes in a message: 'x'.
std::vector<std::string> quoted_in(const std::string& message) {
  std::vector<std::string> words;
  for (size_t open = message.find('\''); open != std::string::npos;) {
    const size_t close = message.find('\'', open + 1);
    if (close == std::string::npos) break;
    words.push_back(message.substr(open + 1, close - open - 1));
    open = message.find('\'', close + 1);
  }
  return words;
}

bool is_before(const Location& a, const Location& b) {
  return a.line != b.line ? a.line < b.line : a.column <= b.column;
}

// Returns the last of the values that begins before the place, or nullptr.
const Value* last_before(const std::vector<Value>& values, const Location& place) {
  const Value* found = nullptr;
  for (const Value& value : values)
    if (is_before(value.where, place)) found = &value;
  return found;
}

std::string name_in(const Value& value, const char* key) {
  const Value* const name = value.find(key);
  return name ? name->text : "";
}

// Names of what the place in the prototype is about.
std::vector<std::string> members_at(const Value& op, const Location& place) {
  const Value::Entry* part = nullptr;
  for (const Value::Entry& entry : op.entries)
    if (is_before(entry.where, place)) part = &entry;
  if (!part || !part->value.is_list()) return {};
  const Value* const member = last_before(part->value.items, place);
  const std::string name = member ? name_in(*member, "name") : "";
  return name.empty() ? std::vector<std::string>() : std::vector<std::string>{name};
}

}  // namespace

Location definition_place(const std::vector<fs::path>& sources, const std::string& op,
                          const std::vector<std::string>& members) {
  std::optional<Location> registered;
  for (const fs::path& source : sources) {
    const Text text(source);
    const std::optional<size_t> name = class_in(text, op);
    const std::optional<size_t> added = registration_in(text, op);
    if (added && !registered) registered = text.place(*added);
    if (!name) continue;
    const size_t end = end_of_body(text, *name);
    for (const std::string& member : members)
      if (const auto call = call_in(text, *name, end, member)) return text.place(*call);
    return text.place(*name);
  }
  return registered.value_or(Location{});
}

Error about_sources(Error error, std::string_view text, const std::string& file,
                    const std::vector<fs::path>& sources) {
  const auto prototype = Document::parse(text, file);
  if (!prototype.ok()) return error;
  const Value* const op = last_before(prototype->root().items, error.where);
  if (!op) return error;
  const std::string type = name_in(*op, "op");
  std::vector<std::string> members = members_at(*op, error.where);
  for (std::string& word : quoted_in(error.message)) members.push_back(std::move(word));
  if (error.where.file == file) error.where = definition_place(sources, type, members);
  const Location whole = definition_place(sources, type, {});
  for (std::string& line : error.trail)
    if (const size_t at = line.find(file); at != std::string::npos)
      line.replace(at, std::string::npos, whole.to_string());
  return error;
}

}  // namespace opkit::project
