// The memory of one tensor of a model or a single operator. It is the program's.
#ifndef OPKIT_ACL_DATA_BUFFER_H_
#define OPKIT_ACL_DATA_BUFFER_H_

#include <cstddef>

struct aclDataBuffer {
  void* data = nullptr;
  size_t size = 0;
};

#endif  // OPKIT_ACL_DATA_BUFFER_H_
