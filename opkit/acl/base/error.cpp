#include "opkit/acl/base/error.h"

#include <cstdarg>
#include <cstdio>
#include <string>
#include <utility>

namespace opkit::acl {
namespace {

thread_local std::string last_text;
thread_local aclError last_code;

}  // namespace

aclError fail(aclError code, const char* format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(static_cast<size_t>(length > 0 ? length : 0), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(arguments);
  last_text = std::move(text);
  last_code = code;
  return code;
}

// Codes of hi_mpi_* are negative; the vendor's pages have them as 0xA0078003.
std::string shown_text() {
  char code[16];
  std::snprintf(code, sizeof code, last_code < 0 ? "0x%X" : "%d", last_code);
  return std::string("opkit: error ") + code + ": " + last_text;
}

bool has_text() { return !last_text.empty(); }

std::string take_text() { return std::exchange(last_text, {}); }

aclError fail(aclError code, const Error& error) {
  return fail(code, "%s", error.to_string().c_str());
}

}  // namespace opkit::acl
