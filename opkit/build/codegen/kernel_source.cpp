#include "opkit/build/codegen/kernel_source.h"

#include <charconv>
#include <string_view>

namespace opkit::codegen {

std::optional<uint64_t> literal_key(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  while (!digits.empty() &&
         std::string_view("uUlL").find(digits.back()) != std::string_view::npos) {
    digits.pop_back();
  }
  const bool hex = digits.size() > 2 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  const char* begin = digits.data() + (hex ? 2 : 0);
  uint64_t value = 0;
  const auto [end, code] =
      std::from_chars(begin, digits.data() + digits.size(), value, hex ? 16 : 10);
  if (digits.empty() || code != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

}  // namespace opkit::codegen
