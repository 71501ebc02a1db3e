// Fields: strict reading of one map of a chip's or an architecture's file.
#ifndef OPKIT_SOC_FIELDS_H_
#define OPKIT_SOC_FIELDS_H_

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "opkit/base/document.h"

namespace opkit::soc_files {

inline Error bad(const Value& value, std::string message, std::string action) {
  return Error("OPK-SOC-001", std::move(message), std::move(action)).at(value.where);
}

// Reads the keys of one map and remembers the first error; later reads then do nothing.
class Fields {
 public:
  Fields(const Value& map, std::string what, const std::vector<std::string>& known,
         std::optional<Error>& error)
      : map_(map), what_(std::move(what)), error_(error) {
    Status status = map.check_keys(what_.empty() ? "spec" : what_, known);
    if (!status.ok()) fail(std::move(status).error());
  }

  const Value* find(std::string_view key) const { return error_ ? nullptr : map_.find(key); }

  const Value* require(std::string_view key) {
    const Value* value = find(key);
    if (!value && !error_) {
      fail(bad(map_, fmt::format("'{}' is missing", path(key)), "add it with its source"));
    }
    return value;
  }

  template <typename T>
  void number(std::string_view key, T& out) {
    if (const Value* value = require(key)) read(*value, key, out);
  }
  template <typename T>
  void optional_number(std::string_view key, T& out) {
    if (const Value* value = find(key)) read(*value, key, out);
  }

  void text(std::string_view key, std::string& out) {
    if (const Value* value = require(key)) take(value->as_string(path(key)), out);
  }

  void texts(std::string_view key, std::vector<std::string>& out) {
    each(key, [&](const Value& item) {
      std::string entry;
      take(item.as_string(path(key)), entry);
      out.push_back(std::move(entry));
    });
  }

  void numbers(std::string_view key, std::vector<uint32_t>& out) {
    each(key, [&](const Value& item) {
      uint32_t entry = 0;
      read(item, key, entry);
      out.push_back(entry);
    });
  }

  template <typename T>
  void read(const Value& value, std::string_view key, T& out) {
    int64_t wide = 0;
    take(value.as_int(path(key)), wide);
    if (error_) return;
    const uint64_t max = std::min<uint64_t>(std::numeric_limits<T>::max(), uint64_t{1} << 50);
    if (wide < 0 || static_cast<uint64_t>(wide) > max) {
      fail(bad(value, fmt::format("{} is {}, outside 0 to {}", path(key), wide, max),
               "correct the value"));
    } else {
      out = static_cast<T>(wide);
    }
  }

  template <typename T>
  void take(Result<T> result, T& out) {
    if (error_) return;
    if (result.ok()) {
      out = std::move(result).value();
    } else {
      fail(std::move(result).error());
    }
  }

  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }
  // REQUIRES: the key was read.
  void check(bool good, std::string_view key, std::string message, std::string action) {
    if (!good && !error_) fail(bad(*map_.find(key), std::move(message), std::move(action)));
  }
  bool failed() const { return error_.has_value(); }
  std::string path(std::string_view key) const {
    return what_.empty() ? std::string(key) : fmt::format("{}.{}", what_, key);
  }

 private:
  template <typename F>
  void each(std::string_view key, F visit) {
    const Value* value = find(key);
    if (!value) return;
    if (!value->is_list()) {
      fail(bad(*value, fmt::format("{} is not a list", path(key)), "write [a, b]"));
      return;
    }
    for (const Value& item : value->items) visit(item);
  }

  const Value& map_;
  std::string what_;
  std::optional<Error>& error_;
};

inline std::vector<std::string> keys_of(const Value& map) {
  std::vector<std::string> keys;
  for (const Value::Entry& entry : map.entries) keys.push_back(entry.key);
  return keys;
}

}  // namespace opkit::soc_files

#endif  // OPKIT_SOC_FIELDS_H_
