// Where a dataset has the memory of an input that the runtime itself writes: gears, AIPP settings.
#ifndef OPKIT_ACL_MODELS_INPUT_PLACE_H_
#define OPKIT_ACL_MODELS_INPUT_PLACE_H_

#include "opkit/acl/models/model_dataset.h"
#include "opkit/acl/models/model_desc.h"

namespace opkit::acl {

// Device memory with room for the input. REQUIRES: the lock is held.
aclError place_of(const ModelEnds& ends, const aclmdlDataset& dataset, size_t index,
                  std::byte*& at);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_INPUT_PLACE_H_
