// The memory of one tensor of a model or a single operator. It is the program's.
#ifndef OPKIT_ACL_TENSORS_DATA_BUFFER_H_
#define OPKIT_ACL_TENSORS_DATA_BUFFER_H_

#include <cstddef>

#include "opkit/acl/base/handle_table.h"

struct aclDataBuffer {
  void* data = nullptr;
  size_t size = 0;
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclDataBuffer>& data_buffers();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_TENSORS_DATA_BUFFER_H_
