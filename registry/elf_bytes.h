// Bounded reads of an ELF image. Every read says whether it was inside the file.
#ifndef OPKIT_REGISTRY_ELF_BYTES_H_
#define OPKIT_REGISTRY_ELF_BYTES_H_

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace opkit::registry {

class ElfBytes {
 public:
  explicit ElfBytes(std::string_view bytes) : bytes_(bytes) {}

  uint64_t size() const { return bytes_.size(); }

  // Returns a copy of the T at a file offset.
  template <typename T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  // Returns the T number `index` of an array; also no result when the offset overflows.
  template <typename T>
  std::optional<T> at(uint64_t offset, uint64_t index) const {
    if (index > bytes_.size() / sizeof(T) || offset > bytes_.size()) return std::nullopt;
    return at<T>(offset + index * sizeof(T));
  }

  // Returns the NUL-terminated string at `index` of a table of `table_size` bytes at `table`.
  std::optional<std::string> text(uint64_t table, uint64_t table_size, uint64_t index) const {
    if (table > bytes_.size() || index >= table_size || table_size > bytes_.size() - table) {
      return std::nullopt;
    }
    const std::string_view rest = bytes_.substr(table + index, table_size - index);
    const size_t end = rest.find('\0');
    if (end == std::string_view::npos || end > kMaxText) return std::nullopt;
    return std::string(rest.substr(0, end));
  }

 private:
  static constexpr size_t kMaxText = 4096;  // mangled names of templates are long
  std::string_view bytes_;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_ELF_BYTES_H_
