// Whether memory that a call names is what the call says of it.
#ifndef OPKIT_ACL_RUNTIME_MEMORY_CHECK_H_
#define OPKIT_ACL_RUNTIME_MEMORY_CHECK_H_

#include <functional>

#include "opkit/acl/base/error.h"

namespace opkit::acl {

struct Bytes {
  const void* at = nullptr;
  size_t bytes = 0;
};

// side: "source" or "destination". REQUIRES: the lock is held.
aclError check_side(const void* address, size_t count, bool device, const char* side);
// Checks both sides of a copy. REQUIRES: the same; kind is one.
aclError check_sides(const Bytes& to, const Bytes& from, aclrtMemcpyKind kind);
// A copy that a stream makes. It looks at its memory again when it runs: the program may have given
// it back. The host's side is read or written then; if it is not pinned (aclrtMallocHost,
// aclrtHostRegister) the call returns when that has been done, as the vendor's does.
struct AsyncCopy {
  Bytes to, from;
  std::function<void()> copy;
};
// check() judges the call, with the lock held.
aclError submit_copy(aclrtStream stream, AsyncCopy copy, const std::function<aclError()>& check);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_RUNTIME_MEMORY_CHECK_H_
