#include "opkit/base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace opkit {

struct JsonWriter {
  static nlohmann::ordered_json convert(const Json& json) {
    switch (json.kind_) {
      case Json::Kind::kNull: return nullptr;
      case Json::Kind::kBool: return json.number_.whole != 0;
      case Json::Kind::kSigned: return json.number_.whole;
      case Json::Kind::kUnsigned: return json.number_.natural;
      case Json::Kind::kReal: return json.number_.real;
      case Json::Kind::kText: return json.text_;
      case Json::Kind::kArray: return array(json);
      case Json::Kind::kObject: return object(json);
    }
    return nullptr;
  }
  static nlohmann::ordered_json array(const Json& json) {
    auto list = nlohmann::ordered_json::array();
    for (const Json& item : json.items_) list.push_back(convert(item));
    return list;
  }
  static nlohmann::ordered_json object(const Json& json) {
    auto members = nlohmann::ordered_json::object();
    for (size_t i = 0; i < json.items_.size(); ++i)
      members[json.keys_[i]] = convert(json.items_[i]);
    return members;
  }
};

struct JsonReader {
  using Parsed = nlohmann::ordered_json;

  static Json convert(const Parsed& parsed) {
    switch (parsed.type()) {
      case Parsed::value_t::object: return object(parsed);
      case Parsed::value_t::array: return array(parsed);
      case Parsed::value_t::string: return parsed.get<std::string>();
      case Parsed::value_t::boolean: return parsed.get<bool>();
      case Parsed::value_t::number_unsigned: return parsed.get<uint64_t>();
      case Parsed::value_t::number_integer: return parsed.get<int64_t>();
      case Parsed::value_t::number_float: return parsed.get<double>();
      default: return {};
    }
  }
  static Json array(const Parsed& parsed) {
    Json list(Json::Kind::kArray);
    for (const Parsed& item : parsed) list.items_.push_back(convert(item));
    return list;
  }
  static Json object(const Parsed& parsed) {
    Json members(Json::Kind::kObject);
    for (const auto& [key, value] : parsed.items()) {
      members.keys_.push_back(key);
      members.items_.push_back(convert(value));
    }
    return members;
  }
};

Json::Json() : Json(Kind::kNull) {}
Json::Json(Kind kind) : kind_(kind) {}
Json::Json(const char* text) : Json(std::string_view(text)) {}
Json::Json(std::string_view text) : kind_(Kind::kText), text_(text) {}
Json::Json(std::string text) : kind_(Kind::kText), text_(std::move(text)) {}
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> items)
    : Json(std::all_of(items.begin(), items.end(), [](const Json& i) { return i.is_member(); })
               ? Kind::kObject
               : Kind::kArray) {
  for (const Json& item : items) {
    if (kind_ == Kind::kObject)
      (*this)[item.items_[0].text_] = item.items_[1];
    else
      items_.push_back(item);
  }
}

Json Json::array(std::initializer_list<Json> items) {
  Json list(Kind::kArray);
  list.items_ = items;
  return list;
}

Json Json::object() { return Json(Kind::kObject); }

std::optional<Json> Json::parse(std::string_view text, int most_depth) {
  using Event = JsonReader::Parsed::parse_event_t;
  bool too_deep = false;
  const auto shallow = [&](int depth, Event event, JsonReader::Parsed&) {
    const bool opens = event == Event::array_start || event == Event::object_start;
    too_deep |= opens && depth >= most_depth;
    return !too_deep;
  };
  const auto parsed = JsonReader::Parsed::parse(text, shallow, false);
  if (parsed.is_discarded() || too_deep) return std::nullopt;
  return JsonReader::convert(parsed);
}

std::optional<bool> Json::truth() const {
  return kind_ == Kind::kBool ? std::optional(number_.whole != 0) : std::nullopt;
}

std::optional<int64_t> Json::whole() const {
  if (kind_ == Kind::kSigned) return number_.whole;
  const bool fits = kind_ == Kind::kUnsigned && number_.natural <= uint64_t{INT64_MAX};
  return fits ? std::optional(static_cast<int64_t>(number_.natural)) : std::nullopt;
}

std::optional<uint64_t> Json::natural() const {
  if (kind_ == Kind::kUnsigned) return number_.natural;
  const bool fits = kind_ == Kind::kSigned && number_.whole >= 0;
  return fits ? std::optional(static_cast<uint64_t>(number_.whole)) : std::nullopt;
}

std::optional<double> Json::real() const {
  if (kind_ == Kind::kReal) return number_.real;
  if (kind_ == Kind::kUnsigned) return static_cast<double>(number_.natural);
  return kind_ == Kind::kSigned ? std::optional(static_cast<double>(number_.whole)) : std::nullopt;
}

std::string Json::text_or(std::string_view otherwise) const {
  return std::string(kind_ == Kind::kText ? std::string_view(text_) : otherwise);
}

bool Json::is_member() const {
  return kind_ == Kind::kArray && items_.size() == 2 && items_[0].kind_ == Kind::kText;
}

size_t Json::find(std::string_view key) const {
  return static_cast<size_t>(std::find(keys_.begin(), keys_.end(), key) - keys_.begin());
}

Json& Json::member(std::string_view key) {
  if (kind_ == Kind::kNull) kind_ = Kind::kObject;
  const size_t at = find(key);
  if (at == keys_.size()) {
    keys_.emplace_back(key);
    items_.emplace_back();
  }
  return items_[at];
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNone;
  const size_t at = find(key);
  return at < keys_.size() ? items_[at] : kNone;
}

const Json& Json::operator[](size_t index) const {
  static const Json kNone;
  return index < items_.size() ? items_[index] : kNone;
}

void Json::push_back(Json item) {
  if (kind_ == Kind::kNull) kind_ = Kind::kArray;
  items_.push_back(std::move(item));
}

void Json::update(const Json& members) {
  for (size_t i = 0; i < members.keys_.size(); ++i) (*this)[members.keys_[i]] = members.items_[i];
}

std::string Json::dump(int indent) const {
  return JsonWriter::convert(*this).dump(indent, ' ', false,
                                         nlohmann::json::error_handler_t::replace);
}

bool Json::operator==(const Json& o) const {
  return JsonWriter::convert(*this) == JsonWriter::convert(o);
}

}  // namespace opkit
