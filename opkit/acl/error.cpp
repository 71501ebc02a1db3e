#include "opkit/acl/error.h"

#include <cstdarg>
#include <cstdio>
#include <string>

namespace opkit::acl {
namespace {

thread_local std::string last_message, shown_message;

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
  last_message = "opkit: error " + std::to_string(code) + ": " + text;
  return code;
}

aclError fail(aclError code, const Error& error) {
  return fail(code, "%s", error.to_string().c_str());
}

}  // namespace opkit::acl

OPKIT_ACL_EXPORT const char* aclGetRecentErrMsg(void) {
  using namespace opkit::acl;
  if (last_message.empty()) return nullptr;
  shown_message = std::move(last_message);
  last_message.clear();
  return shown_message.c_str();
}
