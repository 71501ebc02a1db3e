#include "opkit/acl/error.h"

#include <cstdarg>
#include <cstdio>
#include <string>

namespace opkit::acl {
namespace {

thread_local std::string last_message, shown_message;

}  // namespace

aclError fail(aclError code, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  last_message = "opkit: error " + std::to_string(code) + ": " + text;
  return code;
}

}  // namespace opkit::acl

OPKIT_ACL_EXPORT const char* aclGetRecentErrMsg(void) {
  using namespace opkit::acl;
  if (last_message.empty()) return nullptr;
  shown_message = std::move(last_message);
  last_message.clear();
  return shown_message.c_str();
}
