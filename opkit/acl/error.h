// What a call of the runtime API answers when it cannot do what it is asked.
#ifndef OPKIT_ACL_ERROR_H_
#define OPKIT_ACL_ERROR_H_

#include <string>

#include "acl/acl.h"
#include "opkit/base/status.h"

namespace opkit::acl {

// Keeps the text for aclGetRecentErrMsg and returns the code.
[[gnu::format(printf, 2, 3)]] aclError fail(aclError code, const char* format, ...);
aclError fail(aclError code, const Error& error);
// What aclGetRecentErrMsg is going to answer: "opkit: error 107000: ...".
std::string shown_text();
// The thread's text, without the code, which aclGetRecentErrMsg then no longer has.
std::string take_text();

}  // namespace opkit::acl

#define OPKIT_ACL_EXPORT extern "C" __attribute__((visibility("default")))

#endif  // OPKIT_ACL_ERROR_H_
