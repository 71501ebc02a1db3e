#include "opkit/acl/models/input_place.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/tensors/data_buffer.h"

namespace opkit::acl {

aclError place_of(const ModelEnds& ends, const aclmdlDataset& dataset, size_t index,
                  std::byte*& at) {
  const ModelEnd& end = ends.inputs[index];
  const aclDataBuffer* const buffer =
      index < dataset.buffers.size() ? data_buffers().find(dataset.buffers[index]) : nullptr;
  if (!buffer)
    return fail(ACL_ERROR_INVALID_PARAM, "the dataset has no buffer for input %zu (%s)", index,
                end.shown.c_str());
  if (buffer->size < end.bytes || !the_device().memory().holds(buffer->data, end.bytes))
    return fail(ACL_ERROR_INVALID_PARAM,
                "input %zu (%s) wants %zu bytes of device memory, it has %zu at %p", index,
                end.shown.c_str(), static_cast<size_t>(end.bytes), buffer->size, buffer->data);
  at = static_cast<std::byte*>(buffer->data);
  return ACL_SUCCESS;
}

}  // namespace opkit::acl
