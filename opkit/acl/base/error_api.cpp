// The text of the latest error of a thread, as programs ask for it.
#include "opkit/acl/base/error.h"
#include "opkit/acl/base/faults.h"

namespace opkit::acl {
namespace {

thread_local std::string shown_message;

}  // namespace
}  // namespace opkit::acl

OPKIT_ACL_EXPORT const char* aclGetRecentErrMsg(void) {
  using namespace opkit::acl;
  if (!has_text()) return nullptr;
  faults().accept();
  shown_message = shown_text();
  take_text();
  return shown_message.c_str();
}
