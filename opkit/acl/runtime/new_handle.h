// What the calls share that make objects of the device.
#ifndef OPKIT_ACL_RUNTIME_NEW_HANDLE_H_
#define OPKIT_ACL_RUNTIME_NEW_HANDLE_H_

#include <cstdint>
#include <memory>

#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/device/context.h"

namespace opkit::acl {

// Makes a stream or an event of that number. REQUIRES: the lock is held.
template <typename T>
aclError make_numbered(HandleTable<T>& all, int32_t number, void** result) {
  if (!result)
    return fail(ACL_ERROR_INVALID_PARAM, "no place for the new %s; hand in the address of a handle",
                all.what());
  if (!has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "a %s without a device; call aclrtSetDevice first",
                all.what());
  }
  T* const made = all.add(std::make_unique<T>());
  made->id = number;
  *result = made;
  return ACL_SUCCESS;
}

}  // namespace opkit::acl

#endif  // OPKIT_ACL_RUNTIME_NEW_HANDLE_H_
