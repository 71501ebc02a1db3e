#include "opkit/acl/models/model_dataset.h"

#include "opkit/acl/base/ask.h"
#include "opkit/acl/tensors/data_buffer.h"
#include "opkit/acl/tensors/tensor_desc.h"

namespace opkit::acl {

HandleTable<aclmdlDataset>& datasets() {
  static HandleTable<aclmdlDataset>& all = *new HandleTable<aclmdlDataset>("aclmdlDataset");
  return all;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclmdlDataset* aclmdlCreateDataset(void) {
  return make(datasets(), aclmdlDataset{});
}

OPKIT_ACL_EXPORT aclError aclmdlDestroyDataset(const aclmdlDataset* dataset) {
  return destroy(datasets(), dataset);
}

OPKIT_ACL_EXPORT aclError aclmdlAddDatasetBuffer(aclmdlDataset* dataset, aclDataBuffer* buffer) {
  return ask(datasets(), dataset, [&](aclmdlDataset& d) -> aclError {
    const auto& buffers = data_buffers();
    if (!buffers.find(buffer)) return buffers.unknown(buffer);
    d.buffers.push_back(buffer);
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT size_t aclmdlGetDatasetNumBuffers(const aclmdlDataset* dataset) {
  return ask(datasets(), dataset, size_t{0},
             [](const aclmdlDataset& d) { return d.buffers.size(); });
}

OPKIT_ACL_EXPORT aclDataBuffer* aclmdlGetDatasetBuffer(const aclmdlDataset* dataset, size_t index) {
  return ask(datasets(), dataset, static_cast<aclDataBuffer*>(nullptr),
             [&](const aclmdlDataset& d) -> aclDataBuffer* {
               if (index < d.buffers.size()) return d.buffers[index];
               fail(ACL_ERROR_INVALID_PARAM, "buffer %zu of a dataset with %zu", index,
                    d.buffers.size());
               return nullptr;
             });
}

OPKIT_ACL_EXPORT aclError aclmdlSetDatasetTensorDesc(aclmdlDataset* dataset, aclTensorDesc* desc,
                                                     size_t index) {
  return ask(datasets(), dataset, [&](aclmdlDataset& d) -> aclError {
    const auto& descs = tensor_descs();
    const aclTensorDesc* const found = descs.find(desc);
    if (!found) return descs.unknown(desc);
    if (index >= d.buffers.size())
      return fail(ACL_ERROR_INVALID_PARAM, "buffer %zu of a dataset with %zu", index,
                  d.buffers.size());
    d.described[index] = std::make_unique<aclTensorDesc>(*found);
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclTensorDesc* aclmdlGetDatasetTensorDesc(const aclmdlDataset* dataset,
                                                           size_t index) {
  return ask(datasets(), dataset, static_cast<aclTensorDesc*>(nullptr),
             [&](const aclmdlDataset& d) -> aclTensorDesc* {
               const auto found = d.described.find(index);
               if (found != d.described.end())
                 return make(tensor_descs(), aclTensorDesc(*found->second));
               fail(ACL_ERROR_INVALID_PARAM, "buffer %zu of the dataset has no description", index);
               return nullptr;
             });
}
