// What a program's environment says to the runtime.
#ifndef OPKIT_ACL_BASE_ENVIRONMENT_H_
#define OPKIT_ACL_BASE_ENVIRONMENT_H_

#include <string>

#include "opkit/base/status.h"

namespace opkit::acl {

// Empty: it is not there.
std::string from_environment(const char* name);

// A variable that is 1 or 0. Ends the process for another word: OPK-LAUNCH-012.
bool switched_on(const char* name, bool otherwise = false);

// Tells whether what the device refuses, or leaves to chance, is an error where it does no harm
// here. $OPKIT_STRICT, else: in the Checked mode.
bool strict();

// Says the error on stderr and ends the process.
[[noreturn]] void end_process(const Error& error);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_ENVIRONMENT_H_
