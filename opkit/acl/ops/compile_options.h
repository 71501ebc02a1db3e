// Options of compiling single operators that a program has set.
#ifndef OPKIT_ACL_OPS_COMPILE_OPTIONS_H_
#define OPKIT_ACL_OPS_COMPILE_OPTIONS_H_

#include <map>
#include <string>

#include "acl/acl_op_compiler.h"

namespace opkit::acl {

// Returns the program's, made on first use and never destroyed. REQUIRES: the lock is held.
std::map<aclCompileOpt, std::string>& compile_options();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_OPS_COMPILE_OPTIONS_H_
