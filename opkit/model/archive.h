// Bytes of plain data, little-endian, both ways with one description: fields(archive, value) calls
// the archive on each member. A Reader takes no count on trust: it grows a list one element at a
// time, while there are bytes. Private to this folder.
#ifndef OPKIT_MODEL_ARCHIVE_H_
#define OPKIT_MODEL_ARCHIVE_H_

#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace opkit::model {

static_assert(std::endian::native == std::endian::little);

class Writer {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T)); }
  void put(const std::string& text) {
    put(static_cast<uint64_t>(text.size()));
    bytes_ += text;
  }
  template <typename T>
  void put(const std::vector<T>& list) {
    put(static_cast<uint64_t>(list.size()));
    for (const auto& one : list) put(static_cast<const T&>(one));
  }
  template <typename K, typename V>
  void put(const std::map<K, V>& map) {
    put(static_cast<uint64_t>(map.size()));
    for (const auto& [key, value] : map) put(key), put(value);
  }
  template <typename... T>
  void put(const std::variant<T...>& value) {
    put(static_cast<uint8_t>(value.index()));
    std::visit([this](const auto& held) { put(held); }, value);
  }
  template <typename T>
  requires std::is_class_v<T>
  void put(const T& value) { fields(*this, const_cast<T&>(value)); }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  // Everything was there, and nothing is left.
  bool done() const { return ok_ && rest_.empty(); }

 private:
  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void get(T& value) {
    if (!ok_ || rest_.size() < sizeof(T)) {
      ok_ = false;
      return;
    }
    if constexpr (std::is_same_v<T, bool>) {
      value = rest_[0] != 0;
    } else {
      std::memcpy(&value, rest_.data(), sizeof(T));
    }
    rest_.remove_prefix(sizeof(T));
  }
  void get(std::string& text) {
    uint64_t size = 0;
    get(size);
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return;
    }
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  // Calls read() as often as the count says, while there are bytes for it.
  template <typename Read>
  void repeat(Read read) {
    uint64_t count = 0;
    get(count);
    if (count > rest_.size()) ok_ = false;
    for (uint64_t i = 0; ok_ && i < count; ++i) read();
  }
  template <typename T>
  void get(std::vector<T>& list) {
    list.clear();
    repeat([&] {
      T one{};
      get(one);
      if (ok_) list.push_back(std::move(one));
    });
  }
  template <typename K, typename V>
  void get(std::map<K, V>& map) {
    map.clear();
    repeat([&] {
      std::pair<K, V> one;
      get(one.first), get(one.second);
      if (ok_) map.insert(std::move(one));
    });
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    uint8_t index = 0;
    get(index);
    if (index >= sizeof...(T)) ok_ = false;
    if (ok_) get_alternative(value, index, std::index_sequence_for<T...>());
  }
  template <typename Variant, size_t... I>
  void get_alternative(Variant& value, size_t index, std::index_sequence<I...>) {
    (..., (index == I ? get(value.template emplace<I>()) : void()));
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { fields(*this, value); }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace opkit::model

#endif  // OPKIT_MODEL_ARCHIVE_H_
