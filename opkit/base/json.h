// Json: a JSON document, read or to be written. Objects keep the order in which their members were
// set. nlohmann's library reads and writes behind json.cpp: its templates cost every file that
// includes them seconds.
#ifndef OPKIT_BASE_JSON_H_
#define OPKIT_BASE_JSON_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace opkit {

class Json;

template <typename T>
concept JsonNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <typename T>
concept JsonMembers = requires(const T& map) {
  typename T::mapped_type;
  map.begin()->first;
};
template <typename T>
concept JsonItems = !std::is_convertible_v<const T&, std::string_view> && !JsonMembers<T> &&
                    !std::is_same_v<T, Json> && requires(const T& list) {
  typename T::value_type;
  list.begin();
  requires !std::is_same_v<std::remove_cvref_t<decltype(*list.begin())>, T>;
};

class Json {
 public:
  Json();  // null
  Json(std::nullptr_t) : Json() {}
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  template <std::same_as<bool> T>
  Json(T value) : Json(Kind::kBool) {
    number_.whole = value;
  }
  template <JsonNumber T>
  Json(T value) : Json(kind_of<T>()) {
    set(value);
  }
  template <JsonItems T>
  Json(const T& list) : Json(Kind::kArray) {
    for (const auto& item : list) push_back(Json(item));
  }
  template <JsonMembers T>
  Json(const T& map) : Json(Kind::kObject) {
    for (const auto& [key, value] : map) (*this)[std::string_view(key)] = Json(value);
  }
  // An object when every item is a pair whose first is a text; otherwise an array.
  Json(std::initializer_list<Json> items);
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> items = {});
  static Json object();

  // Reads a document. Nothing when the text is no JSON, or has more arrays and objects than that
  // inside each other.
  static std::optional<Json> parse(std::string_view text, int most_depth = 64);

  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_array() const { return kind_ == Kind::kArray; }
  // Returns what the value is; null or nothing when it is of another kind.
  const std::string* text() const { return kind_ == Kind::kText ? &text_ : nullptr; }
  std::optional<bool> truth() const;
  std::optional<int64_t> whole() const;
  std::optional<uint64_t> natural() const;
  std::optional<double> real() const;  // every number
  std::string text_or(std::string_view otherwise) const;
  // Counts an array's items or an object's members.
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }

  // null becomes an object, and a member that is not there null. No index converts to a key here:
  // the index 0 could be a null pointer to a text.
  template <std::convertible_to<std::string_view> Key>
  Json& operator[](const Key& key) {
    return member(key);
  }
  // null where there is no such member or item.
  const Json& operator[](std::string_view key) const;
  const Json& operator[](size_t index) const;
  bool contains(std::string_view key) const { return find(key) < keys_.size(); }
  // Returns an array's items, or the values of an object, whose keys are at the same places.
  const std::vector<Json>& items() const { return items_; }
  const std::vector<std::string>& keys() const { return keys_; }
  // null becomes an array.
  void push_back(Json item);
  Json& back() { return items_.back(); }
  const Json& front() const { return items_.front(); }
  // Sets every member of another object.
  void update(const Json& members);

  // Lines indented by so many blanks. Bytes that are no UTF-8 (file names) are replaced; NaN and
  // infinities, which JSON has not, become null.
  std::string dump(int indent) const;

  // 1 and 1u are equal, 1 and 1.0 are not.
  bool operator==(const Json& other) const;

 private:
  friend struct JsonWriter;
  friend struct JsonReader;
  Json& member(std::string_view key);
  enum class Kind : uint8_t { kNull, kBool, kSigned, kUnsigned, kReal, kText, kArray, kObject };
  union Number {
    int64_t whole;
    uint64_t natural;
    double real;
  };

  explicit Json(Kind kind);
  template <typename T>
  static constexpr Kind kind_of() {
    if (std::is_floating_point_v<T>) return Kind::kReal;
    return std::is_signed_v<T> ? Kind::kSigned : Kind::kUnsigned;
  }
  template <typename T>
  void set(T value) {
    if constexpr (std::is_floating_point_v<T>)
      number_.real = value;
    else if constexpr (std::is_signed_v<T>)
      number_.whole = value;
    else
      number_.natural = value;
  }
  bool is_member() const;
  size_t find(std::string_view key) const;

  Kind kind_;
  Number number_ = {};
  std::string text_;
  std::vector<Json> items_;        // holds an array, or the values of an object
  std::vector<std::string> keys_;  // holds an object's keys, beside items_
};

}  // namespace opkit

#endif  // OPKIT_BASE_JSON_H_
