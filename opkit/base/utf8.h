// UTF-8, as RFC 3629 defines it; without the rules of shortest forms and surrogates.
#ifndef OPKIT_BASE_UTF8_H_
#define OPKIT_BASE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace opkit {

// Returns the bytes of the character that starts at text[i]; 0 when they are none.
inline size_t utf8_length(std::string_view text, size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return 0;
  }
  return length;
}

inline bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace opkit

#endif  // OPKIT_BASE_UTF8_H_
