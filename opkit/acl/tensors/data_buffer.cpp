#include "opkit/acl/tensors/data_buffer.h"

#include <limits>

#include "opkit/acl/base/ask.h"

namespace opkit::acl {

HandleTable<aclDataBuffer>& data_buffers() {
  static HandleTable<aclDataBuffer>& all = *new HandleTable<aclDataBuffer>("aclDataBuffer");
  return all;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return make(data_buffers(), aclDataBuffer{data, size});
}

OPKIT_ACL_EXPORT aclError aclDestroyDataBuffer(const aclDataBuffer* buffer) {
  return destroy(data_buffers(), buffer);
}

OPKIT_ACL_EXPORT aclError aclUpdateDataBuffer(aclDataBuffer* buffer, void* data, size_t size) {
  return ask(data_buffers(), buffer, [&](aclDataBuffer& b) {
    b = {data, size};
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT void* aclGetDataBufferAddr(const aclDataBuffer* buffer) {
  return ask(data_buffers(), buffer, static_cast<void*>(nullptr),
             [](const aclDataBuffer& b) { return b.data; });
}

OPKIT_ACL_EXPORT size_t aclGetDataBufferSizeV2(const aclDataBuffer* buffer) {
  return ask(data_buffers(), buffer, size_t{0}, [](const aclDataBuffer& b) { return b.size; });
}

OPKIT_ACL_EXPORT uint32_t aclGetDataBufferSize(const aclDataBuffer* buffer) {
  const size_t size = aclGetDataBufferSizeV2(buffer);
  if (size <= std::numeric_limits<uint32_t>::max()) return static_cast<uint32_t>(size);
  fail(ACL_ERROR_INVALID_PARAM,
       "a buffer of %zu bytes is too large for aclGetDataBufferSize; call aclGetDataBufferSizeV2",
       size);
  return 0;
}
