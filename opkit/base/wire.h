// Wire: values as bytes and back, little-endian, for files and for messages between processes. One
// function `fields` per struct names its members for both directions, so that they cannot differ.
// Reader treats its bytes as hostile: it never reads beyond them, never makes more elements than
// there are bytes for, and after the first mistake gives nothing but zeros.
#ifndef OPKIT_BASE_WIRE_H_
#define OPKIT_BASE_WIRE_H_

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace opkit::wire {

static_assert(std::endian::native == std::endian::little);

// Names that structs of the engine hold as `const char*`; they live as long as this.
class Names {
 public:
  static constexpr size_t kMost = 1u << 16, kLongest = 256;
  // nullptr: the name is too long, or there are too many.
  const char* keep(std::string_view name) {
    if (name.size() > kLongest) return nullptr;
    const auto known = all_.find(name);
    if (known != all_.end()) return known->c_str();
    return all_.size() < kMost ? all_.emplace(name).first->c_str() : nullptr;
  }

 private:
  std::set<std::string, std::less<>> all_;
};

template <typename T>
inline constexpr bool kPlain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

class Writer {
 public:
  template <typename... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  // An enumerator below `count`.
  template <typename E>
  void choice(const E& value, uint32_t /*count*/) {
    put(static_cast<uint32_t>(value));
  }
  // An enumerator in its own size, of which the reader's caller says whether it exists.
  template <typename E>
  void number(const E& value) {
    put(static_cast<std::underlying_type_t<E>>(value));
  }
  // A name that lives elsewhere.
  void name(const char* text) { put(std::string(text ? text : "")); }
  void raw(const void* bytes, size_t size) {
    put(uint64_t{size});
    bytes_.append(static_cast<const char*>(bytes), size);
  }
  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  requires kPlain<T>
  void put(const T& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    bytes_.append(bytes, sizeof value);
  }
  void put(bool value) { put(static_cast<uint8_t>(value)); }
  void put(const std::string& text) { raw(text.data(), text.size()); }
  void put(const void* address) { put(reinterpret_cast<uint64_t>(address)); }
  void put(const std::vector<std::byte>& bytes) { raw(bytes.data(), bytes.size()); }
  template <typename T>
  void put(const std::vector<T>& all) {
    put(uint64_t{all.size()});
    for (const auto& one : all) put(static_cast<const T&>(one));
  }
  void put(const std::vector<bool>& all) {
    put(uint64_t{all.size()});
    for (const bool one : all) put(one);
  }
  template <typename T>
  void put(const std::set<T>& all) {
    put(uint64_t{all.size()});
    for (const T& one : all) put(one);
  }
  template <typename K, typename V>
  void put(const std::map<K, V>& all) {
    put(uint64_t{all.size()});
    for (const auto& [key, value] : all) put(key), put(value);
  }
  template <typename T, size_t N>
  void put(const std::array<T, N>& all) {
    for (const T& one : all) put(one);
  }
  template <typename A, typename B>
  void put(const std::pair<A, B>& both) {
    put(both.first), put(both.second);
  }
  template <typename T>
  void put(const std::optional<T>& value) {
    put(value.has_value());
    if (value) put(*value);
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
  // Both are borrowed. Without names, a message that holds one is refused.
  explicit Reader(std::string_view bytes, Names* names = nullptr) : left_(bytes), names_(names) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <typename E>
  void choice(E& value, uint32_t count) {
    uint32_t number = 0;
    get(number);
    if (number >= count) refuse("a choice that does not exist");
    value = static_cast<E>(failed() ? 0 : number);
  }
  template <typename E>
  void number(E& value) {
    std::underlying_type_t<E> raw = 0;
    get(raw);
    value = static_cast<E>(raw);
  }
  void name(const char*& kept) {
    std::string text;
    get(text);
    const char* known = names_ ? names_->keep(text) : nullptr;
    if (!known) refuse("too many names, or one that is too long");
    kept = known ? known : "";
  }
  void refuse(const char* why) {
    if (!why_) why_ = why;
    left_ = {};
  }
  bool failed() const { return why_ != nullptr; }
  // Tells whether nothing was wrong and nothing is left over.
  bool done() const { return !failed() && left_.empty(); }
  // Why not, a few words.
  std::string why() const {
    return failed() ? why_ : std::to_string(left_.size()) + " bytes are left over";
  }

 private:
  bool take(void* into, size_t size) {
    if (size > left_.size()) return refuse("it ends early"), false;
    std::memcpy(into, left_.data(), size);
    left_.remove_prefix(size);
    return true;
  }
  // Reads the length of a list: each element takes a byte at least.
  uint64_t count() {
    uint64_t count = 0;
    get(count);
    if (count > left_.size()) return refuse("a list that is longer than the message"), 0;
    return count;
  }
  template <typename T>
  requires kPlain<T>
  void get(T& value) {
    value = 0;
    take(&value, sizeof value);
  }
  void get(bool& value) {
    uint8_t byte = 0;
    get(byte);
    if (byte > 1) refuse("a truth that is neither 0 nor 1");
    value = byte == 1;
  }
  void get(std::string& text) {
    const uint64_t size = count();
    text.assign(left_.data(), size);
    left_.remove_prefix(size);
  }
  void get(const void*& address) {
    uint64_t value = 0;
    get(value);
    address = reinterpret_cast<const void*>(value);
  }
  void get(std::vector<std::byte>& bytes) {
    const uint64_t size = count();
    bytes.resize(size);
    if (size > 0) take(bytes.data(), size);
  }
  template <typename T>
  void get(std::vector<T>& all) {
    all.clear();
    const uint64_t size = count();
    for (uint64_t i = 0; i < size && !failed(); ++i) {
      T one{};
      get(one);
      all.push_back(std::move(one));
    }
  }
  template <typename T>
  void get(std::set<T>& all) {
    all.clear();
    const uint64_t size = count();
    for (uint64_t i = 0; i < size && !failed(); ++i) {
      T one{};
      get(one);
      all.insert(std::move(one));
    }
  }
  template <typename K, typename V>
  void get(std::map<K, V>& all) {
    all.clear();
    const uint64_t size = count();
    for (uint64_t i = 0; i < size && !failed(); ++i) {
      std::pair<K, V> one{};
      get(one.first), get(one.second);
      all.insert(std::move(one));
    }
  }
  template <typename T, size_t N>
  void get(std::array<T, N>& all) {
    for (T& one : all) get(one);
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& both) {
    get(both.first), get(both.second);
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (there) get(value.emplace());
  }
  template <typename... T>
  void get(std::variant<T...>& value) {
    uint8_t index = 0;
    get(index);
    if (index >= sizeof...(T)) return refuse("an alternative that does not exist");
    get_alternative(value, index, std::index_sequence_for<T...>());
  }
  template <typename Variant, size_t... I>
  void get_alternative(Variant& value, size_t index, std::index_sequence<I...>) {
    (..., (index == I ? get(value.template emplace<I>()) : void()));
  }
  template <typename T>
  requires std::is_class_v<T>
  void get(T& value) { fields(*this, value); }

  std::string_view left_;
  Names* names_;
  const char* why_ = nullptr;
};

template <typename... T>
std::string written(const T&... values) {
  Writer writer;
  writer(values...);
  return writer.take();
}

}  // namespace opkit::wire

#endif  // OPKIT_BASE_WIRE_H_
