// Document: a parsed YAML (or JSON) file whose every value remembers its position. The only form in
// which the rest of opkit sees YAML; yaml-cpp stays in document.cpp.
//
// Parsing is strict and bounded, because files are untrusted: duplicate keys, anchors and aliases,
// tags, several documents, more than 64 levels or 200,000 values, and files over 4 MiB are errors.
// Scalars keep their text; nothing is converted until somebody asks for a type.
#ifndef OPKIT_BASE_DOCUMENT_H_
#define OPKIT_BASE_DOCUMENT_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/base/status.h"

namespace opkit {

class Value {
 public:
  enum class Kind { kNull, kScalar, kList, kMap };
  struct Entry;

  Kind kind = Kind::kNull;
  std::string text;     // holds a scalar as written (quotes and escapes resolved)
  bool quoted = false;  // the scalar was written in quotes
  Location where;
  std::vector<Value> items;    // holds a list
  std::vector<Entry> entries;  // holds a map in file order

  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_null() const { return kind == Kind::kNull; }

  // Returns the value of a key, or nullptr.
  const Value* find(std::string_view key) const;

  // Typed reads. `what` names the value in the error: "attrs.alpha.default".
  // A string that YAML readers disagree on (unquoted yes/no/on/off/y/n, 1.10 where a string is
  // wanted) is an error that suggests quotes.
  Result<std::string> as_string(std::string_view what) const;
  Result<int64_t> as_int(std::string_view what) const;    // decimal or 0x; also 2**k
  Result<double> as_number(std::string_view what) const;  // also inf, -inf, nan
  Result<bool> as_bool(std::string_view what) const;      // true or false only

  // An error unless this is a map whose keys are all in `known`; the message suggests the nearest
  // name.
  Status check_keys(std::string_view what, const std::vector<std::string>& known) const;
};

struct Value::Entry {
  std::string key;
  Location where;  // tells the place of the key
  Value value;
};

class Document {
 public:
  // `name` is the file name that positions carry.
  static Result<Document> parse(std::string_view text, std::string name);
  static Result<Document> load(const std::filesystem::path& path);

  const Value& root() const { return root_; }

 private:
  Value root_;
};

}  // namespace opkit

#endif  // OPKIT_BASE_DOCUMENT_H_
