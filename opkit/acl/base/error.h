// What a call of the runtime API answers when it cannot do what it is asked.
#ifndef OPKIT_ACL_BASE_ERROR_H_
#define OPKIT_ACL_BASE_ERROR_H_

#include <string>

#include "acl/acl.h"
#include "opkit/base/status.h"

// Stands before the definition of a function that programs call.
#define OPKIT_ACL_EXPORT extern "C" __attribute__((visibility("default")))
// Stands before what libopkit_media.so finds in libopkit_acl.so.
#define OPKIT_ACL_SHARED __attribute__((visibility("default")))

namespace opkit::acl {

// Keeps the text for aclGetRecentErrMsg and returns the code.
OPKIT_ACL_SHARED [[gnu::format(printf, 2, 3)]] aclError fail(aclError code, const char* format,
                                                             ...);
OPKIT_ACL_SHARED aclError fail(aclError code, const Error& error);
// Returns what aclGetRecentErrMsg is going to answer: "opkit: error 107000: ...".
std::string shown_text();
// Returns the thread's text, without the code, which aclGetRecentErrMsg then no longer has.
OPKIT_ACL_SHARED std::string take_text();
// Tells whether the thread has such a text.
bool has_text();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_ERROR_H_
